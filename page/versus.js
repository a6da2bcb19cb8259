// Two strategies on one map: the first at the left of a line that can be moved, the second at its
// right.

import { h, put } from './dom.js';
import { ScoreMap } from './map.js';

export class Versus {
  constructor(name, onPick) {
    this.map = new ScoreMap({ name, onPick });
    this.slider = h('input', {
      type: 'range',
      min: 0,
      max: 100,
      value: 50,
      'aria-label': 'Where the two maps meet',
      oninput: () => this.divide(),
    });
    this.names = h('div', { class: 'ends', 'aria-hidden': 'true' });
    this.legend = h('div');
    this.element = h(
      'div',
      { class: 'versus' },
      this.names,
      this.slider,
      this.map.element,
      this.legend,
    );
  }

  /**
   * Shows two layers of the maps of a game, by these names, with one legend; `more` has what else a
   * layer of the map has.
   */
  show(goal, names, [first, second], more = {}) {
    this.given = names;
    put(
      this.names,
      names.map((name) => h('span', {}, name)),
    );
    put(this.legend, first.legend);
    this.map.show({
      ...first,
      goal,
      title: `${names[0]} and ${names[1]}`,
      pictured: `${names[0]} left of the line, ${names[1]} right of it`,
      other: second.colour,
      text: (cell) => `${names[0]}: ${first.text(cell)}; ${names[1]}: ${second.text(cell)}`,
      ...more,
    });
    this.divide();
  }

  divide() {
    const share = this.slider.valueAsNumber;
    this.slider.setAttribute(
      'aria-valuetext',
      `${share} % ${this.given[0]}, ${100 - share} % ${this.given[1]}`,
    );
    this.map.divide(share / 100);
  }
}
