// The contest: exact win rates of every strategy against every other. This is its state, and how it
// is asked; ranking.js shows its results.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { h, put, refresh, say, withCode } from './dom.js';
import { filesOf, keep, kept, mine, newest } from './kept.js';
import { Ranking, reasons, shade } from './ranking.js';
import { gameParams } from './route.js';
import { session, store } from './storage.js';
import { dropZone } from './upload.js';
import { Progress, bare, bound, count, working } from './words.js';

/** How often a contest goes on by itself after the page was loaded again. */
const MOST_RESUMED = 3;

const LIST = 'submission_metadata.yml';

/** Contests that go on, also while another view is shown, by their keys. */
const underWay = new Map();

export async function enter(root, route) {
  await askOnce('rules/show', gameParams(route));
  const key = keyOf(route);
  const known = underWay.get(key);
  if (known) {
    put(root, known.parts);
    return known;
  }
  const own = await kept(key);
  const state = { files: [], names: 'optimal baseline', scoring: {}, ...own };
  const contest = new Contest(root, route, key, state);
  if (!own) contest.offer(await newest(key.slice(0, key.lastIndexOf('/') + 1)));
  // A reload in the middle: what was read by then is known.
  if (state.isRunning) contest.resume();
  return contest;
}

/** The name under which a contest is kept: two tabs have contests of their own. */
function keyOf(route) {
  const tab = session.getItem('hog.tab') ?? `${Date.now()}-${Math.random()}`;
  store(session, 'hog.tab', tab);
  const numbers = ['goal', 'max_dice'].map((name) => route.params.get(name) ?? '');
  return ['contest', route.game, ...numbers, tab].join('/');
}

/** Whether a table has people rather than rolls: its first line names a column of theirs. */
const isRoster = ({ name, text = '' }) =>
  /\.csv$/i.test(name) &&
  /\b(e-?mail|names?|sid|students?|identifier|username)\b/i.test(text.split('\n', 1)[0]);

/** What of a file is not a strategy. */
function kindOf(file) {
  if (file.name.split('/').pop() === LIST) return 'the list of submitters';
  return isRoster(file) ? 'the roster' : null;
}

class Contest {
  /** @type {any[]} */
  files;

  /** @type {string} */
  names;

  /** @type {any} */
  scoring;

  /** @type {{ view: import('answers').Answers['contest'], request: import('./api.js').Request }} */
  result;

  /**
   * How often the contest that is running was begun; 0 if none is.
   * @type {number}
   */
  isRunning;

  constructor(root, route, key, state) {
    this.route = route;
    this.key = key;
    Object.assign(this, state);
    this.ask = lastOnly();
    this.named = h('input', {
      spellcheck: 'false',
      size: 40,
      value: this.names,
      onchange: () => this.save({ names: this.named.value }),
    });
    this.about = h(
      'p',
      {},
      'Drop a folder of strategies: each plays against every other, and every win rate is ',
      'exact. Python files run in a sandbox. Downloads of Gradescope and GitHub Classroom can ',
      'be dropped as they are, and a roster (.csv with names or addresses) beside them. ',
      'This browser keeps files and results for a day.',
    );
    this.offered = h('div');
    this.taken = h('div');
    this.told = h('p', { class: 'note', role: 'status' });
    this.bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Contest' });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.fates = h('div');
    this.results = h('div');
    const button = (label, onclick, extra = {}) =>
      h('button', { type: 'button', onclick, ...extra }, label);
    this.start = button('Start the contest', () => this.run(), { class: 'primary' });
    this.cancel = button('Cancel', () => this.ask.stop(), { hidden: true });
    const zone = dropZone({
      label: 'Strategies',
      text: 'Drop files, folders or .zip archives here',
      onFiles: (files, others) => this.took(files, others),
    });
    this.form = h('div', {}, this.scoringForm());
    const own = mine().map((name) => button(`Add ${name}`, () => this.took(filesOf(name), '')));
    this.parts = [
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Contest'),
        this.about,
        zone,
        this.offered,
        this.told,
        this.taken,
        h(
          'div',
          { class: 'setup' },
          h('label', {}, 'Strategies by name that take part too', this.named),
          own,
          this.start,
          this.cancel,
        ),
        this.form,
        this.bar,
        this.state,
        this.fates,
      ),
      this.results,
    ];
    put(root, this.parts);
    this.showFiles();
    if (this.result) this.draw();
  }

  update(route) {
    this.route = route;
  }

  leave() {
    this.ranking?.leave();
  }

  /** Keeps what has changed: it lives through other views, Back and a reload. */
  save(changes) {
    Object.assign(this, changes);
    const { files, names, scoring, result, isRunning } = this;
    return keep(this.key, { files, names, scoring, result, isRunning });
  }

  /** Offers the contest of a tab that may be closed: files, scoring and results. */
  offer(other) {
    if (!other?.files.length) return;
    const take = () => {
      this.save({ ...other, isRunning: 0 });
      this.named.value = this.names;
      put(this.form, this.scoringForm());
      this.showFiles();
      if (other.isRunning) this.run();
      else if (this.result) this.draw();
    };
    const files = count(other.files.length, 'file');
    put(
      this.offered,
      h(
        'p',
        { class: 'bar' },
        `This browser keeps a contest of another tab, ${files}${other.result ? ' and results' : ''}.`,
        h('button', { type: 'button', onclick: take }, 'Go on with it'),
      ),
    );
  }

  /** The fields of how it is scored, named as in the request. */
  scoringForm() {
    const { scoring } = this;
    const labelled = (label, field) => h('label', {}, label, field);
    const choice = (name, options) =>
      h(
        'select',
        { name },
        options.map(([value, label]) =>
          h('option', { value, selected: value === (scoring[name] ?? options[0][0]) }, label),
        ),
      );
    const field = (name, extra) => h('input', { name, value: scoring[name] ?? '', ...extra });
    const form = h(
      'form',
      {
        class: 'setup',
        onsubmit: (event) => event.preventDefault(),
        onchange: () => this.save({ scoring: given(form) }),
      },
      labelled(
        'Rank by',
        choice('rank_by', [
          ['wins', 'wins'],
          ['points', 'wins, and half for a tie'],
          ['mean', 'mean win rate'],
        ]),
      ),
      labelled(
        'Ties are broken by',
        choice('break_ties', [
          ['share', 'nothing: a shared rank'],
          ['mean', 'the mean win rate'],
          ['baseline', 'the win rate against the baseline'],
        ]),
      ),
      labelled(
        'A win is a rate above',
        field('win_above', {
          type: 'number',
          min: 0.5,
          max: 1,
          step: 'any',
          placeholder: '0.500001',
        }),
      ),
      labelled(
        'Points, as in plays=1,baseline=2,mean:0.5=2',
        field('points', { size: 28, spellcheck: 'false' }),
      ),
      labelled('Deadline, in your time', field('deadline', { type: 'datetime-local' })),
      labelled(
        'Late submissions',
        choice('refuse_late', [
          ['', 'are marked'],
          ['yes', 'are rejected'],
        ]),
      ),
      labelled(
        'Names',
        choice('names', [
          ['chosen', 'that they give themselves'],
          ['people', 'of the people'],
          ['files', 'of the files'],
        ]),
      ),
    );
    return h(
      'details',
      { class: 'scoring', open: Object.keys(scoring).length > 0 },
      h('summary', {}, 'Scoring, points and deadline'),
      form,
    );
  }

  /**
   * Shows whether a contest is running; the focus stays on the button that starts or cancels one.
   */
  running(yes) {
    const focused = [this.start, this.cancel].includes(document.activeElement);
    this.bar.hidden = !yes;
    this.cancel.hidden = !yes;
    this.start.hidden = yes;
    if (focused) (yes ? this.cancel : this.start).focus();
  }

  /**
   * Takes files too. In a folder, a file with the path of another one is a newer one; files without
   * a folder may be those of two people, who have called theirs alike.
   */
  took(files, others) {
    const known = new Map(this.files.map((file) => [file.name, file]));
    const told = [others];
    for (const file of files) {
      const before = known.get(file.name);
      const isSame = before && before.text === file.text && before.base64 === file.base64;
      if (!before || isSame) {
        known.set(file.name, file);
      } else if (file.name.includes('/') || kindOf(file)) {
        known.set(file.name, file);
        told.push(`${file.name} was replaced.`);
      } else {
        const name = unused(file.name, known);
        known.set(name, { ...file, name });
        told.push(`There was another ${file.name} already: this one is called ${name}.`);
      }
    }
    this.save({ files: [...known.values()] });
    this.showFiles(told.filter(Boolean).join(' '));
  }

  remove(name) {
    this.save({ files: name === null ? [] : this.files.filter((file) => file.name !== name) });
    this.showFiles();
  }

  showFiles(told = '') {
    this.told.textContent = told;
    if (!this.files.length) {
      put(this.taken);
      return;
    }
    put(this.offered);
    const isOpen = this.taken.querySelector('details')?.open ?? this.files.length <= 8;
    const row = (file) =>
      h(
        'li',
        {},
        h('span', {}, file.name, kindOf(file) && h('em', { class: 'note' }, ` (${kindOf(file)})`)),
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'data-key': file.name,
            'aria-label': `Remove ${file.name}`,
            onclick: () => this.remove(file.name),
          },
          '×',
        ),
      );
    refresh(
      this.taken,
      h(
        'details',
        { open: isOpen },
        h('summary', {}, count(this.files.length, 'file')),
        h('ul', { class: 'files scroll' }, this.files.map(row)),
      ),
      h(
        'p',
        {},
        h('button', { type: 'button', onclick: () => this.remove(null) }, 'Remove the files'),
      ),
    );
  }

  /** The request of the contest: names, files, and how these are to be read and scored. */
  request() {
    const entrants = this.named.value.split(/,?\s+|,$/).filter(Boolean);
    const { files } = this;
    const roster = files.find(isRoster)?.name;
    const isStrategy = (file) => !kindOf(file);
    const request = { ...gameParams(this.route), entrants, files, ...this.scoring };
    if (request.win_above) request.win_above = Number(request.win_above);
    if (request.refuse_late) request.refuse_late = true;
    if (request.deadline) request.deadline = withOffset(request.deadline);
    if (roster) request.roster = roster;
    if (files.filter(isStrategy).some(({ name }) => name.includes('/'))) request.each_in = true;
    return request;
  }

  /** Goes on with a contest that was stopped; a file in it may have ended the page each time. */
  resume() {
    if (this.isRunning <= MOST_RESUMED) this.run(this.isRunning + 1);
    else {
      put(
        this.state,
        'This contest was stopped several times, perhaps by one of its files. What was read is ',
        'known: start it to go on.',
      );
    }
  }

  /** Plays the contest; `times` says how often it was begun. */
  async run(times = 1) {
    let request;
    try {
      request = this.request();
    } catch (error) {
      this.refuse(error);
      return;
    }
    if (!request.entrants.length && !request.files.length) {
      put(this.state, 'Drop files of strategies, or name some, for example optimal baseline.');
      return;
    }
    this.running(true);
    underWay.set(this.key, this);
    this.save({ isRunning: times });
    try {
      const view = await this.played(request);
      put(this.fates);
      this.save({ result: { view, request }, isRunning: 0 });
      this.draw();
      say(`${view.ranking[0]?.name} wins the contest`);
    } catch (error) {
      this.save({ result: null, isRunning: 0 });
      put(this.results);
      this.refuse(error);
    } finally {
      underWay.delete(this.key);
      this.running(false);
    }
  }

  refuse(error) {
    if (isAbort(error)) {
      put(this.state, 'Cancelled.');
      return;
    }
    if (!(error instanceof Refused)) throw error;
    put(this.state, h('strong', { class: 'loss' }, withCode(error.message)));
  }

  /**
   * Plays a contest. A server for many gives it some time; what was read by then is known to it, so
   * that it is asked again, as long as it reads more.
   */
  async played(request) {
    for (let before = Infinity; ;) {
      this.bar.removeAttribute('value');
      put(this.state, 'Reading the strategies…');
      put(this.fates);
      this.cells = null;
      this.read = { admitted: [], rejected: [] };
      this.progress = new Progress();
      const onProgress = (progress) => this.hear(progress);
      const view = await this.ask('contest', request, { onProgress });
      const unread = view.rejected.filter((one) => one.unread).length;
      if (!unread || unread >= before) return view;
      before = unread;
    }
  }

  /** Shows how far the contest is. */
  hear({ what, done, of, matrix, entrants: fates }) {
    if (fates) this.showFates(fates);
    const parts = {
      reading: 'strategies read',
      asking: 'runs of the Python files',
      'asking again': 'runs without answers, once more and alone',
      playing: 'pairs',
    };
    if (parts[what]) {
      const left = this.progress.left(what, done, of);
      const all = `${done.toLocaleString('en')} of ${of?.toLocaleString('en')} ${parts[what]}`;
      put(this.state, left ? `${all}, ${left}` : all);
    } else put(this.state, working({ what, done, of }, 'Reading the strategies'));
    if (parts[what] || what === 'loading Python') this.bar.value = of ? done / of : 0;
    if (what === 'playing' && matrix) this.fill(matrix);
  }

  /**
   * Shows which strategies were read, and why others cannot take part, while others are still read.
   */
  showFates(fates) {
    for (const { name, rejected } of fates) {
      if (rejected === null) this.read.admitted.push(name);
      else this.read.rejected.push({ name, reason: rejected });
    }
    const { admitted, rejected } = this.read;
    const more = admitted.length > 8 ? ' and others' : '';
    const last = admitted.slice(-8).join(', ');
    const can = `${admitted.length.toLocaleString('en')} can take part: ${last}${more}.`;
    put(
      this.fates,
      admitted.length > 0 && h('p', { class: 'note' }, can),
      rejected.length > 0 && reasons(rejected, { 'aria-label': 'Could not take part' }),
    );
  }

  /** Shows the win rates that are known during the contest, in the order of the entrants. */
  fill(matrix) {
    if (!this.cells) {
      this.cells = matrix.map((row) => row.map(() => h('td')));
      const rows = this.cells.map((row) => h('tr', {}, row));
      const table = h('table', { class: 'matrix filling' }, h('tbody', {}, rows));
      put(
        this.results,
        h(
          'section',
          { class: 'card', 'aria-hidden': 'true' },
          h('h2', {}, 'Matrix'),
          h('div', { class: 'wide' }, table),
        ),
      );
    }
    matrix.forEach((row, a) =>
      row.forEach((rate, b) => {
        if (rate === null || a === b) return;
        const cell = this.cells[a][b];
        cell.textContent = bare(rate);
        Object.assign(cell.style, shade(rate));
      }),
    );
  }

  draw() {
    const { view } = this.result;
    this.about.hidden = true;
    const most = bound(view.error_bound);
    const { length } = view.rejected;
    put(
      this.state,
      length > 0 && `${count(length, 'submission')} could not take part: see below. `,
      `${count(view.pairs, 'pair')} in ${view.seconds.toFixed(1)} s; no win rate differs from the `,
      `exact one by more than ${most}.`,
    );
    this.ranking?.leave();
    this.ranking = new Ranking(this.results, this.result, () => this.run());
  }
}

/** The fields of a form that say something. */
function given(form) {
  const usual = ['wins', 'share', 'chosen', ''];
  return Object.fromEntries(
    [...new FormData(form)].filter(([, value]) => !usual.includes(`${value}`)),
  );
}

/** A time of this browser with its offset from UTC: "2024-09-20T23:59-07:00". */
function withOffset(local) {
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (number) => `${Math.floor(number)}`.padStart(2, '0');
  const far = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(far / 60)}:${two(far % 60)}`;
}

/** Returns a name like this one that no file has: "hog (2).py". */
function unused(name, known) {
  const [, stem, ending] = /^(.*?)(\.\w+)$/.exec(name);
  let number = 2;
  while (known.has(`${stem} (${number})${ending}`)) number += 1;
  return `${stem} (${number})${ending}`;
}
