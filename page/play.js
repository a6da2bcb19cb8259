// Play: the game of the handouts. The address determines the game: the players, the seed of the
// dice, and the rolls.

import { Refused, ask, askOnce } from './api.js';
import { button, h, put, refresh, row, say, still, table, withCode } from './dom.js';
import {
  Hand,
  did,
  keepsTable,
  lay,
  memoryLabel,
  memoryWords,
  moved,
  roll,
  small,
  wait,
} from './hand.js';
import { mine } from './kept.js';
import { Review, playedBy } from './review.js';
import { rulesOf, shareView } from './parts.js';
import {
  draftBase,
  gameParams,
  go,
  linked,
  memoryParams,
  read,
  wellFormed,
  withParams,
} from './route.js';
import { local, session, store } from './storage.js';
import { savesTable } from './taken.js';
import { nameOf } from './versions.js';
import {
  begun,
  capital,
  choice,
  count,
  dice,
  memoryName,
  oneOf,
  percent,
  remarked,
  scoredTurn,
  unitOf,
} from './words.js';

const unseen = (text) => h('span', { class: 'sr' }, text);

/** The names of best play: the page calls it so. `final_strategy` is the student's function. */
const BEST = ['final_strategy', 'optimal'];

/** A move of the address: a number of dice, or the roll with a 0 for each die that is not kept. */
const MOVE = '(-?\\d+|k\\d+(-\\d+)*)';
const MOVES = new RegExp(`^${MOVE}(\\.${MOVE})*$`);

const keeps = (move) => move.startsWith('k');

const anySeed = () => Math.floor(Math.random() * 1e9);

/**
 * Speeds of a game that is watched: the factor of each pause.
 * @type {[string, string, number][]}
 */
const PACES = [
  ['slow', 'Slow', 2.5],
  ['usual', 'Usual', 1],
  ['fast', 'Fast', 0.25],
  ['at once', 'At once', 0],
];

export async function enter(root, route) {
  return new Table(root, route, await askOnce('rules/show', gameParams(route)));
}

/** Where the tab keeps a game that goes on. */
const leftKey = ({ game }) => `hog.left.${game}`;

/** A roll before a number of turns, to be compared. */
const rollOf = (turns, faces) => JSON.stringify([turns, faces]);

/** What a button for a number of dice says; what is not seen completes the name. */
const numbered = (number, pot) => {
  if (pot && number === 0) return choice(number, pot);
  if (number < 0) return [unseen('Move '), number];
  return [unseen('Roll '), number, unseen(number === 1 ? ' die' : ' dice')];
};

class Table {
  constructor(root, route, shown) {
    this.shown = shown;
    this.hints = (route.params.get('hints') ?? local.getItem('hog.hints')) === '1';
    this.keys = local.getItem('hog.keys') !== 'off';
    this.pace = local.getItem('hog.pace') ?? 'usual';
    this.turns = 0;
    // Whether a game that has ended is shown again.
    this.replays = false;
    this.board = h('div', { class: 'board' });
    this.rate = h(
      'div',
      {
        class: 'rate',
        role: 'meter',
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-label': 'Win rate',
      },
      h('div'),
      h('span'),
    );
    this.memory = h('p', { class: 'memories' });
    this.tray = h('div', { class: 'dice', 'aria-live': 'off' });
    this.told = h('ul', { class: 'told' });
    const question = shown.hand ? 'Roll or bank?' : 'How many dice?';
    this.rolls = h('div', { class: 'rolls', role: 'group', 'aria-label': question });
    this.rolls.classList.toggle('named', Boolean(shown.hand));
    if (shown.hand) this.hand = new Hand(shown.hand, ({ marked }) => this.keep(marked));
    this.actions = h('div', { class: 'bar' });
    // Made once: a button that is replaced while it is pressed is not clicked.
    this.pause = h('button', { type: 'button', onclick: () => this.setPaused(!this.paused) });
    const speeds = PACES.map(([name, label]) =>
      h('option', { value: name, selected: name === this.pace }, label),
    );
    const speed = h('select', { onchange: () => this.setPace(speed.value) }, speeds);
    const label = h('label', {}, 'Speed ', speed);
    this.watch = h('div', { class: 'bar', hidden: true }, this.pause, label);
    this.setPaused(false);
    this.help = h('p', { class: 'note keys', id: 'keys' });
    this.ended = h('div');
    this.notice = h('p', { class: 'note', role: 'status' });
    this.history = h('div', {
      class: 'history',
      tabindex: '0',
      role: 'group',
      'aria-label': 'History',
    });
    this.setup = h('details', { class: 'card' });
    this.rules = h('details', { class: 'card' });
    const { params } = route;
    const isAltered =
      draftBase(route.game) !== null || params.get('goal') || params.get('max_dice');
    this.strongest = isAltered ? 'optimal' : 'final_strategy';
    this.fillRules();
    this.key = (event) => this.press(event);
    document.addEventListener('keydown', this.key);
    put(
      root,
      h('h1', { class: 'sr' }, `Play ${nameOf(route.game)}`),
      (this.columns = h(
        'div',
        { class: 'columns', hidden: true },
        h(
          'section',
          { 'aria-label': 'Game' },
          this.board,
          this.rate,
          this.memory,
          // The buttons are above all that grows and shrinks, so that they stay where they are.
          this.rolls,
          this.actions,
          this.watch,
          this.notice,
          h('div', { class: 'tray' }, this.tray, this.told),
          this.ended,
          this.help,
        ),
        h(
          'section',
          { class: 'side', 'aria-label': 'Setup, history and rules' },
          this.setup,
          h('div', { class: 'card' }, h('h2', {}, 'History'), this.history),
          this.rules,
        ),
      )),
    );
  }

  /** Whether turns are shown one after another, or asked for: what is pressed then does nothing. */
  get busy() {
    return this.columns.dataset.busy === 'true';
  }

  set busy(yes) {
    this.columns.dataset.busy = yes;
  }

  leave() {
    this.closed = true;
    this.setPaused(false);
    document.removeEventListener('keydown', this.key);
  }

  players(route) {
    const form = 'two, as in players=person~final_strategy';
    const players = wellFormed(route, 'players', /^[^~]+~[^~]+$/, form);
    return players?.split('~') ?? ['person', route.params.get('against') ?? this.strongest];
  }

  request(route) {
    const seed = wellFormed(route, 'seed', /^\d+$/, 'a whole number, as in seed=7');
    const numbers = 'numbers of dice, as in rolls=4.6.5';
    const moves = wellFormed(route, 'rolls', MOVES, numbers)?.split('.') ?? [];
    const from = wellFormed(route, 'from', /^\d+-\d+$/, 'two scores, as in from=20-36');
    // The game's own start, if none is named.
    const [score, opponent] = from?.split('-').map(Number) ?? [];
    const { goal } = this.shown;
    if (Math.max(score, opponent) >= goal) {
      const message = `The address has from=${from}, but scores must be 0 to ${goal - 1} here.`;
      throw new Refused({ message });
    }
    return {
      ...gameParams(route),
      memory: memoryParams(route),
      score,
      opponent,
      players: this.players(route),
      seed: Number(seed ?? 0),
      rolls: moves.filter((move) => !keeps(move)).map(Number),
      keeps: moves.filter(keeps).map((move) => move.slice(1).split('-').map(Number)),
    };
  }

  async update(route) {
    if (!route.params.get('seed')) {
      // A game that was left goes on, unless its rules may be other ones now.
      const isPlain = `${route.params}` === '' && draftBase(route.game) === null;
      const left = isPlain && session.getItem(leftKey(route));
      const params = left
        ? new URLSearchParams(left)
        : withParams(route.params, { seed: anySeed() });
      go({ ...route, params }, { replace: true });
      return;
    }
    this.route = route;
    const number = (this.asked ?? 0) + 1;
    this.asked = number;
    this.replays = false;
    put(this.notice);
    const request = this.request(route);
    let game;
    try {
      game = await ask('play', request);
    } catch (error) {
      // A game without a shipped table is played against one that is solved now.
      const isNamed = route.params.get('players') || route.params.get('against');
      if (!(error instanceof Refused) || this.strongest === 'optimal' || isNamed) throw error;
      this.strongest = 'optimal';
      game = await ask('play', this.request(route));
    }
    if (this.asked !== number || this.closed) return;
    const goesOn = request.rolls.length > 0 && game.mover !== null;
    store(session, leftKey(route), goesOn ? `${route.params}` : '');
    const base = JSON.stringify({ ...request, rolls: [], keeps: [], players: this.players(route) });
    // A game opened by a link is shown in its current state; one between two strategies is shown
    // turn by turn.
    const first = request.rolls.length ? game.turns.length : 0;
    const before = base === this.base ? this.turns : first;
    this.base = base;
    this.fillSetup(game);
    this.columns.hidden = false;
    // Not awaited: a newer request stops the display of this one.
    this.showTurns(game, Math.min(before, game.turns.length), number);
  }

  /** Waits for a time that depends on the speed, and while the game is paused. */
  async rest(milliseconds) {
    const [, , factor] = PACES.find(([name]) => name === this.pace) ?? PACES[1];
    if (!still() && factor > 0) await wait(milliseconds * factor);
    while (this.paused) {
      await new Promise((done) => {
        this.goOn = () => done(null);
      });
    }
  }

  setPaused(yes) {
    this.paused = yes;
    this.pause.textContent = yes ? 'Go on' : 'Pause';
    if (!yes) this.goOn?.();
  }

  setPace(pace) {
    this.pace = pace;
    store(local, 'hog.pace', pace);
  }

  /**
   * Shows the turns after the first `done`, one by one; stops if `number` is not the latest
   * request. Those of a person are told before the others move, and all if nobody plays.
   */
  async showTurns(game, done, number) {
    const isOld = () => this.asked !== number || this.closed;
    // The dice go, and the button to roll stays.
    if (this.tray.contains(document.activeElement))
      /** @type {HTMLElement} */ (this.rolls.lastElementChild)?.focus();
    // More than 60 new turns are not shown one by one.
    const isLong = game.turns.length - done > 60;
    const from = isLong || this.pace === 'at once' ? game.turns.length : done;
    const told = game.turns.slice(done).map((turn) => this.sentence(turn, game));
    const isWatched = this.replays || !game.people.some(Boolean);
    let heard = 0;
    for (let place = from; place < game.turns.length; place += 1) {
      const turn = game.turns[place];
      this.busy = true;
      this.draw(game, place, turn.player);
      put(this.told, this.before(game, place));
      // Dice that lie there already are not rolled again.
      if (this.lying !== rollOf(place, turn.faces)) await roll(this.tray, turn.faces);
      if (isOld()) return;
      lay(this.tray, turn.faces, turn.keep);
      for (const line of this.lines(turn, game)) {
        this.told.append(line);
        await this.rest(140);
        if (isOld()) return;
      }
      this.draw(game, place + 1);
      const goesOn = place + 1 < game.turns.length;
      if (isWatched || (goesOn && game.people[turn.player] && !still())) {
        heard = place - done + 1;
        say(told[heard - 1]);
      }
      if (goesOn) await this.rest(800);
      if (isOld()) return;
    }
    const { roll: faces } = game;
    const lying = faces ? rollOf(game.turns.length, faces) : null;
    if (faces) {
      this.busy = true;
      this.draw(game, game.turns.length);
      put(this.told);
      if (this.lying !== lying) await roll(this.tray, faces);
      if (isOld()) return;
    }
    this.lying = lying;
    this.turns = game.turns.length;
    this.game = game;
    if (faces) await this.offer(game);
    if (isOld()) return;
    // The button that rolled waits.
    if (faces && this.rolls.contains(document.activeElement)) this.hand.focus();
    // The button that stops goes.
    this.lost ||= this.watch.contains(document.activeElement);
    this.replays = false;
    this.busy = false;
    this.draw(game, game.turns.length);
    if (!faces && !game.turns.length) {
      put(this.tray);
      const first = this.shown.hand ? 'Roll the dice.' : 'How many dice will you roll?';
      put(this.told, h('li', { class: 'note' }, `First to ${game.goal} points. ${first}`));
    } else if (!faces && from >= game.turns.length) {
      const last = game.turns[game.turns.length - 1];
      const before = this.before(game, game.turns.length - 1);
      this.drawTurn(last, [before, this.lines(last, game)]);
    }
    // After a turn was taken back, and at the start, the scores.
    const now = told.length || faces ? told.slice(heard) : [`${game.scores.join(' to ')}.`];
    if (!isWatched && !isLong) this.sayTurns(now, game);
    // What is told with the result: of what was heard at the time, the turn that ended the game.
    this.finish(game, heard ? Math.max(told.length - heard, Number(isWatched)) : Infinity);
  }

  /** What the turn before one has scored, which stays in view; nothing before the first. */
  before(game, place) {
    const turn = game.turns[place - 1];
    if (!turn || turn.player === game.turns[place].player) return false;
    const [first] = this.lines(turn, game);
    first.classList.add('before');
    return first;
  }

  sentence(turn, game) {
    const who = begun(this.called(game, turn.player));
    const what = this.gathered(turn) || count(turn.points, 'point');
    const of = this.shown.hand ? ' of ' : ': ';
    const faces = turn.faces.length > 0 ? of + turn.faces.join(', ') : '';
    const rules = turn.steps
      .filter(({ rule }) => rule !== 'Roll')
      .map(({ rule, text }) => `${rule}: ${scoredTurn(text, turn.player)}`);
    const all = [`${did(turn, this.shown)}${faces}`, what, ...rules];
    const ends = [`${turn.scores.join(' to ')}.`];
    if (this.hints && turn.grade) ends.push(`${capital(turn.grade)}.`);
    if (this.hints && turn.grade && turn.grade !== 'best') ends.push(`${this.remark(turn)}.`);
    return `${who}: ${all.join('; ')}; ${ends.join(' ')}`;
  }

  /**
   * What a memory collects in a turn of several rolls, of which this is one but the last: its
   * points do not count for the score yet.
   */
  gathered({ again, points, kept }) {
    return again && points === 0 && memoryWords(kept ?? {}, this.shown);
  }

  /** Tells the turns since a person has moved, and whose turn it is. */
  sayTurns(told, game) {
    const { mover } = game;
    if (mover === null) return;
    const who = this.called(game, mover);
    const asks = game.roll
      ? `Rolled ${game.roll.join(', ')}: choose the dice to keep.`
      : who === 'You'
        ? 'Your turn.'
        : `${begun(who)} to move.`;
    say([...told, asks, this.hinted(game)].filter(Boolean).join(' '));
  }

  /** What is best where a game stands, if hints are shown. */
  hinted(game) {
    if (!this.hints || game.mover === null || !game.people[game.mover]) return '';
    if (game.roll) return this.hand.hinted;
    const best = game.hints.filter((one) => one.best);
    const named = best.map(({ dice: number }) =>
      this.shown.hand ? this.named(game, number) : choice(number, this.shown.pot),
    );
    return best.length ? `Best: ${oneOf(named)}, ${percent(best[0].win_rate, 1)}.` : '';
  }

  async offer(game) {
    const best = await this.bestOf(game);
    if (this.game !== game || this.closed) return;
    this.hand.show(best, { tells: this.hints });
    if (!this.hand.element.isConnected) put(this.tray, this.hand.element);
    put(this.told, this.hints && h('li', {}, keepsTable(best)));
  }

  /** Asks for the best choice where a game stands, of the dice that lie there if some do. */
  bestOf(game) {
    const { mover, scores, memory, roll: faces } = game;
    const position = { score: scores[mover], opponent: scores[1 - mover], memory };
    return askOnce('best', {
      ...gameParams(this.route),
      ...position,
      ...(faces && { roll: faces }),
    });
  }

  bestBefore({ from: [score, opponent], memory }) {
    return askOnce('best', { ...gameParams(this.route), score, opponent, memory });
  }

  moved(turn) {
    return this.shown.hand ? moved(turn) : choice(turn.dice, this.shown.pot);
  }

  lines(turn, game) {
    const mover = begun(this.called(game, turn.player));
    const gathers = this.gathered(turn);
    const scored = `${turn.points} ${turn.points === 1 ? 'point' : 'points'}`;
    const rules = turn.steps.filter((step) => step.rule !== 'Roll');
    return [
      h(
        'li',
        { class: 'points' },
        `${mover}: ${did(turn, this.shown)}, ${gathers || scored} `,
        turn.grade && h('span', { class: `badge ${turn.grade}` }, turn.grade),
      ),
      ...rules.map((step) =>
        h(
          'li',
          { class: 'rule' },
          h('strong', {}, step.rule),
          `: ${scoredTurn(step.text, turn.player)}`,
        ),
      ),
      turn.grade && turn.grade !== 'best' && h('li', { class: 'note' }, this.remark(turn)),
      ...turn.said.map((line) => h('li', { class: 'comment' }, this.comment(line, game))),
      turn.again && !gathers && h('li', { class: 'rule' }, 'The same player moves again.'),
    ].filter(Boolean);
  }

  /** The engine's remark on a choice, in the words of the page. */
  remark(turn) {
    const text = remarked(turn.remark);
    return this.shown.pot
      ? text.replace(/^0 dice/, 'Hold').replace('; 0 were', '; Hold was')
      : text;
  }

  /**
   * Returns a comment of the engine, "Player 1 takes the lead by 5", with the names of the players.
   */
  comment(text, game) {
    const names = [0, 1].map((player) => this.called(game, player));
    const same = names[0] === names[1];
    const plain = text.replace(/^(\d+) point\(s\)/, (_, gain) => count(Number(gain), 'point'));
    const named = plain.replace(/\bPlayer ([01])\b( takes\b)?/g, (_, player, takes = '') => {
      if (names[player] === 'You') return takes ? 'You take' : 'you';
      return `${names[player]}${same ? [' (first)', ' (second)'][player] : ''}${takes}`;
    });
    return begun(named);
  }

  draw(game, turns, moving = null) {
    const last = game.turns[turns - 1];
    const first = game.turns[0];
    const ordered = first && (first.player === 0 ? first.from : [...first.from].reverse());
    const scores = last?.scores ?? ordered ?? game.scores;
    const mover = moving ?? (turns === game.turns.length ? game.mover : null);
    const part = (score) => `${Math.min(score / game.goal, 1) * 100}%`;
    const side = (player) =>
      h(
        'div',
        { class: `player${mover === player ? ' moves' : ''}` },
        h(
          'div',
          { class: 'who' },
          h('span', {}, this.called(game, player)),
          mover === player && h('span', {}, 'to move'),
        ),
        h('div', { class: 'score' }, scores[player]),
        h(
          'div',
          { class: 'track', 'aria-hidden': 'true' },
          h('div', { style: { width: part(scores[player]) } }),
        ),
      );
    put(this.board, [0, 1].map(side));
    this.rateOf = turns;
    this.drawRate(game, turns);
    const memory = turns === game.turns.length ? game.memory : game.turns[turns].memory;
    put(
      this.memory,
      Object.entries(memory).map(([name, value]) => {
        const label = this.shown.hand ? memoryLabel(name, this.shown) : memoryName(name);
        return h('span', {}, `${label} `, h('b', {}, value));
      }),
    );
    this.drawRolls(game);
    this.watch.hidden = game.people.some(Boolean) && !this.replays;
    this.drawHistory(game, turns);
  }

  called(game, player) {
    const name = game.names[player];
    if (!game.people[player]) return BEST.includes(name) ? 'the best player' : name;
    return game.people.filter(Boolean).length === 1 ? 'You' : name;
  }

  /** Shows how often the person wins from here if both play best, as a bar. */
  async drawRate(game, turns) {
    const whose = game.people[1] && !game.people[0] ? 1 : 0;
    const turn = game.turns[turns];
    const { won } = game.result ?? {};
    let rate = won === undefined ? 0.5 : Number(won === whose);
    if (turn || game.mover !== null) {
      const mover = turn?.player ?? game.mover;
      const best = await (turn ? this.bestBefore(turn) : this.bestOf(game)).catch(() => null);
      if (!best || this.rateOf !== turns) return;
      rate = mover === whose ? best.win_rate : 1 - best.win_rate;
    }
    const who = this.called(game, whose);
    const label = who === 'You' ? 'You win' : `${who} wins`;
    this.rate.setAttribute('aria-valuenow', Math.round(rate * 100));
    this.rate.setAttribute('aria-valuetext', percent(rate, 1));
    this.rate.setAttribute('aria-label', `${label}, if both play best from here`);
    this.rate.firstChild.style.width = `${rate * 100}%`;
    const assumed = won === undefined || turn ? ' if both play best' : '';
    this.rate.lastChild.textContent = `${label} ${percent(rate, 1)}${assumed}`;
  }

  drawRolls(game) {
    const { pot } = this.shown;
    const awaits = !this.busy && game.mover !== null && game.people[game.mover];
    // While dice are chosen, the buttons wait, so that what is below them stays where it is.
    const ready = awaits && !game.roll;
    const [least, most] = game.choices;
    const hint = (number) =>
      ready && this.hints ? game.hints.find((known) => known.dice === number) : null;
    // The buttons stay enabled, because a disabled one would lose the focus; `roll` and `undo`
    // ignore them.
    const isOver = game.mover === null && this.game === game;
    this.rolls.hidden = isOver || !game.people.some(Boolean);
    // The result gets the focus, and no button that stays, which would act.
    this.lost ||= isOver && this.rolls.contains(document.activeElement);
    const numbers = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    const one = (number) =>
      button(
        [
          this.shown.hand ? this.named(game, number) : numbered(number, pot),
          hint(number) && unseen(`, ${hint(number).best ? 'best, ' : ''}win rate `),
          h('small', {}, hint(number) ? percent(hint(number).win_rate, 1) : ''),
        ],
        () => this.roll(number),
        {
          'data-key': number,
          'aria-disabled': ready ? null : 'true',
          class: hint(number)?.best ? 'top-roll' : null,
        },
      );
    refresh(this.rolls, numbers.map(one));
    const undoable = !this.busy && this.moves().length > 0;
    const action = (name, text, key, onclick, extra = {}) =>
      button([`${text} `, this.keys && h('kbd', {}, key)], onclick, { 'data-key': name, ...extra });
    refresh(
      this.actions,
      action('hints', 'Hints', 'H', () => this.toggleHints(), { 'aria-pressed': `${this.hints}` }),
      action('undo', 'Take back', 'U', () => this.undo(), {
        'aria-disabled': undoable ? null : 'true',
      }),
      action('new', 'New game', 'N', () => this.again()),
      h(
        'a',
        awaits
          ? { class: 'button', href: this.exploreAddress(game) }
          : { class: 'button', role: 'link', 'aria-disabled': 'true' },
        this.shown.hand ? 'In Explore' : 'On the map',
      ),
      shareView(this.route, 'Share game'),
    );
    this.drawHelp(game);
  }

  named(game, number) {
    const known = game.hints.find((one) => one.dice === number && !one.keep);
    const words = known?.means ?? (number === 0 ? 'bank' : 'roll');
    return capital(words);
  }

  drawHelp(game) {
    const [least, most] = game.choices;
    const { pot } = this.shown;
    const fewest = Math.max(least, pot ? 1 : 0);
    const key = (name) => h('kbd', {}, name);
    const toggle = (event) => {
      this.keys = event.target.checked;
      store(local, 'hog.keys', this.keys ? 'on' : 'off');
      this.drawRolls(game);
    };
    refresh(
      this.help,
      h(
        'label',
        {},
        h('input', {
          type: 'checkbox',
          'data-key': 'keys',
          'aria-describedby': 'keys',
          checked: this.keys,
          onchange: toggle,
        }),
        ' Single keys: ',
      ),
      key(fewest),
      most > fewest ? ['–', key(Math.min(most, 9)), ' roll'] : ' rolls',
      pot && [', ', key('0'), this.shown.hand ? ' banks' : ' holds'],
      this.shown.hand && ['; a face marks a die, ', key('K'), ' keeps'],
      most > 9 && [', ', key('T'), ' rolls ten'],
      '.',
    );
  }

  clearEnd() {
    const lost = this.ended.contains(document.activeElement);
    put(this.ended);
    if (!lost) return;
    if (this.replays) {
      this.watch.hidden = false;
      this.pause.focus();
      return;
    }
    const next = this.rolls.hidden ? '[data-key="new"]' : '.rolls button';
    /** @type {HTMLElement} */ (this.columns.querySelector(next)).focus();
  }

  exploreAddress(game) {
    const mover = game.mover ?? 0;
    return linked(this.route, 'explore', {
      score: game.scores[mover],
      opponent: game.scores[1 - mover],
      params: { ...game.memory, roll: game.roll?.join('.') },
    });
  }

  drawHistory(game, turns) {
    const link = (turn) =>
      linked(this.route, 'explore', {
        score: turn.from[0],
        opponent: turn.from[1],
        params: turn.memory,
      });
    const line = (turn, place) =>
      row(h('a', { href: link(turn), title: 'On the map' }, place + 1), [
        this.called(game, turn.player),
        h(
          'td',
          {},
          `${this.moved(turn)} `,
          turn.faces.length > 0 &&
            h(
              'span',
              { class: 'mini', role: 'img', 'aria-label': turn.faces.join(', ') },
              small(turn.faces),
            ),
        ),
        `${turn.scores[0]} to ${turn.scores[1]}`,
        turn.grade && h('span', { class: `badge ${turn.grade}` }, turn.grade),
      ]);
    const heads = [capital(unitOf(this.shown)), 'Who', 'Dice', 'Scores', 'Grade'];
    put(
      this.history,
      turns === 0
        ? h('p', { class: 'note' }, 'No turns yet.')
        : [
            table(heads, game.turns.slice(0, turns).map(line).reverse()),
            savesTable(
              'game-turns',
              game.turns.slice(0, turns).map((turn) => ({ ...turn, ...playedBy(game) })),
            ),
          ],
    );
  }

  /** Draws a game that has ended as it was before a turn, with the dice of that turn. */
  drawReviewed(game, turns) {
    const turn = game.turns[turns];
    this.draw(game, turns, turn?.player);
    if (turn) this.drawTurn(turn, this.lines(turn, game).slice(0, 1));
    else this.drawTurn(game.turns[turns - 1], this.lines(game.turns[turns - 1], game));
  }

  drawTurn(turn, lines) {
    lay(this.tray, turn.faces, turn.keep);
    put(this.told, lines);
  }

  /** Shows the result of a game that has ended; the last `unheard` turns are told with it. */
  finish(game, unheard) {
    if (game.mover !== null) {
      this.clearEnd();
      return;
    }
    const head = this.outcome(game);
    const review = new Review({
      game,
      route: this.route,
      pot: this.shown.pot,
      hand: this.shown.hand,
      question: (score, opponent, memory) => ({
        ...gameParams(this.route),
        score,
        opponent,
        memory,
      }),
      called: (one, player) => this.called(one, player),
      onTurn: (turns) => this.drawReviewed(game, turns),
      onRetry: (place) => this.retry(game, place),
    });
    const turns = game.turns.filter((turn) => !this.gathered(turn)).length;
    put(
      this.ended,
      h(
        'div',
        { class: 'card ended', role: 'status', tabindex: '-1' },
        h(
          'p',
          { class: 'answer' },
          h('strong', {}, head),
          ` ${game.scores[0]} to ${game.scores[1]} after ${count(turns, 'turn')}`,
        ),
        h(
          'p',
          { class: 'bar' },
          button('Play again', () => this.again(), { class: 'primary' }),
          button('Watch it again', () => this.watchAgain()),
        ),
      ),
      review.element,
    );
    if (this.lost) /** @type {HTMLElement} */ (this.ended.firstChild).focus();
    this.lost = false;
    // From a person's last move on; of a game that was watched, the last turn.
    const last = game.turns.findLastIndex(({ player }) => game.people[player]);
    const told = game.turns.slice(last).map((turn) => this.sentence(turn, game));
    say([...told.slice(-unheard), `${head} ${game.scores[0]} to ${game.scores[1]}.`].join(' '));
  }

  outcome(game) {
    const won = game.result?.won;
    if (won === undefined) return game.result === 'endless' ? 'The game never ends:' : 'A tie:';
    if (game.people.filter(Boolean).length !== 1) return `${game.names[won]} wins:`;
    return game.people[won] ? 'You win!' : 'You lose:';
  }

  moves() {
    return (read().params.get('rolls') ?? '').split('.').filter(Boolean);
  }

  goOnWith(moves) {
    go({ ...this.route, params: withParams(this.route.params, { rolls: moves.join('.') }) });
  }

  /** Keeps dice of the roll: `marked` has a 0 for each that is not kept. */
  keep(marked) {
    if (this.busy) return;
    this.busy = true;
    this.goOnWith([...this.moves(), `k${marked.join('-')}`]);
  }

  roll(number) {
    const { game } = this;
    if (this.busy || !game || game.mover === null || !game.people[game.mover]) return;
    if (game.roll) {
      put(this.notice, 'First choose the dice to keep.');
      return;
    }
    const [least, most] = game.choices;
    if (number < least || number > most) {
      const ofHand = number
        ? 'Roll first: then a face marks a die.'
        : 'There is nothing to bank: roll.';
      const allowed = `${dice(number)}: this game allows ${least} to ${most}.`;
      put(this.notice, this.shown.hand ? ofHand : allowed);
      return;
    }
    this.busy = true;
    this.goOnWith([...this.moves(), number]);
  }

  /** Starts another game; if a player is not known, says so in `refused`. */
  async start(players, seed, refused) {
    const params = withParams(this.route.params, { players, seed, rolls: null, against: null });
    const route = { ...this.route, params };
    put(refused);
    try {
      await ask('play', this.request(route));
      this.setPaused(false);
      go(route);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(refused, withCode(error.message));
    }
  }

  undo() {
    const moves = this.moves();
    if (!this.busy && moves.length) this.goOnWith(moves.slice(0, -1));
  }

  /** Goes back to the position before a turn, to play on from there. */
  retry(game, place) {
    const own = game.turns.slice(0, place).filter((turn) => game.people[turn.player]).length;
    const moves = this.moves();
    // A turn begins with a roll, and may have a keep after it.
    const starts = [...moves.keys()].filter((at) => !keeps(moves[at]));
    this.turns = place;
    this.goOnWith(moves.slice(0, starts[own]));
  }

  again() {
    this.turns = 0;
    this.busy = false;
    this.setPaused(false);
    const params = withParams(this.route.params, { rolls: null, seed: anySeed() });
    go({ ...this.route, params });
  }

  watchAgain() {
    this.replays = true;
    this.clearEnd();
    this.turns = 0;
    this.asked += 1;
    this.showTurns(this.game, 0, this.asked);
  }

  toggleHints() {
    this.hints = !this.hints;
    store(local, 'hog.hints', this.hints ? '1' : '0');
    const hinted = this.game && !this.busy ? this.hinted(this.game) : '';
    say(this.hints ? `Hints are shown. ${hinted}` : 'Hints are hidden');
    if (this.game) this.drawRolls(this.game);
    if (this.game?.roll) this.offer(this.game);
  }

  press(event) {
    if (!this.keys || event.altKey || event.metaKey || event.ctrlKey) return;
    if (event.target.matches?.('input, select, textarea')) return;
    const key = event.key.toLowerCase();
    if (/^\d$/.test(key) && this.lying && !this.busy) this.hand.press(Number(key));
    else if (/^\d$/.test(key)) this.roll(Number(key));
    else if (key === 'k' && this.lying && !this.busy) this.hand.keep();
    else if (key === 't') this.roll(10);
    else if (key === 'h') this.toggleHints();
    else if (key === 'u') this.undo();
    else if (key === 'n') this.leaveGame();
    else return;
    event.preventDefault();
  }

  /** A key is pressed easily: a game that goes on is only left if the user says so. */
  leaveGame() {
    const goesOn = this.moves().length > 0 && this.game?.mover !== null;
    if (!goesOn || confirm('Leave this game and begin a new one?')) this.again();
  }

  fillRules() {
    const { goal, min_dice: least, max_dice: most, hand } = this.shown;
    const turn = hand
      ? 'After each roll of a turn, dice are kept, and the others are rolled.'
      : `A turn rolls ${least} to ${most} dice and scores their sum.`;
    put(
      this.rules,
      h('summary', {}, 'The rules'),
      h('p', {}, `The first to reach ${goal} points ends the game. ${turn}`),
      rulesOf(this.shown),
    );
  }

  fillSetup(game) {
    const players = this.players(this.route);
    const most = this.shown.max_dice;
    const others = this.shown.hand
      ? ['most_points', 'bank_at:300']
      : Array.from({ length: most + 1 }, (_, i) => `always_roll:${i}`);
    const names = new Set(['person', ...mine(), this.strongest, 'baseline', ...others]);
    const options = [...names].map((name) => h('option', { value: name }));
    const field = (player) =>
      h('input', {
        'data-key': `player${player}`,
        list: 'players',
        value: players[player],
        spellcheck: 'false',
        size: 16,
      });
    const fields = [field(0), field(1)];
    const seed = h('input', {
      'data-key': 'seed',
      type: 'number',
      min: 0,
      value: game.seed,
      class: 'seed',
    });
    const refused = h('p', { class: 'loss', role: 'alert' });
    const start = () => {
      const named = fields.map((input) => input.value.trim() || 'person').join('~');
      this.start(named, seed.value || anySeed(), refused);
    };
    const as = (label, one, other) => {
      const begin = () => {
        fields[0].value = one;
        fields[1].value = other;
        seed.value = anySeed();
        start();
      };
      const key = `${one}~${other}`;
      return button(label, begin, { 'data-key': key });
    };
    const submit = (event) => {
      event.preventDefault();
      start();
    };
    const shown = JSON.stringify([players, game.seed, [...names]]);
    // What is typed here stays while a game goes on.
    if (shown === this.setupOf) return;
    this.setupOf = shown;
    const open = this.setup.open;
    const who = `${this.called(game, 0)} against ${this.called(game, 1)}`;
    refresh(
      this.setup,
      h('summary', { 'data-key': 'setup' }, `${who}, seed ${game.seed}`),
      h(
        'p',
        { class: 'bar' },
        as('I move first', 'person', this.strongest),
        as('I move second', this.strongest, 'person'),
        as('Two people', 'person', 'person'),
        this.shown.baseline && as('Against the baseline', 'person', 'baseline'),
        // What calculators advise.
        this.shown.hand && as('Against most points', 'person', 'most_points'),
        as('Watch', this.strongest, this.shown.baseline ? 'baseline' : this.strongest),
        mine()
          .slice(0, 3)
          .map((name) => as(`Against ${name}`, 'person', name)),
      ),
      h(
        'form',
        { class: 'setup', onsubmit: submit },
        h('label', {}, 'Moves first', fields[0]),
        h('label', {}, 'Moves second', fields[1]),
        h('label', {}, 'Seed', seed),
        h('datalist', { id: 'players' }, options),
        h('button', { class: 'primary', 'data-key': 'start' }, 'Start'),
      ),
      refused,
      h(
        'p',
        { class: 'note' },
        'A player is “person”, a file that you have dropped in the coach, or a strategy: ',
        this.shown.hand
          ? 'final_strategy, optimal, baseline, most_points, bank_at:300 … '
          : 'final_strategy, optimal, baseline, always_roll:4, swap_strategy:8,5 … ',
        'The same seed rolls the same dice.',
      ),
    );
    this.setup.open = open;
  }
}
