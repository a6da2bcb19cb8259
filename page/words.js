// Numbers, rolls, mistakes and the semesters of courses as texts.

/** Formats a win rate: 0.39657 is "39.66 %". */
export const percent = (rate, digits = 2) => `${(rate * 100).toFixed(digits)} %`;

/** Formats an error bound with two digits, rounded up as by the command. */
export function bound(error) {
  const [digits, exponent] = error.toExponential().split('e');
  return `${(Math.ceil(Number(digits) * 10) / 10).toFixed(1)}e${exponent}`;
}

/** Where numbers are from, with the bound on their error. */
export const within = ({ numbers, source, error_bound: error }) =>
  source === 'solved' ? numbers : `${numbers}, each within ${bound(error)} as a double`;

/** How often something happens in a game: "3.2 times a game", "once in 350 games". */
export function howOften(mean) {
  if (mean === 0) return 'never';
  const games = 1 / mean;
  if (games < 1.5) return `${mean.toPrecision(2)} times a game`;
  const shown = games < 100 ? games : Number(games.toPrecision(2));
  return `once in ${Math.round(shown).toLocaleString('en')} games`;
}

/** A win rate in percent with one digit and without the sign, for small cells. */
export const bare = (rate) => (rate * 100).toFixed(1);

/** Formats a difference of win rates in percentage points, with a sign: -0.0123 is "−1.23". */
export function signed(difference, digits = 2) {
  const text = Math.abs(difference * 100).toFixed(digits);
  if (Number(text) === 0) return (0).toFixed(digits);
  return `${difference < 0 ? '−' : '+'}${text}`;
}

/** As `signed`, without the sign and with the unit; "points" alone are those of the game. */
export function percentagePoints(difference, digits = 2) {
  const text = Math.abs(difference * 100).toFixed(digits);
  const isLess = Number(text) === 0 && difference !== 0;
  return `${isLess ? `less than ${10 ** -digits}` : text} percentage points`;
}

/** "1 die", "4 dice", or "move -1" for negative moves, which roll nothing. */
export const dice = (number) =>
  number === 1 ? '1 die' : number < 0 ? `move ${number}` : `${number} dice`;

/** What a button for a number of dice says: in a game with a pot, no dice hold. */
export const choice = (number, pot) => (pot && number === 0 ? 'Hold' : `${number}`);

/** "Roll 5 or 6", "Hold", "Hold or roll 1". */
export function advice(list, pot) {
  const rolls = list.filter((number) => !(pot && number === 0));
  if (rolls.length === list.length) return `Roll ${oneOf(list)}`;
  return rolls.length ? `Hold or roll ${oneOf(rolls)}` : 'Hold';
}

/** "5", "5 or 6", "5, 6 or 7". */
export function oneOf(list) {
  return list.length < 2
    ? `${list[0]}`
    : `${list.slice(0, -1).join(', ')} or ${list[list.length - 1]}`;
}

const LOADING = {
  'loading Python': 'Loading Python, once',
  'starting Python': 'Starting Python',
  tabulating: 'Tabulating the rules',
};

/** How far the engine is: "Tabulating the rules: 40 %", or what it does usually. */
export function working({ what, done, of }, usual) {
  const part = of > 1 ? `: ${Math.min(100, Math.round((100 * done) / of))} %` : '…';
  return `${LOADING[what] ?? usual}${part}`;
}

const MEASURED = 20_000;

/** How long parts of some work will take, from how fast they have gone lately. */
export class Progress {
  /** "about 3 min left"; empty if that is not known. */
  left(what, done, of) {
    const now = performance.now();
    if (this.what !== what) this.seen = [];
    this.what = what;
    this.seen.push([now, done]);
    while (this.seen.length > 2 && now - this.seen[1][0] > MEASURED) this.seen.shift();
    const [[since, before]] = this.seen;
    if (done - before < 2 || now - since < 2000 || done >= of) return '';
    const seconds = ((now - since) * (of - done)) / (done - before) / 1000;
    if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s left`;
    return `about ${Math.ceil(seconds / 60)} min left`;
  }
}

/** A remark of the engine on a choice, with the unit of what was given away. */
export const remarked = (remark) =>
  remark.replace(
    /(gave away (?:less than )?[\d.]+)(?: points( of win rate)?)?/g,
    '$1 percentage points$2',
  );

/** Scores in the engine's words, "at 97-99": "97 to 99", as on the page, as "97-99" is a range. */
export const scored = (words) => words.replace(/\bat (\d+)-(\d+)(?![-\d])/g, 'at $1 to $2');

export const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

/** What a game is played in: where a turn may be several rolls, each is a choice. */
export const unitOf = ({ pot, hand }) => (pot || hand ? 'choice' : 'turn');

/** A text as the beginning of a sentence; names stay. */
export const begun = (text) => text.replace(/^[ty](?=he |our )/, (letter) => letter.toUpperCase());

/** Lists names; between names with commas, as in "Brown, Milo", are semicolons. */
export const listed = (names) => names.join(names.some((name) => name.includes(',')) ? '; ' : ', ');

/**
 * As `scored`, of the words about a turn of a player, "20-30 is swapped to 30-20", whose score
 * comes first there; here that of player 0 does.
 */
export const scoredTurn = (words, player) =>
  words.replace(/\b(\d+)-(\d+)\b/g, player === 0 ? '$1 to $2' : '$2 to $1');

export const STARTS = ['first_start', 'second_start'];

/** The scores with which a game starts, of who moves first and of the other. */
export const startOf = ({ numbers = [] }) =>
  STARTS.map((name) => numbers.find((one) => one.name === name)?.value ?? 0);

export const anyOf = (list) => (list.length === 1 ? dice(list[0]) : `${oneOf(list)} dice`);

/**
 * Two rolls whose win rates differ by less than this are a near-tie: ten thousand games would not
 * reveal the difference.
 */
export const NEAR = 0.0005;

export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** Returns the name of a memory for people: last_dice is "last dice". */
export const memoryName = (name) => name.replace(/^opponent_/, 'opponent’s ').replaceAll('_', ' ');

/** "last dice 4, opponent’s last dice 0"; empty for a game without memories. */
export const memoryText = (memory, called = memoryName) =>
  Object.entries(memory)
    .map(([name, value]) => `${called(name)} ${value}`)
    .join(', ');

export const MISTAKES = {
  too_many_dice: 'Too many dice',
  too_few_dice: 'Too few dice',
  misses_zero_dice: 'Misses zero dice',
  stops_too_early: 'Stops too early',
  stops_too_late: 'Stops too late',
  risks_the_end: 'Risks the end',
  never_ends: 'Never ends',
  keeps_others: 'Keeps other dice',
};

export const MISTAKE_TEXT = {
  too_many_dice: 'It rolls more dice than any best number.',
  too_few_dice: 'It rolls fewer dice than any best number, or a number between two best ones.',
  misses_zero_dice: 'It rolls dice although zero dice are best.',
  stops_too_early: 'It scores the pot although another roll is best.',
  stops_too_late: 'It rolls again although scoring the pot is best.',
  risks_the_end:
    'It rolls more dice than are best, although the best roll wins in this turn more often than ' +
    'not.',
  never_ends: 'The game never ends, although another roll has a higher win rate.',
  keeps_others: 'It keeps other dice of a roll than the best ones.',
};

const SEASONS = { sp: 'Spring', nju: 'Nanjing', su: 'Summer', fa: 'Fall' };

/** The semester of a game's name as a number to sort by, and in words; null if it has none. */
export function semester(name) {
  const [, place, year, contest] = /^(sp|su|fa|nju)(\d\d)(c?)/.exec(name) ?? [];
  if (!place) return null;
  const words = `${SEASONS[place]} 20${year}${contest && ', contest'}`;
  return { name, words, at: Number(year) * 4 + Object.keys(SEASONS).indexOf(place) };
}

/** The title of a game, with the semester that was asked for if others had the same rules. */
export function titleOf({ title, aliases = [] }, asked) {
  const found = aliases.includes(asked) && semester(asked);
  return found ? title.replace(/,.*/, `, ${found.words}`) : title;
}
