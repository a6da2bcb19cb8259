// Explore: a map of all positions. Select one to see the win rate of each number of dice, the outcomes, and the reasons.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { h, put, refresh, say, shareButton, svg } from './dom.js';
import { mine } from './kept.js';
import { LAYERS, layerOf, layersOf } from './layers.js';
import { ScoreMap, css, diceColour } from './map.js';
import {
  draftBase,
  fullAddress,
  gameParams,
  go,
  linked,
  memoryParams,
  playedFrom,
  read,
  withParams,
} from './route.js';
import { NEAR, anyOf, dice, memoryName, oneOf, percent, signed } from './words.js';

export async function enter(root, route) {
  return new Explorer(root, route, await askOnce('rules/show', gameParams(route)));
}

class Explorer {
  constructor(root, route, shown) {
    this.route = route;
    this.shown = shown;
    this.baseline = shown.baseline;
    this.available = layersOf(shown);
    this.askBest = lastOnly();
    this.askWhy = lastOnly();
    this.map = new ScoreMap({
      name: `Map of ${route.game}`,
      onPick: (score, opponent) => this.move(score, opponent),
    });
    this.layers = h('div', { class: 'layers', role: 'group', 'aria-label': 'Layers' });
    this.legend = h('div');
    this.about = h('p', { class: 'note' });
    const field = (label, name) =>
      h('input', {
        list: 'strategies',
        'aria-label': label,
        spellcheck: 'false',
        size: 18,
        onchange: (event) => this.choose(name, event.target.value.trim()),
      });
    this.strategy = field('Strategy to show', 'strategy');
    this.opponent = field('Opponent', 'against');
    this.refused = h('p', { class: 'loss', role: 'alert' });
    this.strategies = h('datalist', { id: 'strategies' });
    this.ofStrategy = h('label', {}, 'Strategy', this.strategy);
    this.bar = h(
      'div',
      { class: 'bar', hidden: true },
      this.ofStrategy,
      h('label', {}, 'Opponent', this.opponent),
      this.strategies,
      this.refused,
    );
    this.waiting = h('p', { role: 'status' });
    this.map.element.hidden = true;
    this.panel = h('div', { class: 'panel' });
    this.rules = h('details', { class: 'card' });
    this.theme = () => this.drawn && this.showLayer();
    addEventListener('hog:theme', this.theme);
    this.fillRules();
    put(
      root,
      h('h1', { class: 'sr' }, `Explore ${route.game}`),
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { class: 'card', 'aria-label': 'Map' },
          this.waiting,
          this.layers,
          this.map.element,
          this.legend,
          this.about,
          this.bar,
        ),
        h('section', { class: 'side', 'aria-label': 'Position' }, this.panel, this.rules),
      ),
    );
  }

  leave() {
    removeEventListener('hog:theme', this.theme);
  }

  /** The layer that the address names, or else the game's first. */
  get layer() {
    const wanted = this.route.params.get('layer');
    return (this.available.find(([name]) => name === wanted) ?? this.available[0])[0];
  }

  /** Returns the request for the map of the current route. */
  mapRequest() {
    const { params } = this.route;
    const { layer } = this;
    const request = { ...gameParams(this.route), memory: memoryParams(this.route) };
    if (params.get('against')) request.against = params.get('against');
    if (['spread', 'met', 'hold'].includes(layer)) request.layers = [layer];
    if (layer === 'strategy' || layer === 'differs')
      request.strategy = params.get('strategy') ?? this.baseline ?? 'optimal';
    return request;
  }

  async update(route) {
    this.route = route;
    if (!this.data) this.waiting.textContent = 'Solving…';
    const request = this.mapRequest();
    const key = JSON.stringify(request);
    if (key !== this.key) {
      this.drawn = null;
      this.map.stale(true);
      const loaded = await this.load(request).catch((error) => {
        if (route === this.route) throw error;
      });
      // The address may have changed in the meantime.
      if (route !== this.route) return;
      [this.waiting.hidden, this.map.element.hidden] = [true, false];
      [this.key, this.data, this.unknown] = [key, ...loaded];
    }
    this.map.stale(false);
    const wanted = `${this.key} ${this.layer}`;
    if (wanted !== this.drawn) this.showLayer();
    this.drawn = wanted;
    const { goal } = this.data;
    const inside = (score) => score !== null && score < goal;
    if (!inside(route.score) || !inside(route.opponent)) {
      this.map.select(null, null);
      this.welcome();
      if (route.score !== null)
        this.complain(
          `The address has no position of this game: after the game it needs two scores from 0 to ${goal - 1}, as in /20/36.`,
        );
      return;
    }
    this.map.select(route.score, route.opponent);
    await this.position();
  }

  /** Loads a map: `[data, null]`, or the map without the strategy and the reason if the strategy is refused. */
  async load({ strategy, ...request }) {
    try {
      return [await askOnce('map', strategy ? { ...request, strategy } : request), null];
    } catch (error) {
      if (!(error instanceof Refused) || !strategy) throw error;
      return [await askOnce('map', request), error.message];
    }
  }

  /** Shows a message above the panel. */
  complain(text) {
    this.panel.prepend(h('div', { class: 'card trouble', role: 'alert' }, h('p', {}, text)));
  }

  /** Goes to a position; arrow keys in quick succession leave one entry in the history. */
  move(score, opponent) {
    const now = performance.now();
    const quick = this.route.score !== null && now - (this.moved ?? -1e9) < 700;
    this.moved = now;
    const params = withParams(this.route.params, { compare: null });
    go({ ...this.route, score, opponent, params }, { replace: quick });
  }

  /** Shows a strategy on the map, or plays against one; if it is refused, says so beside the field. */
  async choose(name, strategy) {
    const { layer } = this;
    put(this.refused);
    try {
      if (strategy) await askOnce('map', { ...this.mapRequest(), [name]: strategy });
      this.change({ [name]: strategy, layer });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(this.refused, error.message);
    }
  }

  change(changes) {
    go({ ...this.route, params: withParams(this.route.params, changes) });
  }

  showLayer() {
    const { data } = this;
    const {
      layer: chosen,
      available: [[usual]],
    } = this;
    refresh(
      this.layers,
      this.available.map(([name, label]) =>
        h(
          'button',
          {
            type: 'button',
            'data-key': name,
            'aria-pressed': `${name === chosen}`,
            onclick: () => this.change({ layer: name === usual ? null : name }),
          },
          label,
        ),
      ),
    );
    const shown = this.unknown ? 'best' : chosen;
    this.bar.hidden = false;
    this.ofStrategy.hidden = !['strategy', 'differs'].includes(chosen);
    this.strategy.value = this.route.params.get('strategy') ?? this.baseline ?? 'optimal';
    this.opponent.value = this.route.params.get('against') ?? 'optimal';
    this.suggest();
    const [, title, about] = LAYERS.find(([name]) => name === shown);
    const layer = layerOf(shown, data);
    put(this.refused, this.unknown ?? '');
    this.map.show({ goal: data.goal, title, ...layer });
    put(this.legend, layer.legend);
    this.about.textContent = `${layer.about ?? about}. ${this.against()}`;
  }

  against() {
    // When to hold does not depend on the memory that it is about.
    const memories = Object.entries(this.data.memory).filter(
      ([name, value]) => value && name !== this.data.hold?.over,
    );
    const memory = memories.length
      ? ` With ${memories.map(([name, value]) => `${memoryName(name)} ${value}`).join(', ')}.`
      : '';
    return (
      (this.data.against
        ? `The opponent plays ${this.data.against}.`
        : 'The opponent plays optimally.') + memory
    );
  }

  suggest() {
    const most = this.data.max_dice;
    const names = [...mine(), 'optimal', 'baseline', 'final_strategy', 'beat:baseline'];
    for (let number = Math.max(this.data.min_dice, 0); number <= most; number += 1)
      names.push(`always_roll:${number}`);
    put(
      this.strategies,
      names.map((name) => h('option', { value: name })),
    );
  }

  welcome() {
    const { data } = this;
    const start = data.sets[data.best[0]];
    const rate = percent(data.win_rate[0]);
    const edge = data.against
      ? `Against ${data.against}, you win ${rate} of games if you move first and play optimally.`
      : `Whoever moves first wins ${rate} of games if both play optimally.`;
    put(
      this.panel,
      h(
        'div',
        { class: 'card welcome' },
        h('h2', {}, this.shown.title),
        h(
          'p',
          {},
          `Hog is a race to ${data.goal} points. On each turn you choose how many dice to roll, but a single 1 among them spoils the roll; every semester adds rules of its own, so choose yours above.`,
        ),
        h(
          'p',
          { class: 'bar' },
          [
            ['play', 'Play'],
            ['coach', 'Rate my strategy'],
            ['contest', 'Run my contest'],
          ].map(([view, label]) =>
            h('a', { class: 'button', href: linked(this.route, view) }, label),
          ),
        ),
        h('p', {}, `${edge} The best first roll is ${anyOf(start)}.`),
        h(
          'p',
          {},
          'Each cell of the map is a position: your score from left to right, your opponent’s score from bottom to top. Click on one to see the win rate of each number of dice, the outcomes, and why the best number is better than the next.',
        ),
        h(
          'p',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'primary',
              onclick: () => this.move(Math.round(data.goal / 5), Math.round(data.goal * 0.36)),
            },
            `Show me ${Math.round(data.goal / 5)} to ${Math.round(data.goal * 0.36)}`,
          ),
        ),
        h(
          'p',
          { class: 'note' },
          'The arrow keys move over the map, with Shift in steps of ten. Every view has its own address: back and forward work, and a link shows others what you see.',
        ),
      ),
    );
  }

  fillRules() {
    const { shown } = this;
    put(
      this.rules,
      h('summary', {}, `The rules of ${shown.id}`),
      h('p', {}, `To ${shown.goal} points, ${shown.min_dice} to ${shown.max_dice} dice a turn.`),
      h(
        'dl',
        {},
        shown.rules.map((rule) => [
          h('dt', {}, rule.name),
          h(
            'dd',
            {},
            rule.text ?? rule.hooks.map(([hook, formula]) => `${hook} = ${formula}`).join('; '),
          ),
        ]),
      ),
      shown.source && h('p', { class: 'note' }, shown.source),
      h('p', {}, h('a', { href: linked(this.route, 'rules') }, 'Change them')),
    );
  }

  async position() {
    const { route } = this;
    const request = {
      ...gameParams(route),
      score: route.score,
      opponent: route.opponent,
      memory: memoryParams(route),
    };
    if (route.params.get('against')) request.against = route.params.get('against');
    try {
      const best = await this.askBest('best', request);
      const compare = this.compared(best);
      this.draw(best, compare, null);
      say(
        `${best.score} to ${best.opponent}: roll ${oneOf(best.best)}, win rate ${percent(best.win_rate)}`,
      );
      if (compare === null) return;
      const why = await this.askWhy('why', { ...request, rolls: [best.best[0], compare] });
      this.draw(best, compare, why);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(
        this.panel,
        h('div', { class: 'card trouble', role: 'alert' }, h('p', {}, error.message)),
      );
    }
  }

  /** Returns the roll that the best is compared with: the one in the address, or else the second best. */
  compared(best) {
    const named = Number(this.route.params.get('compare') ?? NaN);
    const others = best.choices.filter((choice) => choice.dice !== best.best[0]);
    if (others.some((choice) => choice.dice === named)) return named;
    const next = others.reduce((a, b) => (a && a.win_rate >= b.win_rate ? a : b), null);
    return next?.dice ?? null;
  }

  draw(best, compare, why) {
    refresh(
      this.panel,
      h('div', { class: 'card' }, this.head(best), this.verdict(best), this.choices(best, compare)),
      why &&
        h(
          'div',
          { class: 'card' },
          h('h2', {}, `Why ${dice(why.dice[0])} rather than ${why.dice[1]}`),
          reasons(why),
          follows(why),
        ),
    );
  }

  head(best) {
    const field = (key, label, value, most, change) =>
      h(
        'label',
        {},
        h('span', {}, label),
        h('input', {
          type: 'number',
          min: 0,
          max: most,
          value,
          'data-key': key,
          inputmode: 'numeric',
          onchange: (event) => {
            const text = event.target.value;
            if (/^\d+$/.test(text) && Number(text) <= most) change(Number(text));
            else event.target.value = value;
          },
        }),
      );
    const largest = Object.fromEntries(
      this.shown.memories.map((memory) => [memory.name, memory.max]),
    );
    const memories = Object.entries(best.memory).map(([name, value]) =>
      field(
        name,
        memoryName(name),
        value,
        largest[name] ?? largest[name.replace(/^opponent_/, '')] ?? 99,
        (wanted) => this.change({ [name]: wanted }),
      ),
    );
    const route = () => ({ ...this.route });
    return h(
      'div',
      { class: 'head' },
      field('score', 'You', best.score, this.data.goal - 1, (wanted) =>
        go({ ...route(), score: wanted }),
      ),
      field('opponent', 'Opponent', best.opponent, this.data.goal - 1, (wanted) =>
        go({ ...route(), opponent: wanted }),
      ),
      memories,
      h(
        'span',
        { class: 'push' },
        draftBase(this.route.game) === null && shareButton(() => fullAddress(read())),
        ' ',
        h('a', { class: 'button', href: playedFrom(this.route, best) }, 'Play from here'),
      ),
    );
  }

  verdict(best) {
    const near = best.choices.filter(
      (choice) => !best.best.includes(choice.dice) && best.win_rate - choice.win_rate < NEAR,
    );
    const tied = best.best.length > 1 ? ' (exactly tied)' : '';
    return h(
      'div',
      { class: 'verdict' },
      h(
        'p',
        { class: 'answer' },
        h('strong', {}, `Roll ${oneOf(best.best)}`),
        tied,
        ': you win ',
        h('strong', {}, percent(best.win_rate)),
        ' of games',
      ),
      near.length > 0 &&
        h(
          'p',
          { class: 'note' },
          `${oneOf(near.map((choice) => choice.dice))} ${near.length === 1 ? 'is' : 'are'} nearly as good: a near-tie.`,
        ),
    );
  }

  choices(best, compare) {
    const rates = best.choices.map((choice) => choice.win_rate);
    const low = Math.min(...rates);
    const width = (rate) =>
      best.win_rate === low ? 100 : 8 + 92 * ((rate - low) / (best.win_rate - low));
    const row = (choice) => {
      const isBest = best.best.includes(choice.dice);
      const loss = choice.win_rate - best.win_rate;
      const mark = isBest ? 'best' : -loss < NEAR ? 'near-tie' : signed(loss);
      return h(
        'tr',
        {
          class:
            [isBest && 'best', choice.dice === compare && 'compare'].filter(Boolean).join(' ') ||
            null,
        },
        h(
          'th',
          { scope: 'row' },
          h(
            'button',
            {
              type: 'button',
              class: 'pip',
              'data-key': `dice${choice.dice}`,
              disabled: choice.dice === best.best[0],
              'aria-label': `${dice(choice.dice)}: compare with the best`,
              'aria-pressed': `${choice.dice === compare}`,
              style: { '--dice': css(diceColour(choice.dice, this.data.max_dice)) },
              onclick: () =>
                go(
                  {
                    ...this.route,
                    params: withParams(this.route.params, { compare: choice.dice }),
                  },
                  { replace: true },
                ),
            },
            choice.dice,
          ),
        ),
        h(
          'td',
          { class: 'fill' },
          h('div', {
            class: 'meter',
            style: {
              width: `${width(choice.win_rate)}%`,
              background: css(diceColour(choice.dice, this.data.max_dice)),
            },
          }),
        ),
        h('td', {}, percent(choice.win_rate)),
        h('td', { class: 'loss' }, mark),
      );
    };
    return h(
      'table',
      { class: 'choices' },
      h('caption', { class: 'sr' }, 'Every number of dice'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Dice', '', 'You win', 'Loss'].map((text, i) =>
            i === 1 ? h('td') : h('th', { scope: 'col' }, text),
          ),
        ),
      ),
      h('tbody', {}, best.choices.map(row)),
    );
  }
}

const KINDS = {
  changed: 'a rule changes the scores',
  again: 'you move again',
  won: 'you win',
  tied: 'the game ends in a tie',
  lost: 'you lose',
};

/** Explains the parts of a difference. */
function reasons(why) {
  const total = why.win_rate[0] - why.win_rate[1];
  const shown = why.parts.filter((part) => Math.abs(part.share) >= 0.00005).slice(0, 5);
  const what = (part) =>
    part.kind !== 'points'
      ? KINDS[part.kind]
      : part.least === part.most
        ? `${part.least} ${part.least === 1 ? 'point' : 'points'}`
        : `${part.least} to ${part.most} points`;
  const row = (part) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, what(part)),
      h('td', {}, percent(part.chance[0], 1)),
      h('td', {}, percent(part.chance[1], 1)),
      h('td', { class: part.share < 0 ? 'loss' : 'gain' }, signed(part.share)),
    );
  if (!shown.length)
    return [
      h(
        'p',
        {},
        `${dice(why.dice[0])} and ${dice(why.dice[1])} win equally often: ${percent(why.win_rate[0])}.`,
      ),
    ];
  return [
    h(
      'p',
      {},
      `${dice(why.dice[0])} ${why.dice[0] === 1 ? 'wins' : 'win'} ${Math.abs(total * 100).toFixed(2)} more points of win rate. They come from:`,
    ),
    h(
      'table',
      { class: 'reasons' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'What happens'),
          h('th', { scope: 'col' }, `with ${why.dice[0]}`),
          h('th', { scope: 'col' }, `with ${why.dice[1]}`),
          h('th', { scope: 'col' }, 'adds'),
        ),
      ),
      h('tbody', {}, shown.map(row)),
    ),
  ];
}

/** Shows the outcomes of both rolls as bars. */
function follows(why) {
  const plain = why.outcomes.filter((outcome) => outcome.kind === 'points');
  const most = Math.max(...plain.map((outcome) => outcome.score - why.score), 1);
  const top = Math.max(...plain.flatMap((outcome) => outcome.chance), 1e-9);
  const [width, height] = [560, 150];
  const step = width / (most + 1);
  // Heights are square roots: beside the tall bar of rolls with a 1, the others would be too low to see.
  const tall = (chance) => Math.sqrt(chance / top) * (height - 24);
  const bars = plain.flatMap((outcome) =>
    [0, 1]
      .filter((side) => outcome.chance[side] > 0)
      .map((side) =>
        svg(
          'rect',
          {
            class: side ? 'other' : 'own',
            x: (outcome.score - why.score) * step + (side ? step * 0.5 : 0) + 0.5,
            width: Math.max(step * 0.5 - 0.5, 1),
            y: height - 18 - tall(outcome.chance[side]),
            height: tall(outcome.chance[side]),
          },
          svg(
            'title',
            {},
            `${outcome.score - why.score} points with ${dice(why.dice[side])}: ${percent(outcome.chance[side], 2)}; then you win ${percent(outcome.win_rate[side])}`,
          ),
        ),
      ),
  );
  const ticks = Array.from({ length: Math.floor(most / 10) + 1 }, (_, i) =>
    svg(
      'text',
      { x: i * 10 * step + step / 2, y: height - 4, 'text-anchor': 'middle' },
      `${i * 10}`,
    ),
  );
  const other = why.outcomes.filter((outcome) => outcome.kind !== 'points');
  const line = (outcome) => {
    const where = outcome.score === null ? '' : `, to ${outcome.score}–${outcome.opponent}`;
    return h(
      'li',
      {},
      `${KINDS[outcome.kind]}${where}: ${percent(outcome.chance[0], 2)} with ${why.dice[0]}, ${percent(outcome.chance[1], 2)} with ${why.dice[1]}; then you win ${percent(outcome.win_rate[0] ?? outcome.win_rate[1])}`,
    );
  };
  return [
    h('h3', {}, 'What follows'),
    plain.length > 0 &&
      h(
        'figure',
        {},
        svg(
          'svg',
          {
            class: 'follows',
            viewBox: `0 0 ${width} ${height}`,
            role: 'img',
            'aria-label': `How likely each number of points is with ${dice(why.dice[0])} and with ${dice(why.dice[1])}`,
          },
          bars,
          ticks,
        ),
        h(
          'figcaption',
          {},
          h('span', { class: 'key own' }),
          `${dice(why.dice[0])} `,
          h('span', { class: 'key other' }),
          `${dice(why.dice[1])} · points of this turn, taller is likelier`,
        ),
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
