// Names of the language of rule files that begin as the word at the cursor, to be written out.

import { askOnce } from './api.js';
import { h, put } from './dom.js';

/** The most names that are offered. */
const MOST = 6;

export class Completion {
  constructor(editor) {
    this.editor = editor;
    this.element = h('div', { class: 'completion', role: 'group', 'aria-label': 'Names' });
    const { area } = editor;
    area.addEventListener('input', () => this.offer());
    area.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !event.ctrlKey || !this.first) return;
      event.preventDefault();
      this.write(this.first);
    });
  }

  /** The word before the cursor. */
  get word() {
    const { area } = this.editor;
    return /[a-z_]\w*$/i.exec(area.value.slice(0, area.selectionStart))?.[0] ?? '';
  }

  /** The names of the memories and the numbers of the file. */
  own() {
    const names = [];
    let part = '';
    for (const line of this.editor.area.value.split('\n')) {
      const [, key, text] = /^\s*(\w+)\s*=\s*["']?(\w*)/.exec(line) ?? [];
      part = /^\s*\[+(\w+)/.exec(line)?.[1] ?? part;
      if (part === 'memory' && key === 'name') names.push(text, `opponent_${text}`);
      if (part === 'numbers' && key) names.push(key);
    }
    return names;
  }

  async offer() {
    const { word } = this;
    this.first = null;
    if (word.length < 2) {
      put(this.element);
      return;
    }
    const { hooks, variables, functions } = await askOnce('rules/functions');
    // "max(a, b): the larger" is told by its beginning.
    const called = functions.map((text) => [/^\w+/.exec(text)[0], text]);
    const own = this.own().map((name) => [name, 'of this file']);
    const all = /** @type {string[][]} */ ([...own, ...hooks, ...variables, ...called]);
    const found = all.filter(([name]) => name.startsWith(word) && name !== word);
    if (word !== this.word) return;
    this.first = found[0]?.[0];
    const one = ([name, meaning]) =>
      h('button', { type: 'button', title: meaning, onclick: () => this.write(name) }, name);
    put(
      this.element,
      found.slice(0, MOST).map(one),
      found.length > 0 &&
        h(
          'span',
          { class: 'note' },
          ' ',
          h('kbd', {}, 'Ctrl'),
          ' ',
          h('kbd', {}, 'Space'),
          ': the first',
        ),
    );
  }

  /** Writes the rest of a name, as if it had been typed. */
  write(name) {
    const rest = name.slice(this.word.length);
    this.editor.area.focus();
    document.execCommand('insertText', false, rest);
  }
}
