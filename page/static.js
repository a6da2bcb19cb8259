// A site of plain files: answers that were written down beforehand, looked up. No rule of any game is told here: points,
// totals, steps and win rates are those of the engine's tables.

import { Refused } from './api.js';

const kept = new Map();

async function load(path, read) {
  if (!kept.has(path)) {
    const file = fetch(new URL(`../data/${path}`, import.meta.url)).then((response) => {
      if (!response.ok) throw new Refused({ message: 'This game is not part of this site.' });
      return read(response);
    });
    file.catch(() => kept.delete(path));
    kept.set(path, file);
  }
  return kept.get(path);
}

const json = (path) => load(path, (response) => response.json());
const game = (id) => json(`${id}.json`);

/** The win rates of every number of dice at every pair of scores. */
const rates = (id) => load(`${id}.bin`, async (response) => {
  const view = new DataView(await response.arrayBuffer());
  return Float64Array.from({ length: view.byteLength / 2 }, (_, i) => view.getUint16(2 * i, true) / 65535);
});

const NEEDS_SOLVER = 'This needs a solver: install hog and start `hog serve`.';

/** Answers a question as the server would. */
export async function answer(name, question) {
  if (name === 'rules/list') return json('games.json');
  const known = await game(question.rules);
  if (question.goal !== undefined || question.max_dice !== undefined || question.against) throw new Refused({ message: NEEDS_SOLVER });
  switch (name) {
    case 'rules/show': return known.show;
    case 'map': return known.map;
    case 'best': return best(known, await rates(question.rules), question);
    case 'play': return play(known, await rates(question.rules), question);
    default: throw new Refused({ message: NEEDS_SOLVER });
  }
}

function choices({ map }, all, cell) {
  const actions = map.max_dice - map.min_dice + 1;
  return Array.from({ length: actions }, (_, action) => ({ dice: map.min_dice + action, win_rate: all[cell * actions + action] }));
}

const bestOf = ({ map }, cell) => map.sets[map.best[cell]];

function best(known, all, { score, opponent }) {
  const cell = score * known.map.goal + opponent;
  return { rules: known.show.id, score, opponent, memory: {}, against: null, win_rate: known.map.win_rate[cell], best: bestOf(known, cell), choices: choices(known, all, cell) };
}

/** Dice from a seed: the mulberry32 generator of 32 bits; numbers that would favour a face are drawn again. */
function seeded(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const die = () => {
    for (;;) {
      const drawn = next();
      if (drawn < 4294967292) return 1 + (drawn % 6);
    }
  };
  return (number) => Array.from({ length: Math.max(number, 0) }, die);
}

let rollPlaces = null;

/** The place of a roll among all of 1, 2, ... dice, faces ascending, in the order of a dictionary. */
function rollPlace(faces, most) {
  if (!rollPlaces) {
    rollPlaces = new Map();
    let last = [[]];
    for (let number = 1; number <= most; number += 1) {
      last = last.flatMap((roll) => [1, 2, 3, 4, 5, 6].filter((face) => face >= (roll[roll.length - 1] ?? 1)).map((face) => [...roll, face]));
      for (const roll of last) rollPlaces.set(roll.join(''), rollPlaces.size);
    }
  }
  return rollPlaces.get([...faces].sort().join(''));
}

/** A turn, by the tables. */
function turn(known, [score, opponent], number, faces) {
  const { play: tables, map } = known;
  const cell = score * map.goal + opponent;
  let points;
  let steps;
  if (faces.length) {
    const table = tables.tables[tables.rolls[tables.class[cell]]];
    const place = rollPlace(faces, 10);
    [points, steps] = [table.points[place], table.steps[place]];
  } else {
    const table = tables.moves.find((move) => move.dice === number);
    [points, steps] = [table.points[cell], table.steps[cell]];
  }
  tables.after ??= new Map(tables.totals.map((entry) => [`${entry[0]}-${entry[1]}`, entry]));
  const [, , own, other, again, more] = tables.after.get(`${score + points}-${opponent}`) ?? [0, 0, score + points, opponent, 0, null];
  const told = [...tables.steps[steps], ...(more === null ? [] : tables.steps[more])];
  return { points, own, other, again: again === 1, steps: told.map(([rule, text]) => ({ rule, text })) };
}

function strategy(known, name) {
  if (name === 'final_strategy' || name === 'optimal') return (cell) => bestOf(known, cell)[0];
  const written = known.strategies.find(([known_]) => known_ === name);
  if (written) return (cell) => written[1][cell];
  const always = /^always_roll:(-?\d+)$/.exec(name);
  if (always && Number(always[1]) >= known.map.min_dice && Number(always[1]) <= known.map.max_dice) return () => Number(always[1]);
  throw new Refused({ message: `${name} cannot be played here: on a site of plain files play against final_strategy, baseline or always_roll:N.` });
}

function graded(known, all, cell, number) {
  const worth = choices(known, all, cell);
  const top = bestOf(known, cell);
  if (top.includes(number)) return { grade: 'best', loss: 0, remark: null };
  const loss = Math.max(0, known.map.win_rate[cell] - worth.find((choice) => choice.dice === number).win_rate);
  const grade = known.grades.find(([, most]) => loss < most)?.[0] ?? 'blunder';
  return { grade, loss, remark: `${number} gave away ${(loss * 100).toFixed(1)} points of win rate; best: ${top.join(' or ')} (${grade})` };
}

/** The most turns of a game that is told at once. */
const MOST_TURNS = 2000;

function play(known, all, { players, seed, rolls, score, opponent }) {
  if (!known.play) throw new Refused({ message: 'This game can be explored here; to play it, a solver is needed: start `hog serve`.' });
  const { goal, min_dice: least, max_dice: most } = known.map;
  const people = players.map((name) => name === 'person');
  const plans = players.map((name) => (name === 'person' ? null : strategy(known, name)));
  const throwDice = seeded(seed);
  const game = { rules: known.show.id, goal, seed, names: players.map((name, i) => (people[i] ? `Player ${i}` : name)), people, turns: [], scores: [score, opponent], choices: [least, most], memory: {}, hints: [], result: null, summaries: null };
  const left = [...rolls];
  let mover = 0;
  while (Math.max(...game.scores) < goal && game.turns.length < MOST_TURNS) {
    const from = mover === 0 ? [...game.scores] : [...game.scores].reverse();
    const cell = from[0] * goal + from[1];
    if (people[mover] && !left.length) break;
    const number = people[mover] ? left.shift() : plans[mover](cell);
    if (number < least || number > most) throw new Refused({ message: `${number} dice: the game allows ${least} to ${most}` });
    const faces = throwDice(number);
    const { points, own, other, again, steps } = turn(known, from, number, faces);
    game.scores = mover === 0 ? [own, other] : [other, own];
    game.turns.push({ player: mover, name: game.names[mover], dice: number, faces, points, scores: game.scores, again, steps, from, memory: {}, said: [], ...graded(known, all, cell, number) });
    if (!again) mover = 1 - mover;
  }
  const over = Math.max(...game.scores) >= goal;
  game.mover = over ? null : mover;
  if (over) game.result = game.scores[0] === game.scores[1] ? 'tied' : { won: game.scores[0] > game.scores[1] ? 0 : 1 };
  else {
    const cell = game.scores[mover] * goal + game.scores[1 - mover];
    game.hints = choices(known, all, cell).map((choice) => ({ ...choice, best: bestOf(known, cell).includes(choice.dice) }));
  }
  if (game.turns.length) game.summaries = [0, 1].map((player) => summary(known, game, player));
  return game;
}

function summary(known, game, player) {
  const grades = [0, 0, 0, 0, 0];
  let lost = 0;
  let worst = null;
  game.turns.forEach((taken, place) => {
    if (taken.player !== player) return;
    grades[['best', 'good', 'slip', 'mistake', 'blunder'].indexOf(taken.grade)] += 1;
    lost += taken.loss;
    const cell = taken.from[0] * known.map.goal + taken.from[1];
    if (taken.loss > (worst?.[2].loss ?? 0)) worst = [place + 1, taken.from, { dice: taken.dice, loss: taken.loss, best: bestOf(known, cell), grade: taken.grade }];
  });
  const moves = grades.reduce((a, b) => a + b, 0);
  return { moves, mean_loss: moves ? lost / moves : 0, grades, worst };
}
