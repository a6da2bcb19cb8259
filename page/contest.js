// The contest: exact win rates of every strategy against every other.

import { Refused, ask, isAbort, lastOnly } from './api.js';
import { download, h, put, say } from './dom.js';
import { keep, kept } from './kept.js';
import { css, rateColour } from './map.js';
import { gameParams } from './route.js';
import { dropZone } from './upload.js';
import { bound, count, percent } from './words.js';

export async function show(root, route) {
  return new Contest(root, route);
}

class Contest {
  constructor(root, route) {
    this.route = route;
    this.ask = lastOnly();
    this.askPair = lastOnly();
    this.key = `contest/${route.game}`;
    this.files = kept(this.key);
    this.named = h('input', { spellcheck: 'false', size: 40, value: 'optimal baseline' });
    this.taken = h('p', { class: 'note' });
    this.bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Contest' });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.fates = h('div');
    this.result = h('div');
    this.start = h(
      'button',
      { type: 'button', class: 'primary', onclick: () => this.run() },
      'Start the contest',
    );
    this.cancel = h(
      'button',
      { type: 'button', hidden: true, onclick: () => this.ask.stop() },
      'Cancel',
    );
    put(
      root,
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Contest'),
        h(
          'p',
          {},
          'Drop a folder of strategies: each plays against every other, and every win rate is exact. Python files run in a sandbox.',
        ),
        dropZone({
          label: 'Strategies',
          text: 'Drop files or a folder here',
          folder: true,
          onFiles: (files, others) => this.took(files, others),
        }),
        this.taken,
        h(
          'div',
          { class: 'setup' },
          h('label', {}, 'Strategies by name that take part too', this.named),
          this.start,
          this.cancel,
          h('button', { type: 'button', onclick: () => this.took(null) }, 'Remove the files'),
        ),
        this.bar,
        this.state,
        this.fates,
      ),
      this.result,
    );
    this.showFiles();
  }

  close() {
    this.ask.stop();
    this.askPair.stop();
  }

  /** Shows whether a contest is running; the focus stays on the button that starts or cancels one. */
  running(yes) {
    const focused = [this.start, this.cancel].includes(document.activeElement);
    this.bar.hidden = !yes;
    this.cancel.hidden = !yes;
    this.start.hidden = yes;
    if (focused) (yes ? this.cancel : this.start).focus();
  }

  /** Takes files too; null removes all. */
  took(files, others) {
    const known = new Map(
      (files ? [...this.files, ...files] : []).map((file) => [file.name, file]),
    );
    this.files = [...known.values()];
    keep(this.key, this.files);
    this.showFiles(others);
  }

  showFiles(others = '') {
    const shown = this.files
      .slice(0, 8)
      .map((file) => file.name)
      .join(', ');
    const files = this.files.length
      ? `${count(this.files.length, 'file')}: ${shown}${this.files.length > 8 ? ' …' : '.'} `
      : '';
    put(this.taken, files + others);
  }

  async run() {
    const entrants = this.named.value.split(/,?\s+|,$/).filter(Boolean);
    try {
      this.game = gameParams(this.route);
    } catch (error) {
      put(this.state, h('strong', { class: 'loss' }, error.message));
      return;
    }
    if (!entrants.length && !this.files.length) {
      put(this.state, 'Drop files of strategies, or name some, for example optimal baseline.');
      return;
    }
    this.request = { ...this.game, entrants, files: this.files };
    this.running(true);
    this.bar.removeAttribute('value');
    put(this.state, 'Reading the strategies…');
    this.cells = null;
    this.read = { admitted: [], rejected: [] };
    put(this.fates);
    const onProgress = ({ what, done, of, matrix, entrants: fates }) => {
      if (fates) this.hear(fates);
      if (what === 'reading')
        put(
          this.state,
          `${done.toLocaleString('en')} of ${count(of, 'strategy', 'strategies')} read`,
        );
      if (what !== 'playing') return;
      this.bar.value = of ? done / of : 0;
      if (matrix) this.fill(matrix);
      put(this.state, `${done.toLocaleString('en')} of ${count(of, 'pair')}`);
    };
    try {
      this.view = await this.ask('contest', this.request, { onProgress });
      put(this.fates);
      put(
        this.state,
        `${count(this.view.pairs, 'pair')} in ${this.view.seconds.toFixed(1)} s; no win rate differs from the exact one by more than ${bound(this.view.error_bound)}.`,
      );
      this.draw();
      say(`${this.view.ranking[0]?.name} wins the contest`);
    } catch (error) {
      if (!isAbort(error) && !(error instanceof Refused)) throw error;
      put(this.result);
      put(
        this.state,
        isAbort(error) ? 'Cancelled.' : h('strong', { class: 'loss' }, error.message),
      );
    } finally {
      this.running(false);
    }
  }

  /** Shows which strategies were read, and why others cannot take part, while others are still read. */
  hear(fates) {
    for (const { name, rejected } of fates) {
      if (rejected === null) this.read.admitted.push(name);
      else this.read.rejected.push({ name, reason: rejected });
    }
    const { admitted, rejected } = this.read;
    put(
      this.fates,
      admitted.length > 0 &&
        h(
          'p',
          { class: 'note' },
          `${admitted.length.toLocaleString('en')} can take part: ${admitted.slice(-8).join(', ')}${admitted.length > 8 ? ' and others' : ''}.`,
        ),
      rejected.length > 0 &&
        h(
          'ul',
          { 'aria-label': 'Could not take part' },
          rejected.map((one) => h('li', {}, h('strong', {}, one.name), `: ${one.reason}`)),
        ),
    );
  }

  /** Shows the win rates that are known during the contest, in the order of the entrants. */
  fill(matrix) {
    if (!this.cells) {
      this.cells = matrix.map((row) => row.map(() => h('td')));
      put(
        this.result,
        h('p'),
        h(
          'section',
          { class: 'card', 'aria-hidden': 'true' },
          h('h2', {}, 'Matrix'),
          h(
            'div',
            { class: 'wide' },
            h(
              'table',
              { class: 'matrix filling' },
              h(
                'tbody',
                {},
                this.cells.map((row) => h('tr', {}, row)),
              ),
            ),
          ),
        ),
      );
    }
    matrix.forEach((row, a) =>
      row.forEach((rate, b) => {
        if (rate === null || a === b) return;
        const cell = this.cells[a][b];
        cell.textContent = points(rate);
        Object.assign(cell.style, shade(rate));
      }),
    );
  }

  draw() {
    const { view } = this;
    const order = view.ranking.map((row) => view.entrants.indexOf(row.name));
    const ranking = h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Rank', 'Name', 'Wins', 'Losses', 'Mean', 'Worst against'].map((text) =>
            h('th', { scope: 'col', class: text === 'Name' ? 'left' : null }, text),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        view.ranking.map((row) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, row.rank),
            h('td', { class: 'left' }, row.name),
            h('td', {}, row.wins),
            h('td', {}, row.losses),
            h('td', {}, percent(row.mean)),
            h(
              'td',
              {},
              row.worst_against ? `${row.worst_against} (${percent(row.worst_win_rate, 1)})` : '',
            ),
          ),
        ),
      ),
    );
    const cell = (a, b) =>
      a === b
        ? h('td')
        : h(
            'td',
            {},
            h(
              'button',
              {
                type: 'button',
                style: shade(view.matrix[a][b]),
                'aria-label': `${points(view.matrix[a][b])} %: ${view.entrants[a]} against ${view.entrants[b]}`,
                onclick: () => this.open(a, b),
              },
              points(view.matrix[a][b]),
            ),
          );
    const matrix = h(
      'table',
      { class: 'matrix', 'aria-label': 'Matrix of win rates' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td'),
          order.map((b) => h('th', { scope: 'col' }, view.entrants[b])),
        ),
      ),
      h(
        'tbody',
        {},
        order.map((a) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, view.entrants[a]),
            order.map((b) => cell(a, b)),
          ),
        ),
      ),
    );
    put(
      this.result,
      h('p'),
      view.rejected.length > 0 &&
        h(
          'section',
          { class: 'card trouble', 'aria-label': 'Rejected' },
          h('h2', {}, 'Could not take part'),
          h(
            'ul',
            {},
            view.rejected.map((one) => h('li', {}, h('strong', {}, one.name), `: ${one.reason}`)),
          ),
        ),
      h('p'),
      h(
        'section',
        { class: 'card', 'aria-label': 'Ranking' },
        h('h2', {}, 'Ranking'),
        h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Ranking' }, ranking),
        view.same.map((group) =>
          h('p', { class: 'note' }, `${group.join(', ')} play the same in every position.`),
        ),
        view.cycles
          .slice(0, 3)
          .map((cycle) =>
            h(
              'p',
              { class: 'note' },
              `${cycle[0]} beats ${cycle[1]}, which beats ${cycle[2]}, which beats ${cycle[0]}.`,
            ),
          ),
        h(
          'p',
          { class: 'bar' },
          h(
            'button',
            {
              type: 'button',
              onclick: () => download('ranking.csv', this.rankingText(), 'text/csv'),
            },
            'Ranking (.csv)',
          ),
          h(
            'button',
            {
              type: 'button',
              onclick: () => download('matrix.csv', this.matrixText(), 'text/csv'),
            },
            'Matrix (.csv)',
          ),
          h(
            'button',
            {
              type: 'button',
              onclick: () => download('contest.json', JSON.stringify(view), 'application/json'),
            },
            'Everything (.json)',
          ),
          (this.reports = h(
            'button',
            { type: 'button', onclick: () => this.pack() },
            'Reports (.zip)',
          )),
        ),
        h(
          'p',
          { class: 'note' },
          'The reports have a page for each entrant: its results, where it loses, what it could do better, and what it rolls.',
        ),
      ),
      h('p'),
      h(
        'section',
        { class: 'card', 'aria-label': 'Matrix' },
        h('h2', {}, 'Matrix'),
        h(
          'p',
          { class: 'note' },
          'Win rate of the row against the column, averaged over moving first and second.',
        ),
        h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Matrix' }, matrix),
        h('p', { class: 'note' }, 'Select a cell for details of the pair.'),
        (this.pair = h('div', { 'aria-live': 'polite' })),
      ),
    );
  }

  /** Requests the reports of the contest that is shown, and downloads them. */
  async pack() {
    const { reports, request } = this;
    const label = reports.textContent;
    reports.disabled = true;
    const onProgress = ({ what, done, of }) => {
      reports.textContent =
        what === 'reporting' ? `Reports: ${done} of ${of}` : 'Making the reports…';
    };
    try {
      const { name, base64 } = await ask('contest/reports', request, { onProgress });
      download(
        name,
        Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
        'application/zip',
      );
      say('The reports are ready');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(this.state, h('strong', { class: 'loss' }, error.message));
    } finally {
      reports.disabled = false;
      reports.textContent = label;
    }
  }

  /** Shows one pair: its win rates, and where the first strategy loses against the second. */
  async open(a, b) {
    const { view } = this;
    const [one, other] = [view.entrants[a], view.entrants[b]];
    put(
      this.pair,
      h('h3', {}, `${one} against ${other}`),
      h(
        'p',
        {},
        `${percent(view.matrix[a][b])} on average: ${percent(view.first[a][b])} moving first, ${percent(2 * view.matrix[a][b] - view.first[a][b])} moving second.`,
      ),
      h('p', { class: 'note' }, 'Finding what it could do better…'),
    );
    // The entrants' own files, and the helpers in a folder that only one of them has.
    const sent = view.ranking.map((row) => row.file).filter(Boolean);
    const [strategy, against] = [one, other].map(
      (name) => view.ranking.find((row) => row.name === name).file ?? name,
    );
    const helps = (file, own) =>
      file.name === own ||
      (folder(own) &&
        file.name.startsWith(folder(own)) &&
        sent.every((rival) => rival === own || !rival.startsWith(folder(own))));
    const files = this.request.files.filter((file) =>
      [strategy, against].some((own) => sent.includes(own) && helps(file, own)),
    );
    try {
      const explained = await this.askPair('explain', {
        ...this.game,
        strategy,
        against,
        files,
        top: 8,
      });
      this.pair.lastChild.replaceWith(
        h(
          'div',
          {},
          h(
            'p',
            {},
            `The best possible against ${other} is ${percent(explained.best_response.average)}. What costs ${one} most:`,
          ),
          h(
            'ul',
            { class: 'plain' },
            explained.worst.map((position) =>
              h(
                'li',
                {},
                `at ${position.score} to ${position.opponent} it rolls ${position.dice}; best is ${position.best.join(' or ')}, which gains ${(position.loss_each * 100).toFixed(2)} points there`,
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      this.pair.lastChild.replaceWith(h('p', { class: 'note' }, error.message));
    }
  }

  rankingText() {
    const rows = this.view.ranking.map((row) => [
      row.rank,
      row.name,
      row.wins,
      row.losses,
      row.mean,
      row.worst_against ?? '',
      row.worst_win_rate ?? '',
    ]);
    return lines([
      ['rank', 'name', 'wins', 'losses', 'mean', 'worst_against', 'worst_win_rate'],
      ...rows,
    ]);
  }

  matrixText() {
    const { entrants, matrix } = this.view;
    return lines([['', ...entrants], ...matrix.map((row, a) => [entrants[a], ...row])]);
  }
}

/** The folder of a file, with the slash; empty for a file in none. */
const folder = (path) => path.slice(0, path.lastIndexOf('/') + 1);

/** A win rate in percent without the sign, and the colours of its cell. */
const points = (rate) => (rate * 100).toFixed(1);
const shade = (rate) => ({
  background: css(rateColour(0.5 + (rate - 0.5) * 2.2)),
  color: Math.abs(rate - 0.5) > 0.17 ? '#fff' : '#16181c',
});

/** Escapes a CSV field; a text that a spreadsheet would read as a formula gets an apostrophe in front. */
function field(value) {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lines = (rows) => rows.map((row) => row.map(field).join(',')).join('\n') + '\n';
