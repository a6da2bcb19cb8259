// The game of edited rules: its map, what differs from another one, and its figures.

import { button, figure, h, put, refresh, say } from './dom.js';
import { layerOf, savedOf } from './layers.js';
import { ScoreMap, amountColour, diceColour, legend } from './map.js';
import { full } from './taken.js';
import { choice, count, memoryName, oneOf, percent, signed } from './words.js';

const LAYERS = [
  ['best', 'Best dice'],
  ['rate', 'Win rate'],
  ['changes', 'What changes'],
];

export class Solved {
  /**
   * The map of the rules as edited, null if dice are kept; what they are compared with; whether
   * they have a pot, their text, the names of the rules there and here, the scores at the start
   * likewise, and whether the memories are other ones than at the start.
   * @type {{ now: any, other?: any, pot?: boolean, file?: string, rules?: string[][],
   *   starts?: number[][], isNumbers?: boolean, isOther?: boolean }}
   */
  game = { now: null };

  /** `onMemory` is called with the values of the memories for which the map is wanted. */
  constructor(onMemory) {
    this.onMemory = onMemory;
    this.memories = h('p', { class: 'bar' });
    this.layer = 'best';
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
    else put(this.changes, 'Dice are kept after the roll: explore it by the dice.');
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
      figure(view.ties.toLocaleString('en'), 'exact ties'),
      ofMap,
    );
  }

  draw() {
    const { now, pot, file, starts, isOther } = this.game;
    const { map: before, label: base } = this.game.other;
    const bestOf = (map, cell) => oneOf(bestAt(map, cell).map((number) => choice(number, pot)));
    const changed = before?.goal === now.goal ? changes(now, before) : null;
    refresh(
      this.layers,
      LAYERS.filter(([name]) => name !== 'changes' || changed).map(([name, label]) =>
        button(
          label,
          () => {
            this.layer = name;
            this.draw();
          },
          { 'data-key': name, 'aria-pressed': `${name === this.layer}` },
        ),
      ),
    );
    this.drawMemories();
    const chosen = this.layer === 'changes' && !changed ? 'best' : this.layer;
    const bests = [...new Set([...(changed ?? [])].map((cell) => now.sets[now.best[cell]][0]))];
    bests.sort((a, b) => a - b);
    const layer =
      chosen === 'changes'
        ? {
            colour: (cell) =>
              changed.has(cell)
                ? diceColour(now.sets[now.best[cell]][0], now.max_dice)
                : amountColour(0),
            text: (cell) =>
              changed.has(cell)
                ? `best is ${bestOf(now, cell)}; in ${base} ${bestOf(before, cell)}`
                : 'unchanged',
            legend: legend([
              [amountColour(0), 'unchanged; elsewhere what is best now:'],
              ...bests.map((number) => [diceColour(number, now.max_dice), choice(number, pot)]),
            ]),
          }
        : layerOf(chosen, now, pot);
    const [, title] = LAYERS.find(([name]) => name === chosen);
    const saved = savedOf(chosen, now, { file });
    if (before?.goal === now.goal) {
      const earlier = (cell) => before.sets[before.best[cell]].join(' ');
      saved.columns.push([`best_in_${base}`, earlier]);
    }
    this.map.show({ goal: now.goal, title, ...layer, ...saved });
    put(this.legend, layer.legend);
    const [old, rate] = [before, now].map(
      (map, at) => map?.win_rate[starts[at][0] * map.goal + starts[at][1]],
    );
    const edge = before ? rate - old : 0;
    const differs = Number(signed(edge)) !== 0;
    put(
      this.changes,
      this.changed(changed),
      // Another memory is not the game's start.
      !isOther && ` Who moves first wins ${percent(rate)}`,
      !isOther && (differs ? ` (${signed(edge)} percentage points).` : '.'),
    );
    say(`Solved: who moves first wins ${percent(rate)}`);
  }

  /** Says what is other than in the other game, if the goal is. */
  differences() {
    const { now, other, rules, isNumbers } = this.game;
    const before = other.map;
    const [old, own] = rules.map((names) => names.join(', '));
    const range = ({ min_dice: least, max_dice: most }) => `${least} to ${most} dice`;
    return [
      `The goal is ${now.goal} instead of ${before.goal} in ${other.label}`,
      range(now) !== range(before) && `a turn has ${range(now)} instead of ${range(before)}`,
      own !== old && `the rules are ${own || 'none'} instead of ${old || 'none'}`,
      own === old && !isNumbers && 'other lines of the rules differ, too',
    ]
      .filter(Boolean)
      .join('; ');
  }

  /** Says in how many positions the best roll has changed; `cells` is null if the goal has. */
  changed(cells) {
    const { now, other } = this.game;
    const { map: before, label: base } = other;
    if (!before) return '';
    if (cells === null) return `${this.differences()}.`;
    if (!cells.size) {
      const isSame = now.best.every(
        (_, cell) => `${bestAt(now, cell)}` === `${bestAt(before, cell)}`,
      );
      return isSame
        ? `The best rolls are those of ${base}.`
        : `Everywhere a roll is best that is best in ${base}, too, but not all of them are.`;
    }
    const where = `${count(cells.size, 'position')} of ${(now.goal ** 2).toLocaleString('en')}`;
    return `The best roll differs from ${base} in ${where}.`;
  }
}

const bestAt = (map, cell) => map.sets[map.best[cell]];

/** The cells in which no roll is best in both games. */
function changes(now, before) {
  const isOther = (cell) => {
    const earlier = bestAt(before, cell);
    return !bestAt(now, cell).some((roll) => earlier.includes(roll));
  };
  return new Set([...now.best.keys()].filter(isOther));
}
