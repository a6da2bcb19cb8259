// Explore: a map of all positions. Select one to see the win rate of each number of dice, the
// outcomes, and the reasons.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import {
  button,
  h,
  put,
  putProgress,
  refresh,
  row,
  say,
  showValue,
  table,
  withCode,
} from './dom.js';
import { mine } from './kept.js';
import { LAYERS, layerOf, layersOf, savedOf } from './layers.js';
import { ScoreMap, css, diceColour } from './map.js';
import { NumberField, citing, rulesOf, shareView } from './parts.js';
import {
  HOME,
  KEPT_DICE,
  address,
  draftBase,
  gameParams,
  go,
  linked,
  memoryParams,
  playedFrom,
  withParams,
} from './route.js';
import { full, savesTable } from './taken.js';
import { nameOf } from './versions.js';
import { follows, reasons, rolled } from './why.js';
import {
  advice,
  anyOf,
  choice,
  dice,
  memoryName,
  NEAR,
  oneOf,
  percent,
  semester,
  signed,
  startOf,
  titleOf,
  within,
  working,
} from './words.js';

export async function enter(root, route) {
  const shown = await askOnce('rules/show', gameParams(route));
  if (!shown.hand) return new Explorer(root, route, shown);
  const { KeepExplorer } = await import('./keep.js');
  return new KeepExplorer(root, route, shown);
}

/** If the engine takes longer, in milliseconds, the map tells what it knows of a position. */
const LATE = 200;

/** What the game is about; where rules say when it ends, the goal is how far scores are counted. */
const race = ({ goal, rules }) =>
  rules.some(({ hooks }) => hooks.some(([hook]) => hook === 'end'))
    ? `The rules below say when the game ends; scores are counted up to ${goal}. `
    : `A race to ${goal} points. `;

const aboutOwn = (shown) =>
  `${race(shown)}On each turn you choose how many dice to roll; the rules below say ` +
  'what they score.';

const aboutHog = ({ goal }) =>
  `Hog is a race to ${goal} points. On each turn you choose how many dice to roll, but a single ` +
  '1 among them spoils the roll; every semester adds rules of its own, so choose yours above.';

const aboutPots = (shown) =>
  `${race(shown)}On each turn you roll and collect points in a pot, until you hold ` +
  'and score it, or a roll spoils it.';

class Explorer {
  /** @type {import('answers').Answers['map']} */
  data;

  /** @type {string} */
  unknown;

  constructor(root, route, shown) {
    this.route = route;
    this.shown = shown;
    this.baseline = shown.baseline;
    this.available = layersOf(shown);
    this.askBest = lastOnly();
    this.askWhy = lastOnly();
    this.panel = h('div', { class: 'panel' });
    this.map = new ScoreMap({
      name: `Map of ${nameOf(route.game)}`,
      onPick: (score, opponent) => this.move(score, opponent),
      answer: this.panel,
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
    this.own = h('span');
    this.bar = h(
      'div',
      { class: 'bar', hidden: true },
      this.ofStrategy,
      this.own,
      h('label', {}, 'Opponent', this.opponent),
      this.strategies,
      this.refused,
    );
    this.waiting = h('p', { role: 'status' });
    this.map.element.hidden = true;
    this.fillHead();
    this.rules = h('details', { class: 'card', hidden: true });
    this.theme = () => this.drawn && this.showLayer();
    addEventListener('hog:theme', this.theme);
    this.fillRules();
    this.drawLayers();
    const mapped = h(
      'section',
      { class: 'card mapped', 'aria-label': 'Map' },
      this.layers,
      this.waiting,
      this.about,
      this.legend,
      this.map.element,
      this.bar,
    );
    const label = { class: 'side', 'aria-label': 'Position' };
    const side = h('section', label, this.panel, this.rules);
    const isBeside = matchMedia('(min-width: 861px)').matches;
    put(
      root,
      h('h1', { class: 'sr' }, `Explore ${nameOf(route.game)}`),
      h('div', { class: 'columns' }, isBeside ? [mapped, side] : [side, mapped]),
    );
  }

  leave() {
    removeEventListener('hog:theme', this.theme);
    this.askBest.stop();
    this.askWhy.stop();
  }

  /** The layer that the address names, or else the game's first. */
  get layer() {
    const wanted = this.route.params.get('layer');
    return (this.available.find(([name]) => name === wanted) ?? this.available[0])[0];
  }

  mapRequest() {
    const { params } = this.route;
    const { layer } = this;
    /** @type {import('./api.js').Request} */
    const request = { ...gameParams(this.route), memory: memoryParams(this.route) };
    if (params.get('against')) request.against = params.get('against');
    if (['spread', 'met', 'hold'].includes(layer)) request.layers = [layer];
    if (layer === 'strategy' || layer === 'differs') {
      request.strategy = params.get('strategy') ?? this.baseline ?? 'optimal';
      if (this.shown.pot) request.layers = ['hold'];
    }
    return request;
  }

  async update(route) {
    this.route = route;
    if (!this.data) {
      this.waiting.textContent = 'Solving…';
      if (route.score === null) {
        this.welcome();
        this.rules.open = true;
      }
    }
    const request = this.mapRequest();
    const key = JSON.stringify(request);
    if (key !== this.key) {
      this.drawn = null;
      this.map.stale(true);
      const loaded = await this.load(request).catch((error) => {
        if (route === this.route) throw error;
        return null;
      });
      // The address may have changed in the meantime.
      if (route !== this.route) return;
      this.waiting.hidden = true;
      this.map.element.hidden = false;
      this.key = key;
      [this.data, this.unknown] = loaded;
    }
    this.map.stale(false);
    const wanted = `${this.key} ${this.layer}`;
    if (wanted !== this.drawn) this.showLayer();
    this.drawn = wanted;
    const { goal } = this.data;
    const inside = (score) => score !== null && score < goal;
    if (!inside(route.score) || !inside(route.opponent)) {
      this.rules.hidden = false;
      this.map.select(null, null);
      this.welcome();
      if (route.score !== null)
        this.complain(
          'The address has no position of this game: after the game it needs two scores from 0 ' +
            `to ${goal - 1}, as in /20/36.`,
        );
      return;
    }
    this.map.select(route.score, route.opponent);
    await this.position();
    // Below the answer, which would push them down.
    this.rules.hidden = false;
  }

  /**
   * Loads a map: `[data, null]`, or the map without the strategy and the reason if the strategy is
   * refused.
   * @param {import('./api.js').Request} asked
   * @returns {Promise<[import('answers').Answers['map'], string]>}
   */
  async load({ strategy, ...request }) {
    const onProgress = (progress) => putProgress(this.waiting, working(progress, 'Solving'));
    try {
      const asked = strategy ? { ...request, strategy } : request;
      return [await askOnce('map', asked, { onProgress }), null];
    } catch (error) {
      if (!(error instanceof Refused) || !strategy) throw error;
      return [await askOnce('map', request, { onProgress }), error.message];
    }
  }

  complain(text) {
    const told = h('p', {}, withCode(text));
    this.panel.prepend(h('div', { class: 'card trouble', role: 'alert' }, told));
  }

  /** Goes to a position; arrow keys in quick succession leave one entry in the history. */
  move(score, opponent) {
    const now = performance.now();
    const quick = this.route.score !== null && now - (this.moved ?? -1e9) < 700;
    this.moved = now;
    const params = withParams(this.route.params, { compare: null });
    go({ ...this.route, score, opponent, params }, { replace: quick });
  }

  /**
   * Shows a strategy on the map, or plays against one; if it is refused, says so beside the field.
   */
  async choose(name, strategy) {
    const { layer } = this;
    put(this.refused);
    try {
      if (strategy) await askOnce('map', { ...this.mapRequest(), [name]: strategy });
      this.change({ [name]: strategy, layer });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(this.refused, withCode(error.message));
    }
  }

  change(changes) {
    go({ ...this.route, params: withParams(this.route.params, changes) });
  }

  drawLayers() {
    const {
      layer: chosen,
      available: [[usual]],
    } = this;
    refresh(
      this.layers,
      this.available.map(([name, label]) =>
        button(label, () => this.change({ layer: name === usual ? null : name }), {
          'data-key': name,
          'aria-pressed': `${name === chosen}`,
        }),
      ),
    );
  }

  showLayer() {
    const { data, layer: chosen } = this;
    this.drawLayers();
    const shown = this.unknown ? 'best' : chosen;
    this.bar.hidden = false;
    const isOfStrategy = ['strategy', 'differs'].includes(chosen);
    this.ofStrategy.hidden = !isOfStrategy;
    const strategy = this.route.params.get('strategy') ?? this.baseline ?? 'optimal';
    showValue(this.strategy, strategy);
    showValue(this.opponent, this.route.params.get('against') ?? 'optimal');
    const others = mine().filter((name) => name !== strategy);
    const show = (name) => {
      const onclick = () => {
        // The button goes.
        this.strategy.focus();
        this.choose('strategy', name);
      };
      return [button(`Show ${name}`, onclick), ' '];
    };
    put(this.own, isOfStrategy && others.slice(0, 3).map(show));
    this.own.hidden = !this.own.hasChildNodes();
    this.suggest();
    const [, title, about] = LAYERS.find(([name]) => name === shown);
    const layer = layerOf(shown, data, this.shown.pot);
    put(this.refused, withCode(this.unknown ?? ''));
    const saved = savedOf(shown, data, gameParams(this.route), this.shown.pot);
    const told = `${layer.about ?? about}. ${this.against(shown === 'met')}`;
    this.map.show({ goal: data.goal, title, ...layer, ...saved });
    put(this.legend, layer.legend);
    this.about.textContent = told;
    const [score, opponent] = this.example();
    const cell = score * data.goal + opponent;
    const advised = advice(data.sets[data.best[cell]], this.shown.pot).toLowerCase();
    const own = isOfStrategy && data.strategy?.dice[cell];
    const rolled = typeof own === 'number' ? `it rolls ${own}; best: ${advised}` : advised;
    const hint = data.hold ? layer.text(cell) : rolled;
    this.map.point([score, opponent], `${score} to ${opponent}: ${hint}. Why?`);
  }

  example() {
    const { goal } = this.shown;
    return [Math.round(goal / 5), Math.round(goal * 0.36)];
  }

  /** Who the opponent is, and the memories unless all count. */
  against(isOfAll) {
    // When to hold does not depend on the memory that it is about.
    const memories = Object.entries(this.data.memory).filter(
      ([name]) => !isOfAll && name !== this.data.hold?.over,
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
    if (this.shown.pot) names.push('hold_at:20');
    for (let number = Math.max(this.data.min_dice, 0); number <= most; number += 1)
      names.push(`always_roll:${number}`);
    put(
      this.strategies,
      names.map((name) => h('option', { value: name })),
    );
  }

  /** What Hog is, and the three doors; with the map, also who wins and where to look first. */
  welcome() {
    const { data, shown, route } = this;
    const isOfCourse = draftBase(route.game) === null && semester(shown.id);
    const about = shown.pot ? aboutPots : isOfCourse ? aboutHog : aboutOwn;
    const doors = [
      ['play', 'Play'],
      ['coach', 'Rate my strategy'],
      ['contest', 'Run my contest'],
    ];
    refresh(
      this.panel,
      h(
        'div',
        { class: 'card welcome' },
        h('h2', {}, nameOf(this.route.game, titleOf(shown, this.route.game))),
        h('p', {}, about(shown)),
        h(
          'p',
          { class: 'bar' },
          doors.map(([view, label]) =>
            h('a', { class: 'button primary', href: linked(this.route, view) }, label),
          ),
        ),
        this.route.game === HOME &&
          h(
            'p',
            { class: 'note' },
            'For a game of Farkle or Kingdom Come’s dice: ',
            h('a', { href: address({ view: 'explore', game: KEPT_DICE }) }, 'which dice to keep'),
            '.',
          ),
        h('p', { class: 'edge' }, data && this.edge()),
        h('p', { class: 'note source' }, data && `Where the numbers are from: ${within(data)}.`),
      ),
    );
  }

  edge() {
    const { data } = this;
    const [first, second] = startOf(this.shown);
    const start = first * data.goal + second;
    const rate = full(data.win_rate[start], percent(data.win_rate[start]));
    const edge = data.against
      ? [
          `Against ${data.against}, you win `,
          rate,
          ' of games if you move first and play optimally.',
        ]
      : ['Whoever moves first wins ', rate, ' of games if both play optimally.'];
    return [...edge, ` The best first roll is ${anyOf(data.sets[data.best[start]])}.`];
  }

  fillRules() {
    const { shown } = this;
    put(
      this.rules,
      h('summary', {}, `The rules of ${nameOf(this.route.game)}`),
      h('p', {}, `${race(shown)}A turn rolls ${shown.min_dice} to ${shown.max_dice} dice.`),
      rulesOf(shown),
      citing(shown, this.route),
      h('p', {}, h('a', { href: linked(this.route, 'rules') }, 'Change them')),
    );
  }

  async position() {
    const { route } = this;
    /** @type {import('./api.js').Request} */
    const request = {
      ...gameParams(route),
      score: route.score,
      opponent: route.opponent,
      memory: memoryParams(route),
    };
    if (route.params.get('against')) request.against = route.params.get('against');
    const late = setTimeout(() => this.draw(this.ofMap(), null, null), LATE);
    try {
      const best = await this.askBest('best', request).finally(() => clearTimeout(late));
      const compare = this.compared(best);
      this.draw(best, compare, null);
      // What is heard is what is seen below the map: it depends on the layer.
      const told = this.map.told(best.score, best.opponent);
      say(told);
      if (compare === null) return;
      const why = await this.askWhy('why', { ...request, rolls: [best.best[0], compare] });
      this.draw(best, compare, why);
      if (route.params.has('compare')) {
        const [better, other] = why.dice.map((one) => choice(one, this.shown.pot));
        say(`${told}. ${better} rather than ${other}: ${why.reason}`);
      }
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      this.showHead(this.ofMap());
      this.refuse(error.message);
    }
  }

  refuse(message) {
    this.askBest.stop();
    this.askWhy.stop();
    put(this.told, h('p', { class: 'loss', role: 'alert' }, withCode(message)));
    put(this.reasons);
  }

  /** What the map tells of the position: the best roll, and its win rate. */
  ofMap() {
    const { data, route } = this;
    const { score, opponent } = route;
    const cell = score * data.goal + opponent;
    const best = data.sets[data.best[cell]];
    const { memory } = data;
    return { score, opponent, memory, best, win_rate: data.win_rate[cell], choices: [] };
  }

  /**
   * Returns the roll that the best is compared with: the one in the address, or else the second
   * best.
   */
  compared(best) {
    const named = Number(this.route.params.get('compare') ?? NaN);
    const others = best.choices.filter((choice) => choice.dice !== best.best[0]);
    if (others.some((choice) => choice.dice === named)) return named;
    const next = others.reduce((a, b) => (a && a.win_rate >= b.win_rate ? a : b), null);
    return next?.dice ?? null;
  }

  draw(best, compare, why) {
    const { pot } = this.shown;
    const heading = () => {
      const [one, other] = why.dice;
      const better = one < 0 || (pot && one === 0) ? rolled(one, pot).toLowerCase() : dice(one);
      return `Why ${better} rather than ${choice(other, pot)}`;
    };
    this.showHead(best);
    refresh(
      this.told,
      this.verdict(best),
      best.choices.length
        ? this.choices(best, compare)
        : h('p', { class: 'note', role: 'status' }, 'The other rolls are being computed…'),
    );
    put(
      this.reasons,
      why &&
        h('div', { class: 'card' }, h('h2', {}, heading()), reasons(why, pot), follows(why, pot)),
    );
  }

  /** Makes the answer to a position: its fields are filled by `showHead`, and stay. */
  fillHead() {
    const score = (key, label) =>
      this.field(key, label, (wanted) => go({ ...this.route, [key]: wanted }));
    this.scores = { score: score('score', 'You'), opponent: score('opponent', 'Opponent') };
    /** @type {Record<string, NumberField>} */
    this.memories = {};
    this.memoryFields = h('span', { class: 'inline' });
    this.playLink = h('a', { class: 'button' }, 'Play from here');
    const { score: own, opponent } = this.scores;
    this.head = h(
      'div',
      { class: 'head' },
      own.element,
      opponent.element,
      this.memoryFields,
      h('span', { class: 'push' }, shareView(this.route), ' ', this.playLink),
    );
    this.told = h('div');
    this.reasons = h('div');
  }

  field(key, label, onChange) {
    return new NumberField({ key, label, onChange, onRefuse: (told) => this.refuse(told) });
  }

  showHead(best) {
    const largest = Object.fromEntries(
      this.shown.memories.map((memory) => [memory.name, memory.max]),
    );
    const most = this.data.goal - 1;
    this.scores.score.show(best.score, most);
    this.scores.opponent.show(best.opponent, most);
    for (const [name, value] of Object.entries(best.memory)) {
      if (!this.memories[name]) {
        const change = (wanted) => this.change({ [name]: wanted });
        this.memories[name] = this.field(name, memoryName(name), change);
        this.memoryFields.append(this.memories[name].element);
      }
      const limit = largest[name] ?? largest[name.replace(/^opponent_/, '')] ?? 99;
      this.memories[name].show(value, limit);
    }
    this.playLink.href = playedFrom(this.route, best);
    if (this.panel.contains(this.head)) return;
    const { marks } = this.map;
    const before = marks.getBoundingClientRect().top;
    put(this.panel, h('div', { class: 'card' }, this.head, this.told), this.reasons);
    // On a phone, what Hog is goes from above the map: what was touched stays where it is.
    scrollBy(0, marks.getBoundingClientRect().top - before);
  }

  verdict(best) {
    const { pot } = this.shown;
    const near = best.choices.filter(
      (one) => !best.best.includes(one.dice) && best.win_rate - one.win_rate < NEAR,
    );
    const named = oneOf(near.map((one) => choice(one.dice, pot)));
    const tied = best.best.length > 1 ? ' (exactly tied)' : '';
    return h(
      'div',
      { class: 'verdict' },
      h(
        'p',
        { class: 'answer' },
        h('strong', {}, advice(best.best, pot)),
        tied,
        ': you win ',
        h('strong', {}, full(best.win_rate, percent(best.win_rate))),
        ' of games',
      ),
      near.length > 0 &&
        h(
          'p',
          { class: 'note' },
          `${named} ${near.length === 1 ? 'is' : 'are'} nearly as good: a near-tie.`,
        ),
    );
  }

  choices(best, compare) {
    const { pot } = this.shown;
    const low = Math.min(...best.choices.map((one) => one.win_rate));
    // Win rates are often so close that bars from zero would look alike.
    const base = Math.max(0, low - 0.08 * (best.win_rate - low));
    const width = (rate) =>
      best.win_rate === base ? 100 : (100 * (rate - base)) / (best.win_rate - base);
    const compared = (number) =>
      go(
        { ...this.route, params: withParams(this.route.params, { compare: number }) },
        { replace: true },
      );
    const line = (one) => {
      const isBest = best.best.includes(one.dice);
      const loss = one.win_rate - best.win_rate;
      const mark = isBest ? 'best' : -loss < NEAR ? 'near-tie' : signed(loss);
      const kinds = [isBest && 'best', one.dice === compare && 'compare'].filter(Boolean);
      const colour = css(diceColour(one.dice, this.data.max_dice));
      const bar = { width: `${width(one.win_rate)}%`, background: colour };
      return row(
        button(choice(one.dice, pot), () => compared(one.dice), {
          class: 'pip',
          'data-key': `dice${one.dice}`,
          disabled: one.dice === best.best[0],
          'aria-label': rolled(one.dice, pot),
          'aria-description': 'compare with the best',
          'aria-pressed': `${one.dice === compare}`,
          style: { '--dice': colour },
        }),
        [
          h('td', { class: 'fill' }, h('div', { class: 'meter', style: bar })),
          full(one.win_rate, percent(one.win_rate)),
          h('td', { class: 'loss' }, full(-loss, mark)),
        ],
        { class: kinds.join(' ') || null },
      );
    };
    const heads = ['Dice', '', 'You win', 'Loss'];
    const begins = base > 0 ? `Bars begin at ${percent(base, 1)}, not at 0. ` : '';
    return [
      table(heads, best.choices.map(line), {
        class: 'choices',
        'aria-label': 'Every number of dice',
      }),
      h(
        'p',
        { class: 'note' },
        `${begins}The loss is in percentage points. Where the numbers are from: ${within(best)}.`,
      ),
      savesTable(`rolls-${best.score}-${best.opponent}`, best.choices, best),
    ];
  }
}
