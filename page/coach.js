// The coach: where a strategy loses, by kind of mistake, on the map, and in its worst positions.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { download, figure, h, put, say, withCode } from './dom.js';
import { Editor } from './editor.js';
import { fileIn, filesOf, forgetMine, keepMine, mine } from './kept.js';
import { ScoreMap, amountColour, scale } from './map.js';
import { gameParams, go, linked, playedFrom, withParams } from './route.js';
import { dropZone } from './upload.js';
import {
  MISTAKES,
  MISTAKE_TEXT,
  choice,
  count,
  dice,
  memoryText,
  oneOf,
  percent,
  percentagePoints,
  signed,
  working,
} from './words.js';

/** After this pause in typing, in milliseconds, the edited file is rated. */
const PAUSE = 600;

export async function enter(root, route) {
  return new Coach(root, await askOnce('rules/show', gameParams(route)));
}

/** Returns the file of several that has the strategy: hog.py, or the first that defines it. */
function mainFile(files) {
  const isCalled = (file) => /(^|\/)hog\.(py|ipynb)$/i.test(file.name);
  const defines = (file) => /def\s+final_strategy\b/.test(file.text ?? '');
  return files.find(isCalled) ?? files.find(defines) ?? files[0];
}

class Coach {
  constructor(root, shown) {
    this.shown = shown;
    // Best play is a strategy of every game; some have no baseline, and Pig has no always_roll:4.
    this.rival = shown.baseline ? 'baseline' : 'optimal';
    this.always = `always_roll:${Math.min(4, shown.max_dice)}`;
    this.ask = lastOnly();
    this.function = h('input', { value: 'final_strategy', spellcheck: 'false', size: 16 });
    this.against = h('input', { spellcheck: 'false', size: 16, list: 'rivals' });
    this.named = h('input', {
      spellcheck: 'false',
      size: 18,
      list: 'rivals',
      placeholder: this.always,
    });
    this.rivals = h('datalist', { id: 'rivals' });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.cancel = h(
      'button',
      { type: 'button', hidden: true, onclick: () => this.ask.stop() },
      'Cancel',
    );
    this.editor = new Editor({ label: 'Your file', onInput: () => this.typed() });
    this.edit = h('details', { class: 'card', hidden: true });
    this.result = h('div');
    this.map = new ScoreMap({
      name: 'Map of losses',
      onPick: (score, opponent) => this.drawList([score, opponent]),
    });
    this.theme = () => this.view && this.drawMap();
    addEventListener('hog:theme', this.theme);
    const zone = dropZone({
      label: 'Your strategy',
      text: 'Drop hog.py, .csv, .npy, .txt, .strat, .json or .hog here',
      onFiles: (files, others) => this.took(files, others),
    });
    const submit = (event) => {
      event.preventDefault();
      this.analyse();
    };
    put(
      root,
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Coach'),
        h(
          'p',
          {},
          'Drop your hog.py or a table of rolls: see its exact win rate, the best possible one, ',
          'and which of its rolls cost most. Python runs in a sandbox: it cannot read or write ',
          'your files. This browser keeps what you drop for a day.',
        ),
        zone,
        h(
          'form',
          { class: 'setup', onsubmit: submit },
          h('label', {}, 'Function', this.function),
          h('label', {}, 'Against', this.against),
          this.rivals,
          h('label', {}, 'Or a strategy by name', this.named),
          h('button', {}, 'Analyse'),
          this.cancel,
        ),
        this.state,
      ),
      this.edit,
      this.result,
    );
  }

  leave() {
    removeEventListener('hog:theme', this.theme);
    clearTimeout(this.later);
    this.ask.stop();
  }

  /** Shows what the address says: the analysis of a strategy, or none. */
  update(route) {
    this.route = route;
    this.ask.stop();
    clearTimeout(this.later);
    const names = new Set([this.rival, 'optimal', this.always, ...mine()]);
    put(
      this.rivals,
      [...names].map((name) => h('option', { value: name })),
    );
    this.strategy = route.params.get('strategy');
    this.against.value = route.params.get('against') ?? this.rival;
    const name = this.strategy && fileIn(this.strategy);
    this.named.value = name ?? this.strategy ?? '';
    if (name) this.function.value = this.strategy.split(`${name}:`)[1] ?? 'final_strategy';
    put(this.state, this.notice);
    this.notice = null;
    put(this.result);
    this.openFile(name);
    if (this.strategy) this.judge();
  }

  /** Puts the strategy into the address, which analyses it. */
  analyse() {
    const strategy = this.named.value.trim();
    if (strategy) {
      this.go(strategy);
      return;
    }
    put(this.state, `Enter the name of a strategy, for example ${this.always}, or drop a file.`);
    this.named.focus();
  }

  go(strategy) {
    const against = this.against.value.trim();
    const own = this.function.value.trim();
    const isOther = /\.(py|ipynb)$/i.test(strategy) && own && own !== 'final_strategy';
    const params = withParams(this.route.params, {
      strategy: isOther ? `${strategy}:${own}` : strategy,
      against: against === this.rival ? null : against,
    });
    go({ ...this.route, params });
  }

  async took(files, others) {
    if (!files.length) {
      const known = '.py, .csv, .npy, .txt, .strat, .json or .hog';
      put(this.state, others || `This is not a strategy: drop a ${known} file.`);
      return;
    }
    const first = mainFile(files);
    keepMine([first, ...files.filter((file) => file !== first)]);
    this.go(first.name);
  }

  /** Opens a file of the user in the editor, if it is a text. */
  openFile(name) {
    const [file] = (name && filesOf(name)) || [];
    this.edit.hidden = !file;
    if (!file) return;
    if (this.file !== name) {
      this.file = name;
      const part = (label, onclick) => h('button', { type: 'button', onclick }, label);
      put(
        this.edit,
        h('summary', {}, `Your file: ${name}`),
        file.text !== undefined && this.editor.element,
        h(
          'p',
          { class: 'bar' },
          file.text !== undefined &&
            part('Save as a file', () => download(name.split('/').pop(), this.editor.text)),
          part('Forget this file', () => this.forget(name)),
          h('a', { class: 'button', href: this.duel(name) }, 'Challenge it'),
        ),
      );
    }
    if (file.text !== undefined && this.editor.text !== file.text) this.editor.text = file.text;
  }

  forget(name) {
    forgetMine(name);
    this.notice = `This browser no longer has ${name}.`;
    go({ ...this.route, params: withParams(this.route.params, { strategy: null }) });
  }

  /** Keeps what was typed, and rates it after a pause. */
  typed() {
    const [file, ...others] = filesOf(this.file);
    keepMine([{ ...file, text: this.editor.text }, ...others]);
    clearTimeout(this.later);
    this.result.classList.add('stale');
    this.later = setTimeout(() => this.judge(), PAUSE);
  }

  /** Asks for the analysis of the strategy in the address, and shows it. */
  async judge() {
    const asked = {};
    this.asked = asked;
    put(this.state, 'Analysing every position…');
    this.cancel.hidden = false;
    const onProgress = (progress) => {
      const isAsking = progress.what === 'asking';
      const usual = isAsking
        ? 'Asking your function at every position'
        : 'Analysing every position';
      put(this.state, working(progress, usual));
    };
    const request = {
      ...gameParams(this.route),
      strategy: this.strategy,
      against: this.against.value.trim() || this.rival,
      top: 100_000,
    };
    try {
      const began = performance.now();
      const before = this.view;
      this.view = await this.ask('explain', request, { onProgress });
      this.view.worst.sort((a, b) => b.loss - a.loss);
      const took = ((performance.now() - began) / 1000).toFixed(1);
      put(this.state, `Done in ${took} s. `, this.news(before));
      this.editor.mark([]);
      this.result.classList.remove('stale');
      this.draw();
      say(`${this.view.strategy}: win rate ${percent(this.view.win_rate.average)}`);
    } catch (error) {
      if (isAbort(error)) {
        if (this.asked === asked) put(this.state, 'Cancelled.');
        return;
      }
      if (!(error instanceof Refused)) throw error;
      const told = h('strong', { class: 'loss' }, withCode(error.message));
      put(this.state, told, this.remedy(error.message));
      put(this.result);
      const line = /\bline (\d+)/.exec(error.message);
      if (line) this.editor.mark([{ line: Number(line[1]) }]);
    } finally {
      if (this.asked === asked) this.cancel.hidden = true;
    }
  }

  /** A file with random numbers can be rated with a fixed seed. */
  remedy(message) {
    if (!/ uses random numbers /.test(message) || !fileIn(this.strategy)) return null;
    const seeded = () =>
      go({
        ...this.route,
        params: withParams(this.route.params, { strategy: `seeded:${this.strategy}` }),
      });
    return h(
      'div',
      { class: 'bar' },
      h('button', { type: 'button', onclick: seeded }, 'Rate it with a fixed seed'),
    );
  }

  /**
   * What has changed since the last analysis against the same opponent, and what to change next.
   */
  news(before) {
    const { view } = this;
    const isSame = before && before.rules === view.rules && before.against === view.against;
    const [next] = view.worst;
    return [
      isSame && since(view.win_rate.average, before.win_rate.average),
      h(
        'strong',
        {},
        next ? `Next: ${next.words}.` : 'No strategy does better against this opponent.',
      ),
    ];
  }

  /** What the course asks for, and what its baseline rolls. */
  course() {
    const { target, baseline } = this.shown;
    if (!baseline) return null;
    const always = /^always_roll:(\d+)$/.exec(baseline);
    const rolls = always ? `always rolls ${dice(Number(always[1]))}` : `is ${baseline}`;
    const rate = Number.parseFloat(target);
    const rated = this.view.against === baseline || this.view.against === 'baseline';
    const left = rate - this.view.win_rate.average;
    const far = left > 0 ? `${percentagePoints(left)} are missing` : 'this is reached';
    return h(
      'p',
      {},
      `The baseline of the course ${rolls}. `,
      target && `The course asks for ${rate < 1 ? 'a win rate of ' : ''}${target}`,
      target && (rated && rate < 1 ? `: ${far}.` : '.'),
    );
  }

  draw() {
    const { view } = this;
    const { other_semester: other, wrong_functions: wrong } = view.handout;
    const notes = [...(other ? [other.words] : []), ...wrong.map((one) => one.words)];
    const strong = (words) => h('p', {}, h('strong', { class: 'loss' }, words));
    put(
      this.result,
      notes.length > 0 &&
        h(
          'section',
          { class: 'card', 'aria-label': 'Your rules' },
          h('h2', {}, 'Your rules'),
          notes.map(strong),
        ),
      h(
        'section',
        { class: 'card', 'aria-label': 'Rates' },
        h('h2', {}, `${view.strategy} against ${view.against}`),
        h(
          'div',
          { class: 'figures' },
          figure(percent(view.win_rate.average), 'win rate'),
          figure(percent(view.best_response.average), 'the best possible'),
          figure(signed(-view.loss.average), 'percentage points lost'),
          figure(percent(view.win_rate.first), 'moving first'),
          figure(percent(view.win_rate.second), 'moving second'),
          figure(view.positions_met.toLocaleString('en'), 'positions reached'),
        ),
        this.course(),
      ),
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { class: 'card', 'aria-label': 'Map of losses' },
          h('h2', {}, 'Where it loses'),
          this.map.element,
          (this.legend = h('div')),
        ),
        h('section', { class: 'card' }, h('h2', {}, 'Mistakes by kind'), kindsOf(view)),
      ),
      h(
        'section',
        { class: 'card' },
        h('h2', {}, 'Worst positions'),
        (this.list = h('div', {
          class: 'scroll wide worst',
          tabindex: '0',
          role: 'group',
          'aria-label': 'Worst positions',
        })),
      ),
    );
    this.drawMap();
    this.drawList(null);
  }

  drawMap() {
    const { view } = this;
    const { goal, pot } = this.shown;
    const losses = new Float64Array(goal * goal);
    const worst = new Map();
    for (const position of view.worst) {
      const cell = position.score * goal + position.opponent;
      losses[cell] += position.loss;
      if (!worst.has(cell)) worst.set(cell, position);
    }
    const top = losses.reduce((a, b) => Math.max(a, b), 0) || 1;
    const rolls = ({ dice: own, best }) =>
      `its choice is ${choice(own, pot)}, best is ${named(best, pot)}`;
    this.map.show({
      goal,
      title: 'Loss by position',
      colour: (cell) => amountColour(Math.sqrt(losses[cell] / top)),
      text: (cell) =>
        worst.has(cell)
          ? `${rolls(worst.get(cell))}; costs ${percentagePoints(losses[cell], 3)} in all`
          : 'no loss',
    });
    const labels = ['no loss', percentagePoints(top, 3)];
    put(
      this.legend,
      scale((share) => amountColour(Math.sqrt(share)), labels),
    );
  }

  /** The address of a game of a person against a strategy, from a position. */
  duel(name, position = { score: 0, opponent: 0 }) {
    return playedFrom(this.route, position, null, { players: `person~${name}` });
  }

  drawList(cell) {
    const { view } = this;
    const isHere = ({ score, opponent }) => score === cell[0] && opponent === cell[1];
    const all = cell ? view.worst.filter(isHere) : view.worst;
    const heads = ['Position', 'Rolls', 'Best', 'Costs in all', 'Each time', 'Reached', 'Why', ''];
    const back = () => {
      this.map.select(null, null);
      this.drawList(null);
    };
    put(
      this.list,
      cell &&
        h(
          'p',
          {},
          `At ${cell[0]} to ${cell[1]}. `,
          h('button', { type: 'button', onclick: back }, 'All positions'),
        ),
      all.length
        ? h(
            'table',
            {},
            h(
              'caption',
              {},
              'Costs are in percentage points of win rate; the costliest are first.',
            ),
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                heads.map((text, place) => {
                  const kinds = [text === 'Why' && 'left', place > 3 && 'extra'].filter(Boolean);
                  const kind = kinds.join(' ') || null;
                  return text
                    ? h('th', { scope: 'col', class: kind }, text)
                    : h('td', { class: kind });
                }),
              ),
            ),
            h(
              'tbody',
              {},
              all.slice(0, 200).map((position) => this.row(position)),
            ),
          )
        : h('p', {}, 'No loss here.'),
      all.length > 200 &&
        h('p', { class: 'note' }, `and ${count(all.length - 200, 'more position')}`),
    );
  }

  row(position) {
    const { pot } = this.shown;
    // Best play need not be named.
    const asked = this.against.value.trim() || this.rival;
    const against = asked === 'optimal' ? null : asked;
    const memory = memoryText(position.memory);
    const place = `${position.score}–${position.opponent}${memory && `, ${memory}`}`;
    const from = place.replace('–', ' to ');
    // On the map, this roll is compared with the best one.
    const explored = linked(this.route, 'explore', {
      score: position.score,
      opponent: position.opponent,
      params: {
        against,
        ...position.memory,
        compare: position.dice,
        layer: 'differs',
        strategy: this.strategy,
      },
    });
    const play = playedFrom(this.route, position, against);
    const duel = this.duel(this.strategy, position);
    const why = position.words.replace(/^[^:]*: /, '');
    const links = () => [
      h('a', { href: play, 'aria-label': `Play from ${from}` }, 'Play'),
      ' · ',
      h('a', { href: duel, 'aria-label': `Challenge it from ${from}` }, 'Challenge it'),
    ];
    return [
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, h('a', { href: explored }, place)),
        h('td', {}, choice(position.dice, pot)),
        h('td', {}, named(position.best, pot)),
        h('td', { class: 'loss' }, signed(-position.loss, 3)),
        h('td', { class: 'loss extra' }, signed(-position.loss_each)),
        h('td', { class: 'extra' }, percent(position.met, 2)),
        h('td', { class: 'why left extra' }, why),
        h('td', { class: 'left extra' }, links()),
      ),
      // A phone has no room beside the numbers.
      h('tr', { class: 'under' }, h('td', { colspan: 4, class: 'why left' }, `${why}. `, links())),
    ];
  }
}

/** What has changed since the last win rate. */
function since(rate, before) {
  const change = signed(rate - before);
  const kind = { '+': 'gain', '−': 'loss' }[change[0]];
  const last = `the last one, which had ${percent(before)}. `;
  return h('strong', { class: kind }, `${change} percentage points since ${last}`);
}

const named = (list, pot) => oneOf(list.map((number) => choice(number, pot)));

/** The mistakes by kind, each with its explanation. */
function kindsOf(view) {
  const kinds = view.mistakes
    .filter((mistake) => mistake.positions > 0)
    .sort((a, b) => b.loss - a.loss);
  if (!kinds.length) {
    return h('p', {}, 'None: it plays optimally in every position that it reaches.');
  }
  const most = Math.max(...kinds.map((mistake) => mistake.loss), 1e-12);
  const width = (mistake) => `${Math.max(mistake.loss / most, 0) * 100}%`;
  const rows = (mistake) => [
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, MISTAKES[mistake.kind] ?? mistake.kind),
      h('td', {}, mistake.positions.toLocaleString('en')),
      h('td', { class: 'fill' }, h('div', { class: 'meter', style: { width: width(mistake) } })),
      h('td', { class: 'loss' }, signed(-mistake.loss)),
    ),
    h('tr', {}, h('td', { colspan: 4, class: 'note explains' }, MISTAKE_TEXT[mistake.kind])),
  ];
  const heads = ['Kind', 'Positions', '', 'Percentage points'];
  return h(
    'table',
    { class: 'kinds choices' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((text) => (text ? h('th', { scope: 'col' }, text) : h('td'))),
      ),
    ),
    h('tbody', {}, kinds.map(rows)),
  );
}
