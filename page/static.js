// A static site: answers from tables that the engine computed in advance. This file contains no rules of any game: points,
// totals, steps and win rates all come from the tables.

import { Refused } from './api.js';

const kept = new Map();

async function load(path, read) {
  if (!kept.has(path)) {
    // A long game may need the files of many memories: the oldest is dropped, and loaded again if needed.
    if (kept.size > 80) kept.delete([...kept.keys()].find((known) => known.endsWith('.bin')));
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

async function unpacked(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Some servers declare gzip as the content encoding, so that the browser has already decompressed the file.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Loads the columns of one combination of memories: the data of every pair of scores. */
const columns = (known, place) => load(`${known.show.id}.${place}.bin`, async (response) => {
  const bytes = await unpacked(response);
  const { goal, min_dice: least, max_dice: most } = known.show;
  const low = bytes.length / 2;
  let at = 0;
  const next = () => 256 * bytes[at] + bytes[low + at++];
  const column = () => Uint16Array.from({ length: goal ** 2 }, next);
  const winRates = column();
  const own = { win_rate: Float64Array.from(winRates, parts), best: column() };
  if (known.baseline) own.baseline = column();
  if (known.play) {
    own.classes = column();
    own.moves = known.play.moves.map(() => ({ points: column(), steps: column(), after: column() }));
  }
  // The win rate of each number of dice is stored as the difference from the previous one, modulo 2^16.
  let last = winRates;
  const rates = Array.from({ length: most - least + 1 }, () => (last = last.map((before) => before + next())));
  own.rate = (cell, action) => parts(rates[action][cell]);
  return own;
});

const parts = (number) => number / 10_000;

/** Returns the values of memories; those that are not given have their value at the start. */
function values({ names, starts }, memory, before = '') {
  return names.map((name, i) => memory[before + name] ?? starts[i]);
}

/** Returns the class of a combination of values. */
const classOf = ({ sizes, classes }, own) => classes[own.reduce((index, value, i) => index * sizes[i] + value, 0)];

/** Returns the memories of a position: `[the mover's, the opponent's, the shared ones]`. */
const remembered = ({ mine, shared }, memory = {}) => [values(mine, memory), values(mine, memory, 'opponent_'), values(shared, memory)];

/** Loads the columns for a position's memories. */
function columnsAt(known, [own, theirs, both]) {
  const { mine, shared } = known;
  for (const [{ names, sizes }, some] of [[mine, own], [mine, theirs], [shared, both]]) {
    some.forEach((value, i) => {
      if (value >= sizes[i]) throw new Refused({ message: `${names[i]} is ${value}; choose 0 to ${sizes[i] - 1}` });
    });
  }
  return columns(known, (classOf(shared, both) * mine.count + classOf(mine, theirs)) * mine.count + classOf(mine, own));
}

/** Returns the memories by name, as the mover sees them. */
function named({ mine, shared }, [own, theirs, both]) {
  const entries = (names, of, before = '') => names.map((name, i) => [before + name, of[i]]);
  return Object.fromEntries([...entries(mine.names, own), ...entries(mine.names, theirs, 'opponent_'), ...entries(shared.names, both)]);
}

const NEEDS_SOLVER = 'This needs a solver: install hog and start `hog serve`.';

/** Answers a request like the server. */
export async function answer(name, request) {
  if (name === 'rules/list') return json('games.json');
  const known = await json(`${request.rules}.json`);
  if (request.goal !== undefined || request.max_dice !== undefined || request.against) throw new Refused({ message: NEEDS_SOLVER });
  switch (name) {
    case 'rules/show': return known.show;
    case 'map': return map(known, request);
    case 'best': return best(known, request);
    case 'play': return play(known, request);
    default: throw new Refused({ message: NEEDS_SOLVER });
  }
}

const actionsOf = ({ show }) => Array.from({ length: show.max_dice - show.min_dice + 1 }, (_, action) => action);

const choices = (known, own, cell) => actionsOf(known).map((action) => ({ dice: known.show.min_dice + action, win_rate: own.rate(cell, action) }));

const bestOf = (known, own, cell) => known.sets[own.best[cell]];

async function map(known, { memory, layers = [], strategy: name }) {
  const { show, sets } = known;
  const at = remembered(known, memory);
  const own = await columnsAt(known, at);
  const cells = own.best.length;
  const worst = (cell) => Math.min(...actionsOf(known).map((action) => own.rate(cell, action)));
  const rolls = name && strategy(known, name);
  return {
    rules: show.id, goal: show.goal, min_dice: show.min_dice, max_dice: show.max_dice, memory: named(known, at), against: null,
    sets, best: own.best, win_rate: own.win_rate, numbers: known.numbers, met: null, hold: null,
    spread: layers.includes('spread') ? Array.from({ length: cells }, (_, cell) => Math.max(0, own.win_rate[cell] - worst(cell))) : null,
    strategy: rolls ? { name, dice: Array.from({ length: cells }, (_, cell) => rolls(own, cell)) } : null,
  };
}

async function best(known, { score, opponent, memory }) {
  const at = remembered(known, memory);
  const own = await columnsAt(known, at);
  const cell = score * known.show.goal + opponent;
  return { rules: known.show.id, score, opponent, memory: named(known, at), against: null, win_rate: own.win_rate[cell], best: bestOf(known, own, cell), choices: choices(known, own, cell) };
}

/** Random 32-bit numbers from a seed: the generator mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Rolls dice whose faces 1, 2, ... have these weights, without bias: random numbers past the last multiple of the total
 * weight are drawn again. */
function throwDice(next, number, weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  const most = Math.floor(2 ** 32 / total) * total;
  const die = () => {
    for (;;) {
      const drawn = next();
      if (drawn >= most) continue;
      let left = drawn % total;
      return 1 + weights.findIndex((weight) => (left -= weight) < 0);
    }
  };
  return Array.from({ length: number }, die);
}

let rollPlaces = null;

/** Returns the index of a roll among all rolls of 1, 2, ... dice, with faces ascending and in lexicographic order. */
function rollPlace(faces) {
  if (!rollPlaces) {
    rollPlaces = new Map();
    let last = [[]];
    for (let number = 1; number <= 10; number += 1) {
      last = last.flatMap((roll) => [1, 2, 3, 4, 5, 6].filter((face) => face >= (roll[roll.length - 1] ?? 1)).map((face) => [...roll, face]));
      for (const roll of last) rollPlaces.set(roll.join(''), rollPlaces.size);
    }
  }
  return rollPlaces.get([...faces].sort().join(''));
}

/** Takes a turn by the tables; `at` is `[the mover's memories, the opponent's, the shared ones]`. */
function turn(known, own, { scores: [score, opponent], at, number, next }) {
  const { play: tables, show, mine } = known;
  const cell = score * show.goal + opponent;
  const [kind, table] = tables.classes[own.classes[cell]];
  const { rolled, weights } = tables.kinds[kind];
  const faces = throwDice(next, rolled[number - show.min_dice], weights);
  const move = own.moves[tables.moves.indexOf(Math.min(number, 0))];
  const place = faces.length ? rollPlace(faces) : cell;
  const scored = faces.length ? tables.tables[table] : move;
  const points = scored.points[place];
  const kept = tables.after[scored.after[place]];
  tables.known ??= new Map(tables.totals.map((entry) => [`${entry[0]}-${entry[1]}`, entry]));
  const [, , after, other, once, more] = tables.known.get(`${score + points}-${opponent}`) ?? [0, 0, score + points, opponent, 0, null];
  const again = once === 1 || (faces.length > 0 && scored.again.includes(place));
  const steps = [...tables.steps[scored.steps[place]], ...(more === null ? [] : tables.steps[more])];
  return { faces, points, after, other, again, at: [kept.slice(0, mine.names.length), at[1], kept.slice(mine.names.length)], steps };
}

/** Returns a strategy: a function from columns and a cell to a number of dice. */
function strategy(known, name) {
  const { min_dice: least, max_dice: most } = known.show;
  if (name === 'final_strategy' || name === 'optimal') return (own, cell) => bestOf(known, own, cell)[0];
  if (name === 'baseline' && known.baseline) return (own, cell) => least + own.baseline[cell];
  const always = Number(/^always_roll:(-?\d+)$/.exec(name)?.[1] ?? NaN);
  if (always >= least && always <= most) return () => always;
  throw new Refused({ message: `${name} is not known here: a static site has final_strategy, baseline and always_roll:N.` });
}

function graded(known, own, cell, number) {
  const top = bestOf(known, own, cell);
  if (top.includes(number)) return { grade: 'best', loss: 0, remark: null, best: top };
  const loss = Math.max(0, own.win_rate[cell] - own.rate(cell, number - known.show.min_dice));
  const grade = known.grades.find(([, most]) => loss < most)?.[0] ?? 'blunder';
  return { grade, loss, best: top, remark: `${number} gave away ${(loss * 100).toFixed(1)} points of win rate; best: ${top.join(' or ')} (${grade})` };
}

/** Returns the commentary of the handouts, called after each turn: changes of the lead and record gains. */
function commentary(start) {
  const ahead = ([one, other]) => (one === other ? null : Number(other > one));
  const most = [0, 0];
  let [before, leader] = [start, ahead(start)];
  return (scores) => {
    const now = ahead(scores);
    const lead = now !== null && now !== leader ? [`Player ${now} takes the lead by ${Math.abs(scores[0] - scores[1])}`] : [];
    const gains = scores.map((score, who) => score - before[who]);
    const records = gains.map((gain, who) => gain > most[who] && `${gain} point(s)! That's a record gain for Player ${who}!`);
    gains.forEach((gain, who) => { most[who] = Math.max(most[who], gain); });
    [before, leader] = [scores, now];
    return [...lead, ...records.filter(Boolean)];
  };
}

/** The most turns of a game in one answer. */
const MOST_TURNS = 2000;

async function play(known, { players, seed, rolls, score, opponent, memory }) {
  if (!known.play) throw new Refused({ message: 'This game can be explored here; to play it, a solver is needed: start `hog serve`.' });
  const { goal, min_dice: least, max_dice: most } = known.show;
  const people = players.map((name) => name === 'person');
  const plans = players.map((name) => (name === 'person' ? null : strategy(known, name)));
  const next = generator(seed);
  const game = { rules: known.show.id, goal, seed, names: players.map((name, i) => (people[i] ? `Player ${i}` : name)), people, turns: [], scores: [score, opponent], choices: [least, most], memory: {}, hints: [], result: null, summaries: null };
  const comment = commentary(game.scores);
  const left = [...rolls];
  let mover = 0;
  let at = remembered(known, memory);
  while (Math.max(...game.scores) < goal && game.turns.length < MOST_TURNS) {
    const from = mover === 0 ? [...game.scores] : [...game.scores].reverse();
    const cell = from[0] * goal + from[1];
    const own = await columnsAt(known, at);
    if (people[mover] && !left.length) break;
    const number = people[mover] ? left.shift() : plans[mover](own, cell);
    if (number < least || number > most) throw new Refused({ message: `${number} dice: the game allows ${least} to ${most}` });
    const { faces, points, after, other, again, at: then, steps } = turn(known, own, { scores: from, at, number, next });
    game.scores = mover === 0 ? [after, other] : [other, after];
    const kept = Object.fromEntries(known.shared.names.map((name, i) => [name, then[2][i]]).filter(([, value], i) => value && value !== at[2][i]));
    const over = Math.max(...game.scores) >= goal;
    // Points that a memory keeps until the turn ends are not lost.
    const keeps = again && !over && points === 0 && Object.keys(kept).length > 0;
    const told = steps.filter(([, , loses]) => !(keeps && loses)).map(([rule, text]) => ({ rule, text }));
    game.turns.push({ player: mover, name: game.names[mover], dice: number, faces, points, scores: game.scores, again: again && !over, kept, steps: told, from, memory: named(known, at), said: comment(game.scores), ...graded(known, own, cell, number) });
    at = again ? then : [then[1], then[0], then[2]];
    if (!again) mover = 1 - mover;
  }
  const over = Math.max(...game.scores) >= goal;
  game.mover = over ? null : mover;
  if (over) game.result = game.scores[0] === game.scores[1] ? 'tied' : { won: game.scores[0] > game.scores[1] ? 0 : 1 };
  else {
    const own = await columnsAt(known, at);
    const cell = game.scores[mover] * goal + game.scores[1 - mover];
    game.memory = named(known, at);
    game.hints = choices(known, own, cell).map((choice) => ({ ...choice, best: bestOf(known, own, cell).includes(choice.dice) }));
  }
  if (game.turns.length) game.summaries = [0, 1].map((player) => summary(game, player));
  return game;
}

function summary(game, player) {
  const grades = [0, 0, 0, 0, 0];
  let lost = 0;
  let worst = null;
  game.turns.forEach((taken, place) => {
    if (taken.player !== player) return;
    grades[['best', 'good', 'slip', 'mistake', 'blunder'].indexOf(taken.grade)] += 1;
    lost += taken.loss;
    if (taken.loss > (worst?.[2].loss ?? 0)) worst = [place + 1, taken.from, { dice: taken.dice, loss: taken.loss, best: taken.best, grade: taken.grade }];
  });
  const moves = grades.reduce((a, b) => a + b, 0);
  return { moves, mean_loss: moves ? lost / moves : 0, grades, worst };
}
