// Parts that several views have: the button that copies the address, and the rules of the game.

import { button, download, h, put, shareButton, showValue } from './dom.js';
import { pack } from './packed.js';
import { draft, draftBase, fullAddress, read } from './route.js';
import { STARTS, startOf } from './words.js';

/** The address that has the text of edited rules of a game, and shows it in Rules. */
export const rulesLink = async (base, text) =>
  `${fullAddress({ view: 'rules', game: base })}#z=${await pack(text)}`;

/** A button that copies the address; of edited rules, which only this browser has, their text. */
export function shareView(route, label) {
  const base = draftBase(route.game);
  return base === null
    ? shareButton(() => fullAddress(read()), label)
    : shareButton(() => rulesLink(base, draft(base)), 'Copy link to these rules');
}

/** Where a game's rules are from, and what they are cited by. */
export function citing({ source, fingerprint }, route) {
  const isEdited = draftBase(route.game) !== null;
  return [
    source && h('p', { class: 'note' }, isEdited && 'Edited, from: ', source),
    h('p', { class: 'note' }, `The fingerprint of these rules: ${fingerprint}.`),
  ];
}

/** The rules of a game, each with its text or else its formulas, and the start that is not even. */
export function rulesOf(shown) {
  const [first, second] = startOf(shown);
  const told = `At the start, who moves first has ${first} and the other ${second}.`;
  const named = (shown.numbers ?? []).filter(({ name }) => !STARTS.includes(name));
  const numbers = named.map(({ name, value }) => `${name} = ${value}`);
  return [
    first + second > 0 && h('p', {}, told),
    numbers.length > 0 && h('p', {}, `Its numbers: ${numbers.join(', ')}.`),
    h(
      'dl',
      {},
      shown.rules.map(({ name, text, hooks }) => [
        h('dt', {}, name),
        h('dd', {}, text ?? hooks.map(([hook, formula]) => `${hook} = ${formula}`).join('; ')),
      ]),
    ),
  ];
}

/** A strategy of a few lines, an answer of `simplify`. */
export function fewLines({ strategies }) {
  const { sentences, python } = strategies.at(-1);
  const save = () => download('simple.py', python, 'text/x-python');
  const line = (sentence) => h('li', {}, sentence);
  const label = { class: 'program', tabindex: '0', 'aria-label': 'As Python' };
  return [
    h('ol', { class: 'plain' }, sentences.map(line)),
    h('details', {}, h('summary', {}, 'As Python'), h('pre', label, python)),
    h(
      'p',
      { class: 'bar' },
      shareButton(() => python, 'Copy as Python', 'Python'),
      button('Save as Python', save),
    ),
  ];
}

/** The most lines of such a strategy. */
export const FEW_LINES = 5;

/** The rows of tables in a box that scrolls, without those of further words about another one. */
const ROWS = 'tbody tr:not(.under, [hidden])';

/** A line under a box that scrolls: it says how many rows are below what is seen of them. */
export class MoreBelow {
  constructor(box) {
    this.box = box;
    this.element = h('p', { class: 'note below', 'aria-hidden': 'true' });
    box.addEventListener('scroll', () => this.tell(), { passive: true });
    new ResizeObserver(() => this.tell()).observe(box);
  }

  tell() {
    const edge = this.box.getBoundingClientRect().bottom;
    const isBelow = (row) => row.getBoundingClientRect().bottom > edge + 2;
    const below = [...this.box.querySelectorAll(ROWS)].filter(isBelow).length;
    put(this.element, below > 0 && `↓ ${below.toLocaleString('en')} more below`);
  }
}

/** The seconds that something takes, from the third on; not read aloud. */
export class Seconds {
  element = h('span', { class: 'note seconds', 'aria-hidden': 'true' });

  start() {
    this.stop();
    const began = performance.now();
    const tell = () => {
      const seconds = Math.floor((performance.now() - began) / 1000);
      put(this.element, seconds > 2 && `${seconds} s`);
    };
    this.timer = setInterval(tell, 1000);
  }

  stop() {
    clearInterval(this.timer);
    put(this.element);
  }
}

/**
 * A number with its label. It stays while what is about it changes: a field that is replaced when
 * another one is left would take the focus, and what is typed next.
 */
export class NumberField {
  /** `onChange` hears a number in the range; `onRefuse` what else was typed, as a sentence. */
  constructor({ key, label, step = 1, least = 0, onChange, onRefuse }) {
    this.label = label;
    this.step = step;
    this.least = least;
    this.onChange = onChange;
    this.onRefuse = onRefuse;
    this.input = h('input', {
      type: 'number',
      min: least,
      step,
      'data-key': key,
      inputmode: 'numeric',
      onchange: () => this.take(),
      onfocus: () => this.select(),
      onclick: () => this.select(),
    });
    this.element = h('label', {}, h('span', {}, label), this.input);
  }

  show(value, most = this.most) {
    this.most = most;
    this.value = value;
    this.input.max = `${most}`;
    showValue(this.input, `${value}`);
    this.input.removeAttribute('aria-invalid');
  }

  /** A 0 is replaced by what is typed. */
  select() {
    if (this.input.value === '0') this.input.select();
  }

  take() {
    const text = this.input.value;
    const { label, step, least, most } = this;
    if (text === '') {
      // What was told of another number is no longer so.
      this.show(this.value);
      this.onChange(this.value);
    } else if (this.input.validity.valid) this.onChange(Number(text));
    else {
      const steps = step > 1 ? ` in steps of ${step}` : '';
      this.input.setAttribute('aria-invalid', 'true');
      this.onRefuse(`${label}: ${least} to ${most}${steps}, and not ${text}.`);
    }
  }
}
