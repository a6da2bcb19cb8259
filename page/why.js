// Why one roll is better than another: the parts of the difference, and what follows each roll.

import { drawingWidth, h, row, svg, table } from './dom.js';
import { css, rateColour, scale } from './map.js';
import { full, savesFigure, savesTable } from './taken.js';
import { choice, count, dice, percent, percentagePoints, signed } from './words.js';

const KINDS = {
  changed: 'the scores change',
  again: 'you move again',
  won: 'you win',
  tied: 'the game ends in a tie',
  lost: 'you lose',
};

const SHORT = { changed: 'rule', again: 'again', won: 'win', tied: 'tie', lost: 'lose' };

/** "Hold" or "4 dice". */
export const rolled = (number, pot) => (pot && number === 0 ? 'Hold' : dice(number));

export function reasons(why, pot) {
  const [one, other] = why.dice;
  const total = why.win_rate[0] - why.win_rate[1];
  const heavy = why.parts.filter((part) => Math.abs(part.share) >= 0.00005);
  const shown = heavy.slice(0, MOST_PARTS);
  const both = `${rolled(one, pot)} and ${rolled(other, pot)}`;
  if (!shown.length) return h('p', {}, `${both} win equally often: ${percent(why.win_rate[0])}.`);
  const others = why.parts.length - shown.length;
  const rest = total - shown.reduce((sum, part) => sum + part.share, 0);
  const line = (what, chances, share) =>
    row(what, [
      ...[0, 1].map((side) => chances && full(chances[side], seldom(chances[side]))),
      h('td', { class: share < 0 ? 'loss' : 'gain' }, full(share, signed(share))),
    ]);
  const heads = ['What happens', `with ${choice(one, pot)}`, `with ${choice(other, pot)}`, 'adds'];
  const wins = one === 1 || (pot && one === 0) ? 'wins' : 'win';
  return [
    h(
      'p',
      {},
      `${rolled(one, pot)} ${wins} more often, by ${percentagePoints(total)}: `,
      h('strong', {}, `${why.reason}.`),
    ),
    h(
      'p',
      { class: 'note' },
      `What it adds: its chance, times how much more it then wins than ${choice(other, pot)} `,
      `does on the whole; the amount with ${choice(one, pot)}, minus the amount with `,
      `${choice(other, pot)}.`,
    ),
    table(heads, [
      shown.map((part) => line(happens(part), part.chance, part.share)),
      others > 0 && line(count(others, 'other outcome'), null, rest),
      line('together', null, total),
    ]),
    savesTable(
      `why-${why.score}-${why.opponent}`,
      why.parts.map(({ chance: [first, second], ...part }) => ({
        ...part,
        [`chance_with_${one}`]: first,
        [`chance_with_${other}`]: second,
      })),
      why,
    ),
  ];
}

const MOST_PARTS = 6;

/** A chance with one digit; one that would be 0.0 % is less than the least. */
const seldom = (chance) => (chance > 0 && chance < 0.0005 ? '< 0.05 %' : percent(chance, 1));

/** What happens in a part: "10 to 18 points", "you win", "the scores change (Swine Swap)". */
function happens({ kind, least, most, rules = [] }) {
  const acting = rules.length ? ` (${rules.join(', ')})` : '';
  if (kind !== 'points') return KINDS[kind] + acting;
  return (least === most ? count(least, 'point') : `${least} to ${most} points`) + acting;
}

/** An end of the scale of win rates, beyond which colours are the same. */
const end = (rate, way) =>
  rate > 0 && rate < 1 ? `${percent(rate, 0)} or ${way}` : percent(rate > 0 ? 1 : 0, 0);

/** The bars of the first roll stand on those of the second, which hang down. */
const HEIGHT = 240;
const BOX = { left: 44, right: 6, top: 10, bottom: 36 };

/** How strongly what follows differs in colour from what the second roll wins on the whole. */
const CONTRAST = 2.2;

/**
 * Shows the outcomes of both rolls as bars: by the points of the turn, and beside them all others.
 */
export function follows(why, pot) {
  const names = why.dice.map((number) => rolled(number, pot));
  const plain = why.outcomes.filter((outcome) => outcome.kind === 'points');
  const other = why.outcomes.filter((outcome) => outcome.kind !== 'points');
  const gained = (outcome) => outcome.score - why.score;
  const most = Math.max(...plain.map(gained), 0);
  // The outcomes that are not a number of points have columns of their own, two steps wide.
  const kinds = Object.keys(SHORT).filter((kind) => other.some((one) => one.kind === kind));
  const isPlain = plain.length > 0;
  const steps = (isPlain ? most + 1 : 0) + kinds.length * 3;
  const tall = (HEIGHT - BOX.top - BOX.bottom) / 2;
  const middle = BOX.top + tall;
  const width = drawingWidth();
  const step = Math.min((width - BOX.left - BOX.right) / Math.max(steps, 1), 40);
  const chanceOf = (kind, side) =>
    other.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.chance[side], 0);
  const meanAfter = (kind, side) => {
    const own = other.filter((one) => one.kind === kind && one.chance[side] > 0);
    const sum = own.reduce((all, one) => all + one.chance[side] * one.win_rate[side], 0);
    return own.length ? sum / chanceOf(kind, side) : null;
  };
  const shade = (rate) => css(rateColour(0.5 + (rate - why.win_rate[1]) * CONTRAST));
  const columns = [
    ...plain.map((outcome) => ({
      at: gained(outcome),
      wide: 1,
      chance: outcome.chance,
      what: happens({ ...outcome, least: gained(outcome), most: gained(outcome) }),
      then: outcome.win_rate,
    })),
    ...kinds.map((kind, place) => ({
      at: (isPlain ? most + 1 : 0) + place * 3 + 0.5,
      wide: 2,
      chance: [0, 1].map((side) => chanceOf(kind, side)),
      what: KINDS[kind],
      label: SHORT[kind],
      then: [0, 1].map((side) => meanAfter(kind, side)),
    })),
  ];
  const top = Math.max(...columns.flatMap(({ chance }) => chance), 1e-9);
  // Heights are square roots: beside the tall bar of rolls with a 1, the others would be too low
  // to see.
  const high = (chance) => Math.sqrt(chance / top) * tall;
  const x = (place) => BOX.left + place * step;
  const bar = ({ at, wide, chance, what, then }) =>
    [0, 1]
      .filter((side) => chance[side] > 0)
      .map((side) => {
        const rate = then?.[side];
        const after = rate === undefined || rate === null ? '' : `; then you win ${percent(rate)}`;
        return svg(
          'rect',
          {
            x: x(at) + 0.5,
            width: Math.max(step * wide - 1, 1),
            y: side ? middle + 1 : middle - high(chance[side]) - 1,
            height: high(chance[side]),
            style: { fill: shade(rate ?? why.win_rate[side]) },
          },
          svg('title', {}, `${what} with ${names[side]}: ${percent(chance[side])}${after}`),
        );
      });
  const below = (place, text) =>
    svg('text', { x: place, y: HEIGHT - 21, 'text-anchor': 'middle' }, text);
  const every = most > 30 ? 10 : most > 12 ? 5 : most > 5 ? 2 : 1;
  const numbers = Array.from({ length: isPlain ? most + 1 : 0 }, (_, points) => points);
  const ticks = numbers
    .filter((points) => points % every === 0)
    .map((points) => below(x(points + 0.5), points));
  const levels = [0.01, 0.05, 0.1, 0.25, 0.5, 1]
    .filter((chance) => chance <= top * 1.001)
    .filter((chance) => high(chance) > 12)
    .filter((chance, place, all) => !place || high(chance) - high(all[place - 1]) > 12);
  const level = (chance) =>
    [...new Set([middle - high(chance), middle + high(chance)])].map((y) => [
      svg('line', { class: 'grid', x1: BOX.left, x2: width - BOX.right, y1: y, y2: y }),
      svg('text', { x: BOX.left - 5, y: y + 4, 'text-anchor': 'end' }, percent(chance, 0)),
    ]);
  const line = (outcome) => {
    const where = outcome.score === null ? '' : ` (${outcome.score} to ${outcome.opponent})`;
    const [one, two] = outcome.chance.map((chance) => percent(chance));
    const rate = percent(outcome.win_rate[0] ?? outcome.win_rate[1]);
    const [first, second] = why.dice.map((number) => choice(number, pot));
    return h(
      'li',
      {},
      `${happens(outcome)}${where}: ${one} with ${first}, ${two} with ${second}; `,
      `then you win ${rate}`,
    );
  };
  return [
    h('h3', {}, 'What follows'),
    h(
      'figure',
      {},
      svg(
        'svg',
        {
          class: 'follows',
          viewBox: `0 0 ${width} ${HEIGHT}`,
          role: 'img',
          'aria-label':
            `How likely each outcome is at ${why.score} to ${why.opponent}, ` +
            `with ${names[0]} (above) and ${names[1]} (below)`,
        },
        [0, ...levels].map(level),
        columns.map(bar),
        ticks,
        columns
          .filter(({ label }) => label)
          .map(({ at, wide, label }) => below(x(at + wide / 2), label)),
        isPlain &&
          svg(
            'text',
            { x: x((most + 1) / 2), y: HEIGHT - 6, 'text-anchor': 'middle' },
            'points of this turn',
          ),
      ),
      h(
        'figcaption',
        {},
        `${names[0]} above, ${names[1]} below: the chance of each outcome; small chances are `,
        'drawn taller. The colour is how often you win after it:',
        scale(rateColour, [
          end(why.win_rate[1] - 0.5 / CONTRAST, 'less'),
          'how often you win then',
          end(why.win_rate[1] + 0.5 / CONTRAST, 'more'),
        ]),
      ),
      savesFigure(`outcomes-${why.score}-${why.opponent}`, () => [
        [
          ...['score', 'opponent', ...Object.keys(why.memory), 'outcome'],
          ...why.dice.flatMap((one) => [`chance_with_${one}`, `then_win_rate_with_${one}`]),
          'error_bound',
        ],
        ...columns.map(({ what, chance, then }) => [
          ...[why.score, why.opponent, ...Object.values(why.memory), what],
          ...[0, 1].flatMap((side) => [chance[side], then[side] ?? '']),
          why.error_bound,
        ]),
      ]),
    ),
    other.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, 'Other outcomes'),
        h(
          'ul',
          { class: 'plain' },
          other
            .sort((a, b) => b.chance[0] - a.chance[0])
            .slice(0, 12)
            .map(line),
        ),
      ),
  ];
}
