// More about a game that is edited: what it is like beside another one, a fair start, what each
// rule does, a simple strategy, and what a number changes. Each is asked for when it is opened.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { curve } from './chart.js';
import { h, headed, put, withCode } from './dom.js';
import { FEW_LINES, fewLines } from './parts.js';
import { draft, drafts } from './route.js';
import { full, savesFigure, savesRows, savesTable } from './taken.js';
import { calledOf, forget, keepVersion, version, versions } from './versions.js';
import {
  count,
  listed,
  oneOf,
  percent,
  percentagePoints,
  signed,
  titleOf,
  working,
} from './words.js';

/** How many starts are listed, the fairest first. */
const STARTS = 8;

/** How many positions are listed in which two games differ. */
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
];

export class More {
  /** @type {string} */
  text;

  /** @type {string} */
  base;

  /**
   * The names of the rules that are off.
   * @type {string[]}
   */
  off = [];

  /** Whether the text has changed since. */
  isStale = false;

  /**
   * The number that is varied, and its range.
   * @type {{ name: string, from: string, to: string, by: string } | null}
   */
  varied = null;

  /**
   * What the game is compared with; the original at first.
   * @type {string}
   */
  beside;

  /** `onOpen` is called with the text of a version that is to be edited, and its file. */
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.asks = [];
    this.parts = PARTS.map(([label, method]) => {
      const told = h('div');
      const ask = lastOnly();
      this.asks.push(ask);
      const ontoggle = () => this.fill(part);
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
   * Shows the game of a rule file, whose original has the name `base`.
   * @param {import('./rulefile.js').RuleFile} file
   */
  show({ text, off, without }, base) {
    Object.assign(this, { text, base, off, isStale: false });
    const [likeness] = this.parts;
    likeness.title.textContent = likeness.label + without;
    for (const part of this.parts) this.fill(part);
    this.element.classList.remove('stale');
  }

  /** Greys all, until the rules of the text are solved. */
  stale() {
    this.isStale = true;
    this.element.classList.add('stale');
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
    const onProgress = (progress) => put(part.wait, working(progress, 'Computing'));
    const ask = async (name, request = {}) => {
      onProgress({});
      try {
        return await part.ask(name, { file: text, ...request }, { onProgress });
      } finally {
        put(part.wait);
      }
    };
    const isTold = await tried(part.told, () => this[part.method](part.told, ask));
    if (!isTold && part.text === text) part.text = null;
  }

  /**
   * The games that this one can be compared with: the original, what is edited or kept in this
   * browser, and all others; each with how it is sent as the other game.
   * @returns {Promise<any[]>}
   */
  async others() {
    const { games } = await askOnce('rules/list');
    const titles = new Map(
      games.flatMap((game) =>
        [game.id, ...game.aliases].map((name) => [name, titleOf(game, name)]),
      ),
    );
    const named = (name) => ({ label: name, title: titles.get(name), asked: { other: name } });
    const own = versions().map((name) => {
      const { text, file } = version(name);
      return { label: name, asked: { other_file: text }, file, isKept: true };
    });
    const edited = drafts()
      .filter((base) => base !== this.base)
      .map((base) => ({ label: calledOf(base), asked: { other_file: draft(base) } }));
    const rest = [...titles.keys()].sort().filter((name) => name !== this.base);
    return [named(this.base), ...own, ...edited, ...rest.map(named)];
  }

  /** Compares from now on with a version that was kept. */
  compareWith(name) {
    const [part] = this.parts;
    this.beside = name;
    part.text = null;
    part.details.open = true;
    // The buttons are made anew.
    if (part.told.contains(document.activeElement)) part.title.focus();
    this.fill(part);
  }

  async showLikeness(told, ask) {
    const others = await this.others();
    const place = others.findIndex(({ label }) => label === this.beside);
    const picked = h(
      'select',
      { onchange: () => compare() },
      others.map(({ label, title }, at) =>
        h(
          'option',
          { value: label, selected: at === Math.max(place, 0) },
          title ? `${label} · ${title}` : label,
        ),
      ),
    );
    const shown = h('div', { 'aria-live': 'polite' });
    const own = h('span');
    const compare = () =>
      tried(shown, async () => {
        const other = others[picked.selectedIndex];
        this.beside = other.label;
        put(own, other.isKept && this.ofKept(other));
        const answer = await ask('compare', { ...other.asked, top: COSTLIEST });
        const { other: name, other_file: file } = other.asked;
        const rules = await Promise.all([
          askOnce('rules/show', { file: this.text }),
          askOnce('rules/show', file ? { file } : { rules: name }),
        ]);
        put(shown, compared(answer, other.label, this.off, rules));
      });
    const label = h('label', {}, 'Beside ', picked);
    put(told, h('p', { class: 'bar' }, label, this.another(), own), shown);
    await compare();
  }

  /** A button that opens a file to compare with. */
  another() {
    const take = async ({ target: { files } }) => {
      const name = keepVersion(files[0].name, await files[0].text(), files[0].name);
      if (name) this.compareWith(name);
    };
    const field = h('input', {
      type: 'file',
      hidden: true,
      accept: '.toml',
      'aria-label': 'A rule file to compare with',
      onchange: take,
    });
    const open = () => field.click();
    return [h('button', { type: 'button', onclick: open }, 'Another file'), field];
  }

  /** The buttons for a version that is kept. */
  ofKept({ label, asked, file }) {
    const edit = () => this.onOpen(asked.other_file, file);
    const drop = () => {
      forget(label);
      this.compareWith(this.base);
    };
    return [
      h('button', { type: 'button', onclick: edit }, 'Edit this one'),
      ' ',
      h('button', { type: 'button', onclick: drop }, 'Forget it'),
    ];
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
      savesTable('fair', fairest),
    );
  }

  async showEffects(told, ask) {
    const { baseline, without } = await ask('effects');
    const shown = (value, digits) => (value === null ? '–' : full(value, signed(value, digits)));
    // A hundredth of what `signed` takes.
    const turns = (value) => (value === null ? '–' : full(value, signed(value / 100, 1)));
    const solved = without.filter(({ change }) => change);
    const rows = solved.map(({ rule, change }) => [
      rule,
      shown(change.first_mover_edge),
      turns(change.turns),
      ...(baseline ? [shown(change.skill)] : []),
    ]);
    const others = without.filter(({ change }) => !change);
    put(
      told,
      h(
        'p',
        {},
        'What is different without each rule; edges and skill in percentage points. Where only it ',
        'says what a 1 does, a 1 is a face like any other here; the box that turns it off leaves ',
        'that to the default.',
      ),
      rows.length > 0 &&
        table(
          [
            'Without',
            'edge of moving first',
            'turns of a game',
            ...(baseline ? ['best play over baseline'] : []),
          ],
          rows,
        ),
      others.length > 0 && h('p', {}, 'What is left without these is no game to compare with:'),
      h(
        'ul',
        { class: 'plain' },
        others.map(({ rule, reason }) => h('li', {}, `${rule}: `, withCode(reason))),
      ),
      savesTable('effects', without),
    );
  }

  async showSimple(told, ask) {
    const simple = await ask('simplify', { lines: FEW_LINES });
    const { loss } = simple.strategies.at(-1);
    put(told, h('p', {}, `It loses ${percentagePoints(loss)} to best play:`), fewLines(simple));
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
    const field = (label) => h('input', { type: 'number', 'aria-label': label, min: 0 });
    const [from, to, steps] = ['From', 'To', 'In steps of'].map(field);
    const picked = h(
      'select',
      { onchange: () => again() },
      all.map(([name, value], at) =>
        h('option', { value: at, selected: name === this.varied?.name }, `${name} = ${value}`),
      ),
    );
    const figure = h('figure', { 'aria-live': 'polite' });
    // Points of a game in steps are varied by its steps.
    const stepOf = (name, value) =>
      name !== 'max_dice' && value >= step && value % step === 0 ? step : 1;
    const begin = () => {
      const [name, value] = /** @type {[string, number]} */ (all[picked.selectedIndex]);
      const by = stepOf(name, value);
      const far = by > 1 ? FAR_IN_STEPS * by : FAR;
      const least = name === 'goal' ? Math.max(by, 2) : name === 'max_dice' ? 1 : 0;
      // The text may have changed since the range was chosen.
      const chosen = this.varied?.name === name ? this.varied : null;
      from.value = chosen?.from ?? `${Math.max(value - far, least)}`;
      to.value = chosen?.to ?? `${value + far}`;
      steps.value = chosen?.by ?? `${by}`;
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
    };
    const varied = async () => {
      const [name, value] = /** @type {[string, number]} */ (all[picked.selectedIndex]);
      const range = `${name}=${from.value}..${to.value}:${steps.value}`;
      this.varied = { name, from: from.value, to: to.value, by: steps.value };
      figure.classList.add('stale');
      waits.textContent = `Solving ${name} from ${from.value} to ${to.value}…`;
      const { rows } = await ask('vary', { vary: [range] });
      if (!rows.some(({ figures }) => figures)) {
        put(figure, h('p', { class: 'note' }, 'None of these games can be solved.'));
        return;
      }
      const points = rows
        .filter(({ figures }) => figures)
        .map(({ values: [x], figures }) => [x, figures.win_rate.first]);
      const label = `How often who moves first wins, by ${name}`;
      const format = (rate) => percent(rate);
      const fair = points.reduce((a, b) => (Math.abs(b[1] - 0.5) < Math.abs(a[1] - 0.5) ? b : a));
      const isLeast = fair === points[0] && fair[0] > Number(from.min);
      const isFlat = points.every(([, one]) => Math.abs(one - points[0][1]) < SAME);
      const isAtEnd = !isFlat && (isLeast || fair === points.at(-1));
      const further = ' It is at the end of this range: try further.';
      const fairest = `${name} = ${fair[0]}, with ${percent(fair[1])}`;
      put(
        figure,
        curve({ points, label, across: name, format, now: value }),
        h(
          'figcaption',
          {},
          isFlat ? `${label}: it changes nothing here.` : `${label}. The fairest is ${fairest}.`,
          isAtEnd && h('span', { class: 'unsaved' }, further),
        ),
        savesFigure(`by-${name}`, () => [[name, 'first_player'], ...points]),
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
      ),
      waits,
      figure,
    );
    await begin();
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
          values.map((value) => h('td', {}, value)),
        ),
      ),
    ),
  );

/** Does some work, and returns whether it is done; if it is refused, an element says why. */
async function tried(element, work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (isAbort(error)) return false;
    if (!(error instanceof Refused)) throw error;
    put(element, h('p', { class: 'note' }, withCode(error.message)));
    return false;
  }
}

/**
 * What a game and another one, called `base`, are like, and where their best rolls differ; `off`
 * are the rules of the first that are switched off, `rules` what both say.
 */
function compared(answer, base, off, rules) {
  const { games, compared: all, differing, positions } = answer;
  const [now, before] = games;
  const differ = count(differing, 'position');
  const of = all.toLocaleString('en');
  const isAllowed = positions.every(({ costs }) => !costs.includes(null));
  const both = positions.map(({ best: [now_best, best], costs: [now_loss, loss], ...one }) => ({
    ...one,
    ...{ now_best, now_loss, best, loss },
  }));
  const losses = 'The loss is that of the roll that is best in the other game';
  return [
    numbered(rules),
    h(
      'p',
      {},
      `In ${differ} of ${of}, no roll is best both now and in ${base}.`,
      isOfStart(rules[0]) && ' Memories have the values of the start there, but for a pot.',
    ),
    likeness(now, before, base),
    descriptions(now, before, base, off),
    differing > 0 && [
      h('h3', {}, 'Where they differ most'),
      h('p', { class: 'note' }, losses, isAllowed ? '.' : '; “–” if this one does not allow it.'),
      h('div', DIFFERING, differences(positions), savesTable('differences', both)),
    ],
  ];
}

/** Whether a game has memories of which the values are not compared: neither a pot nor dice left. */
const isOfStart = ({ memories, pot, hand = [] }) =>
  memories.some(({ name }) => name !== pot && !hand.some((dice) => dice.name === name));

/** The numbers of two games that are not the same: "goal is 60 instead of 100". */
function numbered(rules) {
  const [now, before] = rules.map(({ goal, max_dice: most, numbers = [] }) => ({
    goal,
    max_dice: most,
    ...Object.fromEntries(numbers.map(({ name, value }) => [name, value])),
  }));
  const others = Object.keys(now).filter((name) => name in before && before[name] !== now[name]);
  const told = others.map((name) => `${name} is ${now[name]} instead of ${before[name]}`);
  return told.length > 0 && h('p', {}, `${listed(told)}.`);
}

/** The box of `differences`, which scrolls. */
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
  const named = (rolls, left) => rolls.map((number) => (left ? ['bank', 'roll'][number] : number));
  const best = (rolls, left) =>
    rolls.length > MOST_TIED ? `${rolls.length} of them` : oneOf(named(rolls, left));
  const cost = (loss) => (loss === null ? '–' : percent(loss));
  const row = (one) => [
    here(one),
    ...one.best.map((rolls) => best(rolls, one.left)),
    ...one.costs.map(cost),
  ];
  return table(['Scores', 'best now', 'best there', 'loss now', 'loss there'], positions.map(row));
}

/** How long two games last, as a curve. */
function likeness(now, before, base) {
  const points = ({ turns: { distribution } }) =>
    distribution.map((chance, at) => [at + 1, chance]).filter(([, chance]) => chance > 1e-4);
  const [own, others] = [now, before].map(points);
  const all = [now, before].map((game) => game.turns.distribution);
  return h(
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
      h('span', { class: 'unsaved' }, 'How often a game has so many turns: '),
      h('span', { class: 'keys' }, h('span', { class: 'key own' }), 'now '),
      h('span', { class: 'keys' }, h('span', { class: 'key other' }), base),
    ),
    savesFigure('turns', () => [
      ['turns', 'chance_now', `chance_${base}`],
      ...Array.from({ length: Math.max(...all.map((one) => one.length)) }, (_, at) => [
        at + 1,
        ...all.map((one) => one[at] ?? 0),
      ]),
    ]),
  );
}

/**
 * A table of how long two games are, how often each rule acts, and how much skill matters; `off`
 * are the rules of the first that are switched off.
 */
function descriptions(now, before, base, off) {
  const both = [now, before];
  const tenths = (value) => value.toFixed(1);
  const rate = (value) => percent(value);
  const used = both.flatMap((game) => game.rule_uses.map(({ name }) => name));
  const names = [...new Set([...used, ...off])];
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
      'Choices that matter: the best wins 1% of games more than any other',
      (share) => percent(share, 1),
      ({ choices }) => [choices.share_that_matter, choices.interval],
    ],
    ...names.map((name) => [
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
  const unused = off.map(acts);
  const shown = figures.map(([label, format, of]) => {
    const [own, other] = both.map(of).map(([value, interval]) => {
      if (typeof value !== 'number') return '–';
      return [interval ? '≈ ' : '', full(value, format(value))];
    });
    return [label, unused.includes(label) ? 'off' : own, other];
  });
  const games = now.games.toLocaleString('en');
  const rows = figures.map(([label, , of]) => [label, ...both.map((game) => of(game)[0] ?? null)]);
  const counted = figures.map(([, , of]) => both.some((game) => of(game)[1]));
  return h(
    'div',
    {},
    table(['Both play optimally', 'now', base], shown),
    counted.includes(true) &&
      h('p', { class: 'note' }, `≈ is counted in ${games} games played at random.`),
    savesRows('likeness', () => [
      ['figure', 'now', base, 'is_counted'],
      ...rows.map((row, at) => [...row, counted[at]]),
    ]),
  );
}
