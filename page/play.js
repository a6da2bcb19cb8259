// Play: the game of the handouts. The address determines the game: the players, the seed of the dice, and the rolls.

import { Refused, ask, askOnce } from './api.js';
import { die, roll, small, wait } from './dice.js';
import { h, put, refresh, say, shareButton, still } from './dom.js';
import {
  draftBase,
  fullAddress,
  gameParams,
  go,
  linked,
  memoryParams,
  read,
  wellFormed,
  withParams,
} from './route.js';
import { dice, memoryName, memoryText, oneOf, percent } from './words.js';

const GRADES = ['best', 'good', 'slip', 'mistake', 'blunder'];
const anySeed = () => Math.floor(Math.random() * 1e9);

export async function show(root, route) {
  const table = new Table(root, route);
  try {
    await table.follow(route);
  } catch (error) {
    table.close();
    throw error;
  }
  return table;
}

class Table {
  constructor(root, route) {
    this.root = root;
    this.hints = route.params.get('hints') === '1';
    this.turns = 0;
    this.board = h('div', { class: 'board' });
    this.memory = h('p', { class: 'memories' });
    this.tray = h('div', { class: 'dice', 'aria-live': 'off' });
    this.told = h('ul', { class: 'told', 'aria-live': 'polite' });
    this.rolls = h('div', { class: 'rolls', role: 'group', 'aria-label': 'How many dice?' });
    this.actions = h('div', { class: 'bar' });
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
    this.key = (event) => this.press(event);
    document.addEventListener('keydown', this.key);
    put(
      root,
      h('h1', { class: 'sr' }, `Play ${route.game}`),
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { 'aria-label': 'Game' },
          this.board,
          this.memory,
          h('div', { class: 'tray' }, this.tray, this.told),
          this.ended,
          this.rolls,
          this.notice,
          this.actions,
        ),
        h(
          'section',
          { class: 'side', 'aria-label': 'Setup, history and rules' },
          this.setup,
          h('div', { class: 'card' }, h('h2', {}, 'History'), this.history),
          this.rules,
        ),
      ),
    );
  }

  close() {
    this.closed = true;
    document.removeEventListener('keydown', this.key);
  }

  players(route) {
    const players = wellFormed(
      route,
      'players',
      /^[^~]+~[^~]+$/,
      'two, as in players=person~final_strategy',
    );
    return players?.split('~') ?? ['person', route.params.get('against') ?? this.strongest];
  }

  request(route) {
    const seed = wellFormed(route, 'seed', /^\d+$/, 'a whole number, as in seed=7');
    const rolls = wellFormed(
      route,
      'rolls',
      /^-?\d+(\.-?\d+)*$/,
      'numbers of dice, as in rolls=4.6.5',
    );
    const from = wellFormed(route, 'from', /^\d+-\d+$/, 'two scores, as in from=20-36');
    const [score, opponent] = (from ?? '0-0').split('-').map(Number);
    return {
      ...gameParams(route),
      memory: memoryParams(route),
      score,
      opponent,
      players: this.players(route),
      seed: Number(seed ?? 0),
      rolls: rolls?.split('.').map(Number) ?? [],
    };
  }

  async follow(route) {
    if (!this.shown) {
      this.shown = await askOnce('rules/show', gameParams(route));
      const table =
        draftBase(route.game) === null &&
        !route.params.get('goal') &&
        !route.params.get('max_dice');
      this.strongest = table ? 'final_strategy' : 'optimal';
      this.fillRules();
    }
    if (!route.params.get('seed')) {
      go({ ...route, params: withParams(route.params, { seed: anySeed() }) }, { replace: true });
      return;
    }
    this.route = route;
    const number = (this.asked ?? 0) + 1;
    this.asked = number;
    put(this.notice);
    const request = this.request(route);
    let game;
    try {
      game = await ask('play', request);
    } catch (error) {
      // A game without a shipped table is played against one that is solved now.
      if (
        !(error instanceof Refused) ||
        this.strongest === 'optimal' ||
        route.params.get('players') ||
        route.params.get('against')
      )
        throw error;
      this.strongest = 'optimal';
      game = await ask('play', this.request(route));
    }
    if (this.asked !== number || this.closed) return;
    const base = JSON.stringify({ ...request, rolls: [], players: this.players(route) });
    // A game opened by a link is shown in its current state; one between two strategies is shown turn by turn.
    const first = request.rolls.length ? game.turns.length : 0;
    const before = base === this.base ? this.turns : first;
    this.base = base;
    this.fillSetup(game);
    // Not awaited: a newer request stops the display of this one.
    this.showTurns(game, Math.min(before, game.turns.length), number);
  }

  /** Shows the turns after the first `done`, one by one; stops if `number` is not the latest request. */
  async showTurns(game, done, number) {
    // More than 60 new turns are not shown one by one.
    const from = game.turns.length - done > 60 ? game.turns.length : done;
    for (let place = from; place < game.turns.length; place += 1) {
      const turn = game.turns[place];
      this.busy = true;
      this.draw(game, place, turn.player);
      put(this.told);
      await roll(this.tray, turn.faces);
      if (this.asked !== number || this.closed) return;
      await this.narrate(turn, game, number);
      if (this.asked !== number || this.closed) return;
      this.draw(game, place + 1);
      const last = place + 1 === game.turns.length;
      if (!last && !still()) await wait(game.people.some(Boolean) ? 900 : 700);
      if (this.asked !== number || this.closed) return;
    }
    this.busy = false;
    this.turns = game.turns.length;
    this.game = game;
    this.draw(game, game.turns.length);
    if (!game.turns.length) {
      put(this.tray);
      put(
        this.told,
        h('li', { class: 'note' }, `First to ${game.goal} points. How many dice will you roll?`),
      );
    } else if (from >= game.turns.length) {
      const last = game.turns[game.turns.length - 1];
      put(
        this.tray,
        last.faces.map((face) => die(face)),
      );
      put(this.told, this.lines(last, game));
    }
    this.finish(game);
  }

  lines(turn, game) {
    const mover =
      game.people[turn.player] && game.people.filter(Boolean).length === 1 ? 'You' : turn.name;
    // In a turn of several rolls a memory collects the points, which do not count for the score yet.
    const kept = memoryText(turn.kept ?? {});
    const gathers = turn.again && turn.points === 0 && kept;
    const rules = turn.steps.filter((step) => step.rule !== 'Roll');
    return [
      h(
        'li',
        { class: 'points' },
        `${mover}: ${dice(turn.dice)}, ${gathers || `${turn.points} ${turn.points === 1 ? 'point' : 'points'}`}`,
        ' ',
        turn.grade && h('span', { class: `badge ${turn.grade}` }, turn.grade),
      ),
      ...rules.map((step) =>
        h('li', { class: 'rule' }, h('strong', {}, step.rule), `: ${step.text}`),
      ),
      turn.grade && turn.grade !== 'best' && h('li', { class: 'note' }, turn.remark),
      ...turn.said.map((line) => h('li', { class: 'comment' }, this.comment(line, game))),
      turn.again && h('li', { class: 'rule' }, 'The same player moves again.'),
    ].filter(Boolean);
  }

  /** Returns a comment of the engine, "Player 1 takes the lead by 5", with the names of the players. */
  comment(text, game) {
    const names = [0, 1].map((player) => this.called(game, player));
    const same = names[0] === names[1];
    return text.replace(/\bPlayer ([01])\b( takes\b)?/g, (_, player, takes = '') => {
      if (names[player] === 'You') return takes ? 'You take' : 'you';
      return `${names[player]}${same ? [' (first)', ' (second)'][player] : ''}${takes}`;
    });
  }

  async narrate(turn, game, number) {
    for (const line of this.lines(turn, game)) {
      this.told.append(line);
      if (!still()) await wait(140);
      if (this.asked !== number || this.closed) return;
    }
  }

  /** Draws the board after a number of turns. */
  draw(game, turns, moving = null) {
    const last = game.turns[turns - 1];
    const first = game.turns[0];
    const start = first
      ? first.player === 0
        ? first.from
        : [...first.from].reverse()
      : game.scores;
    const scores = last?.scores ?? start;
    const mover = moving ?? (turns === game.turns.length ? game.mover : null);
    put(
      this.board,
      [0, 1].map((player) =>
        h(
          'div',
          { class: `player${mover === player ? ' moves' : ''}` },
          h(
            'div',
            { class: 'who' },
            h('span', {}, this.called(game, player)),
            mover === player && h('span', {}, 'to move'),
          ),
          h(
            'div',
            { class: 'score', 'aria-label': `${this.called(game, player)}: ${scores[player]}` },
            scores[player],
          ),
          h(
            'div',
            { class: 'track', 'aria-hidden': 'true' },
            h('div', { style: { width: `${Math.min(scores[player] / game.goal, 1) * 100}%` } }),
          ),
        ),
      ),
    );
    const memory = turns === game.turns.length ? game.memory : game.turns[turns].memory;
    put(
      this.memory,
      Object.entries(memory).map(([name, value]) =>
        h('span', {}, `${memoryName(name)} `, h('b', {}, value)),
      ),
    );
    this.drawRolls(game);
    this.drawHistory(game, turns);
  }

  called(game, player) {
    if (!game.people[player]) return game.names[player];
    return game.people.filter(Boolean).length === 1 ? 'You' : game.names[player];
  }

  drawRolls(game) {
    const ready = !this.busy && game.mover !== null && game.people[game.mover];
    const [least, most] = game.choices;
    const hint = (number) =>
      ready && this.hints ? game.hints.find((known) => known.dice === number) : null;
    // The buttons stay enabled, because a disabled one would lose the focus; `roll` and `undo` ignore them.
    this.rolls.hidden = game.mover === null || !game.people.some(Boolean);
    const lost = this.rolls.hidden && this.rolls.contains(document.activeElement);
    const numbers = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    const holds = (number) => number === 0 && this.shown.pot;
    refresh(
      this.rolls,
      numbers.map((number) =>
        h(
          'button',
          {
            type: 'button',
            'data-key': number,
            'aria-disabled': ready ? null : 'true',
            class: hint(number)?.best ? 'top-roll' : null,
            'aria-label': `${holds(number) ? 'Hold' : `Roll ${dice(number)}`}${hint(number) ? `, win rate ${percent(hint(number).win_rate)}` : ''}`,
            onclick: () => this.roll(number),
          },
          holds(number) ? 'Hold' : number,
          hint(number) && h('small', {}, percent(hint(number).win_rate, 1)),
        ),
      ),
    );
    const fewest = Math.max(least, this.shown.pot ? 1 : 0);
    const undoable = !this.busy && this.rolled().length > 0;
    refresh(
      this.actions,
      h(
        'button',
        {
          type: 'button',
          'data-key': 'hints',
          'aria-pressed': `${this.hints}`,
          onclick: () => this.toggleHints(),
        },
        'Hints ',
        h('kbd', {}, 'H'),
      ),
      h(
        'button',
        {
          type: 'button',
          'data-key': 'undo',
          'aria-disabled': undoable ? null : 'true',
          onclick: () => this.undo(),
        },
        'Take back ',
        h('kbd', {}, 'U'),
      ),
      h(
        'button',
        { type: 'button', 'data-key': 'new', onclick: () => this.again() },
        'New game ',
        h('kbd', {}, 'N'),
      ),
      // Only this browser has edited rules; the view of the rules shares them.
      draftBase(this.route.game) === null && shareButton(() => fullAddress(read()), 'Share game'),
      ready && h('a', { class: 'button', href: this.exploreAddress(game) }, 'On the map'),
      h(
        'p',
        { class: 'note' },
        h(
          'span',
          { class: 'keys' },
          'Keys: ',
          h('kbd', {}, `${fewest}`),
          most > fewest ? ['–', h('kbd', {}, `${Math.min(most, 9)}`), ' roll'] : ' rolls',
          this.shown.pot && [', ', h('kbd', {}, '0'), ' holds'],
          most > 9 ? [', ', h('kbd', {}, 'T'), ' rolls ten.'] : '.',
        ),
      ),
    );
    if (lost) this.focusNew();
  }

  /** Moves the focus to "New game" when the button that had it is gone. */
  focusNew() {
    this.actions.querySelector('[data-key="new"]').focus();
  }

  clearEnd() {
    const lost = this.ended.contains(document.activeElement);
    put(this.ended);
    if (lost) this.focusNew();
  }

  exploreAddress(game) {
    const mover = game.mover ?? 0;
    return linked(this.route, 'explore', {
      score: game.scores[mover],
      opponent: game.scores[1 - mover],
      params: game.memory,
    });
  }

  drawHistory(game, turns) {
    const link = (turn) =>
      linked(this.route, 'explore', {
        score: turn.from[0],
        opponent: turn.from[1],
        params: turn.memory,
      });
    const row = (turn, place) =>
      h(
        'tr',
        {},
        h('td', {}, h('a', { href: link(turn), title: 'On the map' }, place + 1)),
        h('td', {}, this.called(game, turn.player)),
        h(
          'td',
          {},
          `${turn.dice} `,
          h('span', { class: 'mini', 'aria-label': turn.faces.join(', ') }, small(turn.faces)),
        ),
        h('td', {}, `${turn.scores[0]}–${turn.scores[1]}`),
        h('td', {}, turn.grade && h('span', { class: `badge ${turn.grade}` }, turn.grade)),
      );
    put(
      this.history,
      turns === 0
        ? h('p', { class: 'note' }, 'No turns yet.')
        : h(
            'table',
            {},
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                ['Turn', 'Who', 'Dice', 'Scores', 'Grade'].map((text) =>
                  h('th', { scope: 'col' }, text),
                ),
              ),
            ),
            h('tbody', {}, game.turns.slice(0, turns).map(row).reverse()),
          ),
    );
  }

  finish(game) {
    if (game.mover !== null) {
      this.clearEnd();
      return;
    }
    const won = game.result?.won;
    const people = game.people.filter(Boolean).length;
    const head =
      won === undefined
        ? game.result === 'endless'
          ? 'The game never ends:'
          : 'A tie:'
        : people === 1
          ? game.people[won]
            ? 'You win!'
            : 'You lose:'
          : `${game.names[won]} wins:`;
    const cost = (summary, player) => {
      const grades = summary.grades
        .map((number, i) => number && `${number} ${GRADES[i]}`)
        .filter(Boolean)
        .join(', ');
      const total = summary.mean_loss * summary.moves;
      const worst =
        summary.worst &&
        h(
          'p',
          { class: 'note' },
          `The costliest roll was in turn ${summary.worst[0]}, at ${summary.worst[1][0]} to ${summary.worst[1][1]}: ${dice(summary.worst[2].dice)} lost ${(summary.worst[2].loss * 100).toFixed(2)} points; best was ${oneOf(summary.worst[2].best)}.`,
        );
      return h(
        'div',
        {},
        h(
          'p',
          {},
          h('strong', {}, this.called(game, player)),
          `: ${summary.moves} rolls, ${grades}. Choices cost `,
          h('strong', {}, `${(total * 100).toFixed(1)} points`),
          ' of win rate in all.',
        ),
        worst,
      );
    };
    put(
      this.ended,
      h(
        'div',
        { class: 'card ended', role: 'status' },
        h(
          'p',
          { class: 'answer' },
          h('strong', {}, head),
          ` ${game.scores[0]} to ${game.scores[1]} after ${game.turns.length} turns`,
        ),
        game.summaries?.map(
          (summary, player) =>
            (game.people[player] || people === 0) && summary.moves > 0 && cost(summary, player),
        ),
        h(
          'p',
          {},
          h(
            'button',
            { type: 'button', class: 'primary', onclick: () => this.again() },
            'Play again',
          ),
          ' ',
          h('button', { type: 'button', onclick: () => this.watchAgain() }, 'Watch it again'),
        ),
      ),
    );
    say(head);
  }

  rolled() {
    return (read().params.get('rolls') ?? '').split('.').filter(Boolean);
  }

  roll(number) {
    const { game } = this;
    if (this.busy || !game || game.mover === null || !game.people[game.mover]) return;
    const [least, most] = game.choices;
    if (number < least || number > most) {
      put(this.notice, `${dice(number)}: this game allows ${least} to ${most}.`);
      return;
    }
    this.busy = true;
    go({
      ...this.route,
      params: withParams(this.route.params, { rolls: [...this.rolled(), number].join('.') }),
    });
  }

  /** Starts another game; if a player is not known, says so in `refused`. */
  async start(players, seed, refused) {
    const route = {
      ...this.route,
      params: withParams(this.route.params, { players, seed, rolls: null, against: null }),
    };
    put(refused);
    try {
      await ask('play', this.request(route));
      go(route);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(refused, error.message);
    }
  }

  undo() {
    if (this.busy || !this.rolled().length) return;
    go({
      ...this.route,
      params: withParams(this.route.params, { rolls: this.rolled().slice(0, -1).join('.') }),
    });
  }

  again() {
    this.turns = 0;
    this.busy = false;
    go({ ...this.route, params: withParams(this.route.params, { rolls: null, seed: anySeed() }) });
  }

  watchAgain() {
    this.clearEnd();
    this.turns = 0;
    this.asked += 1;
    this.showTurns(this.game, 0, this.asked);
  }

  toggleHints() {
    this.hints = !this.hints;
    if (this.game) this.drawRolls(this.game);
  }

  press(event) {
    if (
      event.altKey ||
      event.metaKey ||
      event.ctrlKey ||
      event.target.matches?.('input, select, textarea')
    )
      return;
    const key = event.key.toLowerCase();
    if (/^\d$/.test(key)) this.roll(Number(key));
    else if (key === 't') this.roll(10);
    else if (key === 'h') this.toggleHints();
    else if (key === 'u') this.undo();
    else if (key === 'n') this.again();
    else return;
    event.preventDefault();
  }

  fillRules() {
    put(
      this.rules,
      h('summary', {}, 'The rules'),
      h(
        'p',
        {},
        `The first to reach ${this.shown.goal} points ends the game. A turn rolls ${this.shown.min_dice} to ${this.shown.max_dice} dice and scores their sum.`,
      ),
      h(
        'dl',
        {},
        this.shown.rules.map((rule) => [h('dt', {}, rule.name), h('dd', {}, rule.text ?? '')]),
      ),
    );
  }

  fillSetup(game) {
    const players = this.players(this.route);
    const names = [
      'person',
      this.strongest,
      'baseline',
      ...Array.from({ length: this.shown.max_dice + 1 }, (_, i) => `always_roll:${i}`),
    ];
    const list = h(
      'datalist',
      { id: 'players' },
      [...new Set(names)].map((name) => h('option', { value: name })),
    );
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
    const start = () =>
      this.start(
        fields.map((input) => input.value.trim() || 'person').join('~'),
        seed.value || anySeed(),
        refused,
      );
    const as = (one, other) =>
      h(
        'button',
        {
          type: 'button',
          'data-key': `${one}~${other}`,
          onclick: () => {
            fields[0].value = one;
            fields[1].value = other;
            seed.value = anySeed();
            start();
          },
        },
        one === 'person'
          ? other === 'person'
            ? 'Two people'
            : 'I move first'
          : other === 'person'
            ? 'I move second'
            : 'Watch',
      );
    const open = this.setup.open;
    refresh(
      this.setup,
      h(
        'summary',
        { 'data-key': 'setup' },
        `${this.called(game, 0)} against ${this.called(game, 1)}, seed ${game.seed}`,
      ),
      h('p', {}),
      h(
        'div',
        { class: 'bar' },
        as('person', this.strongest),
        as(this.strongest, 'person'),
        as('person', 'person'),
        as(this.strongest, 'baseline'),
      ),
      h('p', {}),
      h(
        'form',
        {
          class: 'setup',
          onsubmit: (event) => {
            event.preventDefault();
            start();
          },
        },
        h('label', {}, 'Moves first', fields[0]),
        h('label', {}, 'Moves second', fields[1]),
        h('label', {}, 'Seed', seed),
        list,
        h('button', { class: 'primary', 'data-key': 'start' }, 'Start'),
      ),
      refused,
      h(
        'p',
        { class: 'note' },
        'A player is “person” or a strategy: final_strategy, optimal, baseline, always_roll:4, swap_strategy:8,5 … The same seed rolls the same dice.',
      ),
    );
    this.setup.open = open;
  }
}
