// Numbers and rolls in words.

/** A win rate: 0.39657 is "39.66 %". */
export const percent = (rate, digits = 2) => `${(rate * 100).toFixed(digits)} %`;

/** Points of win rate, with a sign: -0.0123 is "−1.23". */
export function points(difference, digits = 2) {
  const text = Math.abs(difference * 100).toFixed(digits);
  if (Number(text) === 0) return (0).toFixed(digits);
  return `${difference < 0 ? '−' : '+'}${text}`;
}

/** "1 die", "4 dice"; moves below 0 roll nothing. */
export const dice = (number) => (number === 1 ? '1 die' : number < 0 ? `move ${number}` : `${number} dice`);

/** "5", "5 or 6", "5, 6 or 7". */
export function oneOf(list) {
  return list.length < 2 ? `${list[0]}` : `${list.slice(0, -1).join(', ')} or ${list[list.length - 1]}`;
}

/** Of two rolls, less than this apart is a near-tie: nobody would notice in ten thousand games. */
export const NEAR = 0.0005;

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** How a memory is called for people: last_dice is "last dice". */
export const memoryName = (name) => name.replace(/^opponent_/, 'opponent’s ').replaceAll('_', ' ');

export const MISTAKES = {
  too_many_dice: 'Too many dice',
  too_few_dice: 'Too few dice',
  misses_zero_dice: 'Misses zero dice',
  risks_the_end: 'Risks the end',
  never_ends: 'Never ends',
};

export const MISTAKE_TEXT = {
  too_many_dice: 'It rolls more dice than any best number.',
  too_few_dice: 'It rolls fewer dice than the best.',
  misses_zero_dice: 'Rolling none would be best, and it rolls.',
  risks_the_end: 'Fewer dice win in this turn more often than not.',
  never_ends: 'The game goes round for ever although more could be had.',
};
