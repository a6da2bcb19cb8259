// The coach: where a strategy loses, by kind of mistake, on the map, and in its worst positions.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { h, put, say } from './dom.js';
import { keep, kept } from './kept.js';
import { ScoreMap, amountColour, scale } from './map.js';
import { gameParams, go, linked, playedFrom, withParams } from './route.js';
import { dropZone } from './upload.js';
import { MISTAKES, MISTAKE_TEXT, count, memoryText, oneOf, percent, points } from './words.js';

export async function show(root, route) {
  const coach = new Coach(root, route, await askOnce('rules/show', gameParams(route)));
  coach.follow(route);
  return coach;
}

class Coach {
  constructor(root, route, shown) {
    this.route = route;
    this.shown = shown;
    // Best play is a strategy of every game; some have no baseline, and Pig has no always_roll:4.
    this.rival = shown.baseline ? 'baseline' : 'optimal';
    this.always = `always_roll:${Math.min(4, shown.max_dice)}`;
    this.ask = lastOnly();
    this.function = h('input', { value: 'final_strategy', spellcheck: 'false', size: 16 });
    this.against = h('input', { spellcheck: 'false', size: 16, list: 'rivals' });
    this.named = h('input', { spellcheck: 'false', size: 18, placeholder: this.always });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.result = h('div');
    this.map = new ScoreMap({
      name: 'Map of losses',
      onPick: (score, opponent) => this.picked(score, opponent),
    });
    this.theme = () => this.view && this.drawMap();
    addEventListener('hog:theme', this.theme);
    put(
      root,
      h(
        'section',
        { class: 'card' },
        h('h1', {}, 'Coach'),
        h(
          'p',
          {},
          'Drop your hog.py or a table of rolls: see its exact win rate, the best possible one, and which of its rolls cost most. Python runs in a sandbox: it cannot read or write your files.',
        ),
        dropZone({
          label: 'Your strategy',
          text: 'Drop hog.py, .csv, .npy, .txt, .strat, .json or .hog here',
          onFiles: (files, others) => this.took(files, others),
        }),
        h('p'),
        h(
          'form',
          {
            class: 'setup',
            onsubmit: (event) => {
              event.preventDefault();
              this.analyse();
            },
          },
          h('label', {}, 'Function', this.function),
          h('label', {}, 'Against', this.against),
          h(
            'datalist',
            { id: 'rivals' },
            [...new Set([this.rival, 'optimal', this.always])].map((name) =>
              h('option', { value: name }),
            ),
          ),
          h('label', {}, 'Or a strategy by name', this.named),
          h('button', {}, 'Analyse'),
          (this.cancel = h(
            'button',
            { type: 'button', hidden: true, onclick: () => this.ask.stop() },
            'Cancel',
          )),
        ),
        this.state,
      ),
      this.result,
    );
  }

  close() {
    removeEventListener('hog:theme', this.theme);
    this.ask.stop();
  }

  /** Shows what the address says: the analysis of a strategy by name, or none. */
  follow(route) {
    this.route = route;
    this.ask.stop();
    const strategy = route.params.get('strategy');
    this.named.value = strategy ?? '';
    this.against.value = route.params.get('against') ?? this.rival;
    put(this.state);
    put(this.result);
    const { file, functionName } = history.state ?? {};
    if (strategy) this.judge({ strategy });
    else if (file) this.judgeFile(file, functionName);
  }

  /** Puts the strategy by name, or the last file, into the browser's history, which analyses it. */
  analyse() {
    const strategy = this.named.value.trim();
    const file = strategy ? null : history.state?.file;
    if (strategy || file) {
      this.go(strategy, file);
      return;
    }
    put(this.state, `Enter the name of a strategy, for example ${this.always}, or drop a file.`);
    this.named.focus();
  }

  /** An address cannot contain a file: the entry of the browser's history names it. */
  go(strategy, file) {
    const against = this.against.value.trim();
    const params = withParams(this.route.params, {
      strategy,
      against: against === this.rival ? null : against,
    });
    go(
      { ...this.route, params },
      { state: file ? { file, functionName: this.function.value.trim() } : null },
    );
  }

  took(files, others) {
    if (!files.length) {
      put(
        this.state,
        others ||
          'This is not a strategy: drop a .py, .csv, .npy, .txt, .strat, .json or .hog file.',
      );
      return;
    }
    keep(`coach/${files[0].name}`, files.slice(0, 1));
    this.go(null, files[0].name);
  }

  judgeFile(name, functionName) {
    const files = kept(`coach/${name}`);
    this.function.value = functionName;
    if (!files.length) {
      put(this.state, `Drop ${name} again: this browser no longer has it.`);
      return;
    }
    const own = /\.py$/i.test(name) && functionName && functionName !== 'final_strategy';
    this.judge({ strategy: own ? `${name}:${functionName}` : name, files });
  }

  async judge(request) {
    this.request = request;
    put(this.state, 'Analysing every position…');
    this.cancel.hidden = false;
    const onProgress = ({ what, done, of }) => {
      const loads = { loading: 'Loading the engine', 'loading Python': 'Loading Python, once' }[
        what
      ];
      put(
        this.state,
        loads
          ? `${loads}: ${Math.min(100, Math.round((100 * done) / of))} %`
          : what === 'asking'
            ? 'Asking your function at every position…'
            : 'Analysing every position…',
      );
    };
    try {
      const began = performance.now();
      const before = this.view;
      this.view = await this.ask(
        'explain',
        {
          ...gameParams(this.route),
          ...request,
          against: this.against.value.trim() || this.rival,
          top: 1_000_000,
        },
        { onProgress },
      );
      put(
        this.state,
        `Done in ${((performance.now() - began) / 1000).toFixed(1)} s. `,
        this.news(before),
      );
      this.draw();
      say(`${this.view.strategy}: win rate ${percent(this.view.win_rate.average)}`);
    } catch (error) {
      if (isAbort(error)) {
        if (this.request === request) put(this.state, 'Cancelled.');
        return;
      }
      if (!(error instanceof Refused)) throw error;
      put(this.state, h('strong', { class: 'loss' }, error.message));
      put(this.result);
    } finally {
      if (this.request === request) this.cancel.hidden = true;
    }
  }

  /** What has changed since the last analysis against the same opponent, and what to change next. */
  news(before) {
    const { view } = this;
    const change =
      before && before.rules === view.rules && before.against === view.against
        ? view.win_rate.average - before.win_rate.average
        : null;
    const since = change === null ? '' : `${points(change)} points since the last one. `;
    const [next] = view.worst;
    return h(
      'strong',
      { class: change < 0 ? 'loss' : null },
      since,
      next ? `Next: ${next.words}.` : 'No strategy does better against this opponent.',
    );
  }

  draw() {
    const { view } = this;
    const figure = (value, label) => h('div', {}, h('b', {}, value), h('span', {}, label));
    const most = Math.max(...view.mistakes.map((mistake) => mistake.loss), 1e-12);
    const kinds = view.mistakes
      .filter((mistake) => mistake.positions > 0)
      .sort((a, b) => b.loss - a.loss);
    const kind = (mistake) => [
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, MISTAKES[mistake.kind] ?? mistake.kind),
        h('td', {}, mistake.positions.toLocaleString('en')),
        h(
          'td',
          { class: 'fill' },
          h('div', {
            class: 'meter',
            style: { width: `${Math.max(mistake.loss / most, 0) * 100}%` },
          }),
        ),
        h('td', { class: 'loss' }, points(-mistake.loss)),
      ),
      h('tr', {}, h('td', { colspan: 4, class: 'note explains' }, MISTAKE_TEXT[mistake.kind])),
    ];
    const { other_semester: other, wrong_functions: wrong } = view.handout;
    const notes = [...(other ? [other.words] : []), ...wrong.map((one) => one.words)];
    put(
      this.result,
      h('p'),
      notes.length > 0 &&
        h(
          'section',
          { class: 'card', 'aria-label': 'Your rules' },
          notes.map((words) => h('p', {}, h('strong', { class: 'loss' }, words))),
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
          figure(points(-view.loss.average), 'points lost'),
          figure(percent(view.win_rate.first), 'moving first'),
          figure(percent(view.win_rate.second), 'moving second'),
          figure(view.positions_met.toLocaleString('en'), 'positions reached'),
        ),
      ),
      h('p'),
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
        h(
          'section',
          { class: 'side' },
          h(
            'div',
            { class: 'card' },
            h('h2', {}, 'Mistakes by kind'),
            kinds.length
              ? h(
                  'table',
                  { class: 'kinds choices' },
                  h(
                    'thead',
                    {},
                    h(
                      'tr',
                      {},
                      h('th', { scope: 'col' }, 'Kind'),
                      h('th', { scope: 'col' }, 'Positions'),
                      h('td'),
                      h('th', { scope: 'col' }, 'Loss'),
                    ),
                  ),
                  h('tbody', {}, kinds.map(kind)),
                )
              : h('p', {}, 'None: it plays optimally in every position that it reaches.'),
          ),
          h(
            'div',
            { class: 'card' },
            h('h2', {}, 'Worst positions'),
            (this.list = h('div', {
              class: 'scroll wide',
              tabindex: '0',
              role: 'group',
              'aria-label': 'Worst positions',
            })),
          ),
        ),
      ),
    );
    this.drawMap();
    this.drawList(null);
  }

  drawMap() {
    const { view } = this;
    const goal = this.shown.goal;
    const losses = new Float64Array(goal * goal);
    const worst = new Map();
    for (const position of view.worst) {
      const cell = position.score * goal + position.opponent;
      losses[cell] += position.loss;
      if (!worst.has(cell)) worst.set(cell, position);
    }
    const top = losses.reduce((a, b) => Math.max(a, b), 0) || 1;
    this.map.show({
      goal,
      title: 'Loss by position',
      colour: (cell) => amountColour(Math.sqrt(losses[cell] / top)),
      text: (cell) =>
        worst.has(cell)
          ? `rolls ${worst.get(cell).dice}, best is ${oneOf(worst.get(cell).best)}; costs ${(losses[cell] * 100).toFixed(3)} points in total`
          : 'no loss',
    });
    put(
      this.legend,
      scale(
        (share) => amountColour(Math.sqrt(share)),
        ['no loss', `${(top * 100).toFixed(3)} points of win rate`],
      ),
    );
  }

  picked(score, opponent) {
    this.drawList([score, opponent]);
  }

  drawList(cell) {
    const all = cell
      ? this.view.worst.filter(
          (position) => position.score === cell[0] && position.opponent === cell[1],
        )
      : this.view.worst;
    // A rival in a file cannot be named in an address; best play need not be.
    const against =
      this.view.against === 'optimal' ||
      this.request.files?.some((file) => this.view.against.startsWith(file.name))
        ? null
        : this.view.against;
    const row = (position) => {
      // On the map, this roll is compared with the best one.
      const params = { against, ...position.memory, compare: position.dice };
      const memory = memoryText(position.memory);
      const from = `${position.score} to ${position.opponent}${memory && `, ${memory}`}`;
      return h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          h(
            'a',
            {
              href: linked(this.route, 'explore', {
                score: position.score,
                opponent: position.opponent,
                params,
              }),
            },
            `${position.score}–${position.opponent}${memory && `, ${memory}`}`,
          ),
        ),
        h('td', {}, position.dice),
        h('td', {}, oneOf(position.best)),
        h('td', { class: 'loss' }, points(-position.loss, 3)),
        h('td', { class: 'loss' }, points(-position.loss_each)),
        h('td', {}, percent(position.met, 2)),
        h('td', { class: 'why' }, position.words.replace(/^[^:]*: /, '')),
        h(
          'td',
          { class: 'left' },
          h(
            'a',
            { href: playedFrom(this.route, position, against), 'aria-label': `Play from ${from}` },
            'Play',
          ),
        ),
      );
    };
    put(
      this.list,
      cell &&
        h(
          'p',
          {},
          `At ${cell[0]} to ${cell[1]}. `,
          h(
            'button',
            {
              type: 'button',
              onclick: () => {
                this.map.select(null, null);
                this.drawList(null);
              },
            },
            'All positions',
          ),
        ),
      all.length
        ? h(
            'table',
            {},
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                [
                  'Position',
                  'Rolls',
                  'Best',
                  'Costs in all',
                  'Each time',
                  'Reached',
                  'Why',
                  '',
                ].map((text) => (text ? h('th', { scope: 'col' }, text) : h('td'))),
              ),
            ),
            h('tbody', {}, all.slice(0, 200).map(row)),
          )
        : h('p', {}, 'No loss here.'),
      all.length > 200 &&
        h('p', { class: 'note' }, `and ${count(all.length - 200, 'more position')}`),
    );
  }
}
