// What a contest is made from, and how far it is: the form, and what is told while it is played.

import { h, put, putProgress, refresh, withCode } from './dom.js';
import { filesOf, mine } from './kept.js';
import { LIST, people } from './list.js';
import { Seconds } from './parts.js';
import { Ranking, reasons, shade } from './ranking.js';
import { dropZone } from './upload.js';
import { nameOf } from './versions.js';
import { Progress, bare, bound, count, listed, working } from './words.js';

/** Whether a table has people rather than rolls: its first line names a column of theirs. */
export const isRoster = ({ name, text = '' }) =>
  /\.csv$/i.test(name) &&
  /\b(e-?mail|names?|sid|students?|identifier|username)\b/i.test(text.split('\n', 1)[0]);

/** What of a file is not a strategy. */
export function kindOf(file) {
  if (file.name.split('/').pop() === LIST) return 'the list of submitters';
  return isRoster(file) ? 'the roster' : null;
}

export class ContestForm {
  /** `contest` has the files, the names and the scoring that the form shows and changes. */
  constructor(contest) {
    this.contest = contest;
    this.named = h('input', {
      spellcheck: 'false',
      size: 40,
      value: contest.names,
      onchange: () => contest.save({ names: this.named.value }),
    });
    this.about = h(
      'p',
      {},
      'Drop a folder of strategies: each plays against every other, and every win rate is ',
      'exact. Python files run in a sandbox. Downloads of Canvas, Moodle, Gradescope and GitHub ',
      'Classroom can be dropped as they are, and beside them the roster: the gradebook of Canvas ',
      'or Moodle, the roster of Gradescope, or any .csv with names or addresses. This browser ',
      'keeps files and results for a day.',
    );
    this.seconds = new Seconds();
    this.offered = h('div');
    this.taken = h('div');
    this.told = h('p', { class: 'note', role: 'status' });
    this.bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Contest' });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.fates = h('div');
    this.results = h('div');
    this.older = h('p', { role: 'status' });
    const button = (label, onclick, extra = {}) =>
      h('button', { type: 'button', onclick, ...extra }, label);
    this.start = button('Start the contest', () => contest.run(), { class: 'primary' });
    this.cancel = button('Cancel', () => contest.ask.stop(), { hidden: true });
    this.zone = dropZone({
      label: 'Strategies',
      text: 'Drop files, folders or .zip archives here',
      onFiles: (files, others) => contest.took(files, others),
      isOfOne: (folder, files) => contest.isOfOne(folder, files),
    });
    this.scoring = h('div', {}, this.scoringForm());
    const add = (name) => button(`Add ${name}`, () => contest.took(filesOf(name), ''));
    this.parts = [
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Contest'),
        this.about,
        this.zone,
        this.offered,
        this.told,
        this.taken,
        h(
          'div',
          { class: 'setup' },
          h(
            'label',
            {},
            'Strategies by name that take part and count, too (for grades: none)',
            this.named,
          ),
          mine().map(add),
          this.start,
          this.cancel,
        ),
        this.scoring,
        this.bar,
        this.seconds.element,
        this.state,
        this.fates,
        this.older,
      ),
      this.results,
    ];
    this.showFiles();
  }

  /** Says that the results are those of other files, names or points, if they are. */
  age(isOlder, words = 'What follows is the contest before this change: start it again.') {
    const told = () => isOlder && h('strong', { class: 'loss' }, words);
    put(this.older, told());
    if (this.ranking) put(this.ranking.older, told());
  }

  /** Offers kept contests: those of this game with their results, of others the files. */
  offer(others, take) {
    const line = (other) => {
      const { game, value, at, isSame } = other;
      const files = count(value.files.length, 'file');
      const what = value.result && isSame ? `${files} and results` : files;
      const goal = game[1] && ` to ${game[1]}`;
      const where = isSame ? 'of another tab' : `in ${nameOf(game[0])}${goal}`;
      const label = isSame ? 'Go on with it' : `Take the ${files} along`;
      return h(
        'p',
        { class: 'bar' },
        `This browser keeps a contest ${where}, ${what}, since ${new Date(at).toLocaleString()}.`,
        h('button', { type: 'button', onclick: () => take(other) }, label),
      );
    };
    put(this.offered, others.map(line));
  }

  /** Shows what the contest has, if it has become another one. */
  refill() {
    this.named.value = this.contest.names;
    put(this.scoring, this.scoringForm());
    this.showFiles();
  }

  /** The fields of how it is scored, named as in the request. */
  scoringForm() {
    const { scoring } = this.contest;
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
        onchange: () => {
          this.accept();
          this.contest.save({ scoring: given(form) });
        },
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
          style: { width: '7rem' },
        }),
      ),
      labelled(
        'Points, as in plays=1,baseline=2,mean:0.5=2',
        field('points', {
          size: 28,
          spellcheck: 'false',
          placeholder: 'plays=1,baseline:0.6=2,mean:0.5=2',
        }),
      ),
      labelled('Title', field('title', { size: 20, placeholder: 'Hog contest' })),
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
          ['chosen', 'of the roster, or their own'],
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
      h(
        'p',
        { class: 'note' },
        'Points: ',
        h('code', {}, 'plays=1'),
        ' for taking part, ',
        h('code', {}, 'baseline=2'),
        ' for a win against the baseline, ',
        h('code', {}, 'baseline:0.6=2'),
        ' for at least this win rate against it, ',
        h('code', {}, 'mean:0.5=2'),
        ' for at least this mean win rate; with commas between them.',
      ),
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
    if (yes) {
      this.seconds.start();
      this.age(this.contest.result, 'What follows is the contest before this one.');
    } else this.seconds.stop();
  }

  /** Tells why a contest is refused: beside the field that this is about, if it is about one. */
  refuse({ message, parameter }) {
    const told = h('strong', { class: 'loss' }, withCode(message));
    /** @type {HTMLInputElement} */
    const field = this.scoring.querySelector(`[name="${parameter}"]`);
    if (!field?.value) {
      this.tell(told);
      return;
    }
    this.tell(h('strong', { class: 'loss' }, 'It was not started: see the field above.'));
    this.accept();
    this.scoring.querySelector('details').open = true;
    this.fault = h('span', { class: 'fault', id: 'fault', role: 'alert' }, told);
    field.closest('label').after(this.fault);
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', 'fault');
    field.focus();
    field.scrollIntoView({ block: 'nearest' });
  }

  /** Takes the message beside a field away. */
  accept() {
    this.fault?.remove();
    this.scoring.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
  }

  /** Shows the files, and what is told of those that were taken last. */
  showFiles(told = '') {
    this.told.textContent = told;
    const { files } = this.contest;
    if (!files.length) {
      put(this.taken);
      return;
    }
    put(this.offered);
    const isOpen = this.taken.querySelector('details')?.open ?? files.length <= 8;
    const whose = people(files.find(({ name }) => name === LIST)?.text ?? '');
    const about = (file) => kindOf(file) ?? whose.get(file.name.split('/')[0])?.names.join(', ');
    const row = (file) =>
      h(
        'li',
        {},
        h('span', {}, file.name, about(file) && h('em', { class: 'note' }, ` (${about(file)})`)),
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'data-key': file.name,
            'aria-label': `Remove ${file.name}`,
            onclick: () => this.contest.remove(file.name),
          },
          '×',
        ),
      );
    refresh(
      this.taken,
      h(
        'details',
        { open: isOpen },
        h('summary', {}, count(files.length, 'file'), files.some(isRoster) && ', with a roster'),
        h('ul', { class: 'files scroll' }, [...files].sort(byName).map(row)),
      ),
      h(
        'p',
        {},
        h(
          'button',
          { type: 'button', onclick: () => this.contest.remove(null) },
          'Remove the files',
        ),
      ),
    );
  }

  /** What there is to begin with. */
  focus() {
    this.zone.querySelector('button').focus();
  }

  /** Tells how it stands. */
  tell(...words) {
    put(this.state, words);
  }

  /** Shows that the files are being read. */
  begin() {
    this.accept();
    this.bar.removeAttribute('value');
    this.tell('Reading the strategies…');
    put(this.fates);
    this.cells = null;
    this.read = { admitted: [], rejected: [] };
    this.progress = new Progress();
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
      putProgress(this.state, left ? `${all}, ${left}` : all);
    } else putProgress(this.state, working({ what, done, of }, 'Reading the strategies'));
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
    const last = listed(admitted.slice(-8));
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

  /** Shows results; `again` plays the contest again. */
  draw(result, again) {
    const { view } = result;
    put(this.fates);
    this.about.hidden = true;
    const most = bound(view.error_bound);
    const { length } = view.rejected;
    this.tell(
      length > 0 && `${count(length, 'submission')} could not take part: see below. `,
      `${count(view.pairs, 'pair')}; no win rate differs from the exact one by more than ${most}.`,
    );
    this.restore(result, again);
  }

  /** Shows results, or that there are none. */
  restore(result, again) {
    put(this.fates);
    this.leave();
    if (result) this.ranking = new Ranking(this.results, result, this.contest, again);
    else put(this.results);
  }

  leave() {
    this.ranking?.leave();
  }
}

const byName = (one, other) => one.name.localeCompare(other.name, 'en', { numeric: true });

/** The fields of a form that say something. */
function given(form) {
  const usual = ['wins', 'share', 'chosen', ''];
  return Object.fromEntries(
    [...new FormData(form)].filter(([, value]) => !usual.includes(`${value}`)),
  );
}
