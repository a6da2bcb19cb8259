// More about a game that is edited: what it is like beside another one, a fair start, what each
// rule does, a simple strategy, and what a number changes. Each is asked for when it is opened.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { curve } from './chart.js';
import { download, h, headed, put, withCode } from './dom.js';
import { draft, draftBase, draftName, drafts } from './route.js';
import { savesFigure, savesTable } from './taken.js';
import { percent, percentagePoints, signed, working } from './words.js';

/** How many starts are listed, the fairest first. */
const STARTS = 8;

/** The most lines of a simple strategy. */
const LINES = 5;

/** How far from its value a number is varied; a goal of a game in steps by so many of them. */
const FAR = 10;
const FAR_IN_STEPS = 3;

const PARTS = [
  ['What the game is like', 'showLikeness'],
  ['A fair start', 'showFair'],
  ['What each rule does', 'showEffects'],
  ['A simple strategy', 'showSimple'],
  ['What a number changes', 'showVaried'],
];

export class More {
  /** @type {string} */
  text;

  /** @type {string} */
  base;

  constructor() {
    this.asks = [];
    this.parts = PARTS.map(([label, method]) => {
      const told = h('div');
      const ask = lastOnly();
      this.asks.push(ask);
      const ontoggle = () => this.fill(part);
      const details = h('details', { ontoggle }, h('summary', {}, label), told);
      const part = { details, told, ask, method };
      return part;
    });
    this.element = h(
      'div',
      { class: 'more' },
      this.parts.map(({ details }) => details),
    );
  }

  stop() {
    for (const ask of this.asks) ask.stop();
  }

  /** Shows the game of a text, whose original has the name `base`. */
  show(text, base) {
    if (text === this.text) return;
    Object.assign(this, { text, base });
    for (const part of this.parts) this.fill(part);
    this.element.classList.remove('stale');
  }

  /** Fills a part that is open, unless it is of this text already. */
  async fill(part) {
    if (!part.details.open || !this.text || part.text === this.text) return;
    const { text } = this;
    part.text = text;
    const wait = h('p', { class: 'note', role: 'status' });
    put(part.told, wait);
    const onProgress = (progress) => put(wait, working(progress, 'Computing'));
    const ask = (name, request = {}) => part.ask(name, { file: text, ...request }, { onProgress });
    try {
      await this[part.method](part.told, ask);
    } catch (error) {
      part.text = null;
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(part.told, h('p', { class: 'note' }, withCode(error.message)));
    }
  }

  /** The games that this one can be shown beside: the original, other edited ones, all others. */
  async others() {
    const { games } = await askOnce('rules/list');
    const own = drafts().map(draftName);
    return [...new Set([this.base, ...own, ...games.map(({ id }) => id)])];
  }

  async showLikeness(told, ask) {
    const now = await ask('describe');
    const names = await this.others();
    const picked = h(
      'select',
      { onchange: () => beside(picked.value) },
      names.map((name) => h('option', { value: name, selected: name === this.base }, name)),
    );
    const shown = h('div');
    const beside = async (name) => {
      const base = draftBase(name);
      const asked = base === null ? { rules: name } : { file: draft(base) };
      try {
        put(shown, likeness(now, await askOnce('describe', asked), name));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        put(shown, withCode(error.message));
      }
    };
    put(told, h('p', { class: 'bar' }, h('label', {}, 'Beside ', picked)), shown);
    await beside(this.base);
  }

  async showFair(told, ask) {
    const { handicaps, first_player: rate } = await ask('fair');
    const fairest = [...handicaps].sort(
      (a, b) => Math.abs(a.first_player - 0.5) - Math.abs(b.first_player - 0.5),
    );
    put(
      told,
      h('p', {}, `Who moves first wins ${percent(rate)}. These starts are the fairest:`),
      table(
        ['Who moves first has', 'the other has', 'Who moves first wins'],
        fairest
          .slice(0, STARTS)
          .map(({ first, second, first_player: wins }) => [first, second, percent(wins)]),
      ),
      savesTable('fair'),
    );
  }

  async showEffects(told, ask) {
    const { without } = await ask('effects');
    const rows = without.map(({ rule, change }) => [
      rule,
      signed(change.first_mover_edge),
      (change.turns > 0 ? '+' : '−') + Math.abs(change.turns).toFixed(1),
      signed(change.skill),
    ]);
    put(
      told,
      h('p', {}, 'What is different without each rule; edges and skill in percentage points:'),
      table(
        ['Without', 'edge of moving first', 'turns of a game', 'best play over baseline'],
        rows,
      ),
      savesTable('effects'),
    );
  }

  async showSimple(told, ask) {
    const { strategies } = await ask('simplify', { lines: LINES });
    const { sentences, loss, python } = strategies.at(-1);
    const save = () => download('simple.py', python, 'text/x-python');
    put(
      told,
      h('p', {}, `It loses ${percentagePoints(loss)} to best play:`),
      h(
        'ul',
        { class: 'plain' },
        sentences.map((sentence) => h('li', {}, sentence)),
      ),
      h('p', { class: 'bar' }, h('button', { type: 'button', onclick: save }, 'Save as Python')),
    );
  }

  async showVaried(told, ask) {
    const shown = await askOnce('rules/show', { file: this.text });
    const { goal, max_dice: most, numbers = [], step = 1, hand } = shown;
    const all = [
      ['goal', goal],
      // Where dice are kept, those that are left are rolled.
      ...(hand ? [] : [['max_dice', most]]),
      ...numbers.map((one) => [one.name, one.value]),
    ];
    const picked = h(
      'select',
      { onchange: () => vary(all[picked.value]) },
      all.map(([name, value], at) => h('option', { value: at }, `${name} = ${value}`)),
    );
    const figure = h('figure', { 'aria-live': 'polite' });
    /** @param {any[]} number */
    const vary = async ([name, value]) => {
      const by = name === 'goal' ? step : 1;
      const far = by > 1 ? FAR_IN_STEPS * by : FAR;
      const least = name === 'goal' ? Math.max(by, 2) : name === 'max_dice' ? 1 : 0;
      const from = Math.max(value - far, least);
      const { rows } = await ask('vary', { vary: [`${name}=${from}..${value + far}:${by}`] });
      const points = rows
        .filter(({ figures }) => figures)
        .map(({ values: [x], figures }) => [x, figures.win_rate.first]);
      const label = `How often who moves first wins, by ${name}`;
      const format = (rate) => percent(rate, 1);
      put(
        figure,
        curve({ points, label, across: name, format, now: value }),
        h('figcaption', {}, `${label}.`),
        savesFigure(`by-${name}`, () => [[name, 'who moves first wins'], ...points]),
      );
    };
    put(told, h('p', { class: 'bar' }, h('label', {}, 'The number ', picked)), figure);
    await vary(all[0]);
  }
}

/** A table of heads and rows; the first cell of each row is its head. */
const table = (heads, rows) =>
  h(
    'table',
    {},
    headed(heads),
    h(
      'tbody',
      {},
      rows.map(([label, ...values]) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, label),
          values.map((value) => h('td', {}, `${value}`)),
        ),
      ),
    ),
  );

/** What two games are like: how long each lasts as a curve, and a table. */
function likeness(now, before, base) {
  const points = ({ turns: { distribution } }) =>
    distribution.map((chance, at) => [at + 1, chance]).filter(([, chance]) => chance > 1e-4);
  const [own, others] = [now, before].map(points);
  return [
    h(
      'figure',
      {},
      curve({
        points: own,
        beside: others,
        label: 'How often a game has so many turns',
        across: 'turns of a game',
        format: (chance) => percent(chance, 1),
      }),
      h(
        'figcaption',
        {},
        h('span', { class: 'key own' }),
        'now ',
        h('span', { class: 'key other' }),
        `${base} · how often a game has so many turns`,
      ),
      savesFigure('turns', () => [['turns', 'chance'], ...own]),
    ),
    descriptions(now, before, base),
    savesTable('likeness'),
  ];
}

/** A table of how long two games are, how often each rule acts, and how much skill matters. */
function descriptions(now, before, base) {
  const one = (value) => value?.toFixed(1) ?? '–';
  const rows = [
    ['Turns of a game, on average', one(now.turns.mean), one(before.turns.mean)],
    ['95% of games are over after', now.turns.p95 ?? '–', before.turns.p95 ?? '–'],
    ['Lead changes', one(now.lead_changes.mean), one(before.lead_changes.mean)],
    [
      'Positions in which the roll matters',
      percent(now.choices.share_that_matter, 1),
      percent(before.choices.share_that_matter, 1),
    ],
  ];
  for (const { name, per_game: times } of now.rule_uses)
    rows.push([`${name} acts`, `${one(times)} times`, played(before, name, one)]);
  for (const { level, strategy, against_optimal: rate } of now.skill) {
    const same = before.skill.find((step) => step.level === level);
    const label = level === strategy ? level : `${level} (${strategy})`;
    rows.push([
      `Against best play: ${label}`,
      percent(rate.average),
      same ? percent(same.against_optimal.average) : '–',
    ]);
  }
  return table(['Both play optimally', 'now', base], rows);
}

function played(game, name, shown) {
  const rule = game.rule_uses.find((one) => one.name === name);
  return rule ? `${shown(rule.per_game)} times` : '–';
}
