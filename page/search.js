// Versions of a game: its numbers in ranges, and what is wished of the game.

import { isAbort } from './api.js';
import { button, h, put, putProgress, row, table, withCode } from './dom.js';
import { full, savesRows } from './taken.js';
import { count } from './words.js';

const MOST_ROWS = 20;

/** Fields for a range, which begin with these values; empty ones are open. */
const rangeFields = (label, values) =>
  ['from', 'to', 'in steps of'].slice(0, values.length).map((part, at) =>
    h('input', {
      type: 'number',
      step: 'any',
      value: values[at],
      'data-given': values[at],
      'aria-label': `${label}, ${part}`,
    }),
  );

const between = ([from, to, by]) => [from, ' to ', to, by && ' by ', by];

export class Search {
  /** @type {{ key: string, name: string, value: number, fields: HTMLInputElement[] }[]} */
  numbers;

  /** @type {{ key: string, of: any, fields: HTMLInputElement[] }[]} */
  wishes;

  /**
   * @type {(name: 'vary', request: object, onItems: (progress: { begun?: number[][] }) => void) =>
   *   Promise<import('answers').Answers['vary']>}
   */
  ask;

  /** @type {(values: Record<string, number>) => void} */
  use;

  /**
   * `numbers` and `figures` are those of the game; `ask` is how `vary` is asked about it, and
   * stopped, and `use(values)` writes values of numbers into its rules.
   */
  constructor(numbers, figures, ask, use) {
    Object.assign(this, { ask, use });
    this.numbers = numbers.map(({ name, value, from, to, by }, at) => ({
      key: name,
      name,
      value,
      fields: rangeFields(name, at ? [value, value, by] : [from, to, by]),
    }));
    this.wishes = figures.map((of) => ({
      key: of.searched,
      of,
      fields: rangeFields(of.label, ['', '']),
    }));
    const line = (label, fields, unit = '') =>
      row(label, [h('td', { class: 'left' }, between(fields), unit)]);
    this.found = h('div', { 'aria-live': 'polite' });
    this.state = h('span', { class: 'note', role: 'status' });
    this.stop = button('Stop', ask.stop, { hidden: true });
    this.element = h(
      'form',
      {
        class: 'search',
        onsubmit: (event) => {
          event.preventDefault();
          this.find();
        },
      },
      table(
        ['Number', ''],
        this.numbers.map(({ name, value, fields }) => line(`${name} = ${value}`, fields)),
      ),
      table(
        ['Wish', ''],
        this.wishes.map(({ of, fields }) => line(of.label, fields, of.unit)),
      ),
      h('p', { class: 'bar' }, h('button', { class: 'primary' }, 'Find'), this.stop, this.state),
      this.found,
    );
  }

  /** Takes over what has been typed before: `other` is about an earlier text of the rules. */
  takeFrom(other) {
    const known = new Map([...other.numbers, ...other.wishes].map((one) => [one.key, one.fields]));
    for (const { key, fields } of [...this.numbers, ...this.wishes]) {
      const before = known.get(key) ?? [];
      // A range that nobody has typed follows the text.
      if (before.every(({ value, dataset }) => value === dataset.given)) continue;
      fields.forEach((field, at) => {
        field.value = before[at].value;
      });
    }
    if (!other.found.hasChildNodes()) return;
    const [head, ...found] = other.found.childNodes;
    const isTold = head.matches('.before');
    const before = h('p', { class: 'note before' }, 'Found with the rules as they were then:');
    put(this.found, before, isTold ? found : [head, ...found]);
  }

  /** Asks for the games, and shows those that have what is wished, the fairest first. */
  async find() {
    const isWished = ({ of, fields }) => of.isAlways || fields.some(({ value }) => value !== '');
    const wishes = this.wishes.filter(isWished);
    const end = ({ value }, { wish }) => (value === '' ? '' : wish(Number(value)));
    const asked = {
      vary: this.numbers.map(({ name, fields: [from, to, by] }) =>
        from.value === to.value
          ? `${name}=${from.value}`
          : `${name}=${from.value}..${to.value}:${by.value}`,
      ),
      where: wishes.map(
        ({ of, fields: [from, to] }) => `${of.searched}=${end(from, of)}..${end(to, of)}`,
      ),
    };
    // Each game is told when it is begun.
    const sizes = this.numbers.map(({ fields: [from, to, by] }) =>
      Math.max(1, Math.floor((Number(to.value) - Number(from.value)) / Number(by.value)) + 1),
    );
    const all = sizes.reduce((product, size) => product * size, 1).toLocaleString('en');
    let begun = 0;
    const onItems = ({ begun: more = [] }) => {
      begun += more.length;
      putProgress(this.state, `${begun.toLocaleString('en')} of ${all} games`);
    };
    this.stop.hidden = false;
    try {
      this.show(
        await this.ask('vary', asked, onItems),
        wishes.map(({ of }) => of),
      );
    } catch (error) {
      if (!isAbort(error)) put(this.found, h('p', { class: 'loss' }, withCode(error.message)));
    } finally {
      this.stop.hidden = true;
      put(this.state);
    }
  }

  show({ rows, nearest = null, tried, refused = [], spans = [], having = [] }, figures) {
    const unfair = ({ figures: { win_rate: wins } }) => Math.abs(wins.first - 0.5);
    const best = [...rows].sort((a, b) => unfair(a) - unfair(b));
    const shown = nearest ? [nearest] : best.slice(0, MOST_ROWS);
    const names = this.numbers.map(({ name }) => name);
    const valueOf = ({ figures: { win_rate: wins }, where }, at) =>
      figures[at].asked ? where[at] : wins.first;
    // Numbers that have one value need no column.
    const isVaried = (at) => shown.some(({ values }) => values[at] !== shown[0].values[at]);
    const varied = names.map((_, at) => at).filter(isVaried);
    const [firstName, ...otherNames] = varied.map((at) => names[at]);
    const line = (one) => {
      const { values } = one;
      const said = names.map((name, at) => `${name} = ${values[at]}`).join(', ');
      const use = () => this.use(Object.fromEntries(names.map((name, at) => [name, values[at]])));
      const isNow = this.numbers.every(({ value }, at) => value === values[at]);
      const written = isNow ? 'as now' : button('Use it', use, { 'aria-label': `Use it: ${said}` });
      const told = figures.map(({ format }, at) =>
        full(valueOf(one, at), format(valueOf(one, at))),
      );
      const own = varied.map((at) => values[at]);
      return row(own[0] ?? values[0], [written, ...told, ...own.slice(1)]);
    };
    const cut =
      shown.length < rows.length && !nearest ? `, of which ${shown.length} are shown` : '';
    const has = rows.length === 1 ? 'has' : 'have';
    const have = `${count(rows.length, 'game')} of ${tried.toLocaleString('en')} ${has}`;
    put(
      this.found,
      h(
        'p',
        {},
        nearest
          ? `None of ${tried.toLocaleString('en')} games has all that is wished. The nearest:`
          : `${have} all that is wished, the fairest first${cut}:`,
      ),
      h(
        'div',
        { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Games that were found' },
        table(
          [firstName ?? names[0], '', ...figures.map(({ label }) => label), ...otherNames],
          shown.map(line),
        ),
      ),
      nearest &&
        h(
          'ul',
          { class: 'plain' },
          figures.map(({ label, format }, at) => {
            const [low, high] = spans[at].map(format);
            const all = low === high ? low : `${low} to ${high}`;
            return h('li', {}, `${label}: ${all} in all; as wished in ${having[at]} of ${tried}.`);
          }),
        ),
      refused.length > 0 &&
        h(
          'p',
          { class: 'note' },
          `${count(refused.length, 'combination')} of values is no game: `,
          withCode(refused[0].reason),
        ),
      savesRows(
        'versions',
        () => [
          [...names, ...figures.map(({ heading, asked }) => heading ?? asked)],
          ...best.map((one) => [...one.values, ...figures.map((_, at) => valueOf(one, at))]),
        ],
        names.join(', '),
      ),
    );
  }
}
