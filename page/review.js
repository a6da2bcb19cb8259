// The review of a game that has ended: its win rate turn by turn, and what the choices cost.

import { askOnce } from './api.js';
import { curve } from './chart.js';
import { button, h, put, refresh } from './dom.js';
import { did, keepsTable } from './hand.js';
import { layerOf, savedOf } from './layers.js';
import { ScoreMap } from './map.js';
import { linked, read } from './route.js';
import { savesFigure } from './taken.js';
import {
  capital,
  choice,
  count,
  oneOf,
  percent,
  percentagePoints,
  remarked,
  unitOf,
} from './words.js';

/** Who has played a game, and with which seed: with it, the game is played again. */
export const playedBy = ({ names: [first, second] }) => ({
  first,
  second,
  seed: read().params.get('seed'),
});

/** Of these grades is a choice that cost much. */
const COSTLY = ['slip', 'mistake', 'blunder'];

const GRADES = ['best', 'good', 'slip', 'mistake', 'blunder'];

/** "3 best", "2 mistakes". */
const graded = (number, grade) =>
  ['best', 'good'].includes(grade) ? `${number} ${grade}` : count(number, grade);

/**
 * Shows a game. `game` is the answer of `play`, `question(score, opponent, memory)` the request
 * for a position, `hand` the dice of which some are kept, if they are, `called` names a player,
 * `onTurn` is told the number of turns that the board is to show, and `onRetry` the turn that is to
 * be played anew.
 */
export class Review {
  /** @type {import('answers').Answers['play']} */
  game;

  /** @type {any} */
  route;

  /** @type {(score: number, opponent: number, memory: object) => import('./api.js').Request} */
  question;

  /** @type {string} */
  pot;

  /** What the player does in each of the turns that the game has. */
  unit;

  /** @type {import('answers').Answers['rules/show']['hand']} */
  hand;

  /** @type {(game: object, player: number) => string} */
  called;

  /** @type {(turns: number) => void} */
  onTurn;

  /** @type {(place: number) => void} */
  onRetry;

  constructor({ game, route, question, pot, hand, called, onTurn, onRetry }) {
    Object.assign(this, { game, route, question, pot, hand, called, onTurn, onRetry });
    this.unit = unitOf({ pot, hand });
    // The win rates are those of a person; if there is none, of the player who moves first.
    this.whose = game.people[1] && !game.people[0] ? 1 : 0;
    this.place = game.turns.length;
    this.bests = [];
    this.graph = h('figure');
    this.line = h('p', { class: 'turn', 'aria-live': 'polite' });
    // It stays: one that is replaced cannot be dragged on.
    this.slider = h('input', {
      type: 'range',
      'aria-label': capital(this.unit),
      min: 0,
      oninput: () => this.step(Number(this.slider.value)),
    });
    this.back = h('span', { class: 'inline' });
    this.ahead = h('span', { class: 'inline' });
    this.steps = h('div', { class: 'bar' });
    this.keeps = h('div');
    this.costs = h('div');
    this.map = new ScoreMap({ name: 'The way of the game' });
    this.way = h('details', { ontoggle: () => this.way.open && this.drawWay() });
    this.key = h('div');
    const title = h('summary', {}, 'The way of the game on the map');
    put(this.way, title, this.map.element, this.key);
    this.element = h(
      'section',
      { class: 'card review', 'aria-label': 'Review' },
      h('h2', {}, 'Review'),
      this.graph,
      this.steps,
      this.line,
      this.keeps,
      this.costs,
      // Where dice are kept, what is best depends on more than two scores.
      !hand && this.way,
    );
    this.showCosts();
    this.step(this.place);
    this.load();
  }

  async load() {
    const { game, whose } = this;
    const rates = [];
    this.bests = [];
    for (const turn of game.turns) {
      const [score, opponent] = turn.from;
      const best = await askOnce('best', this.question(score, opponent, turn.memory)).catch(
        () => null,
      );
      // A position that cannot be asked about leaves a gap.
      this.bests.push(best?.best ?? null);
      if (!best) rates.push(null);
      else rates.push(turn.player === whose ? best.win_rate : 1 - best.win_rate);
    }
    const { won } = /** @type {{ won?: number }} */ (game.result ?? {});
    rates.push(won === undefined ? 0.5 : Number(won === whose));
    this.rates = rates;
    this.draw();
    this.showCosts();
  }

  draw() {
    const { rates, game } = this;
    if (!rates) return;
    const points = rates
      .map((rate, place) => [place + 1, rate])
      .filter(([, rate]) => rate !== null);
    const dotOf = (turn) => {
      const { grade, player } = game.turns[turn - 1] ?? {};
      if (player === undefined) return null;
      return COSTLY.includes(grade)
        ? ['costly', 5]
        : [player === this.whose ? 'own' : 'other', 2.5];
    };
    const who = this.called(game, this.whose);
    const whose = who === 'You' ? 'Your win rate' : `The win rate of ${who}`;
    const label = `${whose} before each ${this.unit}, if both play optimally from there`;
    put(
      this.graph,
      curve({
        points,
        label,
        across: this.unit,
        format: (rate) => percent(rate, 0),
        range: [0, 1],
        cursor: this.place + 1,
        dotOf,
        onPick: (turn) => this.step(turn - 1),
      }),
      h('figcaption', {}, `${label}; large dots are costly choices.`),
      savesFigure('game', () => {
        const of = playedBy(game);
        return [
          [this.unit, 'win_rate', ...Object.keys(of)],
          ...points.map((point) => [...point, ...Object.values(of)]),
        ];
      }),
    );
  }

  /** Draws the way of the game over the map of best rolls: hot where a choice was costly. */
  async drawWay() {
    const { game, whose, pot } = this;
    const { score, opponent, memory, ...asked } = this.question(0, 0, {});
    const data = await askOnce('map', asked);
    const path = game.turns
      .filter((turn) => turn.player === whose)
      .map(({ from, loss }) => ({ score: from[0], opponent: from[1], cost: loss ?? 0 }));
    const who = this.called(game, whose);
    const title = `Best dice, and the way of ${who === 'You' ? 'your' : `${who}’s`} turns`;
    const { columns } = savedOf('best', data, asked);
    const layer = layerOf('best', data, pot);
    this.map.show({ goal: data.goal, title, ...layer, path, called: 'way', columns });
    const key = 'A dot is a turn; it is the larger and redder the more its choice cost.';
    put(this.key, layer.legend, h('p', { class: 'hint' }, key));
  }

  /** Where a turn begins, as its player sees it: "you at 20 to 36". */
  begunAt(turn) {
    const [own, other] = turn.from;
    const [mover, rival] = [turn.player, 1 - turn.player].map((one) => this.called(this.game, one));
    const name = mover === 'You' ? 'you' : mover;
    return `${name} at ${own} to ${rival === 'You' ? 'your ' : ''}${other}`;
  }

  /** Goes to the position before a turn; the number of turns is the end. */
  step(place) {
    const { game, hand } = this;
    const last = game.turns.length;
    this.place = Math.min(Math.max(place, 0), last);
    const stepTo = (label, target, text) =>
      button(text, () => this.step(target), {
        'data-key': label,
        'aria-label': label,
        'aria-disabled': target < 0 || target > last ? 'true' : null,
      });
    if (!this.slider.isConnected) put(this.steps, this.back, this.slider, this.ahead);
    this.slider.max = `${last}`;
    this.slider.value = `${this.place}`;
    const where = this.place === last ? 'the end' : `${this.place + 1} of ${last}`;
    this.slider.setAttribute('aria-valuetext', where);
    refresh(this.back, stepTo(`${capital(this.unit)} before`, this.place - 1, '◀'));
    refresh(this.ahead, stepTo(`Next ${this.unit}`, this.place + 1, '▶'));
    const turn = game.turns[this.place];
    this.onTurn(this.place);
    this.draw();
    put(this.keeps);
    if (!turn) {
      put(this.line, 'The end of the game.');
      return;
    }
    const cost = turn.loss > 0 ? `, which cost ${percentagePoints(turn.loss)}` : ', which is best';
    const own = game.people[turn.player];
    const explore = linked(this.route, 'explore', {
      score: turn.from[0],
      opponent: turn.from[1],
      params: hand
        ? { ...turn.memory, roll: turn.faces.join('.') }
        : { ...turn.memory, compare: turn.dice },
    });
    this.showKeeps(turn);
    put(
      this.line,
      `${capital(this.unit)} ${this.place + 1}, ${this.begunAt(turn)}: ${did(turn, this)}${cost}. `,
      h('a', { href: explore }, 'Why'),
      own && ' · ',
      own && button('Play on from here', () => this.onRetry(this.place)),
    );
  }

  /** Shows what each choice of the dice of a turn was worth, if there was a choice. */
  async showKeeps(turn) {
    if (!this.hand || !turn.faces.length) return;
    const [score, opponent] = turn.from;
    const asked = { ...this.question(score, opponent, turn.memory), roll: turn.faces };
    const best = await askOnce('best', asked).catch(() => null);
    if (this.game.turns[this.place] === turn && best?.keeps.length > 1)
      put(this.keeps, keepsTable(best));
  }

  showCosts() {
    const { game, pot, hand } = this;
    const isAlone = !game.people.some(Boolean);
    const summary = (one, player) => {
      if (!one.moves || !(game.people[player] || isAlone)) return null;
      const grades = one.grades
        .map((number, grade) => number && graded(number, GRADES[grade]))
        .filter(Boolean)
        .join(', ');
      return h(
        'p',
        {},
        h('strong', {}, this.called(game, player)),
        `: ${count(one.moves, 'roll')}, ${grades}. Choices cost `,
        h('strong', {}, percentagePoints(one.mean_loss * one.moves, 1)),
        ' of win rate in all.',
      );
    };
    const isShown = (turn) => COSTLY.includes(turn.grade) && (game.people[turn.player] || isAlone);
    const costly = game.turns
      .map((turn, place) => ({ turn, place }))
      .filter(({ turn }) => isShown(turn))
      .sort((a, b) => b.turn.loss - a.turn.loss)
      .slice(0, 5);
    const best = (place) => {
      const known = this.bests[place];
      return known ? `; best: ${oneOf(known.map((number) => choice(number, pot)))}` : '';
    };
    const told = ({ turn, place }) =>
      hand
        ? remarked(turn.remark)
        : `${choice(turn.dice, pot)} cost ${percentagePoints(turn.loss)}${best(place)}`;
    const what = (one) => `, ${this.begunAt(one.turn)}: ${told(one)}`;
    const numbered = (place) => `${capital(this.unit)} ${place + 1}`;
    const row = ({ turn, place }) =>
      h(
        'li',
        {},
        button(numbered(place), () => this.step(place), {
          class: 'sort link',
          'aria-label': numbered(place) + what({ turn, place }),
        }),
        what({ turn, place }),
      );
    put(
      this.costs,
      game.summaries?.map(summary),
      costly.length > 0 && h('h3', {}, `The costliest ${this.unit}s`),
      costly.length > 0 && h('ul', { class: 'plain' }, costly.map(row)),
    );
  }
}
