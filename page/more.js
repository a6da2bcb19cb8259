// More about a game that is edited: what it is like beside another one, a fair start, what each
// rule does, a simple strategy, and what a number changes. Each is asked for when it is opened.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { curve } from './chart.js';
import { button, h, put, putProgress, row, say, table, withCode } from './dom.js';
import { FEW_LINES, fewLines } from './parts.js';
import { RuleFile } from './rulefile.js';
import { Search } from './search.js';
import { full, savesFigure, savesRows, savesTable } from './taken.js';
import {
  count,
  listed,
  oneOf,
  percent,
  percentagePoints,
  signed,
  startOf,
  STARTS,
  working,
} from './words.js';

/** The headings of what changes without a rule, in a file. */
const EFFECT_COLUMNS = [
  'without',
  'change_of_first_player_win_rate',
  'change_of_turns',
  'change_of_best_play_over_baseline',
];

/** How many starts are listed, the fairest first. */
const MOST_STARTS = 8;

const COSTLIEST = 10;

/** Of more tied rolls the number is told. */
const MOST_TIED = 3;

/** Win rates that are no further apart are the same: more than their bounds, less than is shown. */
const SAME = 1e-9;

/** How far from its value a number is varied; a goal of a game in steps by so many of them. */
const FAR = 10;
const FAR_IN_STEPS = 3;

const PARTS = [
  ['What the game is like', 'showLikeness'],
  ['A fair start', 'showFair'],
  ['What each rule does', 'showEffects'],
  ['A simple strategy', 'showSimple'],
  ['What a number changes', 'showVaried'],
  ['Find a version', 'showSearch'],
];

export class More {
  /** @type {string} */
  text;

  /**
   * What the game is called.
   * @type {string}
   */
  called;

  /** @type {(text: string) => void} */
  onEdit;

  /**
   * The names of the rules that are off.
   * @type {string[]}
   */
  off = [];

  isStale = false;

  /** @type {Search | null} */
  search = null;

  /**
   * The number that is varied, its range, which may be typed, and the figure that is drawn.
   * @type {{ name: string, from: string, to: string, by: string, isTyped: boolean, asked: string }
   *   | null}
   */
  varied = null;

  /**
   * What the game is compared with.
   * @type {{ key: string, label: string, request: any }}
   */
  beside;

  /** `onEdit` is called with these rules as they are to be. */
  constructor(onEdit) {
    Object.assign(this, { onEdit });
    this.asks = [];
    this.parts = PARTS.map(([label, method]) => {
      const told = h('div');
      const ask = lastOnly();
      this.asks.push(ask);
      const ontoggle = () => (details.open ? this.fill(part) : this.drop(part));
      const title = h('summary', {}, label);
      const wait = h('p', { class: 'note', role: 'status' });
      const details = h('details', { ontoggle }, title, wait, told);
      const part = { details, title, label, wait, told, ask, method };
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

  /**
   * Shows the game of a rule file, which is `called` so, beside another one.
   * @param {import('./rulefile.js').RuleFile} file
   */
  show({ text, off, without }, called, beside) {
    const [likeness] = this.parts;
    if (beside.key !== this.beside?.key) likeness.text = null;
    Object.assign(this, { text, called, off, beside, isStale: false });
    likeness.title.textContent = likeness.label + without;
    for (const part of this.parts) this.fill(part);
    this.element.classList.remove('stale');
  }

  /** Greys all, until the rules of the text are solved, and stops what is computed of others. */
  stale() {
    this.isStale = true;
    for (const part of this.parts) this.drop(part);
    this.element.classList.add('stale');
  }

  /** Stops what is computed for a part, which is asked for anew when it is wanted. */
  drop(part) {
    if (part.wait.hasChildNodes()) part.text = null;
    part.ask.stop();
  }

  /** Fills a part that is open, unless it is of this text already. */
  async fill(part) {
    if (!part.details.open || !this.text || (part.text === this.text && !this.isStale)) return;
    if (this.isStale) {
      if (!part.text) put(part.told, h('p', { class: 'note' }, 'These rules are not solved yet.'));
      return;
    }
    const { text } = this;
    part.text = text;
    put(part.told);
    const onProgress = (progress) => putProgress(part.wait, working(progress, 'Computing'));
    const asking = async (name, request = {}, onItems = null) => {
      onProgress({});
      const told = (progress) => (onItems ?? onProgress)(progress);
      try {
        return await part.ask(name, { file: text, ...request }, { onProgress: told });
      } finally {
        put(part.wait);
      }
    };
    const ask = Object.assign(asking, { stop: part.ask.stop });
    const isTold = await tried(part.told, async () =>
      this[part.method](part.told, ask, await askOnce('rules/show', { file: text })),
    );
    if (!isTold && part.text === text) part.text = null;
    // What a number changes tells more.
    if (isTold && part.method !== 'showVaried') say(`${part.label}: ready`);
  }

  async showLikeness(told, ask, shown) {
    const { label, request } = this.beside;
    const { rules: other, file: other_file } = request;
    const offs = [this.off, other_file ? new RuleFile(other_file).off : []];
    const answer = await ask('compare', { other, other_file, top: COSTLIEST });
    const rules = [shown, await askOnce('rules/show', request)];
    put(told, compared(answer, [this.called, label], offs, rules));
  }

  async showFair(told, ask, shown) {
    const { handicaps, first_player: rate, error_bound: bound } = await ask('fair');
    const begun = startOf(shown);
    const use = (start) => {
      const changed = STARTS.map((name, at) => [name, start[at]]).filter(
        (_, at) => start[at] !== begun[at],
      );
      this.use(Object.fromEntries(changed), told);
    };
    const line = ({ first, second, first_player: wins }) => {
      const start = [first, second];
      const label = { 'aria-label': `Use it: start at ${first} to ${second}` };
      const now = `${start}` === `${begun}`;
      const written = now ? 'as now' : button('Use it', () => use(start), label);
      return row(first, [second, full(wins, percent(wins)), written]);
    };
    put(
      told,
      h(
        'p',
        {},
        `From 0 to 0, who moves first wins ${percent(rate)}. `,
        'Of the starts at which somebody has 0, these are the fairest:',
      ),
      table(
        ['Who moves first has', 'the other has', 'Who moves first wins', ''],
        handicaps.slice(0, MOST_STARTS).map(line),
      ),
      savesTable(
        'fair',
        handicaps.map((one) => ({ ...one, error_bound: bound })),
      ),
    );
  }

  /**
   * Writes other values of numbers into the rules; the button for it was in `told`.
   * @param {Record<string, number>} values
   */
  async use({ goal, max_dice: most, ...numbers }, told) {
    const tops = Object.entries({ goal, max_dice: most }).filter(([, value]) => value >= 0);
    const file = tops.reduce(
      (text, [name, value]) => new RuleFile(text).with(name, value),
      this.text,
    );
    const { text } = await askOnce('rules/text', { file, numbers });
    // The button goes.
    told.parentElement.firstChild.focus();
    if (!this.isStale) this.onEdit(text);
  }

  async showEffects(told, ask, { rules, hand }) {
    const { baseline, without, error_bound: bound } = await ask('effects');
    const ofOnes = hand ? [] : rules.filter(({ hooks }) => hooks.some(([hook]) => hook === 'bust'));
    const ones = oneOf(ofOnes.map(({ name }) => name));
    const shown = (value, digits) => (value === null ? '–' : full(value, signed(value, digits)));
    // A hundredth of what `signed` takes.
    const turns = (value) => (value === null ? '–' : full(value, signed(value / 100, 1)));
    const solved = without.filter(({ change }) => change);
    // What one player wins more often, the other wins less often.
    const changes = ({ rule, change: { first_mover_edge: edge, turns: length, skill } }) => [
      rule,
      edge / 2,
      length,
      ...(baseline ? [skill] : []),
    ];
    const heads = ['Without', 'who moves first wins', 'turns of a game'];
    if (baseline) heads.push('best play over baseline');
    const rows = solved
      .map(changes)
      .map(([rule, first, length, ...skill]) =>
        row(rule, [shown(first), turns(length), ...skill.map((one) => shown(one))]),
      );
    const others = without.filter(({ change }) => !change);
    put(
      told,
      h(
        'p',
        {},
        'What changes without each rule; win rates in percentage points.',
        ofOnes.length > 0 &&
          ` Without ${ones}, a 1 is a face like any other here; switched off, it leaves the ` +
            'default: a roll that shows a 1 scores 1 point.',
      ),
      rows.length > 0 && table(heads, rows),
      others.length > 0 && h('p', {}, 'What is left without these is no game to compare with:'),
      h(
        'ul',
        { class: 'plain' },
        others.map(({ rule, reason }) => h('li', {}, `${rule}: `, withCode(reason))),
      ),
      savesRows('effects', () => [
        [...EFFECT_COLUMNS.slice(0, heads.length), 'error_bound'],
        ...solved.map((one) => [...changes(one), bound]),
      ]),
    );
  }

  async showSimple(told, ask) {
    const simple = await ask('simplify', { lines: FEW_LINES });
    const { loss } = simple.strategies.at(-1);
    put(told, h('p', {}, `It loses ${percentagePoints(loss)} to best play:`), fewLines(simple));
  }

  async showVaried(told, ask, shown) {
    const all = variedOf(shown);
    const figures = figuresOf(shown);
    const field = (label) => h('input', { type: 'number', 'aria-label': label });
    const [from, to, steps] = ['From', 'To', 'In steps of'].map(field);
    const chosen = ({ name }) => name === this.varied?.name;
    const picked = h(
      'select',
      { onchange: () => again() },
      all.map((one, at) =>
        h('option', { value: at, selected: chosen(one) }, `${one.name} = ${one.value}`),
      ),
    );
    const drawn = h(
      'select',
      { 'aria-label': 'Figure', onchange: () => vary() },
      figures.map(({ asked, label }, at) =>
        h('option', { value: at, selected: asked === this.varied?.asked }, label),
      ),
    );
    const figure = h('figure');
    const begin = () => {
      const one = all[picked.selectedIndex];
      // The text may have changed since the range was chosen.
      const range = chosen(one) && this.varied.isTyped ? this.varied : one;
      from.value = range.from;
      to.value = range.to;
      steps.value = range.by;
      return vary();
    };
    const again = () => {
      this.varied = null;
      return begin();
    };
    const waits = h('p', { class: 'note', role: 'status' });
    let last = 0;
    const vary = async () => {
      last += 1;
      const own = last;
      await tried(figure, varied);
      // Another range may be asked for by now.
      if (own !== last) return;
      figure.classList.remove('stale');
      waits.textContent = '';
      say(figure.querySelector('figcaption')?.textContent ?? figure.textContent);
    };
    const varied = async () => {
      const one = all[picked.selectedIndex];
      const { name, value } = one;
      const of = figures[drawn.selectedIndex];
      const range = `${name}=${from.value}..${to.value}:${steps.value}`;
      const typed = { from: from.value, to: to.value, by: steps.value };
      const isTyped = Object.entries(typed).some(([end, text]) => text !== `${one[end]}`);
      const asked = { name, ...typed, isTyped, asked: of.asked };
      this.varied = asked;
      figure.classList.add('stale');
      waits.textContent = `Solving ${name} from ${from.value} to ${to.value}…`;
      const { rows, refused = [] } = await ask('vary', {
        vary: [range],
        where: of.asked ? [`${of.asked}=..`] : [],
      });
      const points = rows.map(({ values: [x], figures: { win_rate: wins }, where }) => [
        x,
        where ? where[0] : wins.first,
      ]);
      const rates = points.map(([, y]) => y);
      const [low, high] = [Math.min(...rates), Math.max(...rates)];
      const span =
        high - low < SAME ? 'it changes nothing here' : `${of.format(low)} to ${of.format(high)}`;
      // Games that never end are half a win each, which is not fair.
      const ends = points.filter((_, at) => rows[at].figures.win_rate.endless < SAME);
      const isTold = !of.asked && high - low >= SAME && ends.length > 0;
      const tried = [...rows, ...refused].map(({ values: [x] }) => x);
      const edges = { first: Math.min(...tried), last: Math.max(...tried) };
      const endless = valuesOf(asked).filter((x) => !tried.includes(x));
      const fair = isTold && (await this.fairest(ends, one, edges));
      if (this.varied !== asked) return;
      put(
        figure,
        curve({
          points,
          label: `${of.label}, by ${name}`,
          across: name,
          format: of.format,
          now: value,
        }),
        h(
          'figcaption',
          {},
          `${of.label}, by ${name}: ${span}.`,
          fair,
          noGame(name, refused),
          endless.length > 0 && ` With ${name} = ${listed(endless)} games may never end.`,
        ),
        savesFigure(`by-${name}`, () => withBounds(name, of, points, rows), name),
      );
    };
    for (const one of [from, to, steps]) one.onchange = vary;
    put(
      told,
      h(
        'p',
        { class: 'bar' },
        h('label', {}, 'The number ', picked),
        from,
        ' to ',
        to,
        ' by ',
        steps,
        ' changes ',
        drawn,
      ),
      waits,
      figure,
    );
    await begin();
  }

  async showSearch(told, ask, shown) {
    const use = (values) => this.use(values, told);
    const search = new Search(variedOf(shown), figuresOf(shown), ask, use);
    if (this.search) search.takeFrom(this.search);
    this.search = search;
    put(told, search.element);
  }

  /**
   * Which of the points of a number is the fairest, and how long its games are; `edges` are the
   * values between which it was tried.
   */
  async fairest(points, { name, value, least }, { first, last }) {
    const far = ([, rate]) => Math.abs(rate - 0.5);
    const nearest = Math.min(...points.map(far));
    const fair = points.filter((one) => far(one) - nearest < SAME);
    const [[x, rate]] = fair;
    const values = fair.map(([one]) => one);
    const isRow =
      fair.length > 2 && points[points.indexOf(fair[0]) + fair.length - 1] === fair.at(-1);
    const told = isRow ? `${x} to ${values.at(-1)}` : oneOf(values);
    const isAtEnd = fair.length === 1 && ((x === first && x > least) || x === last);
    const asked = { file: this.text, vary: [`${name}=${x},${value}`], where: ['turns=..'] };
    const { rows = [] } = values.includes(value)
      ? {}
      : await askOnce('vary', asked).catch(() => ({}));
    const turnsOf = (wanted) => rows.find(({ values: [own] }) => own === wanted)?.where[0];
    const [there, here] = [x, value].map(turnsOf).map((turns) => turns && tenths(turns));
    return [
      ` The fairest is ${name} = ${told}, with ${percent(rate)}`,
      there && here && there !== here && ` and games of ${there} turns instead of ${here}`,
      '.',
      isAtEnd && h('span', { class: 'unsaved' }, ' It is at the end of this range: try further.'),
    ];
  }
}

/** The points of a curve for a file; those of win rates with the bounds on their errors. */
function withBounds(name, { asked, heading = asked }, points, rows) {
  if (asked) return [[name, heading], ...points];
  const bounds = rows.map(({ figures: { win_rate: wins } }) => wins.error_bound);
  return [[name, heading, 'error_bound'], ...points.map((one, at) => [...one, bounds[at]])];
}

/** The numbers of a game that can vary, each with its value and the range that is offered. */
function variedOf({ goal, max_dice: most, numbers = [], step = 1, hand = null }) {
  const all = [
    ['goal', goal],
    // Where dice are kept, those that are left are rolled.
    ...(hand ? [] : [['max_dice', most]]),
    ...numbers.map((one) => [one.name, one.value]),
  ];
  return all.map(([name, value]) => {
    // Points of a game in steps are varied by its steps.
    const by = name !== 'max_dice' && value >= step && value % step === 0 ? step : 1;
    const far = by > 1 ? FAR_IN_STEPS * by : FAR;
    const lowest = { goal: Math.max(by, 2), max_dice: 1 }[name] ?? 0;
    const least = value < 0 ? -Infinity : lowest;
    return { name, value, by, least, from: Math.max(value - far, least), to: value + far };
  });
}

/** The values of a range. */
const valuesOf = ({ from, to, by }) => {
  const [first, last, step] = [from, to, by].map(Number);
  return Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, at) => first + at * step,
  );
};

const POINTS = 'in percentage points';

/** With which values of a number there is no game, and why not with the first of them. */
const noGame = (name, refused) =>
  refused.length > 0 && [
    ` No game with ${name} = ${refused.map(({ values }) => values[0]).join(', ')}: `,
    withCode(refused[0].reason),
    '.',
  ];

const asShare = (percents) => percents / 100;

/**
 * What `vary` can tell of a game: `asked` is its name there, empty for what it always tells. A
 * search asks for `searched`, of which `wish` makes the value from what is shown, and tells some
 * always.
 */
const figuresOf = ({ baseline = null, rules }) => [
  {
    asked: '',
    searched: 'edge',
    heading: 'first_player',
    label: 'How often who moves first wins',
    format: (rate) => percent(rate),
    wish: (percents) => asShare(2 * percents - 100),
    unit: ' %',
    isAlways: true,
  },
  {
    asked: 'turns',
    searched: 'turns',
    label: 'Turns of a game',
    format: tenths,
    wish: Number,
    isAlways: true,
  },
  ...(baseline
    ? [
        {
          asked: 'skill',
          searched: 'skill',
          label: `Best play over baseline, ${POINTS}`,
          format: (gain) => signed(gain),
          wish: asShare,
        },
      ]
    : []),
  {
    asked: 'spread',
    searched: 'spread',
    label: `The best roll over the worst, ${POINTS}`,
    format: (gain) => signed(gain),
    wish: asShare,
  },
  ...rules.map(({ name }) => ({
    asked: name,
    searched: name,
    heading: `${name}_counted`,
    label: `${name} acts, times a game, counted`,
    format: (times) => `≈ ${tenths(times)}`,
    wish: Number,
  })),
];

/** With one digit, or as many as a small number needs. */
const tenths = (value) =>
  value !== 0 && Math.abs(value) < 0.05 ? value.toPrecision(1) : value.toFixed(1);

/** Does some work, and returns whether it is done; if it is refused, an element says why. */
async function tried(element, work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (isAbort(error)) return false;
    if (!(error instanceof Refused)) {
      put(element, h('p', { class: 'loss' }, 'This cannot be shown: it is a fault of the page.'));
      throw error;
    }
    const [fault] = error.faults;
    // The number that is varied is told, and not the place in a text that nobody has seen.
    const of = /^\w+=\S+: /.exec(error.message)?.[0] ?? '';
    const told = fault ? of + fault.message : error.message;
    put(element, h('p', { class: 'note' }, withCode(told)));
    return false;
  }
}

/**
 * What two games, called so, are like, and where their best rolls differ; `offs` are the rules of
 * each that are switched off, `rules` what each says.
 */
function compared(answer, [called, base], offs, rules) {
  const { games, compared: all, differing, positions } = answer;
  const differ = count(differing, 'position');
  const of = all.toLocaleString('en');
  const other = rules[1].fingerprint;
  // Rules that are not edited are compared with themselves.
  const own = rules[0].fingerprint === other ? games.slice(0, 1) : games;
  const isAllowed = positions.every(({ costs }) => !costs.includes(null));
  const both = positions.map(
    ({ pot, best: [now_best, best], costs: [now_loss, loss], ...one }) => ({
      ...one,
      ...(pot !== null && { pot }),
      ...{ now_best, now_loss },
      [`best_in_${base}`]: best,
      [`loss_in_${base}`]: loss,
      [`fingerprint_of_${base}`]: other,
    }),
  );
  const numbers = numbersApart(rules);
  const losses = 'The loss is that of the roll that is best in the other game';
  return [
    numbers.length > 0 && h('p', {}, `Here ${listed(numbers)}.`),
    reworded(rules, base),
    own.length > 1 &&
      h(
        'p',
        {},
        !all && 'The choices of both are of different kinds: no positions are compared.',
        all > 0 && !differing && `In each of ${of} positions, a roll is best in both games.`,
        differing > 0 && `The best roll is another one than in ${base} in ${differ} of ${of}.`,
        isOfStart(rules[0]) && ' Memories have the values of the start there, but for a pot.',
      ),
    likeness(own, [called, base], other),
    descriptions(own, [base, other], offs),
    differing > 0 && [
      h('h3', {}, 'Where they differ most'),
      h('p', { class: 'note' }, losses, isAllowed ? '.' : '; “–” if this one does not allow it.'),
      h('div', DIFFERING, differences(positions), savesTable('differences', both)),
    ],
  ];
}

/** Whether a game has memories that are not compared: neither a pot nor dice left. */
const isOfStart = ({ memories, pot, hand = [] }) =>
  memories.some(({ name }) => name !== pot && !hand.some((dice) => dice.name === name));

/**
 * The numbers of two games that are not the same, but for the goal and the dice of a turn, and the
 * rules whose formulas are not.
 */
export function apart(rules) {
  const [now, before] = rules.map(
    (shown) => new Map(shown.rules.map(({ name, hooks }) => [name, `${hooks}`])),
  );
  const differ = ([name, hooks]) => before.has(name) && before.get(name) !== hooks;
  return {
    numbers: numbersApart(rules).filter((one) => !/^(the goal|max_dice) /.test(one)),
    formulas: [...now].filter(differ).map(([name]) => name),
  };
}

const SAID = {
  goal: 'the goal is',
  first_start: 'who moves first starts with',
  second_start: 'the other starts with',
};

/** The numbers of two games that are not the same: "the goal is 60 instead of 100". */
export function numbersApart(rules) {
  const [now, before] = rules.map((shown) => {
    const [first, second] = startOf(shown);
    const { goal, max_dice: most, numbers = [] } = shown;
    return {
      goal,
      max_dice: most,
      first_start: first,
      second_start: second,
      ...Object.fromEntries(numbers.map(({ name, value }) => [name, value])),
    };
  });
  const others = Object.keys(now).filter((name) => name in before && before[name] !== now[name]);
  return others.map(
    (name) => `${SAID[name] ?? `${name} is`} ${now[name]} instead of ${before[name]}`,
  );
}

const MOST_FORMULAS = 8;

/** How many letters of a formula are shown before and after what another one has not. */
const AROUND = 20;

/** A formula, without most of what a long one has in common with another at its ends. */
function shortened(formula, other) {
  const most = Math.min(formula.length, other.length);
  let before = 0;
  while (before < most && formula[before] === other[before]) before += 1;
  let after = 0;
  while (after < most - before && formula.at(-1 - after) === other.at(-1 - after)) after += 1;
  const from = before > 2 * AROUND ? formula.lastIndexOf(' ', before - AROUND) + 1 : 0;
  const end = formula.indexOf(' ', formula.length - after + AROUND);
  const to = after > 2 * AROUND && end > 0 ? end : formula.length;
  return [from > 0 && '… ', formula.slice(from, to), to < formula.length && ' …'];
}

/**
 * The formulas of two games that are not the same: "Twins: points + 8 instead of points + 4"; and
 * the rules that only one has.
 */
function reworded(rules, base) {
  const [now, before] = rules.map(
    ({ rules: all, memories }) =>
      new Map([
        ...memories.map(({ name, next, max, start }) => [
          name,
          new Map([
            ['next', next],
            ['max', max],
            ['start', start],
          ]),
        ]),
        ...all.map(({ name, hooks }) => [name, new Map(hooks)]),
      ]),
  );
  const code = (formula, other = '') =>
    formula === undefined ? 'nothing' : h('code', {}, shortened(`${formula}`, `${other}`));
  const told = [...now].flatMap(([name, hooks]) => {
    const old = before.get(name) ?? hooks;
    const keys = [...new Set([...hooks.keys(), ...old.keys()])];
    return keys
      .filter((key) => hooks.get(key) !== old.get(key))
      .map((key) => [
        `${name}: ${keys.length > 1 ? `${key} ` : ''}`,
        code(hooks.get(key), old.get(key)),
        ' instead of ',
        code(old.get(key), hooks.get(key)),
      ]);
  });
  const only = (one, other) => listed([...one.keys()].filter((name) => !other.has(name)));
  const [own, others] = [only(now, before), only(before, now)];
  const more = told.length - MOST_FORMULAS;
  return [
    told.length > 0 &&
      h(
        'ul',
        { class: 'plain' },
        told.slice(0, MOST_FORMULAS).map((line) => h('li', {}, line)),
        more > 0 && h('li', {}, `and ${count(more, 'more formula')}`),
      ),
    (own || others) &&
      h('p', {}, own && `Only now: ${own}. `, others && `Only in ${base}: ${others}.`),
  ];
}

const DIFFERING = {
  class: 'differences scroll',
  tabindex: '0',
  role: 'group',
  'aria-label': 'Where they differ most',
};

/** The positions in which two games have other best rolls, and what the other's would cost. */
function differences(positions) {
  const here = ({ score, opponent, pot, left = {} }) =>
    [
      `${score} to ${opponent}`,
      pot !== null && `pot ${pot}`,
      ...Object.values(left).map((number) => `${number} left`),
    ]
      .filter(Boolean)
      .join(', ');
  const named = ({ left, pot }) => (left ? ['bank', 'roll'] : pot === null ? [] : ['hold', 'roll']);
  const best = (rolls, one) =>
    rolls.length > MOST_TIED
      ? `${rolls.length} of them`
      : oneOf(rolls.map((number) => named(one)[number] ?? number));
  const cost = (loss) => (loss === null ? '–' : percent(loss));
  const line = (one) =>
    row(here(one), [...one.best.map((rolls) => best(rolls, one)), ...one.costs.map(cost)]);
  return table(['Scores', 'best now', 'best there', 'loss now', 'loss there'], positions.map(line));
}

/**
 * How long one or two games with these names last, as curves; `other` is the second's fingerprint.
 */
function likeness(games, [called, base], other) {
  const points = ({ turns: { distribution } }) =>
    distribution.map((chance, at) => [at + 1, chance]).filter(([, chance]) => chance > 1e-4);
  const [own, others = []] = games.map(points);
  const most = Math.max(...[...own, ...others].map(([, chance]) => chance));
  const all = games.map((game) => game.turns.distribution);
  const [now, before] = games;
  const counted = ({ turns }) => (turns.interval ? 'counted_' : '');
  const told = (game) =>
    game.turns.interval ? ` (counted in ${game.games.toLocaleString('en')} games)` : '';
  if (!own.length) {
    return h('p', { class: 'loss' }, `No game of ${called} ends if both play to win.`);
  }
  return h(
    'figure',
    {},
    curve({
      points: own,
      beside: others,
      range: [0, most],
      label: 'How often a game has so many turns',
      across: 'turns of a game',
      format: (chance) => percent(chance, 1),
    }),
    h(
      'figcaption',
      {},
      h('span', { class: 'unsaved' }, 'How often a game has so many turns: '),
      h('span', { class: 'keys' }, h('span', { class: 'key own' }), `${called}${told(now)} `),
      before && [
        h('span', { class: 'keys' }, h('span', { class: 'key other' }), `${base}${told(before)}`),
        // A picture names the rules of both.
        h('span', { hidden: true }, `${base}: rules ${other}`),
      ],
    ),
    savesFigure('turns', () => [
      [
        'turns',
        ...games.map((game, at) => `chance_${counted(game)}${['now', base][at]}`),
        `fingerprint_of_${base}`,
      ],
      ...Array.from({ length: Math.max(...all.map((one) => one.length)) }, (_, at) => [
        at + 1,
        ...all.map((one) => one[at] ?? 0),
        other,
      ]),
    ]),
  );
}

/**
 * A table of how long one or two games are, how often each rule acts, and how much skill matters;
 * `offs` are the rules of each that are switched off, `other` the fingerprint of the game `base`.
 */
function descriptions(both, [base, other], offs) {
  const rate = (value) => percent(value);
  const used = both.flatMap((game) => game.rule_uses.map(({ name }) => name));
  const ofRules = [...new Set([...used, ...offs.flat()])];
  const acts = (name) => `${name} acts, times a game`;
  const levels = [...new Set(both.flatMap((game) => game.skill.map(({ level }) => level)))];
  const skill = (game, level) => game.skill.find((step) => step.level === level);
  const use = (game, name) => game.rule_uses.find((one) => one.name === name);
  const against = (level) => {
    const [own, other] = both.map((game) => skill(game, level)?.strategy);
    const named = own === other || !other ? own : own ? `now ${own}, ${base} ${other}` : other;
    return `Against best play: ${level === named ? level : `${level} (${named})`}`;
  };
  /**
   * Each a label, how its values are shown, the value in a game, and its interval if it is counted.
   * @type {any[][]}
   */
  const figures = [
    ['Who moves first wins', rate, ({ win_rate: wins }) => [wins.first]],
    ['Turns of a game, on average', tenths, ({ turns }) => [turns.mean, turns.interval]],
    ['95% of games are over after', String, ({ turns }) => [turns.p95, turns.interval]],
    ['Lead changes', tenths, ({ lead_changes: one }) => [one.mean, one.interval]],
    [
      'Turns whose choice matters: the best wins 1% of games more than any other',
      (share) => percent(share, 1),
      ({ choices }) => [choices.share_that_matter, choices.interval],
    ],
    ...ofRules.map((name) => [
      acts(name),
      tenths,
      (game) => [use(game, name)?.per_game, use(game, name)?.interval],
    ]),
    ...levels.map((level) => [
      against(level),
      rate,
      (game) => [skill(game, level)?.against_optimal.average, skill(game, level)?.interval],
    ]),
  ];
  const unused = offs.map((off) => off.map(acts));
  const shown = figures.map(([label, format, of]) => {
    const told = both.map(of).map(([value, interval], side) => {
      if (unused[side].includes(label)) return 'off';
      if (typeof value !== 'number') return '–';
      return [interval ? '≈ ' : '', full(value, format(value))];
    });
    return row(label, told);
  });
  const games = both[0].games.toLocaleString('en');
  const names = both.map((_, at) => ['now', base][at]);
  // What is computed has no interval.
  const saved = (game, of) => {
    const [value = null, interval] = of(game);
    return [value, ...(interval ?? [null, null])];
  };
  const rows = figures.map(([label, , of]) => [
    label,
    ...both.flatMap((game) => saved(game, of)),
    other,
  ]);
  const isCounted = figures.some(([, , of]) => both.some((game) => of(game)[1]));
  const named = (name) => [name, `${name}_low_95`, `${name}_high_95`];
  return h(
    'div',
    {},
    table(['Both play optimally', ...names], shown),
    isCounted && h('p', { class: 'note' }, `≈ is counted in ${games} simulated games.`),
    savesRows('likeness', () => [
      ['figure', ...names.flatMap(named), `fingerprint_of_${base}`],
      ...rows,
    ]),
  );
}
