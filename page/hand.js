// Drawings of dice, and a roll of which dice are kept: they are clicked, and what each choice is
// worth is told.

import { button, h, put, refresh, row, say, still, svg, table } from './dom.js';
import { full, savesTable } from './taken.js';
import { count, dice, memoryName, memoryText, percent, percentagePoints, signed } from './words.js';

/** Where the pips of each face are, in three columns of three places that are numbered from 1. */
const PIPS = [[], [5], [1, 9], [1, 5, 9], [1, 3, 7, 9], [1, 3, 5, 7, 9], [1, 2, 3, 7, 8, 9]];

const APART = 25;

const centre = (place) => ({
  cx: 50 + (Math.ceil(place / 3) - 2) * APART,
  cy: 50 + (((place - 1) % 3) - 1) * APART,
});

/** Draws one die; faces above 6 are drawn as numbers. */
export function die(face, rolling = false) {
  const drawn =
    PIPS[face]?.map((place) => svg('circle', { ...centre(place), r: 9.5, fill: 'currentColor' })) ??
    svg('text', { x: 50, y: 66, 'text-anchor': 'middle' }, face);
  return svg(
    'svg',
    {
      class: `die${rolling ? ' rolling' : ''}`,
      viewBox: '0 0 100 100',
      role: 'img',
      'aria-label': rolling ? 'rolling' : `${face}`,
    },
    drawn,
  );
}

export const wait = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

/** Shows faces in a tray; `kept` has a 0 for each die that is not kept, if some are. */
export function lay(tray, faces, kept = []) {
  const one = (face, at) => {
    const drawn = die(face);
    drawn.classList.toggle('kept', Boolean(kept[at]));
    // Where dice are kept, a 1 may be the best one.
    drawn.classList.toggle('one', face === 1 && !kept.length);
    return drawn;
  };
  put(tray, faces.length ? faces.map(one) : h('span', { class: 'note' }, 'No dice are rolled.'));
}

/** Animates dice in a tray, then shows their faces. */
export async function roll(tray, faces) {
  if (faces.length && !still()) {
    for (let tick = 0; tick < 4; tick += 1) {
      put(
        tray,
        faces.map(() => die(1 + Math.floor(Math.random() * 6), true)),
      );
      await wait(95);
    }
  }
  lay(tray, faces);
}

/** Faces as characters in a line of text. */
export const small = (faces) =>
  faces.map((face) => (face <= 6 ? String.fromCodePoint(0x267f + face) : `[${face}]`)).join('');

const MOST = 12;

const listed = (faces) => (faces.length ? faces.join(' ') : 'nothing');

/** "keep 1 5", "bank", or "4 dice" of which none could be kept. */
export function moved({ dice, faces = null, keep = [] }) {
  const kept = keep.filter(Boolean);
  if (kept.length || !faces) return `keep ${listed(kept)}`;
  // Who has nothing to keep may have asked for no dice, where a roll is forced.
  if (faces.length) return `bust with ${count(faces.length, 'die', 'dice')}`;
  return dice === 0 ? 'bank' : 'no dice';
}

/** "keep 1 5", "hold", "4 dice". */
export function did(turn, { hand, pot }) {
  if (hand) return moved(turn);
  return pot && turn.dice === 0 ? 'hold' : dice(turn.dice);
}

/** The names of a game's memories for people. */
export function memoryLabel(name, { pot, hand }) {
  if (name === pot) return 'Points at risk';
  const kind = hand.find((one) => one.name === name);
  if (!kind) return name.replaceAll('_', ' ');
  return hand.length === 1 ? 'Dice to roll' : `${name} to roll`;
}

/** "points at risk 100, dice to roll 5": the values of memories in the words of the page. */
export const memoryWords = (memory, shown) =>
  memoryText(memory, shown.hand ? (name) => memoryLabel(name, shown).toLowerCase() : memoryName);

export class Hand {
  /** @type {number[]} */
  roll;

  /** @type {Record<string, number>} */
  memory;

  /** @type {import('answers').Answers['best']['keeps']} */
  keeps;

  /** @type {number[]} */
  marked;

  /** @type {boolean} */
  tells;

  /**
   * `kinds` are the kinds of dice of a game; `onKeep` hears the choice, as the roll with a 0 for
   * each die that is not kept.
   */
  constructor(kinds, onKeep) {
    this.kinds = kinds;
    this.onKeep = onKeep;
    this.tray = h('div', { class: 'dice', role: 'group', 'aria-label': 'Dice to keep' });
    this.button = h('button', { type: 'button', class: 'primary', onclick: () => this.keep() });
    this.rate = h('p', { class: 'note' });
    this.element = h('div', { class: 'keeping' }, this.tray, this.button, this.rate);
  }

  /**
   * Shows a roll and its choices, an answer of `best`; those of the choice `marked` are kept at
   * first. `tells` is whether win rates are told.
   * @param {import('answers').Answers['best']} best
   */
  show({ roll, memory, keeps = [] }, { marked = roll.map(() => 0), tells = false } = {}) {
    Object.assign(this, { roll, memory, keeps, tells, marked: [...marked] });
    this.draw();
  }

  /** Which dice a choice keeps: those of a kind that show the same face are alike. */
  keyOf(marked) {
    let end = 0;
    const ofKind = ({ name }) => {
      const begin = end;
      end += this.memory[name];
      return marked.slice(begin, end).filter(Boolean).sort();
    };
    return JSON.stringify(this.kinds.map(ofKind));
  }

  /** The choice of the dice that are marked; undefined if they may not be kept. */
  get choice() {
    const key = this.keyOf(this.marked);
    return this.keeps.find(({ marked }) => this.keyOf(marked) === key);
  }

  toggle(at) {
    this.marked[at] = this.marked[at] ? 0 : this.roll[at];
    this.draw();
    say(this.button.textContent);
  }

  /** Keeps one more die that shows this face; if all are kept, none of them. */
  press(face) {
    const next = this.roll.findIndex((one, at) => one === face && !this.marked[at]);
    if (next >= 0) this.marked[next] = face;
    else this.marked = this.marked.map((one) => (one === face ? 0 : one));
    this.draw();
    say(this.button.textContent);
  }

  focus() {
    /** @type {HTMLElement} */ (this.tray.firstElementChild)?.focus();
  }

  /** The best choice, in words. */
  get hinted() {
    const [best] = this.keeps;
    return best ? `Best: keep ${listed(best.keep)}, ${percent(best.win_rate, 1)}.` : '';
  }

  keep() {
    if (this.choice) this.onKeep(this.choice);
  }

  draw() {
    const { choice } = this;
    const one = (face, at) => {
      const drawn = die(face);
      drawn.classList.toggle('kept', Boolean(this.marked[at]));
      return button(drawn, () => this.toggle(at), {
        'data-key': at,
        'aria-pressed': `${Boolean(this.marked[at])}`,
        'aria-label': `Die ${at + 1} of ${this.roll.length}: keep the ${face}`,
      });
    };
    refresh(this.tray, this.roll.map(one));
    const isEmpty = !this.marked.some(Boolean);
    const words = choice
      ? `Keep ${listed(choice.keep)}: ${count(choice.points, 'point')}`
      : isEmpty
        ? 'Choose the dice to keep'
        : `${listed(this.marked.filter(Boolean))}: no score yet`;
    put(this.button, words);
    if (choice) this.button.removeAttribute('aria-disabled');
    else this.button.setAttribute('aria-disabled', 'true');
    const lost = choice ? this.keeps[0].win_rate - choice.win_rate : 0;
    const cost = `${percentagePoints(lost)} less than the best choice`;
    put(this.rate, this.tells && lost > 0 && `You win ${percent(choice.win_rate)}, ${cost}.`);
  }
}

/** A table whose last two columns are win rates and losses. */
export function ratesTable(heads, rows) {
  const line = ([first, ...others]) => {
    const [rate, loss] = others.splice(-2);
    const lost = full(-loss, loss < 0 ? signed(loss) : 'best');
    const kind = { class: loss < 0 ? 'loss' : null };
    return row(first, [...others, full(rate, percent(rate)), h('td', kind, lost)]);
  };
  return table(heads, rows.map(line), { class: 'keeps' });
}

/** The choices of a roll, the best first; `onKeep` hears the one that is chosen. */
export function keepsTable(answer, onKeep = null) {
  const { keeps = [], roll = [], score, opponent } = answer;
  const risk = (bust) => bust > 0 && h('span', { class: 'note' }, ` (${percent(bust, 1)} bust)`);
  const line = ({ keep, points, then, bust, win_rate: rate }) => [
    listed(keep),
    points,
    h('td', {}, then.join(' or ') || 'the turn is over', risk(bust)),
    rate,
    rate - keeps[0].win_rate,
  ];
  const heads = ['Keep', 'Points', 'Then', 'You win', 'Loss'];
  const choices = ratesTable(heads, keeps.slice(0, MOST).map(line));
  if (onKeep) {
    for (const [at, line] of [...choices.tBodies[0].rows].entries()) {
      const [name] = line.cells;
      const label = `Keep ${name.textContent}`;
      put(name, h('button', { type: 'button', 'aria-label': label }, name.textContent));
      // Wherever the line is touched.
      line.addEventListener('click', () => onKeep(keeps[at]));
    }
  }
  return [choices, savesTable(`keeps-${score}-${opponent}-${roll.join('')}`, keeps, answer)];
}
