// Two strategies on one map: the first at the left of a line that can be moved, the second at its
// right.

import { h, put } from './dom.js';
import { ScoreMap, diceColour, legend } from './map.js';
import { choice } from './words.js';

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
   * Shows what two strategies, with these names, roll at each pair of scores of a game; `more` has
   * what else a layer of the map has.
   */
  show({ goal, max_dice: most, pot }, names, dice, more = {}) {
    this.given = names;
    const colours = dice.map((rolls) => (cell) => diceColour(rolls[cell], most));
    put(
      this.names,
      names.map((name) => h('span', {}, name)),
    );
    const shown = [...new Set(dice.flatMap((rolls) => [...rolls]))].sort((a, b) => a - b);
    const key = legend(shown.map((number) => [diceColour(number, most), choice(number, pot)]));
    put(this.legend, key);
    this.map.show({
      goal,
      legend: key,
      title: `${names[0]} and ${names[1]}`,
      colour: colours[0],
      other: colours[1],
      digit: (cell) => choice(dice[0][cell], pot),
      text: (cell) =>
        names.map((name, side) => `${name} rolls ${choice(dice[side][cell], pot)}`).join(', '),
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
