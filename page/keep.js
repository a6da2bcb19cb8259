// Explore a game in which dice are kept after the roll: the dice are clicked or typed, the choice
// is seen at once; and when to bank, by the points at risk and the dice that are left.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { button, h, put, putProgress, refresh, row, say, table, withCode } from './dom.js';
import { grid } from './grid.js';
import { Hand, die, keepsTable, memoryLabel, ratesTable } from './hand.js';
import { css, inkOn, rateColour } from './map.js';
import { NumberField, citing, rulesOf, shareView } from './parts.js';
import { gameParams, go, linked, memoryParams, playedFrom, withParams } from './route.js';
import { full, savesTable } from './taken.js';
import { nameOf } from './versions.js';
import { bare, capital, count, percent, startOf, within, working } from './words.js';

const ROWS = 20;

/** If the engine takes longer, in milliseconds, the page says that it solves the game. */
const LATE = 300;

const LARGEST_GOAL = 10_000;

/** What the address says of `mover` in the opponent's turn. */
const THEIRS = 'opponent';

/** What the address has no more where the mover begins a roll. */
const BEGUN = { roll: null, mover: null };

export class KeepExplorer {
  constructor(root, route, shown) {
    this.route = route;
    this.shown = shown;
    this.step = shown.step ?? 1;
    this.start = startOf(shown);
    const faces = Math.max(...shown.hand.map(({ weights }) => weights.length));
    this.faces = Array.from({ length: faces }, (_, at) => at + 1);
    this.ask = lastOnly();
    this.askField = lastOnly();
    this.fillHead();
    const adding = (face) =>
      button(die(face), () => this.add(face), { 'aria-label': `Add a ${face}` });
    const group = { class: 'faces', role: 'group', 'aria-label': 'Add a die' };
    this.pad = h('div', group, this.faces.map(adding));
    this.back = button('Take back', () => this.takeBack());
    this.again = button('New roll', () => this.enter([]));
    const begin = () => this.begin(null);
    this.renew = button('New game', begin);
    this.prompt = h('p', { class: 'note' });
    this.tray = h('div', { class: 'rolled' });
    this.state = h('p', { role: 'status' });
    this.refused = h('p', { class: 'loss', role: 'alert' });
    this.answer = h('div');
    this.field = h('div', { class: 'wide', role: 'group', 'aria-label': 'When to bank' });
    this.bank = h(
      'section',
      { class: 'card', 'aria-label': 'When to bank' },
      h('h2', {}, 'When to bank'),
      h(
        'p',
        { class: 'note' },
        'At these scores, by the points at risk and the dice left: the win rate of the better ',
        'choice in percent, and B where that is to bank.',
      ),
      this.field,
    );
    unseen(this.bank, true);
    this.typed = (event) => this.press(event);
    document.addEventListener('keydown', this.typed);
    put(
      root,
      h('h1', { class: 'sr' }, `Explore ${nameOf(route.game)}`),
      h(
        'div',
        { class: 'columns by-dice' },
        h(
          'section',
          { class: 'card', 'aria-label': 'Position' },
          h('h2', {}, nameOf(route.game, shown.title)),
          h(
            'p',
            { class: 'note' },
            'Enter what you roll in your game: the page says which dice to keep, and when to bank.',
          ),
          this.head,
          this.prompt,
          h('div', { class: 'faces' }, this.pad, this.back, this.again),
          this.tray,
          this.state,
          this.refused,
          this.answer,
          h('p', { class: 'bar' }, this.renew, this.playLink, shareView(route)),
        ),
        this.bank,
      ),
      this.rules(),
    );
  }

  leave() {
    document.removeEventListener('keydown', this.typed);
    this.ask.stop();
    this.askField.stop();
  }

  rules() {
    return h(
      'details',
      { class: 'card' },
      h('summary', {}, `The rules of ${nameOf(this.route.game, this.shown.title)}`),
      rulesOf(this.shown),
      citing(this.shown, this.route),
      h('p', {}, h('a', { href: linked(this.route, 'rules') }, 'Change them')),
    );
  }

  get roll() {
    const faces = (this.route.params.get('roll') ?? '').split(/[.,\s]+/).map(Number);
    return faces.filter((face) => this.faces.includes(face));
  }

  request() {
    const { route, start } = this;
    const score = route.score ?? start[0];
    const opponent = route.opponent ?? start[1];
    return { ...gameParams(route), score, opponent, memory: memoryParams(route) };
  }

  /** Whether the opponent moves, whose points are asked for. */
  get isTheirs() {
    return this.route.params.get('mover') === THEIRS;
  }

  get isOver() {
    const { score, opponent } = this.request();
    return Math.max(score, opponent) >= this.shown.goal;
  }

  /** How many steps of the game can be taken back: each is an entry of the browser's history. */
  get steps() {
    return history.state?.steps ?? 0;
  }

  change(changes, scores = {}) {
    const params = withParams(this.route.params, changes);
    const { score, opponent } = this.request();
    const state = { steps: this.steps + 1 };
    go({ ...this.route, score, opponent, ...scores, params }, { state });
  }

  /** Shows other dice of the roll, which is no step. */
  enter(roll) {
    const params = withParams(this.route.params, { roll: roll.join('.') });
    go({ ...this.route, params }, { replace: true, state: history.state });
  }

  /** Begins a game; `mover` is null or `THEIRS`. */
  begin(mover) {
    const memory = Object.fromEntries(this.shown.memories.map(({ name }) => [name, null]));
    const [first, second] = this.start;
    const scores =
      mover === THEIRS ? { score: second, opponent: first } : { score: first, opponent: second };
    this.change({ ...memory, ...BEGUN, mover }, scores);
  }

  /** How many dice of each kind are rolled next: memories with their names count them. */
  get lefts() {
    return this.shown.hand.map(({ name, count: all }) =>
      Number(this.route.params.get(name) ?? all),
    );
  }

  get left() {
    return this.lefts.reduce((sum, left) => sum + left, 0);
  }

  add(face) {
    this.enter(this.roll.length < this.left ? [...this.roll, face] : [face]);
  }

  press(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (event.target.matches?.('input, select, textarea')) return;
    const isFace = this.faces.includes(Number(event.key));
    if (isFace && !this.pad.hidden) this.add(Number(event.key));
    else if (event.key === 'Backspace') this.takeBack();
  }

  /** Takes the last die of the roll back, or else the last step. */
  takeBack() {
    if (this.roll.length) this.enter(this.roll.slice(0, -1));
    else if (this.steps) history.back();
  }

  async update(route) {
    this.route = route;
    this.drawHead();
    this.drawRoll();
    put(this.refused);
    const request = this.request();
    this.bank.hidden = !this.shown.pot || this.isOver;
    const rolls = !this.pad.hidden && this.roll.length > 0;
    unseen(this.answer, rolls);
    if (rolls) {
      this.askField.stop();
      unseen(this.bank, true);
    }
    const missing = this.left - this.roll.length;
    try {
      if (this.pad.hidden) {
        this.ask.stop();
        put(this.state);
        put(this.answer, this.isOver ? this.ended() : this.opponentMoves());
        /** @type {HTMLElement} */ (this.answer.querySelector('input, [tabindex]')).focus();
      } else if (rolls && missing > 0) {
        this.ask.stop();
        put(this.state);
        say(`${this.roll.at(-1)}: ${toCome(missing)}`);
      } else await this.advise(rolls ? { ...request, roll: this.roll } : request);
      if (rolls || this.isOver) return;
      await this.drawField(request);
      unseen(this.bank, false);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(this.answer);
      unseen(this.bank, true);
      put(this.state);
      this.refuse(error.message);
    }
  }

  async advise(asked) {
    const solving = `Solving the game to ${this.shown.goal} points`;
    const onProgress = (progress) => {
      putProgress(this.state, working(progress, solving));
      unseen(this.answer, true);
      unseen(this.bank, true);
    };
    const late = setTimeout(() => onProgress({}), LATE);
    const best = await this.ask('best', asked, { onProgress }).finally(() => clearTimeout(late));
    put(this.state);
    put(this.answer, best.keeps ? this.keeps(best) : this.choices(best));
    unseen(this.answer, false);
  }

  /** Shows the dice of the roll, with a place for each that is to come. */
  drawRoll() {
    const { roll, left } = this;
    const isMine = !this.isTheirs && !this.isOver;
    for (const part of [this.prompt, this.tray, this.pad, this.again]) part.hidden = !isMine;
    if (roll.length || this.steps) this.back.removeAttribute('aria-disabled');
    else this.back.setAttribute('aria-disabled', 'true');
    this.renew.hidden = this.isOver;
    const missing = left - roll.length;
    const empty = Array.from({ length: missing }, () => h('span', { class: 'die empty' }));
    put(
      this.tray,
      h(
        'div',
        { class: 'dice' },
        roll.map((face) => die(face)),
        empty,
      ),
    );
    const begins = [
      `Roll ${count(left, 'die', 'dice')}, then tap`,
      h('span', { class: 'keyed' }, ' or type'),
      ` what you see${inOrder(this.shown)}:`,
    ];
    put(this.prompt, !roll.length ? begins : missing ? toCome(missing) : 'The roll is complete.');
  }

  /** Makes the fields, which stay; `drawHead` shows a position in them. */
  fillHead() {
    const { goal, memories, pot, step } = this.shown;
    const field = (key, label, size, onChange, least = 0) =>
      new NumberField({
        key,
        label,
        step: size,
        least,
        onChange,
        onRefuse: (told) => this.refuse(told),
      });
    const score = (key, label) =>
      field(key, label, this.step, (now) => this.change({}, { [key]: now }));
    this.scores = { score: score('score', 'You'), opponent: score('opponent', 'Opponent') };
    this.memories = memories.map(({ name }) =>
      field(name, memoryLabel(name, this.shown), name === pot ? this.step : 1, (now) =>
        this.change({ ...BEGUN, [name]: now }),
      ),
    );
    this.goal = field('goal', 'Goal', step ?? 1, (now) => this.setGoal(now), this.step);
    this.goal.show(goal, LARGEST_GOAL);
    this.playLink = h('a', { class: 'button' }, 'Play from here');
    this.head = h(
      'div',
      { class: 'head' },
      [...Object.values(this.scores), ...this.memories, this.goal].map(({ element }) => element),
    );
  }

  /** Opens the game with another goal, which is another view, if there can be one. */
  async setGoal(goal) {
    try {
      // Meanwhile the focus goes where the user puts it.
      await askOnce('rules/show', { ...gameParams(this.route), goal });
      this.change({ goal });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refuse(error.message);
    }
  }

  drawHead() {
    const { score, opponent, memory } = this.request();
    const { goal, memories } = this.shown;
    this.scores.score.show(score, goal - this.step);
    this.scores.opponent.show(opponent, goal - this.step);
    for (const [at, { name, max, start }] of memories.entries())
      this.memories[at].show(memory[name] ?? start, max);
    this.playLink.href = playedFrom(this.route, { score, opponent, memory });
    this.playLink.hidden = this.isTheirs || this.isOver;
  }

  choices(best) {
    const told = best.choices.find(({ dice }) => dice === best.best[0]);
    const words = told.means ?? `${told.dice}`;
    say(`${words}, win rate ${percent(told.win_rate)}`);
    const rows = [...best.choices].sort((a, b) => b.win_rate - a.win_rate);
    const isFirst = `${[best.score, best.opponent]}` === `${this.start}` && rows.length === 1;
    return [
      verdict(words, best.win_rate),
      this.banking(best, told),
      isFirst && barred('The opponent begins', () => this.begin(THEIRS)),
      ratesTable(
        ['Choice', 'You win', 'Loss'],
        rows.map(({ means, win_rate: rate }) => [means, rate, rate - best.win_rate]),
      ),
      from(best),
      savesTable(`choices-${best.score}-${best.opponent}`, best.choices, best),
    ];
  }

  /** A button to bank, loud if that is `told`. */
  banking({ choices, memory }, told) {
    const banks = choices.find(({ dice }) => dice === 0);
    if (!banks) return null;
    const ending = banks.win_rate === 1 ? ' and win' : ': the opponent moves';
    const label = `Bank ${memory[this.shown.pot] ?? ''}${ending}`;
    return barred(label, () => this.take([]), { class: banks === told && 'primary' });
  }

  keeps(best) {
    const [first] = best.keeps;
    const after = first.then.length ? `, then ${first.then.join(' or ')}` : ': the turn is over';
    const words = first.keep.length ? `Keep ${first.keep.join(' ')}` : 'Nothing may be kept';
    const told = words + after;
    say(`${told}, win rate ${percent(first.win_rate)}`);
    const goesOn = () => this.take(best.roll);
    if (best.keeps.length === 1 && !first.keep.length) {
      const label = 'Go on: the opponent moves';
      return [verdict(told, first.win_rate), barred(label, goesOn, { class: 'primary' })];
    }
    const onKeep = ({ marked }) => this.take(best.roll, marked);
    const hand = new Hand(this.shown.hand, onKeep);
    hand.show(best, { marked: first.marked, tells: true });
    put(this.tray, hand.tray);
    return [
      verdict(told, first.win_rate),
      h('p', { class: 'bar' }, hand.button),
      hand.rate,
      keepsTable(best, onKeep),
      from(best),
    ];
  }

  /** Goes on after a roll of which dice are kept, or after a bank, which rolls none. */
  async take(dice, keep = []) {
    const asked = { ...this.request(), dice, keep };
    const { score, opponent, again, over, memory } = await askOnce('turn', asked);
    const changes = { ...BEGUN, mover: again || over ? null : THEIRS };
    for (const [name, value] of Object.entries(memory)) {
      const own = name.replace(/^opponent_/, '');
      const { start } = this.shown.memories.find((one) => one.name === own);
      changes[name] = value === start ? null : value;
    }
    this.change(changes, { score, opponent });
    if (again) this.focusDice();
  }

  focusDice() {
    this.pad.hidden = false;
    this.pad.querySelector('button').focus({ preventScroll: true });
  }

  opponentMoves() {
    const { score, opponent } = this.request();
    const points = h('input', {
      type: 'number',
      min: 0,
      max: this.shown.goal,
      step: this.step,
      inputmode: 'numeric',
      'data-key': 'scored',
    });
    const goOn = (event) => {
      event.preventDefault();
      const total = opponent + (points.valueAsNumber || 0);
      this.change(BEGUN, { opponent: total });
      if (total < this.shown.goal) this.focusDice();
    };
    say(`You have ${score}. The opponent moves.`);
    return [
      h('p', { class: 'answer' }, h('strong', {}, 'The opponent moves'), ` and has ${opponent}.`),
      h(
        'form',
        { class: 'setup', onsubmit: goOn },
        h('label', {}, 'Opponent scored', points),
        h('button', { class: 'primary' }, 'Go on'),
      ),
    ];
  }

  ended() {
    const { score, opponent } = this.request();
    const words = score > opponent ? 'You win' : 'The opponent wins';
    say(`${words}, ${score} to ${opponent}.`);
    const another = (label, mover) => button(label, () => this.begin(mover));
    return [
      h(
        'p',
        { class: 'answer', tabindex: '-1' },
        h('strong', {}, words),
        `: you have ${score}, the opponent ${opponent}.`,
      ),
      h(
        'p',
        { class: 'bar' },
        another('New game: I begin', null),
        another('New game: the opponent begins', THEIRS),
      ),
    ];
  }

  /** Says what is wrong. */
  refuse(message) {
    put(this.refused, h('strong', {}, withCode(message)));
    // What is there is of other scores.
    unseen(this.answer, true);
    unseen(this.bank, true);
  }

  async drawField({ memory, ...request }) {
    const { pot, hand, goal } = this.shown;
    const [{ name, count: all }] = hand;
    const isOfOneKind = hand.length === 1;
    const key = JSON.stringify([request, !isOfOneKind && this.lefts]);
    if (!pot || key === this.fieldOf) return;
    // With dice of several kinds, those that are left now.
    const counts = isOfOneKind ? Array.from({ length: all }, (_, at) => at + 1) : [this.left];
    const risks = Array.from({ length: ROWS }, (_, at) => at * this.step).filter(
      (one) => one < goal,
    );
    const rows = [];
    for (const risk of risks) {
      const cells = [];
      for (const left of counts) {
        // A turn with nothing at risk begins with all dice.
        if (isOfOneKind && risk === 0 && left < all) {
          cells.push(null);
          continue;
        }
        const dice = isOfOneKind ? { [name]: left } : {};
        const asked = { ...request, memory: { ...memory, ...dice, [pot]: risk } };
        const best = await this.askField('best', asked).catch((error) => {
          if (isAbort(error)) throw error;
          return null;
        });
        const { win_rate: rate, best: advised, error_bound: bound } = best ?? {};
        cells.push(best && { dice, left, rate, bound, banks: advised[0] === 0 });
      }
      rows.push({ risk, cells });
    }
    this.fieldOf = key;
    const rates = rows.flatMap(({ cells }) => cells.filter(Boolean).map(({ rate }) => rate));
    const low = Math.min(...rates);
    const high = Math.max(...rates);
    const cell = (risk, one) => {
      if (!one) return '–';
      const colour = rateColour((one.rate - low) / (high - low || 1));
      const what = one.banks ? 'bank' : 'roll';
      const text = `${one.banks ? 'B ' : ''}${bare(one.rate)}`;
      const dice = count(one.left, 'die', 'dice');
      return button(text, () => this.change({ ...BEGUN, [pot]: risk, ...one.dice }), {
        'data-key': `${risk} ${one.left}`,
        style: { background: css(colour), color: inkOn(colour) },
        'aria-label': `${text} %: ${what} with ${risk} points at risk, ${dice} left`,
      });
    };
    const shown = table(
      ['At risk', ...counts.map((left) => count(left, 'die', 'dice'))],
      rows.map(({ risk, cells }) =>
        row(
          risk,
          cells.map((one) => cell(risk, one)),
        ),
      ),
      { class: 'matrix field', 'aria-label': 'Points at risk by dice left' },
    );
    refresh(
      this.field,
      grid(shown),
      risks.length * this.step < goal &&
        h('p', { class: 'note' }, `The first ${ROWS}; more points at risk can be entered above.`),
      savesTable(
        `bank-${request.score}-${request.opponent}`,
        rows.flatMap(({ risk, cells }) =>
          cells.filter(Boolean).map(({ left, rate, bound, banks }) => ({
            score: request.score,
            opponent: request.opponent,
            risk,
            left,
            win_rate: rate,
            best: banks ? 'bank' : 'roll',
            error_bound: bound,
          })),
        ),
      ),
    );
  }
}

/** What is not of the dice that are shown keeps its place, so that nothing moves. */
const unseen = (part, yes) => part.style.setProperty('visibility', yes ? 'hidden' : '');

const from = (best) =>
  h('p', { class: 'note source' }, `Where the numbers are from: ${within(best)}.`);

const toCome = (missing) => `${missing} more ${missing === 1 ? 'die' : 'dice'} to come.`;

const barred = (label, onclick, more = {}) =>
  h('p', { class: 'bar' }, button(label, onclick, { ...more }));

const verdict = (words, rate) =>
  h(
    'p',
    { class: 'answer' },
    h('strong', {}, capital(words)),
    ': you win ',
    h('strong', {}, full(rate, percent(rate))),
    ' of games',
  );

/** Where dice are of several kinds: in which order they are typed. */
const inOrder = ({ hand }) =>
  hand.length > 1 ? `, kind by kind (${hand.map(({ name }) => name).join(', ')})` : '';
