// A rule file that is edited in place: what is not changed keeps its comments, order and spaces.

import { parseTOML } from './toml-parser.js';

/** Before each line of a rule that is switched off. */
const OFF = '#off ';

const isOff = (line) => line.startsWith(OFF.trim());

/**
 * Returns the program of a text; null if it is not TOML.
 * @returns {any}
 */
function parsed(text) {
  try {
    return parseTOML(text);
  } catch {
    return null;
  }
}

/** The `[[rule]]` blocks of a program: `{ name, from, to }`, from a line up to another, from 0. */
function rulesOf(program) {
  const blocks = [];
  for (const { body, loc, resolvedKey } of program?.body[0].body ?? []) {
    if (resolvedKey?.[0] !== 'rule') continue;
    const [, place] = resolvedKey;
    // A table of a rule, as [rule.part], belongs to its block.
    blocks[place] ??= { from: loc.start.line - 1 };
    blocks[place].to = loc.end.line;
    if (resolvedKey.length === 2) blocks[place].name = pair(body, 'name')?.value.value;
  }
  return blocks;
}

const pair = (body, name) =>
  body.find(({ key, type }) => type === 'TOMLKeyValue' && key.keys.map(keyName).join('.') === name);

const keyName = (key) => key.name ?? key.value;

export class RuleFile {
  constructor(text) {
    this.text = text;
    this.program = parsed(text);
  }

  /** Whether the text is TOML; otherwise it has no values and no rules, and cannot be changed. */
  get isReadable() {
    return this.program !== null;
  }

  /** Returns the value of a key outside all tables. */
  value(name) {
    return pair(this.program?.body[0].body ?? [], name)?.value.value;
  }

  /** Returns the text with a value of a key outside all tables. */
  with(name, value) {
    const { range } = pair(this.program.body[0].body, name)?.value ?? {};
    if (!range) return `${name} = ${JSON.stringify(value)}\n${this.text}`;
    return this.text.slice(0, range[0]) + JSON.stringify(value) + this.text.slice(range[1]);
  }

  /** Returns the text with these numbers; those that are undefined or have no key stay. */
  withNumbers(numbers) {
    return Object.entries(numbers)
      .filter(([name, number]) => number !== undefined && Number.isInteger(this.value(name)))
      .reduce((file, [name, number]) => new RuleFile(file.with(name, number)), this).text;
  }

  /** The blocks of the worked examples. */
  get exampleBlocks() {
    const all = this.program?.body[0].body ?? [];
    return all.filter(({ resolvedKey }) => resolvedKey?.[0] === 'example');
  }

  /** The worked examples, each as it is written. */
  get examples() {
    const lines = this.text.split('\n');
    return this.exampleBlocks.map(({ loc }) =>
      lines.slice(loc.start.line - 1, loc.end.line).join('\n'),
    );
  }

  /** Whether all worked examples are those of another text, or some of them. */
  hasExamplesOf(other) {
    const known = new Set(other.examples);
    return this.examples.every((one) => known.has(one));
  }

  /** Returns the text without the worked examples that begin in these lines. */
  withoutExamples(begun) {
    const lines = this.text.split('\n');
    const blocks = this.exampleBlocks.filter(({ loc }) => begun.includes(loc.start.line));
    // The last first, as places before it stay.
    for (const { loc } of blocks.reverse()) {
      const after = lines[loc.end.line] === '' ? 1 : 0;
      lines.splice(loc.start.line - 1, loc.end.line - loc.start.line + 1 + after);
    }
    return lines.join('\n');
  }

  /** The rules in the order of the text, with those that are off: `{ name, isOn, from, to }`. */
  get rules() {
    const on = rulesOf(this.program).map((block) => ({ ...block, isOn: true }));
    const all = [...on, ...this.offRules()].sort((a, b) => a.from - b.from);
    return all.map((rule, place) => ({ ...rule, name: rule.name ?? `Rule ${place + 1}` }));
  }

  /** The names of the rules that are off. */
  get off() {
    const rules = this.isReadable ? this.rules : [];
    return rules.filter(({ isOn }) => !isOn).map(({ name }) => name);
  }

  /** " without Sow Sad and Hog Pile", by the rules that are off; empty if none is. */
  get without() {
    const { off } = this;
    const last = off.at(-1);
    const all = off.length > 1 ? `${off.slice(0, -1).join(', ')} and ${last}` : last;
    return off.length ? ` without ${all}` : '';
  }

  /** The rules in comments: each run of lines that are off is read as a file of its own. */
  offRules() {
    const lines = this.text.split('\n');
    const runs = [];
    for (const { loc } of this.program?.comments ?? []) {
      const line = loc.start.line - 1;
      if (!isOff(lines[line])) continue;
      const run = runs.at(-1);
      if (run?.to === line) run.to += 1;
      else runs.push({ from: line, to: line + 1 });
    }
    return runs.flatMap(({ from, to }) => {
      const text = lines.slice(from, to).map(withoutOff).join('\n');
      return rulesOf(parsed(text)).map((block) => ({
        ...block,
        from: from + block.from,
        to: from + block.to,
        isOn: false,
      }));
    });
  }

  /** Returns the text with another rule after its last one: its name, and a formula for a hook. */
  withRule(name, hook, formula) {
    const lines = this.text.split('\n');
    const [last = { to: lines.length }] = this.rules.slice(-1);
    lines.splice(last.to, 0, '', '[[rule]]', `name = "${name}"`, `${hook} = "${formula}"`);
    return lines.join('\n');
  }

  /** Returns the text with one of its rules switched on or off. */
  switched(place) {
    const { from, isOn, to } = this.rules[place];
    const lines = this.text.split('\n');
    for (let line = from; line < to; line += 1)
      lines[line] = isOn ? OFF + lines[line] : withoutOff(lines[line]);
    return lines.join('\n');
  }
}

const withoutOff = (line) => (line.startsWith(OFF) ? line.slice(OFF.length) : line.slice(4));
