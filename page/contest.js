// The contest: exact win rates of every strategy against every other.

import { Refused, ask, askOnce, isAbort, lastOnly } from './api.js';
import { download, h, put, refresh, say, withCode } from './dom.js';
import { filesOf, keep, kept, mine } from './kept.js';
import { css, rateColour } from './map.js';
import { gameParams } from './route.js';
import { session, store } from './storage.js';
import { dropZone } from './upload.js';
import { bare, bound, count, oneOf, percent, percentagePoints, working } from './words.js';

/** The most rows and columns of the matrix on the page; the file has all. */
const MOST_SHOWN = 40;

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
  const state = (await kept(key)) ?? { files: [], names: 'optimal baseline', result: null };
  return new Contest(root, route, key, state);
}

/** The name under which a contest is kept: two tabs have contests of their own. */
function keyOf(route) {
  const tab = session.getItem('hog.tab') ?? `${Date.now()}-${Math.random()}`;
  store(session, 'hog.tab', tab);
  const numbers = ['goal', 'max_dice'].map((name) => route.params.get(name) ?? '');
  return ['contest', route.game, ...numbers, tab].join('/');
}

/** Whether a table has people rather than rolls: its first line names a column of theirs. */
const isRoster = ({ name, text }) =>
  /\.csv$/i.test(name) &&
  /\b(e-?mail|names?|sid|students?|identifier|username)\b/i.test(text.split('\n', 1)[0]);

/** What of a file is not a strategy. */
function kindOf(file) {
  if (file.name.split('/').pop() === LIST) return 'the list of submitters';
  return isRoster(file) ? 'the roster' : null;
}

class Contest {
  constructor(root, route, key, state) {
    this.route = route;
    this.key = key;
    Object.assign(this, state);
    this.ask = lastOnly();
    this.askPair = lastOnly();
    this.named = h('input', {
      spellcheck: 'false',
      size: 40,
      value: this.names,
      onchange: () => this.save({ names: this.named.value }),
    });
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
      archives: true,
      onFiles: (files, others) => this.took(files, others),
    });
    const own = mine().map((name) => button(`Add ${name}`, () => this.took(filesOf(name), '')));
    this.parts = [
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Contest'),
        h(
          'p',
          {},
          'Drop a folder of strategies: each plays against every other, and every win rate is ',
          'exact. Python files run in a sandbox. Downloads of Gradescope and GitHub Classroom can ',
          'be dropped as they are, and a roster (.csv with names or addresses) beside them. ',
          'This browser keeps files and results for a day.',
        ),
        zone,
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
    this.askPair.stop();
  }

  /** Keeps what has changed: it lives through other views, Back and a reload. */
  save(changes) {
    Object.assign(this, changes);
    const { files, names, result } = this;
    return keep(this.key, { files, names, result });
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

  /** The request of the contest: names, files, and how these are to be read. */
  request() {
    const entrants = this.named.value.split(/,?\s+|,$/).filter(Boolean);
    const { files } = this;
    const roster = files.find(isRoster)?.name;
    const isStrategy = (file) => !kindOf(file);
    const request = { ...gameParams(this.route), entrants, files };
    if (roster) request.roster = roster;
    if (files.filter(isStrategy).some(({ name }) => name.includes('/'))) request.each_in = true;
    return request;
  }

  async run() {
    let request;
    try {
      request = this.request();
    } catch (error) {
      put(this.state, h('strong', { class: 'loss' }, withCode(error.message)));
      return;
    }
    if (!request.entrants.length && !request.files.length) {
      put(this.state, 'Drop files of strategies, or name some, for example optimal baseline.');
      return;
    }
    this.running(true);
    underWay.set(this.key, this);
    this.bar.removeAttribute('value');
    put(this.state, 'Reading the strategies…');
    this.cells = null;
    this.read = { admitted: [], rejected: [] };
    put(this.fates);
    try {
      const onProgress = (progress) => this.hear(progress);
      const view = await this.ask('contest', request, { onProgress });
      put(this.fates);
      this.save({ result: { view, request } });
      this.draw();
      say(`${view.ranking[0]?.name} wins the contest`);
    } catch (error) {
      if (!isAbort(error) && !(error instanceof Refused)) throw error;
      this.save({ result: null });
      put(this.results);
      put(
        this.state,
        isAbort(error) ? 'Cancelled.' : h('strong', { class: 'loss' }, withCode(error.message)),
      );
    } finally {
      underWay.delete(this.key);
      this.running(false);
    }
  }

  /** Shows how far the contest is. */
  hear({ what, done, of, matrix, entrants: fates }) {
    if (fates) this.showFates(fates);
    const part = `${done.toLocaleString('en')} of ${of?.toLocaleString('en')}`;
    if (what === 'reading') put(this.state, `${part} strategies read`);
    else if (what === 'asking') put(this.state, `Asking the Python files: ${part} runs`);
    else if (what === 'playing') put(this.state, `${part} pairs`);
    else put(this.state, working({ what, done, of }, 'Reading the strategies'));
    if (['loading Python', 'asking', 'playing'].includes(what)) this.bar.value = of ? done / of : 0;
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
    const most = bound(view.error_bound);
    put(
      this.state,
      `${count(view.pairs, 'pair')} in ${view.seconds.toFixed(1)} s; no win rate differs from the `,
      `exact one by more than ${most}.`,
    );
    this.order = { by: 'rank', down: false };
    this.search = h('input', {
      type: 'search',
      'aria-label': 'Search for a name',
      placeholder: 'Search for a name',
      oninput: () => this.drawTables(),
    });
    this.ranking = group('Ranking', 'wide');
    this.matrix = group('Matrix', 'wide');
    this.cut = h('p', { class: 'note' });
    this.pair = h('div', { 'aria-live': 'polite' });
    this.reports = h('button', { type: 'button', onclick: () => this.pack() }, 'Reports (.zip)');
    const save = (label, name, contents, kind) =>
      h('button', { type: 'button', onclick: () => download(name, contents(), kind) }, label);
    const together = (names) =>
      h('p', { class: 'note' }, `${names.join(', ')} play the same in every position.`);
    const circle = ([one, two, three]) =>
      `${one} beats ${two}, which beats ${three}, which beats ${one}.`;
    const missing = view.absent ?? [];
    put(
      this.results,
      view.rejected.length > 0 &&
        h(
          'section',
          { class: 'card trouble', 'aria-label': 'Rejected' },
          h('h2', {}, 'Could not take part'),
          reasons(view.rejected),
        ),
      missing.length + (view.unclear ?? []).length > 0 &&
        h(
          'section',
          { class: 'card', 'aria-label': 'Roster' },
          h('h2', {}, 'By the roster'),
          missing.length > 0 && h('p', {}, `Handed in nothing: ${missing.join(', ')}.`),
          reasons(view.unclear ?? []),
        ),
      leftOut(view),
      h(
        'section',
        { class: 'card', 'aria-label': 'Ranking' },
        h('div', { class: 'bar between' }, h('h2', {}, 'Ranking'), this.search),
        this.ranking,
        view.same.map(together),
        view.cycles.slice(0, 3).map((cycle) => h('p', { class: 'note' }, circle(cycle))),
        h(
          'p',
          { class: 'bar' },
          save('Ranking (.csv)', 'ranking.csv', () => rankingText(view), 'text/csv'),
          save('Matrix (.csv)', 'matrix.csv', () => matrixText(view), 'text/csv'),
          save(
            'Everything (.json)',
            'contest.json',
            () => JSON.stringify(view),
            'application/json',
          ),
          this.reports,
        ),
        h(
          'p',
          { class: 'note' },
          'The reports have a page for each entrant: its results, where it loses, what it could ',
          'do better, and what it rolls.',
        ),
      ),
      h(
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
        h('p', { class: 'note' }, 'Select a cell for details of the pair.'),
        this.pair,
      ),
    );
    this.drawTables();
  }

  /** Draws the ranking and the matrix of the entrants that are searched for, as they are sorted. */
  drawTables() {
    const { view } = this.result;
    const wanted = this.search.value.trim().toLowerCase();
    const rows = view.ranking.filter((row) => row.name.toLowerCase().includes(wanted));
    const { by, down } = this.order;
    const compared = (a, b) =>
      typeof a[by] === 'string' ? a[by].localeCompare(b[by]) : (a[by] ?? -1) - (b[by] ?? -1);
    rows.sort((a, b) => (down ? compared(b, a) : compared(a, b)) || a.rank - b.rank);
    const columns = [
      ['rank', 'Rank', false],
      ['name', 'Name', false],
      ['wins', 'Wins', true],
      ['losses', 'Losses', true],
      ['mean', 'Mean', true],
      ['worst_win_rate', 'Worst against', false],
    ];
    const head = ([name, label, falls]) => {
      const isBy = by === name;
      const sort = () => {
        this.order = { by: name, down: isBy ? !down : falls };
        this.drawTables();
      };
      const sorted = down ? 'descending' : 'ascending';
      const extra = ['losses', 'worst_win_rate'].includes(name) && 'extra';
      const kind = [name === 'name' && 'left', extra].filter(Boolean).join(' ');
      return h(
        'th',
        { scope: 'col', class: kind || null, 'aria-sort': isBy ? sorted : null },
        h(
          'button',
          { type: 'button', class: 'sort', 'data-key': name, onclick: sort },
          label,
          isBy && (down ? ' ↓' : ' ↑'),
        ),
      );
    };
    const worst = (row) =>
      row.worst_against ? `${row.worst_against} (${percent(row.worst_win_rate, 1)})` : '';
    const line = (row) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, row.rank),
        h(
          'td',
          { class: 'left name' },
          row.name,
          h('span', { class: 'under note' }, `${row.losses} lost; worst: ${worst(row)}`),
        ),
        h('td', {}, row.wins),
        h('td', { class: 'extra' }, row.losses),
        h('td', {}, percent(row.mean)),
        h('td', { class: 'extra name' }, worst(row)),
      );
    refresh(
      this.ranking,
      h(
        'table',
        { class: 'ranking' },
        h('thead', {}, h('tr', {}, columns.map(head))),
        h('tbody', {}, rows.map(line)),
      ),
    );
    if (!rows.length) put(this.ranking, h('p', {}, 'No entrant is called so.'));
    this.drawMatrix(rows);
  }

  drawMatrix(rows) {
    const { view } = this.result;
    const order = rows.slice(0, MOST_SHOWN).map((row) => view.entrants.indexOf(row.name));
    const cut = `The first ${order.length} of ${rows.length}: search for others, or save the file.`;
    this.cut.textContent = rows.length > order.length ? cut : '';
    const name = (place) => view.entrants[place];
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
            onclick: () => this.open(a, b),
          },
          rate,
        ),
      );
    };
    const heads = order.map((b) => h('th', { scope: 'col', title: name(b) }, name(b)));
    const line = (a) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row', title: name(a) }, name(a)),
        order.map((b) => cell(a, b)),
      );
    put(
      this.matrix,
      h(
        'table',
        { class: 'matrix', 'aria-label': 'Matrix of win rates' },
        h('thead', {}, h('tr', {}, h('td'), heads)),
        h('tbody', {}, order.map(line)),
      ),
    );
  }

  /** Requests the reports of the contest that is shown, and downloads them. */
  async pack() {
    const { reports } = this;
    const label = reports.textContent;
    reports.disabled = true;
    const onProgress = ({ what, done, of }) => {
      reports.textContent =
        what === 'reporting' ? `Reports: ${done} of ${of}` : 'Making the reports…';
    };
    try {
      const { request } = this.result;
      const { name, base64 } = await ask('contest/reports', request, { onProgress });
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      download(name, bytes, 'application/zip');
      say('The reports are ready');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(this.state, h('strong', { class: 'loss' }, withCode(error.message)));
    } finally {
      reports.disabled = false;
      reports.textContent = label;
    }
  }

  /** Shows one pair: its win rates, and where the first strategy loses against the second. */
  async open(a, b) {
    const { view, request } = this.result;
    const [one, other] = [view.entrants[a], view.entrants[b]];
    const second = 2 * view.matrix[a][b] - view.first[a][b];
    const waiting = h('p', { class: 'note' }, 'Finding what it could do better…');
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
    );
    // The entrants' own files, and the helpers in a folder that only one of them has.
    const sent = view.ranking.map((row) => row.file).filter(Boolean);
    const fileOf = (name) => view.ranking.find((row) => row.name === name).file ?? name;
    const [strategy, against] = [fileOf(one), fileOf(other)];
    const isAlone = (own) =>
      folder(own) && sent.every((rival) => rival === own || !rival.startsWith(folder(own)));
    const helps = (file, own) =>
      file.name === own || (isAlone(own) && file.name.startsWith(folder(own)));
    const { entrants, roster, each_in: each, ...game } = request;
    const files = request.files.filter(
      (file) =>
        !kindOf(file) && [strategy, against].some((own) => sent.includes(own) && helps(file, own)),
    );
    const costs = ({ score, opponent, dice, best, loss_each: loss }) =>
      `at ${score} to ${opponent} it rolls ${dice}; best is ${oneOf(best)}, ` +
      `which gains ${percentagePoints(loss)} there`;
    try {
      const question = { ...game, strategy, against, files, top: 8 };
      const explained = await this.askPair('explain', question);
      const best = percent(explained.best_response.average);
      waiting.replaceWith(
        h('p', {}, `The best possible against ${other} is ${best}. What costs ${one} most:`),
        h(
          'ul',
          { class: 'plain' },
          explained.worst.map((position) => h('li', {}, costs(position))),
        ),
      );
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(waiting, withCode(error.message));
    }
  }
}

/** The files that are no entrants: beside an entrant's own, or of a kind that has no strategy. */
function leftOut({ helpers, skipped }) {
  const folded = (names, what) =>
    names.length > 0 && h('details', {}, h('summary', {}, what), h('p', {}, names.join(', ')));
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

/** Returns a name like this one that no file has: "hog (2).py". */
function unused(name, known) {
  const [, stem, ending] = /^(.*?)(\.\w+)$/.exec(name);
  let number = 2;
  while (known.has(`${stem} (${number})${ending}`)) number += 1;
  return `${stem} (${number})${ending}`;
}

/** The folder of a file, with the slash; empty for a file in none. */
const folder = (path) => path.slice(0, path.lastIndexOf('/') + 1);

/** The colours of a win rate's cell. */
const shade = (rate) => ({
  background: css(rateColour(0.5 + (rate - 0.5) * 2.2)),
  color: Math.abs(rate - 0.5) > 0.17 ? '#fff' : '#16181c',
});

const group = (label, kind) =>
  h('div', { class: kind, tabindex: '0', role: 'group', 'aria-label': label });

/** A list of entrants with the reasons why something is wrong with them. */
const reasons = (list, properties = {}) =>
  h(
    'ul',
    properties,
    list.map((one) =>
      h('li', {}, h('strong', {}, one.name), ': ', withCode(one.reason)),
    ),
  );

/**
 * Escapes a CSV field; a text that a spreadsheet would read as a formula gets an apostrophe in
 * front.
 */
function field(value) {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lines = (rows) => rows.map((row) => row.map(field).join(',')).join('\n') + '\n';

function rankingText({ ranking }) {
  const names = ['rank', 'name', 'wins', 'losses', 'mean', 'worst_against', 'worst_win_rate'];
  return lines([names, ...ranking.map((row) => names.map((name) => row[name] ?? ''))]);
}

const matrixText = ({ entrants, matrix }) =>
  lines([['', ...entrants], ...matrix.map((row, a) => [entrants[a], ...row])]);
