// The game of edited rules: its map, what differs from another one, and its figures.

import { askOnce } from './api.js';
import { button, figure, h, put, refresh, say, withCode } from './dom.js';
import { layerOf, savedOf } from './layers.js';
import { ScoreMap, amountColour, diceColour, legend } from './map.js';
import { apart, numbersApart } from './more.js';
import { full } from './taken.js';
import {
  choice,
  count,
  listed,
  memoryName,
  memoryText,
  oneOf,
  percent,
  signed,
  startOf,
} from './words.js';

const LAYERS = [
  ['hold', 'When to hold'],
  ['best', 'Best dice'],
  ['rate', 'Win rate'],
  ['changes', 'What changes'],
];

/** What ties are, by the arithmetic. */
const TIES = { exact: 'exact ties', float: 'ties, within the bound' };

const BY_DICE = 'Dice are kept after the roll: explore it by the dice.';

export class Solved {
  /**
   * The map of the rules as edited, null if dice are kept; what they are compared with; their text,
   * what they say, and whether the memories are other ones than at the start.
   * @type {{ now: any, other?: any, file?: string, shown?: any, isOther?: boolean }}
   */
  game = { now: null };

  /** `onMemory` is called with the values of the memories for which the map is wanted. */
  constructor(onMemory) {
    this.onMemory = onMemory;
    this.memories = h('p', { class: 'bar' });
    /**
     * The layer that was chosen; null for the first one.
     * @type {string | null}
     */
    this.layer = null;
    this.map = new ScoreMap({ name: 'Map of the rules as edited' });
    this.layers = h('div', { class: 'layers', role: 'group', 'aria-label': 'Layers' });
    this.legend = h('div');
    this.changes = h('p', {});
    this.figures = h('div', { class: 'figures' });
    this.parts = [
      this.layers,
      this.memories,
      this.legend,
      this.map.element,
      this.changes,
      this.figures,
    ];
  }

  show(game) {
    this.game = game;
    const ofMap = [this.map.element, this.layers, this.memories, this.legend];
    for (const part of ofMap) part.hidden = !game.now;
    if (game.now) this.draw();
    else put(this.changes, BY_DICE);
  }

  drawMemories() {
    const { memory } = this.game.now;
    const field = ([name, value]) => {
      const input = h('input', { type: 'number', min: 0, value, 'data-key': name });
      input.onchange = () => this.onMemory({ ...memory, [name]: input.valueAsNumber || 0 });
      return h('label', {}, `${memoryName(name)} `, input);
    };
    const fields = Object.entries(memory).map(field);
    refresh(this.memories, fields.length > 0 && ['The map is for ', fields]);
  }

  /** Greys what is of other rules; the figures stay so until they are computed too. */
  stale(yes) {
    this.map.stale(yes);
    this.changes.classList.toggle('stale', yes);
    if (yes) this.figures.classList.add('stale');
  }

  /** Shows the figures of a game, which come later than its map. */
  showFigures(view) {
    this.figures.classList.remove('stale');
    const { now } = this.game;
    const isZero = (set) => now.sets[set].includes(0);
    const ofMap = now && [
      figure(oneOf(view.first_roll), 'best first roll'),
      now.min_dice < 1 &&
        !Object.keys(now.memory).length &&
        figure(
          percent(now.best.filter(isZero).length / now.best.length, 1),
          'of positions: roll no dice',
        ),
    ];
    put(
      this.figures,
      figure(full(view.win_rate.first, percent(view.win_rate.first)), 'who moves first wins'),
      view.win_rate.endless > 0 &&
        figure(percent(view.win_rate.endless), 'of games never end: half a win each'),
      figure(view.states.toLocaleString('en'), 'states'),
      figure(view.ties.toLocaleString('en'), TIES[view.arithmetic]),
      ofMap,
    );
  }

  draw() {
    const { now, file, shown, other, isOther } = this.game;
    const { map: before, label: base } = other;
    const changed = changes(now, before);
    const has = { hold: now.hold, changes: changed };
    const layers = LAYERS.filter(([name]) => has[name] !== null);
    // What was chosen may be a layer that these rules have not.
    const [chosen, title] = layers.find(([name]) => name === this.layer) ?? layers[0];
    const buttonOf = ([name, label]) => {
      const choose = () => {
        this.layer = name;
        this.draw();
      };
      return button(label, choose, { 'data-key': name, 'aria-pressed': `${name === chosen}` });
    };
    refresh(this.layers, layers.map(buttonOf));
    this.drawMemories();
    const layer =
      chosen === 'changes' ? this.changesLayer(changed) : layerOf(chosen, now, shown.pot);
    const saved = savedOf(chosen, now, { file });
    if (changed) {
      const earlier = (cell) => changed.of(before, cell);
      const column = changed.isOfHold ? 'hold_in' : 'best_in';
      saved.columns.push([`${column}_${base}`, (cell) => [earlier(cell)].flat().join(' ')]);
      saved.columns.push([`fingerprint_of_${base}`, () => other.shown.fingerprint]);
    }
    if (chosen === 'changes') {
      const { fingerprint } = other.shown;
      saved.called = `changes-from-${base}`;
      saved.answer = { ...saved.answer, compared_with: { ...before, called: base, fingerprint } };
    }
    const told = chosen === 'changes' ? `${title} from ${base}` : title;
    this.map.show({ goal: now.goal, title: told, ...layer, ...saved });
    // A picture names the rules of both.
    const both = chosen === 'changes' && `${base}: rules ${other.shown.fingerprint}`;
    put(this.legend, layer.legend, both && h('span', { hidden: true }, both));
    const rate = firstRate(now, shown);
    put(
      this.changes,
      this.changed(changed),
      // Another memory is not the game's start.
      !isOther && firstWins(rate, before ? firstRate(before, other.shown) : rate),
    );
    say(`Solved: who moves first wins ${percent(rate)}`);
  }

  /** What is best now where it was not before. */
  changesLayer({ cells, isOfHold }) {
    const { now, shown, other } = this.game;
    const { pot } = shown;
    const [own, earlier] = [now, other.map].map((map) =>
      layerOf(isOfHold ? 'hold' : 'best', map, pot),
    );
    const bests = [...new Set([...cells].map((cell) => bestAt(now, cell)[0]))];
    bests.sort((a, b) => a - b);
    const colours = bests.map((one) => [diceColour(one, now.max_dice), choice(one, pot)]);
    const unchanged = [amountColour(0), 'unchanged; elsewhere what is best now:'];
    return {
      colour: (cell) => (cells.has(cell) ? own.colour(cell) : amountColour(0)),
      text: (cell) =>
        cells.has(cell)
          ? `${own.text(cell)}; in ${other.label} ${earlier.text(cell)}`
          : 'unchanged',
      legend: isOfHold
        ? h('div', {}, legend([unchanged]), own.legend)
        : legend([unchanged, ...colours]),
    };
  }

  /**
   * How often who moves first wins where there is no map, by a text, beside the other game, and
   * which numbers are others.
   */
  async showRates(file, { win_rate: wins }, { label, request }) {
    const { game } = this;
    const other = await askOnce('solve', request).catch(() => null);
    const asked = [{ file }, request].map((one) => askOnce('rules/show', one));
    const rules = other && (await Promise.all(asked));
    if (game !== this.game) return;
    const old = other?.win_rate.first ?? wins.first;
    const numbers = rules ? numbersApart(rules) : [];
    const told = numbers.length > 0 && ` Beside ${label}, ${listed(numbers)}.`;
    put(this.changes, BY_DICE, told, firstWins(wins.first, old, ` beside ${label}`));
  }

  /** Says what is other than in the other game, if their maps are none of the same kind. */
  differences() {
    const { now, other, shown } = this.game;
    const { map: before, label } = other;
    const { numbers, formulas } = apart([shown, other.shown]);
    const [old, own] = [other.shown, shown].map(({ rules }) => rules.map(({ name }) => name));
    const only = (names, others) => listed(names.filter((name) => !others.includes(name)));
    const [here, there] = [only(own, old), only(old, own)];
    const range = ({ min_dice: least, max_dice: most }) => `${least} to ${most} dice`;
    const isGoal = now.goal !== before.goal;
    const told = [
      isGoal && `the goal is ${now.goal} instead of ${before.goal}`,
      !isGoal && 'only one of both has a pot',
      range(now) !== range(before) && `a turn has ${range(now)} instead of ${range(before)}`,
      here && `only these rules have ${here}`,
      there && `only those of ${label} have ${there}`,
      ...numbers,
      formulas.length > 0 && `other formulas for ${formulas.join(', ')}`,
    ];
    return `Beside ${label}, ${told.filter(Boolean).join('; ')}.`;
  }

  /** Says in how many positions what is best has changed. */
  changed(changed) {
    const { now, other } = this.game;
    const { map: before, label: base } = other;
    if (other.why) return withCode(`${base} has a fault in ${other.why}.`);
    if (!before) return `${base} has no such map to compare with.`;
    if (!changed) return this.differences();
    const { cells, isOfHold, isSame } = changed;
    const all = (now.goal ** 2).toLocaleString('en');
    const memories = memoryText(now.memory);
    const where = memories && !isOfHold ? `With ${memories}, the` : 'The';
    const begin = isOfHold ? 'When to hold' : `${where} best roll`;
    if (cells.size)
      return `${begin} differs from ${base} in ${count(cells.size, 'position')} of ${all}.`;
    if (isOfHold) return `When to hold is as in ${base}.`;
    return isSame
      ? `${where} best rolls are those of ${base}.`
      : `Everywhere a roll is best that is best in ${base}, too, but not all of them are.`;
  }
}

/** How often who moves first wins, by the map of a game. */
function firstRate({ goal, win_rate: rates }, shown) {
  const [first, second] = startOf(shown);
  return rates[first * goal + second];
}

/** "Who moves first wins 52.00 % (+1.00 percentage points)." */
function firstWins(rate, old, beside = '') {
  const edge = signed(rate - old);
  const more = Number(edge) === 0 ? '' : ` (${edge} percentage points${beside})`;
  return ` Who moves first wins ${percent(rate)}${more}.`;
}

const bestAt = (map, cell) => map.sets[map.best[cell]];
const holdsAt = (map, cell) => map.hold.first[cell];

/**
 * The cells in which no roll is best in both games or, with a pot, in which they hold from another
 * value on; null if the maps are not of the same kind.
 */
function changes(now, before) {
  if (before?.goal !== now.goal || before.hold?.over !== now.hold?.over) return null;
  const isOfHold = now.hold !== null;
  const of = isOfHold ? holdsAt : bestAt;
  const all = [...now.best.keys()];
  const isOther = (cell) => {
    const [own, earlier] = [of(now, cell), of(before, cell)];
    return isOfHold ? own !== earlier : !own.some((roll) => earlier.includes(roll));
  };
  const isSame = all.every((cell) => `${of(now, cell)}` === `${of(before, cell)}`);
  return { of, isOfHold, isSame, cells: new Set(all.filter(isOther)) };
}
