// The layers of a map: their colours, texts and legends.

import { h } from './dom.js';
import { amountColour, diceColour, legend, rateColour, scale } from './map.js';
import {
  advice,
  choice,
  count,
  howOften,
  memoryName,
  oneOf,
  percent,
  percentagePoints,
} from './words.js';

export const LAYERS = [
  ['hold', 'When to hold', 'The smallest value of the memory at which to roll no more dice'],
  [
    'best',
    'Best dice',
    'Each cell is a position; its colour is the best number of dice, of several the smallest',
  ],
  ['rate', 'Win rate', 'How often the player to move wins, who plays best'],
  [
    'spread',
    'What is at stake',
    'The difference in win rate between the best and the worst number of dice',
  ],
  [
    'met',
    'How often met',
    'The mean number of your turns in a game that start at these scores, ' +
      'on average of moving first and second',
  ],
  ['strategy', 'A strategy'],
  ['differs', 'Where it differs'],
];

/** "roll 5 or 6", "hold". */
const advised = (list, pot) => advice(list, pot).replace(/^./, (letter) => letter.toLowerCase());

const TO_GOAL = 'roll on to the goal';

export function layersOf({ pot }) {
  return LAYERS.filter(([name]) => name !== 'hold' || pot);
}

/** The columns of a file about when to hold. */
export const holdColumns = (called, { first, last, again }) => [
  [called, (cell) => first[cell]],
  [`${called}_to`, (cell) => last[cell]],
  [`${called}_again`, (cell) => again[cell]],
];

/** What `savesMap` needs of a layer of a game, for which `game` is the request. */
export function savedOf(name, data, game, pot) {
  const { against, hold, memory, met, sets, spread, strategy } = data;
  const asked = { ...game, memory, ...(against && { against }) };
  const best = against ? `beat:${against}` : 'optimal';
  const own = strategy?.name;
  const ofOwn = hold ? 'plot/hold' : 'plot/best';
  const plots = {
    best: ['plot/best', asked],
    hold: ['plot/hold', asked],
    rate: ['plot/win', asked],
    spread: ['plot/spread', asked],
    // Where a turn is several rolls, the command counts those.
    met: pot ? null : ['plot/visits', { ...game, strategy: best, against: against ?? best }],
    strategy: [ofOwn, { ...game, memory, strategy: own }],
    differs: hold ? null : ['plot/diff', { ...game, memory, first: best, second: own }],
  };
  const bestAt = (cell) => sets[data.best[cell]];
  // As `hog solve` writes them, and what the layer shows besides.
  const remembered = Object.entries(memory);
  const columns = [
    ...remembered.map(([called, value]) => [called, () => value]),
    ['win_rate', (cell) => data.win_rate[cell]],
    ['dice', (cell) => bestAt(cell)[0]],
    ['best', (cell) => bestAt(cell).join(' ')],
  ];
  const met_in_all = remembered.length > 0 && met;
  const lists = { spread, ...(met_in_all ? { met_in_all } : { met }) };
  for (const [called, list] of Object.entries(lists))
    if (list) columns.push([called, (cell) => list[cell]]);
  if (hold) columns.push(...holdColumns('hold', hold));
  if (strategy?.hold) columns.push(...holdColumns(`hold_${own}`, strategy.hold));
  else if (strategy) columns.push([own, (cell) => strategy.dice[cell]]);
  columns.push(['error_bound', () => data.error_bound]);
  const called = ['strategy', 'differs'].includes(name) ? `${name}-${own}` : name;
  return { called, plot: plots[name], columns, answer: data };
}

/**
 * "hold at a pot of 21", or "of 21 to 40", if it is best to roll on again with more, "and from 45".
 */
function holdText({ over, first, last, again }, cell) {
  const [from, to] = [first[cell], last[cell]];
  if (from === null) return TO_GOAL;
  const pots = to === null ? from : from === to ? `${from} only` : `${from} to ${to}`;
  const more = again[cell] === null ? '' : ` and again from ${again[cell]}`;
  return `hold at a ${memoryName(over)} of ${pots}${more}`;
}

/** When to hold, by the answer about it; the scale is that of best play. */
function holdLayer({ hold: best, max_dice: most }, held) {
  const what = memoryName(held.over);
  const { first } = held;
  // A tenth of the positions is beyond the scale: the largest values are rare.
  const known = best.first.filter((value) => value !== null).sort((a, b) => a - b);
  const top = known[Math.floor(known.length * 0.9)] || 1;
  const onwards = legend([[diceColour(1, most), TO_GOAL]]);
  const again = held.last.filter((value) => value !== null).length;
  return {
    about: `The smallest ${what} at which to roll no more dice`,
    colour: (cell) =>
      first[cell] === null ? diceColour(1, most) : amountColour(first[cell] / top),
    text: (cell) => holdText(held, cell),
    legend: h(
      'div',
      {},
      known.length > 0 && scale(amountColour, ['0', `a ${what} of ${top} or more`]),
      first.includes(null) && onwards,
      again > 0 &&
        h('p', { class: 'note' }, `In ${count(again, 'position')}, roll on again with more.`),
    ),
  };
}

/**
 * The maps of two that play, each with its `dice` and, in a game with a pot, its `hold`; `data` is
 * the map of the game.
 */
export function layersBeside(data, both, pot) {
  if (data.hold) return both.map(({ hold }) => holdLayer(data, hold));
  const all = [...new Set(both.flatMap(({ dice }) => dice))].sort((a, b) => a - b);
  const colourOf = (number) => diceColour(number, data.max_dice);
  const told = legend(all.map((number) => [colourOf(number), choice(number, pot)]));
  return both.map(({ dice }) => ({
    colour: (cell) => colourOf(dice[cell]),
    digit: (cell) => choice(dice[cell], pot),
    text: (cell) => advised([dice[cell]], pot),
    legend: told,
  }));
}

/** How much earlier or later a strategy holds than is best. */
function holdsApart({ hold: best, strategy, goal }) {
  const { hold: own, name: who } = strategy;
  const what = memoryName(best.over);
  const at = ({ first }, cell) => first[cell] ?? goal - Math.floor(cell / goal);
  const later = own.first.map((_, cell) => at(own, cell) - at(best, cell));
  // As of `holdLayer`.
  const far = later.map(Math.abs).sort((a, b) => a - b);
  const top = far[Math.floor(far.length * 0.9)] || 1;
  const same = later.filter((one) => one === 0).length;
  const labels = [
    `${top} or more earlier`,
    `the same (${percent(same / later.length, 1)})`,
    `${top} or more later`,
  ];
  const about = `How far the ${what} at which ${who} holds is from the best one`;
  return {
    about,
    colour: (cell) => rateColour(0.5 + later[cell] / top / 2),
    text: (cell) => `${who}: ${holdText(own, cell)}; best: ${holdText(best, cell)}`,
    legend: h('div', {}, scale(rateColour, labels)),
  };
}

export function layerOf(name, data, pot) {
  const { max_dice: most, goal } = data;
  const fewest = (cell) => data.sets[data.best[cell]][0];
  const bestText = (cell) =>
    `${advised(data.sets[data.best[cell]], pot)}, win rate ${percent(data.win_rate[cell])}`;
  const acts = (number) => (pot && number === 0 ? 'holds' : `rolls ${number}`);
  const bestOf = (cell) => oneOf(data.sets[data.best[cell]].map((number) => choice(number, pot)));
  const rolls = (numbers) =>
    [...new Set(numbers)]
      .sort((a, b) => a - b)
      .map((number) => [diceColour(number, most), choice(number, pot)]);
  switch (name) {
    case 'rate':
      return {
        colour: (cell) => rateColour(data.win_rate[cell]),
        text: bestText,
        legend: scale(rateColour, ['0 %', 'win rate', '100 %']),
      };
    case 'spread': {
      const top = data.spread.reduce((most, spread) => Math.max(most, spread), 0) || 1;
      return {
        colour: (cell) => amountColour(data.spread[cell] / top),
        text: (cell) =>
          'the best choice wins more often than the worst by ' +
          `${percentagePoints(data.spread[cell])}; ` +
          bestText(cell),
        legend: scale(amountColour, ['nothing', percentagePoints(top, 0)]),
      };
    }
    case 'met': {
      // The scale ends at the 99th percentile: the first turns are so common that all others would
      // look alike.
      const top = [...data.met].sort((a, b) => a - b)[Math.floor(data.met.length * 0.99)] || 1;
      const about = [
        LAYERS.find(([name]) => name === 'met')[2],
        '; of tied rolls the smallest is taken',
        Object.keys(data.memory).length > 0 && ', whatever is remembered there',
      ];
      const told = about.filter(Boolean).join('');
      return {
        about: told,
        colour: (cell) => amountColour(Math.sqrt(data.met[cell] / top)),
        text: (cell) =>
          `a turn of yours starts here ${howOften(data.met[cell])}; ` + bestText(cell),
        legend: scale(
          (share) => amountColour(Math.sqrt(share)),
          ['never', `${howOften(top)} or more often`],
        ),
      };
    }
    case 'hold':
      return holdLayer(data, data.hold);
    case 'strategy': {
      const { dice: own, name: who, hold: held } = data.strategy;
      if (held) return { ...holdLayer(data, held), about: `When ${who} holds` };
      return {
        about: `The rolls of ${who}`,
        colour: (cell) => diceColour(own[cell], most),
        digit: (cell) => choice(own[cell], pot),
        text: (cell) => `${who} ${acts(own[cell])}; best is ${bestOf(cell)}`,
        legend: legend(rolls(own)),
      };
    }
    case 'differs': {
      if (data.hold) return holdsApart(data);
      const { dice: own, name: who } = data.strategy;
      const same = (cell) => data.sets[data.best[cell]].includes(own[cell]);
      const shared = Array.from({ length: goal * goal }, (_, cell) => cell).filter(same).length;
      return {
        about: `The positions where ${who} does not roll a best number of dice`,
        colour: (cell) => (same(cell) ? amountColour(0) : diceColour(fewest(cell), most)),
        digit: (cell) => (same(cell) ? '' : choice(fewest(cell), pot)),
        text: (cell) =>
          same(cell)
            ? `${who} ${acts(own[cell])}, which is best`
            : `${who} ${acts(own[cell])}; best is ${bestOf(cell)}`,
        legend: h(
          'div',
          {},
          legend([
            [
              amountColour(0),
              `the same or tied (${percent(shared / goal / goal, 1)} of positions)`,
            ],
          ]),
          h('p', {}, 'Elsewhere what is best:'),
          legend(rolls(data.sets.map((set) => set[0]))),
        ),
      };
    }
    default:
      return {
        colour: (cell) => diceColour(fewest(cell), most),
        digit: (cell) => choice(fewest(cell), pot),
        text: bestText,
        legend: legend(rolls(data.sets.map((set) => set[0]))),
      };
  }
}
