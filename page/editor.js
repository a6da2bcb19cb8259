// A text editor with line numbers and colours for TOML and Python, which underlines faults, and the
// names that it offers.

import { askOnce } from './api.js';
import { button, h, put, withCode } from './dom.js';

const WORDS =
  'def|return|if|elif|else|for|while|in|not|and|or|import|from|lambda|class|pass|True|False|None';

/** What is coloured, in this order at each place. */
const TOKENS = new RegExp(
  [
    '(?<comment>#.*)',
    '(?<string>"""[^]*?"""|\'\'\'[^]*?\'\'\'|' +
      '"(?:\\\\.|[^"\\n\\\\])*"?|\'(?:\\\\.|[^\'\\n\\\\])*\'?)',
    '(?<head>^\\s*\\[+[\\w.-]+\\]+)',
    `(?<key>^\\s*[\\w-]+(?=\\s*=[^=])|\\b(?:${WORDS})\\b)`,
    '(?<number>\\b\\d+(?:\\.\\d+)?\\b)',
  ].join('|'),
  'gm',
);

const KINDS = ['comment', 'string', 'head', 'key', 'number'];

/** A text of this length is no longer coloured while it is typed. */
const LONGEST = 60_000;

/** With less room, in characters, a message behind a line is not cut: nothing would be left. */
const FEW = 8;

/** Returns a text as pieces, `[kind, text]`; plain ones have no kind. */
function pieces(text) {
  if (text.length > LONGEST) return [['', text]];
  const found = [];
  let done = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = KINDS.find((one) => match.groups[one] !== undefined);
    found.push(['', text.slice(done, match.index)], [kind, match[0]]);
    done = match.index + match[0].length;
  }
  return [...found, ['', text.slice(done)]];
}

function shown([kind, text]) {
  if (!kind) return document.createTextNode(text);
  return kind === 'mark' ? h('mark', {}, text) : h('span', { class: `is-${kind}` }, text);
}

/** Returns how much two texts or lists share at their beginning and at their end. */
function differing(one, other, same = (a, b) => a === b) {
  const most = Math.min(one.length, other.length);
  let from = 0;
  while (from < most && same(one[from], other[from])) from += 1;
  let end = 0;
  const isSame = () => same(one[one.length - 1 - end], other[other.length - 1 - end]);
  while (end < most - from && isSame()) end += 1;
  return [from, end];
}

const isSamePiece = ([kind, text], [otherKind, other]) => kind === otherKind && text === other;

export class Editor {
  constructor({ label, onInput }) {
    this.onInput = onInput;
    this.back = h('pre', { 'aria-hidden': 'true' });
    this.parts = [];
    this.numbers = h('pre', { class: 'numbers', 'aria-hidden': 'true' });
    this.area = h('textarea', {
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      'aria-label': label,
      wrap: 'off',
      oninput: () => {
        if (this.isReplacing) return;
        // First, so that the engine works while the page draws.
        onInput(this.text);
        this.mark([]);
      },
      onscroll: () => this.follow(),
      onkeydown: (event) => {
        if (event.key === 'Enter' && !event.isComposing) this.breakLine(event);
      },
    });
    // Tab leaves the field as in any form, for keyboard users; indentation is typed as spaces.
    this.notes = h('pre', { class: 'notes', 'aria-hidden': 'true' });
    // The message of the caret's line, if there is no room for it behind the line.
    this.whole = h('p', { class: 'whole', 'aria-hidden': 'true', hidden: true });
    for (const what of ['keyup', 'click', 'focus', 'blur'])
      this.area.addEventListener(what, () => this.showWhole());
    /** The messages that are cut, by line, from 0. */
    this.cut = new Map();
    const parts = [this.back, this.notes, this.area, this.numbers, this.whole];
    this.element = h('div', { class: 'editor' }, parts);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.mark([]);
  }

  /**
   * Replaces the text as if what differs had been typed, so that the browser's Undo takes it back.
   * The focus and the caret stay where the user has put them.
   */
  replace(text) {
    const before = this.text;
    if (text === before) return;
    const [from, end] = differing(before, text);
    const typed = text.slice(from, text.length - end);
    const focused = document.activeElement;
    const { scrollTop, selectionStart, selectionEnd } = this.area;
    // What is typed is told once, and not line by line.
    this.isReplacing = true;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, before.length - end);
    // There is no other way to keep what can be undone.
    document.execCommand(typed ? 'insertText' : 'delete', false, typed);
    this.isReplacing = false;
    if (this.text !== text) this.area.value = text;
    this.mark([]);
    const moved = (at) => {
      if (at <= from) return at;
      const isAfter = at >= before.length - end;
      return isAfter ? at + text.length - before.length : from + typed.length;
    };
    this.area.setSelectionRange(moved(selectionStart), moved(selectionEnd));
    this.area.scrollTop = scrollTop;
    if (focused !== this.area && focused instanceof HTMLElement)
      focused.focus({ preventScroll: true });
    this.onInput(text);
  }

  /** A new line begins as the one before, and further in after a colon. */
  breakLine(event) {
    const { value, selectionStart: at } = this.area;
    const [line, indent] = /(?:^|\n)([ \t]*)[^\n]*$/.exec(value.slice(0, at));
    const deeper = /:\s*$/.test(line) ? '    ' : '';
    if (!indent && !deeper) return;
    event.preventDefault();
    document.execCommand('insertText', false, `\n${indent}${deeper}`);
  }

  follow() {
    const { scrollLeft, scrollTop } = this.area;
    const shift = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.back.style.transform = shift;
    this.notes.style.transform = shift;
    this.numbers.style.transform = `translateY(${-scrollTop}px)`;
    this.showWhole();
  }

  get room() {
    const style = getComputedStyle(this.area);
    const context = document.createElement('canvas').getContext('2d');
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
    return Math.floor((this.area.clientWidth - padding) / context.measureText('0').width);
  }

  /** Shows below the caret's line its whole message, if it is cut. */
  showWhole() {
    const line = this.text.slice(0, this.area.selectionStart).split('\n').length - 1;
    const message = this.cut.get(line);
    this.whole.hidden = !message || document.activeElement !== this.area;
    if (this.whole.hidden) return;
    put(this.whole, withCode(message));
    const height = Number.parseFloat(getComputedStyle(this.area).lineHeight);
    const top = (line + 1.5) * height - this.area.scrollTop;
    this.whole.style.transform = `translateY(${top}px)`;
  }

  /** Returns the offset in the text of a line and column. */
  place({ line, column }) {
    const lines = this.text.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    const within = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
    return Math.min(before + within, this.text.length);
  }

  /** Underlines the token at each fault, or the line of a fault without a column. */
  mark(faults) {
    const { text } = this;
    const shows = JSON.stringify([text, faults]);
    if (shows === this.shows) return;
    this.shows = shows;
    const marks = faults
      .map((fault) => {
        const at = this.place({ column: 1, ...fault });
        if (fault.column === undefined) {
          const [, blank, line] = /^([ \t]*)(.*)/.exec(text.slice(at));
          return [at + blank.length, at + blank.length + Math.max(line.length, 1)];
        }
        const word = /^([\w.]+|"[^"\n]*"?|[^\s\w]+)/.exec(text.slice(at))?.[0].length;
        return [at, at + (word ?? 1)];
      })
      .sort((a, b) => a[0] - b[0]);
    const parts = [];
    let done = 0;
    for (const [from, to] of marks) {
      if (from < done) continue;
      const marked = text.slice(from, to);
      parts.push(...pieces(text.slice(done, from)), ['mark', marked.trim() ? marked : ' ']);
      done = from + (marked.trim() ? marked.length : 0);
    }
    this.show([...parts, ...pieces(text.slice(done)), ['', '\n']]);
    const lines = text.split('\n').length;
    if (this.lines !== lines) {
      this.lines = lines;
      this.element.style.setProperty('--lines', lines);
      this.numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join('\n');
    }
    this.area.setAttribute('aria-invalid', `${faults.length > 0}`);
    this.note(faults);
  }

  /** Writes the first message of each line behind it, as far as there is room. */
  note(faults) {
    const lines = this.text.split('\n');
    const told = lines.map(() => '');
    const room = faults.length ? this.room : 0;
    this.cut.clear();
    for (const { line, message } of faults) {
      const length = lines[line - 1]?.length ?? 0;
      if (!message || told[line - 1] || this.cut.has(line - 1)) continue;
      const text = `  ← ${message}`;
      const left = room - length;
      if (text.length > left) this.cut.set(line - 1, message);
      // Behind a line whose end is not seen, the message is seen with that.
      const isCut = text.length > left && left > FEW;
      told[line - 1] = ' '.repeat(length) + (isCut ? `${text.slice(0, left - 1)}…` : text);
    }
    this.notes.textContent = faults.length ? told.join('\n') : '';
    this.showWhole();
  }

  /** Shows pieces; what has not changed since the last time stays. */
  show(parts) {
    const [from, end] = differing(this.parts, parts, isSamePiece);
    const { childNodes } = this.back;
    const after = childNodes[this.parts.length - end] ?? null;
    while (childNodes[from] !== (after ?? undefined)) childNodes[from].remove();
    for (const part of parts.slice(from, parts.length - end))
      this.back.insertBefore(shown(part), after);
    this.parts = parts;
  }

  goTo(fault) {
    const at = this.place(fault);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.reveal(fault.line);
  }

  reveal(line) {
    this.area.scrollTop = Math.max(0, (line - 6) * 20);
  }
}

const MOST_NAMES = 6;

const lastLine = (text) => text.slice(text.lastIndexOf('\n') + 1);

/** Names of the language of rule files that begin as the word at the cursor, to be written out. */
export class Completion {
  constructor(editor) {
    this.editor = editor;
    this.element = h('div', {
      class: 'completion',
      id: 'completion',
      role: 'group',
      'aria-label': 'Names',
    });
    const { area } = editor;
    area.setAttribute('aria-describedby', 'completion');
    area.addEventListener('input', () => this.offer());
    area.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !event.ctrlKey || !this.first) return;
      event.preventDefault();
      this.write(this.first);
    });
  }

  get word() {
    const { area } = this.editor;
    return /[a-z_]\w*$/i.exec(area.value.slice(0, area.selectionStart))?.[0] ?? '';
  }

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
    const { hooks, variables, functions, seen_by: seen } = await askOnce('rules/functions');
    const sees = new Map(/** @type {[string, string[]][]} */ (seen));
    // The key whose formula is written, if it is one.
    const { value, selectionStart } = this.editor.area;
    const [, key] = /^\s*(\w+)\s*=[^\n]*$/m.exec(lastLine(value.slice(0, selectionStart))) ?? [];
    const isSeen = (/** @type {any[]} */ [name]) => sees.get(name)?.includes(key) ?? true;
    const known = key ? variables.filter(isSeen) : hooks;
    // "max(a, b): the larger" is told by its beginning.
    const called = functions.map((text) => [/^\w+/.exec(text)[0], text]);
    const own = this.own().map((name) => [name, 'of this file']);
    const all = /** @type {string[][]} */ ([...own, ...known, ...(key ? called : [])]);
    const isFirst = ([name], at) => at === all.findIndex(([other]) => other === name);
    const found = all.filter(isFirst).filter(([name]) => name.startsWith(word) && name !== word);
    if (word !== this.word) return;
    this.first = found[0]?.[0];
    const one = ([name, meaning]) => button(name, () => this.write(name), { title: meaning });
    put(
      this.element,
      found.slice(0, MOST_NAMES).map(one),
      found.length > 0 &&
        matchMedia('(hover: hover)').matches &&
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
