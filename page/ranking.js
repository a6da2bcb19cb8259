// The results of a contest: the ranking, the matrix, each pair, and what can be downloaded.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { button, h, put, refresh, say, withCode } from './dom.js';
import { Downloads } from './downloads.js';
import { grid } from './grid.js';
import { keepMine } from './kept.js';
import { holdColumns, layersBeside, savedOf } from './layers.js';
import { LIST, only, people } from './list.js';
import { css, inkOn, rateColour } from './map.js';
import { MoreBelow } from './parts.js';
import { rosterOf } from './roster.js';
import { linked, read } from './route.js';
import { full } from './taken.js';
import { Versus } from './versus.js';
import { bare, count, howOften, listed, oneOf, percent, percentagePoints } from './words.js';

/** The words of a text without accents, in small letters, for a search. */
const wordsOf = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s,;"]+/)
    .filter(Boolean);

/** Words as a line in which each can be looked for. */
const lineOf = (words) => ` ${words.join(' ')} `;

/** The most cells of the matrix on the page; the file has all. */
const MOST_CELLS = 6400;

/** How many rejected entrants are listed before "all of them". */
const FEW = 12;

/** As many cycles are told. */
const MOST_CYCLES = 10;

/** Units of time in seconds, and their names. */
const UNITS = /** @type {[number, string][]} */ ([
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]);

/** What is told if the roster knows none of the entrants. */
const UNKNOWN =
  'The roster knows none of those that were handed in: a column of it must have what their ' +
  'folders are called, as a login, a number or a name.';

export class Ranking {
  /**
   * Shows a result of a contest, `{ view, request }`, in an element; `again` runs it once more.
   */
  constructor(root, { view, request, changed = null }, contest, again) {
    this.changed = changed;
    this.root = root;
    this.contest = contest;
    this.view = view;
    this.request = request;
    this.again = again;
    this.askPair = lastOnly();
    this.order = { by: 'rank', down: false };
    this.roster = (rosterOf(request)?.text ?? '').split('\n').map((line) => lineOf(wordsOf(line)));
    // What is known of each, once it is looked for.
    this.texts = new Map();
    /**
     * What is on a projector: how many, and whether with names and points; null if nothing is.
     * @type {{ first: number, names: boolean, points: boolean } | null}
     */
    this.projected = null;
    this.onLeft = () => {
      if (document.fullscreenElement || !this.projected) return;
      this.projected = null;
      this.drawTables();
      this.root.removeAttribute('tabindex');
      /** @type {HTMLElement} */ (this.root.querySelector('[data-key="project"]')).focus();
    };
    document.addEventListener('fullscreenchange', this.onLeft);
    this.search = h('input', {
      type: 'search',
      'aria-label': 'Search for a name',
      placeholder: 'Search for a name',
      oninput: () => this.drawTables(),
    });
    this.ranking = group('Ranking', 'wide tall');
    this.below = new MoreBelow(this.ranking);
    this.sought = h('div', { role: 'status' });
    this.older = h('p', { role: 'status' });
    this.list = request.files?.find(({ name }) => name === LIST)?.text ?? '';
    this.people = people(this.list);
    // What is focused in it is scrolled to.
    this.matrix = h('div', { class: 'wide tall', role: 'group', 'aria-label': 'Matrix' });
    this.cut = h('p', { class: 'note' });
    this.pair = h('div', { role: 'group', 'aria-label': 'Pair' });
    const below = [this.rejectedCard(), this.rosterCard(), leftOut(view)];
    put(root, this.rankingCard(), this.matrixCard(), below);
    this.drawTables();
  }

  leave() {
    this.askPair.stop();
    document.removeEventListener('fullscreenchange', this.onLeft);
  }

  rankingCard() {
    const { view } = this;
    const together = (names) =>
      h('p', { class: 'note' }, `${listed(names)} play the same in every position.`);
    const alike = view.same.map(together);
    const groups = count(alike.length, 'group of strategies plays', 'groups of strategies play');
    const circle = ([one, two, three]) =>
      `${one} beats ${two}, which beats ${three}, which beats ${one}.`;
    return h(
      'section',
      { class: 'card', 'aria-label': 'Ranking' },
      h('div', { class: 'bar between' }, h('h2', {}, 'Ranking'), this.search),
      h(
        'p',
        { class: 'projected' },
        `${view.title ?? `Hog, ${view.asked ?? view.rules}`}; Esc leaves`,
      ),
      this.ranking,
      this.below.element,
      this.sought,
      this.changed?.length === 0 &&
        h('p', { class: 'note' }, 'Nobody’s points are other ones than in the contest before.'),
      this.changed?.length > 0 &&
        h(
          'details',
          { class: 'alike' },
          h(
            'summary',
            {},
            `Other points than before: ${count(this.changed.length, 'person', 'people')}`,
          ),
          h('p', {}, `${listed(this.changed)}.`),
        ),
      alike.length > 0 &&
        h('details', { class: 'alike' }, h('summary', {}, `${groups} the same`), alike),
      view.all_cycles > 0 &&
        h(
          'details',
          { class: 'alike' },
          h('summary', {}, `${count(view.all_cycles, 'cycle')} in which each beats the next`),
          view.cycles.slice(0, MOST_CYCLES).map((cycle) => h('p', {}, circle(cycle))),
          view.all_cycles > MOST_CYCLES && h('p', {}, `and ${view.all_cycles - MOST_CYCLES} more`),
        ),
      document.fullscreenEnabled && this.projector(),
      this.older,
      new Downloads(this.view, this.request, this.contest).element,
    );
  }

  /** How an entrant is called: on a projector without names, by its rank. */
  shown(name) {
    if (this.projected?.names !== false) return name;
    return `rank ${this.view.ranking.find((row) => row.name === name).rank}`;
  }

  /** Shows the results on a projector: what is for everybody's eyes. */
  projector() {
    const all = h('option', { value: 0 }, 'all');
    const first = h('select', {}, h('option', { value: 10 }, 'the first ten'), all);
    const names = h('input', { type: 'checkbox', checked: true });
    const points = h('input', { type: 'checkbox' });
    const project = () => {
      const most = Number(first.value);
      this.projected = { first: most, names: names.checked, points: points.checked };
      // What was looked at is nobody else's.
      put(this.pair);
      this.search.value = '';
      this.drawTables();
      this.root.scrollTop = 0;
      // The button is not projected.
      this.root.tabIndex = -1;
      this.root.focus();
      this.root.requestFullscreen();
      say('The ranking is on the projector; Escape leaves it');
    };
    return h(
      'p',
      { class: 'bar' },
      button('Show on a projector', project, { 'data-key': 'project' }),
      h('label', {}, 'with ', first),
      this.view.points !== null && h('label', {}, points, ' points'),
      h('label', {}, names, ' names'),
    );
  }

  matrixCard() {
    return h(
      'section',
      { class: 'card', 'aria-label': 'Matrix' },
      h('h2', {}, 'Matrix'),
      h(
        'p',
        { class: 'note' },
        'Win rate of the row against the column in percent, averaged over moving first and ',
        'second.',
      ),
      this.cut,
      this.matrix,
      h(
        'p',
        { class: 'note' },
        'Select a cell for details of the pair; the arrow keys go from one to the next.',
      ),
      this.pair,
    );
  }

  rejectedCard() {
    const { rejected } = this.view;
    if (!rejected.length) return false;
    const unread = rejected.filter((one) => one.unread).length;
    const again = unread ? `Read the rest (${unread})` : 'Try them again';
    // One more needs no fold.
    const shown = rejected.length === FEW + 1 ? FEW + 1 : FEW;
    const rest = rejected.slice(shown);
    return h(
      'section',
      { class: 'card trouble', 'aria-label': 'Rejected' },
      h('h2', {}, 'Could not take part'),
      reasons(rejected.slice(0, shown)),
      rest.length > 0 && h('details', {}, h('summary', {}, `${rest.length} more`), reasons(rest)),
      h('p', { class: 'bar' }, h('button', { type: 'button', onclick: this.again }, again)),
    );
  }

  rosterCard() {
    const { absent, unlisted, unclear, undated, ranking, rejected } = this.view;
    const all = [...ranking, ...rejected];
    const isLate = all.filter((one) => one.late);
    const isUndated = all.filter(({ file, at }) => file && at === null);
    const late = isLate.map((one) => `${one.name}${this.lateness(one, ' (', ')')}`);
    if (![absent, unlisted, unclear, late].some((all) => all.length) && !undated) return false;
    const isKnown = unclear.length > 0 || ranking.some(({ submitters }) => submitters.length);
    const named = (list) => list.map(({ name }) => name);
    const those = (what, names) => names.length > 0 && h('p', {}, `${what}: ${listed(names)}.`);
    return h(
      'section',
      { class: 'card', 'aria-label': 'Roster' },
      h('h2', {}, 'By the roster'),
      those('Handed in nothing', absent),
      absent.length > 0 && !isKnown && h('p', { class: 'loss' }, UNKNOWN),
      isKnown && those('Not on it', unlisted),
      isKnown && this.unlisted(),
      those('Handed in late', late),
      undated > 0 && those('Nothing says when these came', named(isUndated)),
      this.keepLatest(),
      reasons(unclear, {}, (one) => this.choice(one)),
    );
  }

  /** How late a submission is: "2 minutes"; empty if nothing says so. */
  lateness({ at }, before = '', after = '') {
    const late = at - Math.floor(Date.parse(this.request.deadline) / 1000);
    if (at === null || Number.isNaN(late)) return '';
    const [unit, words] = UNITS.find(([unit]) => late >= 2 * unit) ?? UNITS.at(-1);
    return `${before}${count(Math.floor(late / unit), words)}${after}`;
  }

  /** The folder of a submission, and when it came. */
  cameOf({ name, file }) {
    const { ranking, rejected } = this.view;
    const at = [...ranking, ...rejected].find((row) => row.name === name)?.at ?? null;
    return { folder: (file ?? '').split('/')[0], at };
  }

  /** When a submission came, and a button that leaves it out: somebody has handed in two. */
  choice(one) {
    const { folder, at } = this.cameOf(one);
    const isOf = ({ name }) => name === one.file || name.startsWith(`${folder}/`);
    const names = this.contest.files.filter(isOf).map(({ name }) => name);
    if (!names.length) return null;
    const came = at !== null && `; it came ${new Date(at * 1000).toLocaleString()}`;
    return [came, '. ', h('span', {}, this.leaveOut(folder, names))];
  }

  leaveOut(folder, names) {
    const { contest } = this;
    const button = (words, onclick) => h('button', { type: 'button', onclick }, words);
    const leave = ({ target }) => {
      const place = target.parentElement;
      const removed = contest.files.filter(({ name }) => names.includes(name));
      const list = { name: LIST, text: only(this.list, folder) };
      for (const name of names) contest.remove(name);
      const back = () => {
        contest.took(list.text ? [...removed, list] : removed, '');
        put(place, this.leaveOut(folder, names));
        place.querySelector('button').focus();
      };
      put(place, 'It is left out: start the contest again. ', button('Take it back', back));
      place.querySelector('button').focus();
    };
    return button('Leave it out', leave);
  }

  /** A button that leaves out what somebody has handed in before another submission. */
  keepLatest() {
    const all = this.view.unclear.map((one) => this.cameOf(one)).filter(({ at }) => at !== null);
    const keys = ({ folder }) => {
      const { names, addresses } = this.people.get(folder) ?? { names: [], addresses: [] };
      return addresses.length ? addresses : names;
    };
    const isBefore = (one) =>
      all.some((other) => other.at > one.at && keys(other).some((key) => keys(one).includes(key)));
    const earlier = all.filter(isBefore).map(({ folder }) => folder);
    const leave = () => {
      const isOf = ({ name }) => earlier.includes(name.split('/')[0]);
      for (const { name } of this.contest.files.filter(isOf)) this.contest.remove(name);
      this.again();
    };
    const those = earlier.length > 3 ? earlier.length : listed(earlier);
    const words = `Keep the latest of each, leave out ${those}, and start again`;
    return (
      earlier.length > 0 &&
      h('p', { class: 'bar' }, h('button', { type: 'button', onclick: leave }, words))
    );
  }

  /** Whose the files are that are nobody's on the roster, for somebody who knows it. */
  unlisted() {
    const { absent, unlisted, ranking, rejected } = this.view;
    const all = [...ranking, ...rejected].filter(
      ({ name, file }) => file && unlisted.includes(name),
    );
    const broken = rejected.filter(({ name, file }) => file && !unlisted.includes(name));
    const known = [...absent.map((name) => ({ name, file: null })), ...broken];
    if (!known.length || !all.length) return false;
    const choice = ({ name, file }) => {
      const own = wordsOf(`${name} ${file}`.replaceAll(/[^\p{L}]+/gu, ' '));
      const near = (person) => wordsOf(person.name).filter((word) => own.includes(word)).length;
      const people = [...known].sort((one, other) => near(other) - near(one));
      const option = (person, at) =>
        h('option', { value: at }, person.name, person.file && `, in place of ${person.file}`);
      const choose = () => {
        const person = people[field.value];
        if (person) this.contest.assign(file, person.name, person.file);
      };
      const field = h(
        'select',
        { onchange: choose },
        h('option', { value: '' }, 'nobody’s'),
        people.map(option),
      );
      return h(
        'li',
        {},
        h('label', {}, `${file}${file.includes(name) ? '' : ` (${name})`} is `, field),
      );
    };
    return h(
      'details',
      {},
      h('summary', {}, 'Say whose these are'),
      h('ul', { class: 'plain' }, all.map(choice)),
    );
  }

  /** Shows the results of one entrant alone, or of all again. */
  seek(name) {
    const isAlone = this.search.value !== name;
    this.search.value = isAlone ? name : '';
    this.drawTables();
    const all = count(this.view.ranking.length, 'entrant');
    say(isAlone ? `Only ${this.shown(name)} of ${all}: press again for all` : `All ${all}`);
  }

  /** Draws the ranking and the matrix of the entrants that are searched for, as they are sorted. */
  drawTables() {
    const wanted = wordsOf(this.search.value);
    const { by, down } = this.order;
    const all = [...this.view.ranking];
    const compared = (a, b) =>
      typeof a[by] === 'string' ? a[by].localeCompare(b[by]) : (a[by] ?? -1) - (b[by] ?? -1);
    all.sort((a, b) => (down ? compared(b, a) : compared(a, b)) || a.rank - b.rank);
    const isWanted = (one) =>
      wanted.length === 0 || wanted.every((word) => this.known(one).includes(word));
    const most = this.projected?.first || all.length;
    const rows = all.filter(isWanted).slice(0, most);
    this.drawRanking(rows);
    put(this.sought, wanted.length > 0 && this.aboutSought(rows, isWanted));
    this.drawMatrix(rows, all.slice(0, most));
  }

  /** What is known of an entrant, or of somebody absent: names, files, and lines of the roster. */
  known({ name, file, submission, submitters = [] }) {
    if (!this.texts.has(name)) {
      const people = [name, ...submitters].map(wordsOf).filter((words) => words.length > 1);
      const holds = (line, words) => words.every((word) => line.includes(lineOf([word])));
      const isOf = (line) => people.some((words) => holds(line, words));
      const listed = only(this.list, (file ?? '').split('/')[0]);
      const own = wordsOf([name, file, submission, ...submitters, listed].join(' '));
      this.texts.set(name, [lineOf(own), ...this.roster.filter(isOf)].join(''));
    }
    return this.texts.get(name);
  }

  /** The points of somebody who is searched for, and who else is called so. */
  aboutSought(rows, isWanted) {
    const { absent, points, rejected, unclear } = this.view;
    const steps = rows.length === 1 && points !== null ? rows[0].steps : [];
    const given = ({ words, points: most, reached, rate }) => [
      `${reached ? most : 0} of ${most}${reached ? '' : ', not reached'}: ${words}`,
      rate !== null && [' (', full(rate, percent(rate)), ')'],
    ];
    const doubts = unclear.filter((one) => rows.some(({ name }) => name === one.name));
    const missing = absent.map((name) => ({ name, reason: 'handed in nothing' }));
    const others = [...doubts, ...[...rejected, ...missing].filter(isWanted)];
    if (!rows.length && !others.length) return h('p', {}, 'Nobody is called so.');
    return [
      rows.length > 1 &&
        h('p', { class: 'note' }, `${count(rows.length, 'entrant')} are called so.`),
      steps.length > 0 && h('p', {}, 'Points:'),
      h(
        'ul',
        { class: 'plain' },
        steps.map((step) => h('li', {}, given(step))),
      ),
      others.length > 0 && reasons(others),
      rows.length === 1 && rows[0].file && h('p', { class: 'bar' }, this.coached(rows[0])),
    ];
  }

  /** A link to the coach, which gets the files of an entrant. */
  coached({ name, file }) {
    const { files } = this.pairRequest(name, name);
    const isMain = (one) => one.name === file;
    // There the files are called after the person, and not after a submission.
    const folder = file.includes('/') ? file.slice(0, file.indexOf('/') + 1) : '';
    const called = (path) => `${name.replace(/[/:]/g, ' ')}/${path.slice(folder.length)}`;
    const own = [...files.filter(isMain), ...files.filter((one) => !isMain(one))].map((one) => ({
      ...one,
      name: called(one.name),
    }));
    const href = linked(read(), 'coach', { params: { strategy: called(file) } });
    const onclick = () => own.length && keepMine(own);
    return h('a', { class: 'button', href, onclick }, 'Where it loses, in the coach');
  }

  /**
   * The columns of the ranking: key, heading, whether the largest is first, and the cell.
   * @returns {any[]}
   */
  columns() {
    const { view } = this;
    const { projected } = this;
    const worst = (row) =>
      row.worst_against && [
        `${this.shown(row.worst_against)} `,
        h('span', { class: 'whole' }, `(${percent(row.worst_win_rate, 1)})`),
      ];
    const seek = (row) => () => this.seek(row.name);
    const name = (row) => [
      h(
        'button',
        {
          type: 'button',
          class: 'sort',
          'data-key': `of ${row.name}`,
          'aria-pressed': `${this.search.value === row.name}`,
          onclick: seek(row),
        },
        this.shown(row.name),
      ),
      !projected && row.late && h('em', { class: 'note' }, `${this.lateness(row, ' ')} late`),
      !projected &&
        row.submitters.some((one) => !row.name.includes(one)) &&
        h('span', { class: 'note' }, ` ${listed(row.submitters)}`),
      h('span', { class: 'under note' }, `${row.losses} lost; worst: `, worst(row)),
    ];
    const ties = view.ranking.some((row) => row.ties > 0);
    const ofBaseline = (row) => full(row.baseline, percent(row.baseline));
    const baseline = view.ranking.some((row) => row.baseline !== null);
    return [
      ['name', 'Name', false, name, 'left name'],
      ['wins', 'Wins', true, (row) => row.wins],
      ['losses', 'Losses', true, (row) => row.losses, 'extra'],
      ties && ['ties', 'Ties', true, (row) => row.ties, 'extra'],
      ['mean', 'Mean', true, (row) => full(row.mean, percent(row.mean))],
      baseline && ['baseline', 'Baseline', true, ofBaseline, 'extra'],
      view.bids && ['bid', 'Bid', true, (row) => row.bid, 'extra'],
      view.points !== null &&
        projected?.points !== false && ['points', 'Points', true, (row) => row.points],
      ['worst_win_rate', 'Worst against', false, worst, 'extra name'],
    ].filter(Boolean);
  }

  drawRanking(rows) {
    const { by, down } = this.order;
    const head = ([name, label, falls, , kind]) => {
      const isBy = by === name;
      const sort = () => {
        this.order = { by: name, down: isBy ? !down : falls };
        this.drawTables();
      };
      const sorted = down ? 'descending' : 'ascending';
      return h(
        'th',
        { scope: 'col', class: kind, 'aria-sort': isBy ? sorted : null },
        h(
          'button',
          { type: 'button', class: 'sort', 'data-key': name, onclick: sort },
          label,
          isBy && (down ? ' ↓' : ' ↑'),
        ),
      );
    };
    const columns = this.columns();
    const line = (row) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, row.rank),
        columns.map(([, , , cell, kind]) => h('td', { class: kind }, cell(row))),
      );
    refresh(
      this.ranking,
      h(
        'table',
        { class: 'ranking' },
        h('thead', {}, h('tr', {}, [['rank', 'Rank', false], ...columns].map(head))),
        h('tbody', {}, rows.map(line)),
      ),
    );
    if (!rows.length) put(this.ranking);
    this.below.tell();
  }

  /** Draws the win rates of some entrants against all, if these are not too many cells. */
  drawMatrix(rows, all) {
    const { view } = this;
    const isWhole = rows.length * all.length <= MOST_CELLS;
    const most = isWhole ? all.length : Math.floor(Math.sqrt(MOST_CELLS));
    const places = (list) => list.slice(0, most).map((row) => view.entrants.indexOf(row.name));
    const [down, across] = [places(rows), places(all)];
    this.cut.textContent = isWhole
      ? ''
      : `The first ${most}: search for somebody to see all results, or save the file.`;
    const name = (place) => this.shown(view.entrants[place]);
    const cell = (a, b) => {
      if (a === b) return h('td');
      const rate = bare(view.matrix[a][b]);
      return h(
        'td',
        {},
        h(
          'button',
          {
            type: 'button',
            style: shade(view.matrix[a][b]),
            'aria-label': `${rate} %: ${name(a)} against ${name(b)}`,
            onclick: ({ currentTarget }) => {
              this.matrix.querySelector('[aria-current]')?.removeAttribute('aria-current');
              currentTarget.setAttribute('aria-current', 'true');
              this.open(a, b);
            },
          },
          rate,
        ),
      );
    };
    const heads = across.map((b) => h('th', { scope: 'col', title: name(b) }, name(b)));
    const line = (a) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row', title: name(a) }, name(a)),
        across.map((b) => cell(a, b)),
      );
    const table = h(
      'table',
      { class: 'matrix', 'aria-label': 'Matrix of win rates' },
      h('thead', {}, h('tr', {}, h('td'), heads)),
      h('tbody', {}, down.map(line)),
    );
    put(this.matrix, grid(table));
  }

  /** The request for a question about two entrants, with their own files and helpers alone. */
  pairRequest(one, other) {
    const { view, request } = this;
    // The entrants' own files, and the helpers in a folder that only one of them has.
    const sent = view.ranking.map((row) => row.file).filter(Boolean);
    const fileOf = (name) => view.ranking.find((row) => row.name === name).file ?? name;
    const [strategy, against] = [fileOf(one), fileOf(other)];
    const isAlone = (own) =>
      folder(own) && sent.every((rival) => rival === own || !rival.startsWith(folder(own)));
    const helps = (file, own) =>
      file.name === own || (isAlone(own) && file.name.startsWith(folder(own)));
    const isOfPair = (file) =>
      [strategy, against].some((own) => sent.includes(own) && helps(file, own));
    const { rules, file, goal, max_dice } = request;
    const game = JSON.parse(JSON.stringify({ rules, file, goal, max_dice }));
    return { ...game, strategy, against, files: request.files.filter(isOfPair) };
  }

  /** Shows one pair: its win rates, what both roll, and where the first loses. */
  async open(a, b) {
    const { view } = this;
    const own = [view.entrants[a], view.entrants[b]];
    const [one, other] = own.map((name) => this.shown(name));
    const second = 2 * view.matrix[a][b] - view.first[a][b];
    const waiting = h('p', { class: 'note' }, 'Finding what it could do better…');
    const maps = h('div');
    put(
      this.pair,
      h('h3', {}, `${one} against ${other}`),
      h(
        'p',
        {},
        `${percent(view.matrix[a][b])} on average: ${percent(view.first[a][b])} moving first, `,
        `${percent(second)} moving second.`,
      ),
      waiting,
      maps,
    );
    say(`${one} against ${other}: ${percent(view.matrix[a][b])} on average. More is below.`);
    this.pair.scrollIntoView({ block: 'nearest' });
    const request = this.pairRequest(...own);
    try {
      this.showLosses(waiting, [one, other], await this.askPair('try', { ...request, top: 8 }));
      const { against, ...game } = request;
      const { strategy, files, ...rules } = game;
      const { pot } = await askOnce('rules/show', rules);
      const layers = pot ? ['hold'] : [];
      const rolls = await askOnce('map', { ...game, layers });
      const others = await askOnce('map', { ...game, layers, strategy: against });
      if (!maps.isConnected) return;
      const versus = new Versus(`What ${one} and ${other} roll`);
      put(maps, versus.element);
      const both = [rolls.strategy, others.strategy];
      const saved = savedOf('strategy', rolls, rules);
      saved.plot = !pot && ['plot/diff', { ...rules, files, first: strategy, second: against }];
      saved.called = `${one}-and-${other}`;
      saved.answer = { ...saved.answer, compared_with: others };
      const { dice, hold } = others.strategy;
      const rolled = [other, (cell) => dice[cell]];
      saved.columns.push(...(hold ? holdColumns(`hold_${other}`, hold) : [rolled]));
      versus.show(rolls.goal, [one, other], layersBeside(rolls, both, pot), saved);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(waiting, withCode(error.message));
    }
  }

  showLosses(waiting, [one, other], tried) {
    const best = percent(tried.best_response.average);
    const costs = ({ score, opponent, dice, best: wanted, loss_each: loss, met }) =>
      `at ${score} to ${opponent} it rolls ${dice}; best is ${oneOf(wanted)}, ` +
      `which gains ${percentagePoints(loss)} there, ${howOften(met)}`;
    waiting.replaceWith(
      h('p', {}, `The best possible against ${other} is ${best}. What costs ${one} most:`),
      h(
        'ul',
        { class: 'plain' },
        tried.worst.map((position) => h('li', {}, costs(position))),
      ),
    );
  }
}

/** The files that are no entrants: beside an entrant's own, or of a kind that has no strategy. */
function leftOut({ helpers, skipped }) {
  const folded = (names, what) =>
    names.length > 0 && h('details', {}, h('summary', {}, what), h('p', {}, listed(names)));
  const one = count(helpers.length, 'file does not take part', 'files do not take part');
  const other = count(
    skipped.length,
    'file is skipped, as it cannot be a strategy',
    'files are skipped, as they cannot be strategies',
  );
  return (
    helpers.length + skipped.length > 0 &&
    h(
      'section',
      { class: 'card', 'aria-label': 'Left out' },
      folded(helpers, one),
      folded(skipped, other),
    )
  );
}

/** The folder of a file, with the slash; empty for a file in none. */
const folder = (path) => path.slice(0, path.lastIndexOf('/') + 1);

/** The colours of a win rate's cell. */
export function shade(rate) {
  const colour = rateColour(0.5 + (rate - 0.5) * 2.2);
  return { background: css(colour), color: inkOn(colour) };
}

const group = (label, kind) =>
  h('div', { class: kind, tabindex: '0', role: 'group', 'aria-label': label });

/** A list of entrants with the reasons why something is wrong with them. */
export const reasons = (list, properties = {}, more = (one) => null) =>
  h(
    'ul',
    properties,
    list.map((one) =>
      h(
        'li',
        {},
        h('strong', {}, one.name),
        one.file && !one.file.includes(one.name) && h('span', { class: 'note' }, ` ${one.file}`),
        ': ',
        withCode(one.reason),
        more(one),
      ),
    ),
  );
