// What can be downloaded of a contest: tables, the gradebook, and reports for staff or students.
// The engine makes all of it from what is shown.

import { Refused, ask } from './api.js';
import { button, download, h, put, say, withCode } from './dom.js';
import { columnsFor, rosterOf } from './roster.js';
import { read } from './route.js';
import { origin, withOrigin } from './taken.js';
import { roomFor, unzip } from './unzip.js';
import { nameOf } from './versions.js';
import { count, listed } from './words.js';

/** What students see of how their strategy plays, and the words for it. */
const LEVELS = [
  [
    'points',
    'rank and points',
    'only its rank, wins and points, and why a file could not be played',
  ],
  [
    'rates',
    'also win rates and their rolls',
    'its rank, wins and points, the exact win rates and what it rolls, without the best rolls; ' +
      'for a file that could not be played, why',
  ],
  [
    'costs',
    'also what to improve',
    'its rank, wins and points, the exact win rates, what it rolls, and the positions that cost ' +
      'most, with the best rolls there; for a file that could not be played, why',
  ],
];

/** Tables whose rows say what they are from; the others are read by other systems. */
const WITH_ORIGIN = ['ranking.csv', 'matrix.csv'];

/** The level that `hog contest` has without an option. */
const USUAL_LEVEL = 'rates';

export class Downloads {
  /** @type {import('answers').Answers['contest']} */
  view;

  /** @type {import('./api.js').Request} */
  request;

  /** @type {{ pages: string[], keepPages: (pages: string[]) => void, hasOldPages: boolean }} */
  contest;

  /** Offers what there is of a result, `view`, and of the request for it, of a contest. */
  constructor(view, request, contest) {
    Object.assign(this, { view, request, contest });
    const called = nameOf(read().game, view.asked ?? view.rules);
    this.name = `contest-${called.replace(/[^\w.-]+/g, '-')}`;
    this.saved = h('p', { class: 'note', role: 'status' });
    this.older = h('p', { class: 'note', role: 'status' });
    this.element = h(
      'div',
      { class: 'downloads', role: 'group', 'aria-label': 'Downloads' },
      h('p', { class: 'bar' }, this.tables()),
      this.withoutPoints(),
      this.graded(),
      h('h3', {}, 'Reports'),
      h(
        'p',
        { class: 'note' },
        'Those for staff have a page for each entrant: its results, where it loses, what it could ',
        'do better, and what it rolls; and the ranking and the tables.',
      ),
      h('p', { class: 'bar' }, this.pages('staff', 'Reports (.zip)', `${this.name}.zip`)),
      this.forStudents(),
      this.saved,
    );
    this.agePages();
  }

  tables() {
    const { view, name } = this;
    const table = (file, label, wanted) => this.table(file, label, `${name}-${file}`, wanted);
    return [
      table('ranking.csv', 'Ranking (.csv)'),
      table('matrix.csv', 'Matrix (.csv)'),
      table('gradebook.csv', 'Gradebook (.csv)', () => ({ earlier: this.contest.pages })),
      button('Everything (.json)', async () => {
        const whole = { ...view, from: await origin() };
        download(`${name}.json`, JSON.stringify(whole), 'application/json');
      }),
    ];
  }

  /** A button for one of the tables. */
  table(file, label, name, wanted = () => ({})) {
    const take = async (bytes) => {
      const files = await unzip(bytes, roomFor(1), (path) => path === file);
      const text = new Map(files).get(file);
      const own = WITH_ORIGIN.includes(file);
      const { error_bound: bound } = this.view;
      const rows = own ? await withOrigin(new TextDecoder().decode(text), bound) : text;
      download(name, rows, 'text/csv');
    };
    return button(label, () => this.pack(() => ({ without_pages: true, ...wanted() }), take));
  }

  pages(audience, label, name, wanted = () => ({})) {
    const take = async (bytes) => {
      download(name, bytes, 'application/zip');
      if (audience !== 'students') return;
      const files = await unzip(bytes, roomFor(1), () => false);
      this.contest.keepPages(files.map(([path]) => path));
      this.agePages();
    };
    return button(label, () => this.pack(() => ({ audience, ...wanted() }), take));
  }

  /** Who is without points though something may be theirs. */
  withoutPoints() {
    const { people, absent } = this.view;
    const none = people.filter(({ name, points }) => points === null && !absent.includes(name));
    const names = listed(none.map(({ name }) => name));
    const told = `No points in it for ${names}: see “By the roster” below.`;
    return none.length > 0 && h('p', { class: 'loss' }, told);
  }

  /** Says whether the gradebook tells of reports that are older than what is shown. */
  agePages() {
    const told =
      'The reports that the gradebook names are those of an earlier contest: make them again.';
    put(this.older, this.contest.hasOldPages && h('span', { class: 'loss' }, told));
  }

  /** The roster as it was, with the points in a column of it: what its system imports. */
  graded() {
    const roster = rosterOf(this.request);
    const { columns, filled, most, likely, system } = columnsFor(roster?.text ?? '');
    if (!columns.length) {
      return h('p', { class: 'note' }, 'The gradebook has a line for each person of a roster.');
    }
    const whose = system ? `for ${system}` : 'of the roster';
    if (this.view.points === null) {
      const into = likely ? ` into its column “${likely}”` : '';
      return h(
        'p',
        { class: 'note' },
        'The gradebook has a line for each person of the roster, and columns of its own. With ',
        `points (under Scoring) there is also a copy ${whose}, with the points${into}.`,
      );
    }
    const option = (name) => h('option', { value: name, selected: name === likely }, name);
    const none = h('option', { value: '' }, 'choose one');
    const replaced = h('p', { class: 'loss', role: 'status' });
    const steps = this.view.ranking[0]?.steps ?? [];
    const reach = steps.reduce((sum, { points }) => sum + points, 0);
    const tell = () => {
      const grades = column.value ? filled(column.value) : 0;
      const possible = most(column.value);
      put(
        replaced,
        grades > 0 &&
          `${column.value} has grades in ${count(grades, 'line')}: points replace them. `,
        possible < reach && `It is out of ${possible}, and these points go up to ${reach}.`,
      );
    };
    const column = h('select', { onchange: tell }, likely ? [] : none, columns.map(option));
    tell();
    const wanted = () => {
      if (!column.value) throw new Refused({ message: 'Choose the column for the points first.' });
      return { grade_column: column.value };
    };
    const ending = system ? `for-${system.toLowerCase()}` : 'roster-with-points';
    const label = system ? `Gradebook for ${system} (.csv)` : 'Roster with points (.csv)';
    const file = 'roster-with-points.csv';
    return [
      h(
        'p',
        { class: 'bar' },
        h('label', {}, 'Points go into the column ', column),
        this.table(file, label, `${this.name}-${ending}.csv`, wanted),
      ),
      replaced,
      h(
        'p',
        { class: 'note' },
        system
          ? `That is the file of ${system}, every line and column as it was, with the points: `
          : 'That is the roster, every line and column as it was, with the points: ',
        'upload it as it is. The gradebook above has columns of its own for rank, wins and notes.',
      ),
    ];
  }

  /** The reports for students, and what is in them. */
  forStudents() {
    const option = ([level, label]) =>
      h('option', { value: level, selected: level === USUAL_LEVEL }, label);
    const level = h('select', { onchange: () => tell() }, LEVELS.map(option));
    const named = h('input', { type: 'checkbox', onchange: () => tell() });
    const told = h('p', { class: 'note', role: 'status' });
    const tell = () => {
      const [, , words] = LEVELS.find(([one]) => one === level.value);
      const others = named.checked ? 'by their names' : 'by their ranks, without names';
      put(
        told,
        `A page for each submission shows ${words}. Others are told ${others}, also in the `,
        'ranking. Nobody else’s strategy is shown, and the names of the files cannot be guessed; ',
        'they stay the same when the reports are made again. The gradebook says then whose each ',
        'is: send each to its author.',
      );
    };
    tell();
    const wanted = () => ({
      feedback: level.value,
      show_names: named.checked,
      earlier: this.contest.pages,
    });
    const zip = `${this.name}-students.zip`;
    return [
      h(
        'p',
        { class: 'bar' },
        h('label', {}, 'Students see ', level),
        h('label', {}, named, ' and the names of all'),
        this.pages('students', 'Reports for students (.zip)', zip, wanted),
      ),
      told,
      this.older,
    ];
  }

  /**
   * Asks for an archive about the contest that is shown, with what `wanted()` returns, and hands
   * its bytes to `take`.
   */
  async pack(wanted, take) {
    if (this.element.querySelector('[aria-disabled]')) return;
    // A disabled button would lose the focus.
    const buttons = this.element.querySelectorAll('button');
    for (const one of buttons) one.setAttribute('aria-disabled', 'true');
    const onProgress = ({ what, done, of }) => {
      this.saved.textContent =
        what === 'reporting' ? `Reports: ${done} of ${of}` : 'Making the file…';
    };
    try {
      const { request, view } = this;
      const asked = { ...request, ...wanted(), shown: JSON.stringify(view) };
      const { base64 } = await ask('contest/reports', asked, { onProgress });
      await take(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
      this.saved.textContent = '';
      say('The file is ready');
    } catch (error) {
      this.refuse(error);
    } finally {
      for (const one of buttons) one.removeAttribute('aria-disabled');
    }
  }

  refuse(error) {
    if (!(error instanceof Refused)) throw error;
    put(this.saved, h('strong', { class: 'loss' }, withCode(error.message)));
  }
}
