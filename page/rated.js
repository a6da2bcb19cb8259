// What the coach has found: rates, mistakes by kind, the map of losses or of the rolls beside the
// best ones, and the worst positions.

import { Refused, askOnce } from './api.js';
import { button, figure, h, put, putProgress, row, table, withCode } from './dom.js';
import { memoryWords, moved } from './hand.js';
import { layersBeside, savedOf } from './layers.js';
import { ScoreMap, amountColour, scale } from './map.js';
import { MoreBelow } from './parts.js';
import { draftBase, gameParams, linked, playedFrom } from './route.js';
import { full, savesTable } from './taken.js';
import { Versus } from './versus.js';
import {
  MISTAKES,
  MISTAKE_TEXT,
  begun,
  bound,
  choice,
  count,
  dice,
  howOften,
  oneOf,
  percent,
  percentagePoints,
  scored,
  signed,
  working,
} from './words.js';

const MARKED = 5;

/** How many of them are listed, and how many of these are seen at first. */
const LISTED = 200;
const SEEN = 20;

export class Rated {
  /** @type {import('answers').Answers['try']} */
  view;

  /** @type {any} */
  route;

  /** @type {string} */
  against;

  /** `shown` is the answer about the game's rules. */
  constructor(shown) {
    this.shown = shown;
    const onPick = (score, opponent) => this.pick([score, opponent]);
    this.here = h('div', { 'aria-live': 'polite' });
    this.map = new ScoreMap({ name: 'Map of losses', onPick, answer: this.here });
    this.versus = new Versus('Its rolls beside the best ones', onPick);
    this.legend = h('div');
    this.losses = h('div', {}, this.legend, this.map.element);
    this.beside = h('div', { hidden: true }, h('p', { role: 'status' }), this.versus.element);
    this.layers = h('div', { class: 'layers', role: 'group', 'aria-label': 'Layers' });
    this.list = h('div', {
      class: 'scroll wide worst',
      tabindex: '0',
      role: 'group',
      'aria-label': 'Worst positions',
    });
    this.below = new MoreBelow(this.list);
    this.rest = h('p', { class: 'bar' });
    this.element = h('div');
  }

  /** Shows an analysis of the route's strategy against `against`, null for best play. */
  show(view, route, against) {
    Object.assign(this, { view, route, against });
    const versusIsShown = !this.beside.hidden;
    put(
      this.element,
      h(
        'div',
        { class: 'columns' },
        // Where dice are kept, what costs depends on more than two scores.
        h(
          'section',
          { class: 'card', 'aria-label': 'Map of losses', hidden: Boolean(this.shown.hand) },
          h('h2', {}, 'Where it loses'),
          this.layers,
          this.losses,
          this.beside,
        ),
        h(
          'div',
          {},
          this.here,
          h('section', { class: 'card' }, h('h2', {}, 'Mistakes by kind'), kindsOf(view)),
        ),
      ),
      h(
        'section',
        { class: 'card' },
        h('h2', {}, 'Worst positions'),
        this.list,
        this.below.element,
        this.rest,
        savesTable('worst', withOpponent(view, view.worst)),
      ),
    );
    this.pick(null);
    this.drawMap();
    this.drawList();
    this.choose(versusIsShown);
  }

  choose(isBeside) {
    const layer = (label, wanted) =>
      button(label, () => this.choose(wanted), { 'aria-pressed': `${wanted === isBeside}` });
    put(this.layers, layer('Losses', false), layer('Beside the best', true));
    this.losses.hidden = isBeside;
    this.beside.hidden = !isBeside;
    if (isBeside) this.drawBeside();
  }

  async drawBeside() {
    const { view } = this;
    const { pot } = this.shown;
    const request = { ...this.asked(), layers: pot ? ['hold'] : [] };
    const told = this.beside.firstChild;
    const onProgress = (progress) => putProgress(told, working(progress, 'Solving'));
    try {
      const data = await askOnce('map', request, { onProgress });
      if (view !== this.view) return;
      put(told);
      const dice = data.best.map((set) => data.sets[set][0]);
      const best = { dice, hold: data.hold };
      const both = layersBeside(data, [data.strategy, best], pot);
      const rings = this.costliest();
      const saved = savedOf('differs', data, gameParams(this.route));
      const more = { ...saved, called: 'differs', rings };
      this.versus.show(data.goal, [data.strategy.name, 'best play'], both, more);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(told, withCode(error.message));
    }
  }

  /**
   * The request about the strategy, for questions whose opponent is the best player by default.
   * @returns {import('./api.js').Request}
   */
  asked() {
    const { against, route } = this;
    const strategy = route.params.get('strategy');
    return { ...gameParams(route), strategy, ...(against && { against }) };
  }

  costliest() {
    return this.view.worst.slice(0, MARKED).map(({ score, opponent }) => [score, opponent]);
  }

  drawMap() {
    const { view } = this;
    const { goal } = this.shown;
    const losses = new Float64Array(goal * goal);
    const worst = new Map();
    for (const position of view.worst) {
      const cell = position.score * goal + position.opponent;
      losses[cell] += position.loss;
      if (!worst.has(cell)) worst.set(cell, position);
    }
    const top = losses.reduce((a, b) => Math.max(a, b), 0) || 1;
    const rolls = (position) => {
      const [own, best] = this.choicesOf(position);
      const memory = memoryWords(position.memory, this.shown);
      return `${memory && `with ${memory} `}its choice is ${own}, best is ${best}`;
    };
    this.map.show({
      goal,
      rings: this.costliest(),
      title: 'Loss by position',
      called: 'loss',
      // Its opponent is the baseline by default.
      plot: ['plot/loss', { ...this.asked(), against: this.against ?? 'optimal' }],
      columns: [
        ['loss', (cell) => losses[cell]],
        ['against', () => view.against],
        ['error_bound', () => boundOf(view)],
      ],
      answer: view,
      colour: (cell) => amountColour(Math.sqrt(losses[cell] / top)),
      text: (cell) =>
        worst.has(cell)
          ? `${rolls(worst.get(cell))}; costs ${percentagePoints(losses[cell], 3)} in all`
          : 'no loss',
    });
    const labels = ['no loss', percentagePoints(top, 3)];
    put(
      this.legend,
      scale((share) => amountColour(Math.sqrt(share)), labels),
    );
  }

  /** What the strategy chooses at a position, and what is best. */
  choicesOf({ dice: own, best, keeps = [] }) {
    const { pot, hand } = this.shown;
    if (keeps.length) return keeps.map((keep) => moved({ dice: own, keep }));
    if (hand) return [own, best[0]].map((number) => (number === 0 ? 'bank' : 'roll'));
    return [choice(own, pot), oneOf(best.map((number) => choice(number, pot)))];
  }

  pick(cell) {
    const { view } = this;
    if (!cell) {
      put(this.here);
      return;
    }
    const [score, opponent] = cell;
    const found = view.worst.filter((one) => one.score === score && one.opponent === opponent);
    put(
      this.here,
      h(
        'section',
        { class: 'card', 'aria-label': 'This position' },
        h('h2', {}, `At ${score} to ${opponent}`),
        found.length === 0 &&
          h('p', {}, 'No loss here: it rolls a best number, or never gets here.'),
        found.map((one) => this.told(one)),
      ),
    );
  }

  told(position) {
    const [own, best] = this.choicesOf(position);
    const memory = memoryWords(position.memory, this.shown);
    return [
      h(
        'p',
        {},
        memory && `With ${memory}: `,
        `It rolls ${own}; best is ${best}. That costs `,
        h('strong', {}, percentagePoints(position.loss_each)),
        ` each time, and ${percentagePoints(position.loss, 3)} in all.`,
      ),
      h('p', {}, `${this.whyOf(position)}.`),
      h(
        'p',
        { class: 'bar' },
        h('a', { href: this.explored(position) }, 'Why'),
        ' · ',
        this.duel(position),
      ),
    ];
  }

  drawList() {
    const all = this.view.worst;
    const heads = ['Position', 'Rolls', 'Best', 'Costs in all', 'Each time', 'Reached', 'Why', ''];
    const kindOf = (text, place) => {
      const kinds = [text === 'Why' && 'left', place > 3 && 'extra', !text && 'acts'];
      return kinds.filter(Boolean).join(' ') || null;
    };
    const head = (text, place) =>
      text
        ? h('th', { scope: 'col', class: kindOf(text, place) }, text)
        : h('td', { class: kindOf(text, place) });
    const faulty = this.view.mistakes.reduce((sum, { positions }) => sum + positions, 0);
    const caption =
      'Positions are its score to the opponent’s. Costs are in percentage points of win rate; ' +
      (all.length < faulty
        ? `these and the file are the costliest ${all.length} of ${count(faulty, 'position')}.`
        : `the costliest of ${count(faulty, 'position')} are first.`);
    put(
      this.list,
      all.length
        ? h(
            'table',
            {},
            h('caption', {}, caption),
            h('thead', {}, h('tr', {}, heads.map(head))),
            h(
              'tbody',
              {},
              all.slice(0, LISTED).map((position, place) => this.row(position, place >= SEEN)),
            ),
          )
        : h('p', {}, 'No loss here.'),
    );
    put(this.rest, all.length > SEEN && this.showsRest(Math.min(all.length, LISTED)));
    this.below.tell();
  }

  /** A button that shows the positions that are not seen at first: their links are many. */
  showsRest(most) {
    const show = () => {
      for (const row of this.list.querySelectorAll('tr')) row.hidden = false;
      this.list.focus();
      more.remove();
      this.below.tell();
    };
    const more = button(`Show ${most} positions`, show);
    return more;
  }

  /** The link to a game against the strategy from a position. */
  duel(position) {
    const memory = memoryWords(position.memory, this.shown);
    const place = `${position.score} to ${position.opponent}${memory && `, ${memory}`}`;
    const players = `person~${this.route.params.get('strategy')}`;
    const href = playedFrom(this.route, position, null, { players });
    return h('a', { href, 'aria-label': `Play against it from ${place}` }, 'Play against it');
  }

  explored(position) {
    return linked(this.route, 'explore', {
      score: position.score,
      opponent: position.opponent,
      params: {
        against: this.against,
        ...position.memory,
        ...(this.shown.hand
          ? { roll: position.roll?.join('.') }
          : {
              compare: position.dice,
              layer: 'differs',
              strategy: this.route.params.get('strategy'),
            }),
      },
    });
  }

  /** Why a choice is wrong; of several rolls, that of which one is most. */
  whyOf({ words, roll = [] }) {
    const why = words.replace(/^[^:]*: /, '');
    return roll.length ? `of ${roll.join(' ')}, ${why}; the numbers are of all rolls here` : why;
  }

  row(position, hidden) {
    const [own, best] = this.choicesOf(position);
    // The costliest has three digits that are not 0.
    const [{ loss: most }] = this.view.worst;
    const digits = Math.max(3, 2 - Math.floor(Math.log10(100 * most)));
    const memory = memoryWords(position.memory, this.shown);
    const place = `${position.score} to ${position.opponent}${memory && `, ${memory}`}`;
    const why = this.whyOf(position);
    return [
      row(
        h('a', { href: this.explored(position) }, place),
        [
          own,
          best,
          h('td', { class: 'loss' }, full(position.loss, signed(-position.loss, digits))),
          h('td', { class: 'loss extra' }, full(position.loss_each, signed(-position.loss_each))),
          h('td', { class: 'extra' }, full(position.met, howOften(position.met))),
          h('td', { class: 'why left extra' }, why),
          h('td', { class: 'left extra acts' }, this.duel(position)),
        ],
        { hidden },
      ),
      // A phone has no room beside the numbers.
      h(
        'tr',
        { class: 'under', hidden },
        h('td', { colspan: 4, class: 'why left' }, `${why}. `, this.duel(position)),
      ),
    ];
  }
}

/** How many semesters that a file may be for are offered before "more semesters". */
const FEW_SEMESTERS = 3;

/**
 * The rate and one sentence, which come first, and what else is to be said of a strategy; `change`
 * is how its rate has changed, if that is known.
 */
export function answered(view, change, shown, route) {
  const { other_semester: other, wrong_functions: wrong } = view.handout;
  const strong = ({ words }) => h('p', {}, h('strong', { class: 'loss' }, begun(scored(words))));
  const semesters = other?.rules ?? [];
  const rest = semesters.length - FEW_SEMESTERS;
  const own = { params: { strategy: route.params.get('strategy') } };
  const elsewhere = (game) =>
    h(
      'a',
      { class: 'button', href: linked({ ...route, game }, 'coach', own) },
      `Rate it for ${game}`,
    );
  return [
    h('h2', {}, `${view.strategy} against ${view.against}`),
    h(
      'p',
      { class: 'answer' },
      'It wins ',
      h('strong', {}, full(view.win_rate.average, percent(view.win_rate.average))),
      ' of games; the best possible is ',
      full(view.best_response.average, percent(view.best_response.average)),
      '.',
    ),
    other && strong(other),
    other && h('p', { class: 'bar' }, semesters.slice(0, FEW_SEMESTERS).map(elsewhere)),
    rest > 0 &&
      h(
        'details',
        {},
        h('summary', {}, count(rest, 'more semester')),
        h('p', { class: 'bar' }, semesters.slice(FEW_SEMESTERS).map(elsewhere)),
      ),
    h(
      'p',
      {},
      change && h('strong', { class: change.kind }, change.words),
      h('strong', {}, nextStep(view)),
    ),
    course(view, shown, draftBase(route.game) !== null),
    wrong.slice(1).map(strong),
    rates(view),
  ];
}

function rates(view) {
  const { win_rate: own, positions_met: met } = view;
  const share = (rate, label) => figure(full(rate, percent(rate)), label);
  return [
    h(
      'div',
      { class: 'figures' },
      share(own.first, 'moving first'),
      share(own.second, 'moving second'),
      figure(met.toLocaleString('en'), 'positions reached'),
    ),
    h(
      'p',
      { class: 'note' },
      'Computed, not simulated: each win rate is within ',
      `${bound(boundOf(view))} of the exact one.`,
    ),
  ];
}

/** What the course asks for, unless its rules are edited, and what its baseline rolls. */
function course(view, { target: asked, baseline }, isEdited) {
  const target = isEdited ? null : asked;
  // What it asks for is a rate against its baseline.
  if (!baseline || ![baseline, 'baseline'].includes(view.against)) return null;
  const always = /^always_roll:(\d+)$/.exec(baseline);
  const rolls = always ? `always rolls ${dice(Number(always[1]))}` : `is ${baseline}`;
  const rate = Number.parseFloat(target);
  const left = rate - view.win_rate.average;
  const far = left > 0 ? `${percentagePoints(left)} are missing` : 'this is reached';
  return h(
    'p',
    {},
    `The baseline of the course ${rolls}. `,
    target && `The course asks for ${rate < 1 ? 'a win rate of ' : ''}${target}`,
    target && (rate < 1 ? `: ${far}.` : '.'),
  );
}

/** The rate in a few words, and how it has changed since the last one, for beside the editor. */
export const inShort = (view, change) => [
  h('strong', {}, percent(view.win_rate.average)),
  ` against ${view.against}. `,
  change && h('strong', { class: change.kind }, change.words),
];

/** A rate in a sentence that stands alone, of a game against a rival who are called so. */
export function result({ strategy, win_rate: own, best_response: best }, game, rival) {
  const [rate, most] = [own, best].map(({ average }) => percent(average));
  return (
    `${strategy} wins ${rate} of games of ${game} against ${rival}; ` +
    `the best possible is ${most} (computed by hog, not simulated).`
  );
}

/** How a rate has changed since `what`, which had the rate `before`; and the best so far. */
export function since(rate, before, what, best) {
  const change = signed(rate - before);
  const kind = { '+': 'gain', '−': 'loss' }[change[0]];
  const most = best > Math.max(rate, before) ? `The best so far: ${percent(best)}. ` : '';
  return { kind, words: `${change} percentage points since ${what} (${percent(before)}). ${most}` };
}

/** The kinds of mistakes that it makes, the costliest first. */
const kindsByLoss = ({ mistakes }) =>
  mistakes.filter(({ positions }) => positions > 0).sort((a, b) => b.loss - a.loss);

/**
 * What to change first: a wrong function of the rules, or the costliest kind of mistake, as in its
 * costliest position.
 */
export function nextStep(view) {
  const [wrong] = view.handout.wrong_functions;
  if (wrong) return `Next: ${scored(wrong.words)}`;
  const [kind] = kindsByLoss(view);
  const next = view.worst.find(({ mistake }) => mistake === kind?.kind) ?? view.worst[0];
  if (!next) return 'No strategy does better against this opponent.';
  const words = scored(next.words);
  if (!kind) return `Next: ${words}.`;
  const many = count(kind.positions, 'position');
  const costs = `costs most, ${percentagePoints(kind.loss)} in ${many}`;
  return `Next: “${MISTAKES[kind.kind] ?? kind.kind}” ${costs}. For example, ${words}.`;
}

/** Parts of an answer about a strategy, each with the opponent and the bound of the numbers. */
const withOpponent = (view, list) =>
  list.map((one) => ({ ...one, against: view.against, error_bound: boundOf(view) }));

/** How far a win rate of an answer may be from the exact one. */
const boundOf = ({ win_rate: own, best_response: best }) =>
  Math.max(own.error_bound, best.error_bound);

function kindsOf(view) {
  const kinds = kindsByLoss(view);
  if (!kinds.length) {
    return h('p', {}, 'None: it plays optimally in every position that it reaches.');
  }
  const most = Math.max(...kinds.map((mistake) => mistake.loss), 1e-12);
  const width = (mistake) => `${Math.max(mistake.loss / most, 0) * 100}%`;
  const rows = (mistake) => [
    row(MISTAKES[mistake.kind] ?? mistake.kind, [
      mistake.positions.toLocaleString('en'),
      h('td', { class: 'fill' }, h('div', { class: 'meter', style: { width: width(mistake) } })),
      h('td', { class: 'loss' }, full(mistake.loss, signed(-mistake.loss))),
    ]),
    h(
      'tr',
      { class: 'under' },
      h('td', { colspan: 4, class: 'note explains' }, MISTAKE_TEXT[mistake.kind]),
    ),
  ];
  const heads = ['Kind', 'Positions', '', 'Percentage points'];
  return [
    table(heads, kinds.map(rows), { class: 'kinds choices' }),
    savesTable('mistakes', withOpponent(view, kinds)),
  ];
}
