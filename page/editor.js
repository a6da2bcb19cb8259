// A text editor that underlines faults.

import { h, put } from './dom.js';

export class Editor {
  constructor({ label, onInput }) {
    this.back = h('pre', { 'aria-hidden': 'true' });
    this.area = h('textarea', {
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      'aria-label': label,
      wrap: 'off',
      oninput: () => {
        this.mark([]);
        onInput(this.text);
      },
      onscroll: () => this.follow(),
    });
    // Tab leaves the field as in any form, for keyboard users; indentation is typed as spaces.
    this.element = h('div', { class: 'editor' }, this.back, this.area);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.mark([]);
  }

  follow() {
    this.back.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }

  /** Returns the offset in the text of a line and column. */
  place({ line, column }) {
    const lines = this.text.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    return Math.min(
      before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length,
      this.text.length,
    );
  }

  /** Underlines the token at each fault. */
  mark(faults) {
    const { text } = this;
    const marks = faults
      .map((fault) => {
        const at = this.place(fault);
        const word = /^([\w.]+|"[^"\n]*"?|[^\s\w]+)/.exec(text.slice(at))?.[0].length;
        return [at, at + (word ?? 1)];
      })
      .sort((a, b) => a[0] - b[0]);
    const parts = [];
    let done = 0;
    for (const [from, to] of marks) {
      if (from < done) continue;
      const shown = text.slice(from, to);
      parts.push(text.slice(done, from), h('mark', {}, shown.trim() ? shown : ' '));
      done = from + (shown.trim() ? shown.length : 0);
    }
    put(this.back, ...parts, text.slice(done), '\n');
    this.area.setAttribute('aria-invalid', `${faults.length > 0}`);
    this.follow();
  }

  /** Moves the cursor to a fault and scrolls to it. */
  goTo(fault) {
    const at = this.place(fault);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (fault.line - 6) * 20);
  }
}
