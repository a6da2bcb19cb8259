// Explore a game in which dice are kept after the roll: the dice are clicked or typed, the choice
// is seen at once; and when to bank, by the points at risk and the dice that are left.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { die } from './dice.js';
import { h, put, refresh, say, shareButton, withCode } from './dom.js';
import { css, inkOn, rateColour } from './map.js';
import {
  draftBase,
  fullAddress,
  gameParams,
  go,
  linked,
  memoryParams,
  read,
  withParams,
} from './route.js';
import { full, savesTable } from './taken.js';
import { bare, percent, signed, working } from './words.js';

/** How many keeps are listed. */
const MOST = 12;

/** How many values of the points at risk the field shows. */
const ROWS = 20;

/** The name of the memory that counts the dice of the next roll. */
const LEFT = 'dice';

export class KeepExplorer {
  constructor(root, route, shown) {
    this.route = route;
    this.shown = shown;
    this.step = shown.step ?? 1;
    const faces = Math.max(...shown.hand.map(({ weights }) => weights.length));
    this.faces = Array.from({ length: faces }, (_, at) => at + 1);
    this.ask = lastOnly();
    this.askField = lastOnly();
    this.head = h('div', { class: 'head' });
    this.tray = h('div', { class: 'dice' });
    this.state = h('p', { role: 'status' });
    this.answer = h('div');
    this.field = h('div', {
      class: 'wide',
      tabindex: '0',
      role: 'group',
      'aria-label': 'When to bank',
    });
    this.typed = (event) => this.press(event);
    document.addEventListener('keydown', this.typed);
    put(
      root,
      h('h1', { class: 'sr' }, `Explore ${route.game}`),
      h(
        'div',
        { class: 'columns by-dice' },
        h(
          'section',
          { class: 'card', 'aria-label': 'Position' },
          h('h2', {}, shown.title),
          this.head,
          h('p', { class: 'note' }, 'Click what you have rolled, or type it:'),
          h(
            'div',
            { class: 'faces', role: 'group', 'aria-label': 'Add a die' },
            this.faces.map((face) =>
              h(
                'button',
                { type: 'button', 'aria-label': `Add a ${face}`, onclick: () => this.add(face) },
                die(face),
              ),
            ),
            h('button', { type: 'button', onclick: () => this.change({ roll: null }) }, 'New roll'),
          ),
          this.tray,
          this.state,
          this.answer,
        ),
        h(
          'section',
          { class: 'card', 'aria-label': 'When to bank' },
          h('h2', {}, 'When to bank'),
          h(
            'p',
            { class: 'note' },
            'At these scores, by the points at risk and the dice left: the win rate of the better ',
            'choice in percent, and B where that is to bank.',
          ),
          this.field,
        ),
      ),
      this.rules(),
    );
  }

  leave() {
    document.removeEventListener('keydown', this.typed);
    this.ask.stop();
    this.askField.stop();
  }

  rules() {
    return h(
      'details',
      { class: 'card' },
      h('summary', {}, `The rules of ${this.shown.title}`),
      h(
        'dl',
        {},
        this.shown.rules.map((rule) => [h('dt', {}, rule.name), h('dd', {}, rule.text ?? '')]),
      ),
      h('p', {}, h('a', { href: linked(this.route, 'rules') }, 'Change them')),
    );
  }

  /** The dice of the address that were rolled. */
  get roll() {
    return (this.route.params.get('roll') ?? '').split('.').filter(Boolean).map(Number);
  }

  /** The position of the address. */
  request() {
    const { route } = this;
    const memory = memoryParams(route);
    return { ...gameParams(route), score: route.score ?? 0, opponent: route.opponent ?? 0, memory };
  }

  change(changes, scores = {}) {
    const params = withParams(this.route.params, changes);
    const { score, opponent } = this.request();
    go({ ...this.route, score, opponent, ...scores, params }, { replace: 'roll' in changes });
  }

  /** How many dice are rolled next. */
  get left() {
    const { max } = this.shown.memories.find(({ name }) => name === LEFT);
    return Number(this.route.params.get(LEFT) ?? max);
  }

  add(face) {
    const roll = this.roll.length < this.left ? [...this.roll, face] : [face];
    this.change({ roll: roll.join('.') });
  }

  press(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (event.target.matches?.('input, select, textarea')) return;
    if (this.faces.includes(Number(event.key))) this.add(Number(event.key));
    else if (event.key === 'Backspace' && this.roll.length)
      this.change({ roll: this.roll.slice(0, -1).join('.') });
  }

  async update(route) {
    this.route = route;
    this.drawHead();
    const isWhole = this.roll.length === this.left;
    put(this.tray, !isWhole && this.roll.map((face) => die(face)));
    const waits = this.roll.length > 0 && this.roll.length < this.left;
    const request = this.request();
    const asked = this.roll.length && !waits ? { ...request, roll: this.roll } : request;
    const onProgress = (progress) => put(this.state, working(progress, 'Solving'));
    try {
      const best = await this.ask('best', asked, { onProgress });
      const missing = this.left - this.roll.length;
      put(this.state, waits && `${missing} more ${missing === 1 ? 'die' : 'dice'} to come.`);
      put(this.answer, best.keeps ? this.keeps(best) : this.choices(best));
      await this.drawField(request);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(this.answer);
      put(this.state, h('strong', { class: 'loss' }, withCode(error.message)));
    }
  }

  drawHead() {
    const { score, opponent, memory } = this.request();
    const field = (key, label, value, most, step, change) =>
      h(
        'label',
        {},
        h('span', {}, label),
        h('input', {
          type: 'number',
          min: 0,
          max: most,
          step,
          value,
          'data-key': key,
          inputmode: 'numeric',
          onchange: (event) => change(event.target.valueAsNumber || 0),
        }),
      );
    const { goal, memories } = this.shown;
    const most = goal - this.step;
    refresh(
      this.head,
      field('score', 'You', score, most, this.step, (now) => this.change({}, { score: now })),
      field('opponent', 'Opponent', opponent, most, this.step, (now) =>
        this.change({}, { opponent: now }),
      ),
      memories.map(({ name, max, start }) =>
        field(
          name,
          name === this.shown.pot ? 'Points at risk' : name === LEFT ? 'Dice to roll' : name,
          memory[name] ?? start,
          max,
          name === this.shown.pot ? this.step : 1,
          (now) => this.change({ [name]: now, roll: null }),
        ),
      ),
      draftBase(this.route.game) === null && shareButton(() => fullAddress(read())),
    );
  }

  /** What to do before a roll. */
  choices(best) {
    const told = best.choices.find(({ dice }) => dice === best.best[0]);
    const words = told.means ?? `${told.dice}`;
    say(`${words}, win rate ${percent(told.win_rate)}`);
    const rows = [...best.choices].sort((a, b) => b.win_rate - a.win_rate);
    const banks = best.choices.some(({ dice }) => dice === 0);
    return [
      verdict(words, best.win_rate),
      banks && button('I bank: the other one moves', () => this.pass(best.memory[this.shown.pot])),
      table(
        ['Choice', 'You win', 'Loss'],
        rows.map(({ means, win_rate: rate }) => [means, rate, rate - best.win_rate]),
      ),
    ];
  }

  /** What to keep of a roll. */
  keeps(best) {
    const [first] = best.keeps;
    if (!first)
      return [
        verdict('Nothing scores: the turn is over', best.win_rate),
        button('The other one moves', () => this.pass(0)),
      ];
    const dice = (keep) => (keep.length ? keep.join(' ') : 'nothing');
    const words = `Keep ${dice(first.keep)}, then ${first.then.join(' or ')}`;
    say(`${words}, win rate ${percent(first.win_rate)}`);
    return [
      verdict(words, first.win_rate),
      h(
        'div',
        { class: 'dice' },
        this.roll.map((face, at) => {
          const drawn = die(face);
          drawn.classList.toggle('kept', Boolean(first.marked[at]));
          return drawn;
        }),
      ),
      button('I keep these', () => this.kept(best, first)),
      table(
        ['Keep', 'Points', 'Then', 'You win', 'Loss'],
        best.keeps
          .slice(0, MOST)
          .map(({ keep, points, then, win_rate: rate }) => [
            dice(keep),
            points,
            then.join(' or '),
            rate,
            rate - first.win_rate,
          ]),
      ),
      savesTable('keeps'),
    ];
  }

  /** Goes on with what was kept of a roll. */
  kept({ memory }, { keep, points }) {
    const { pot } = this.shown;
    // All dice that were kept roll again.
    const left = this.left - keep.length || null;
    this.change({ [pot]: memory[pot] + points, [LEFT]: left, roll: null });
  }

  /** Goes on with the other one's turn; `points` are banked. */
  pass(points) {
    const { score, opponent } = this.request();
    const next = { score: opponent, opponent: score + points };
    if (next.opponent >= this.shown.goal) put(this.state, 'The game is won.');
    else this.change({ [this.shown.pot]: null, [LEFT]: null, roll: null }, next);
  }

  /** Shows, for the scores, when to bank. */
  async drawField({ memory, ...request }) {
    const { pot, memories, goal } = this.shown;
    const key = JSON.stringify(request);
    if (key === this.fieldOf) return;
    const { max } = memories.find(({ name }) => name === LEFT);
    const counts = Array.from({ length: max }, (_, at) => at + 1);
    const risks = Array.from({ length: ROWS }, (_, at) => at * this.step).filter(
      (one) => one < goal,
    );
    const rows = [];
    for (const risk of risks) {
      const cells = [];
      for (const left of counts) {
        const asked = { ...request, memory: { ...memory, [pot]: risk, [LEFT]: left } };
        // A turn with nothing at risk begins with all dice.
        const best = await this.askField('best', asked).catch((error) => {
          if (isAbort(error)) throw error;
          return null;
        });
        cells.push(best && { left, rate: best.win_rate, banks: best.best[0] === 0 });
      }
      rows.push({ risk, cells });
    }
    this.fieldOf = key;
    const rates = rows.flatMap(({ cells }) => cells.filter(Boolean).map(({ rate }) => rate));
    const low = Math.min(...rates);
    const high = Math.max(...rates);
    const cell = (risk, one) => {
      if (!one) return h('td', {}, '–');
      const colour = rateColour((one.rate - low) / (high - low || 1));
      const what = one.banks ? 'bank' : 'roll';
      const text = `${one.banks ? 'B ' : ''}${bare(one.rate)}`;
      return h(
        'td',
        {},
        h(
          'button',
          {
            type: 'button',
            style: { background: css(colour), color: inkOn(colour) },
            'aria-label': `${text} %: ${what} with ${risk} points at risk, ${one.left} dice left`,
            onclick: () => this.change({ [pot]: risk, [LEFT]: one.left, roll: null }),
          },
          text,
        ),
      );
    };
    put(
      this.field,
      h(
        'table',
        { class: 'matrix field' },
        h('caption', { class: 'sr' }, 'Points at risk by dice left'),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'At risk'),
            counts.map((left) =>
              h('th', { scope: 'col' }, `${left} ${left === 1 ? 'die' : 'dice'}`),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(({ risk, cells }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, risk),
              cells.map((one) => cell(risk, one)),
            ),
          ),
        ),
      ),
      savesTable('bank'),
    );
  }
}

const button = (label, onclick) =>
  h('p', { class: 'bar' }, h('button', { type: 'button', class: 'primary', onclick }, label));

const verdict = (words, rate) =>
  h(
    'p',
    { class: 'answer' },
    h(
      'strong',
      {},
      words.replace(/^./, (letter) => letter.toUpperCase()),
    ),
    ': you win ',
    h('strong', {}, percent(rate)),
    ' of games',
  );

/** A table whose last two columns are win rates and losses. */
function table(heads, rows) {
  const row = ([first, ...others]) => {
    const [rate, loss] = others.splice(-2);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, first),
      others.map((text) => h('td', {}, `${text}`)),
      h('td', {}, full(rate, percent(rate))),
      h(
        'td',
        { class: loss < 0 ? 'loss' : null },
        loss < 0 ? full(100 * loss, signed(loss)) : 'best',
      ),
    );
  };
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((text) => h('th', { scope: 'col' }, text)),
      ),
    ),
    h('tbody', {}, rows.map(row)),
  );
}
