// A number of the user's file as a slider, and the win rate by that number as a curve.

import { Refused, ask, isAbort } from './api.js';
import { align, curve } from './chart.js';
import { button, h, put, say, withCode } from './dom.js';
import { fileIn, filesOf } from './kept.js';
import { savesFigure } from './taken.js';
import { percent } from './words.js';

const FAR = 8;

const MOST = 40;

/** The statements of a file: `{ name, isSet, from, to, text }`, in lines from 1. */
function statementsOf(lines) {
  const found = [];
  lines.forEach((text, at) => {
    const [, called, set] = /^(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=]+)?=[^=]/.exec(text) ?? [];
    const statement = { name: called ?? set, isSet: Boolean(set), from: at + 1, to: at + 1, text };
    if (/^[^\s#)\]}]/.test(text)) found.push(statement);
    else if (found.length) {
      found.at(-1).to = at + 1;
      found.at(-1).text += `\n${text}`;
    }
  });
  return found;
}

/** The statements of the variables of the file that a function names, and of the function. */
function statementsFor(name, statements) {
  const own = statements.filter((one) => one.name === name);
  const words = new Set(own.flatMap(({ text }) => text.match(/\b[A-Za-z_]\w*/g)));
  const isNamed = (one) => one.isSet && one.name !== name && words.has(one.name);
  return [...statements.filter(isNamed), ...own];
}

/**
 * Returns the numbers of a file, those of the variables that a function names first, then those in
 * it, and how many these are; all, if it has none.
 */
function numbersFor(text, name) {
  const numbers = numbersOf(text);
  const statements = statementsFor(name, statementsOf(text.split('\n')));
  const own = statements.flatMap(({ from, to }) =>
    numbers.filter(({ line }) => from <= line && line <= to),
  );
  const rest = numbers.filter((one) => !own.includes(one));
  return { numbers: [...own, ...rest].slice(0, MOST), near: own.length || numbers.length };
}

/** Returns the whole numbers in the code of a file: `{ at, length, value, line, text }`. */
function numbersOf(text) {
  const found = [];
  let at = 0;
  text.split('\n').forEach((line, place) => {
    const code = line.replace(/(["'])(?:\\.|(?!\1).)*\1|#.*/g, (part) => ' '.repeat(part.length));
    for (const match of code.matchAll(/(?<![\w.])\d{1,4}(?![\w.])/g)) {
      const value = Number(match[0]);
      found.push({
        at: at + match.index,
        length: match[0].length,
        value,
        line: place + 1,
        column: match.index + 1,
        isArgument: /[(,]\s*$/.test(code.slice(0, match.index)),
        text: line.trim(),
      });
    }
    at += line.length + 1;
  });
  return found;
}

export class Tuning {
  /** @type {string} */
  strategy;

  /** @type {object} */
  request;

  /** @type {{ text: string }} */
  file;

  /** @type {object[]} */
  others;

  near = 0;

  goal = 0;

  showsAll = false;

  /** What is told of the value that is chosen, and of the best. */
  sentence = '';

  /**
   * @type {{ at: number, length: number, value: number, line: number, column: number,
   *   isArgument: boolean, text: string }[]}
   */
  numbers;

  /** `onUse(text)` is called with the file that the user chooses. */
  constructor(onUse) {
    this.onUse = onUse;
    // It keeps the focus.
    this.title = h('summary', {}, 'Try other numbers');
    this.body = h('div');
    const ontoggle = () => (this.element.open ? this.draw() : this.stopping.abort());
    this.element = h('details', { class: 'card', hidden: true, ontoggle }, this.title, this.body);
    this.stopping = new AbortController();
  }

  stop() {
    this.stopping.abort();
    this.element.hidden = true;
  }

  /**
   * Offers the numbers of a strategy's file; `request` is what a rate is asked with besides, `goal`
   * that of the game.
   */
  show(strategy, request, goal) {
    const name = fileIn(strategy);
    const [file, ...others] = (name && filesOf(name)) || [];
    const isPython = file?.text && /\.py$/i.test(name);
    const own = isPython && (strategy.split(`${name}:`)[1] ?? 'final_strategy');
    const { numbers, near } = isPython ? numbersFor(file.text, own) : { numbers: [], near: 0 };
    this.stopping.abort();
    // The button that wrote a number into the file goes.
    const isUsed = this.element.contains(document.activeElement);
    this.element.hidden = numbers.length === 0;
    if (this.element.hidden) return;
    Object.assign(this, { strategy, request, file, others, numbers, near, goal, rates: new Map() });
    if (this.element.open) this.draw();
    else put(this.body);
    if (isUsed) this.title.focus();
  }

  draw() {
    const option = ({ value, line, column, text }, place) => {
      const isAlike = (one) => one.line === line && one.value === value;
      const where = this.numbers.filter(isAlike).length > 1 ? `, column ${column}` : '';
      const told = `${value} in line ${line}${where}: ${text}`;
      return h('option', { value: place, selected: place === this.chosen }, told);
    };
    // The goal is not to be chosen, nor is what a helper is called with.
    const isLikely = ({ value, isArgument }) => value !== this.goal && !isArgument;
    const first = this.numbers.findIndex(isLikely);
    this.chosen = Math.min(this.chosen ?? Math.max(first, 0), this.numbers.length - 1);
    const far = this.numbers.length - this.near;
    const showsAll = this.showsAll || this.chosen >= this.near;
    const showAll = () => {
      this.showsAll = true;
      this.draw();
      this.element.querySelector('select').focus();
    };
    const pick = h(
      'select',
      {
        onchange: () => {
          this.chosen = Number(pick.value);
          this.rate();
        },
      },
      this.numbers.slice(0, showsAll ? undefined : this.near).map(option),
    );
    this.figure = h('figure');
    this.above = h('div');
    this.below = h('div');
    // It stays: one that is replaced cannot be dragged on.
    this.slider = h('input', {
      type: 'range',
      'aria-label': 'Its value',
      oninput: () => this.choose(this.slider.valueAsNumber),
    });
    align(this.slider);
    put(
      this.body,
      h(
        'p',
        { class: 'bar' },
        h('label', {}, 'The number ', pick),
        !showsAll && far > 0 && button(`More numbers (${far})`, showAll),
      ),
      this.figure,
    );
    this.rate();
  }

  /** The text of the file with another value of the chosen number. */
  text(value) {
    const { at, length } = this.numbers[this.chosen];
    const { text } = this.file;
    return text.slice(0, at) + value + text.slice(at + length);
  }

  /** Asks for the rate with each value, the nearest first. */
  async rate() {
    this.stopping.abort();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    const { value } = this.numbers[this.chosen];
    this.value = value;
    this.rates = new Map();
    const values = Array.from({ length: 2 * FAR + 1 }, (_, place) => value - FAR + place)
      .filter((one) => one >= 0)
      .sort((a, b) => Math.abs(a - value) - Math.abs(b - value));
    let refused = '';
    // One more is tried as long as the best is at an end.
    for (let one = values.shift(); one >= 0; one = values.shift() ?? this.beyond()) {
      const files = [{ ...this.file, text: this.text(one) }, ...this.others];
      const asked = { ...this.request, strategy: this.strategy, files };
      try {
        const { win_rate: rate } = await ask('rate', asked, { signal });
        this.rates.set(one, rate.average);
      } catch (error) {
        if (isAbort(error)) return;
        // With some values it may not be a strategy.
        if (!(error instanceof Refused)) throw error;
        this.rates.set(one, null);
        refused = error.message;
      }
      if (signal.aborted) return;
      this.drawCurve();
    }
    if (this.points().length < 2) {
      const told = `With other values it cannot be rated: ${refused}.`;
      put(this.figure, h('p', { class: 'note', role: 'status' }, withCode(told)));
    } else if (this.sentence) say(this.sentence);
  }

  /** The values that could be rated, each with its rate. */
  points() {
    return [...this.rates].filter(([, rate]) => rate !== null).sort(([a], [b]) => a - b);
  }

  /**
   * The value beyond the best one, if that is at an end of those that were tried and better than
   * the others.
   */
  beyond() {
    const [[first, most] = [], ...others] = this.points().sort(([, a], [, b]) => b - a);
    const isBest = others.every(([, rate]) => rate < most);
    const tried = [...this.rates.keys()];
    if (isBest && first === Math.max(...tried)) return first + 1;
    if (isBest && first === Math.min(...tried)) return first - 1;
    return -1;
  }

  choose(tried) {
    this.value = tried;
    this.drawCurve();
  }

  drawCurve() {
    const points = this.points();
    if (points.length < 2) return;
    const { value } = this.numbers[this.chosen];
    const own = this.rates.get(value) ?? 0;
    const [best] = points.reduce((a, b) => (b[1] > a[1] ? b : a), [value, own]);
    const choose = (tried) => this.choose(tried);
    const { slider } = this;
    slider.min = `${points[0][0]}`;
    slider.max = `${points.at(-1)[0]}`;
    slider.value = `${this.value}`;
    const rate = this.rates.get(this.value);
    const found =
      best === value
        ? `None of these is better than ${value}. `
        : `Best of these: ${best}, ${percent(this.rates.get(best))}. `;
    const told = typeof rate === 'number' ? percent(rate) : 'no answer';
    slider.setAttribute('aria-valuetext', `${this.value}: ${told}`);
    this.sentence = `With ${this.value}: ${told}. ${found}`;
    const focused = [this.above, this.below].some((one) => one.contains(document.activeElement));
    if (!slider.isConnected) put(this.figure, this.above, slider, this.below);
    put(
      this.above,
      curve({
        points,
        label: 'Win rate by this number',
        across: 'the number',
        format: (one) => percent(one),
        now: this.value,
        onPick: choose,
      }),
    );
    put(
      this.below,
      h(
        'figcaption',
        {},
        this.sentence,
        [...new Set([this.value, best])]
          .filter((one) => one !== value)
          .map((one) => [
            button(`Write ${one} into the file`, () => this.onUse(this.text(one))),
            ' ',
          ]),
      ),
      savesFigure('numbers', () => [['number', 'win_rate'], ...points]),
    );
    if (focused) slider.focus();
  }
}
