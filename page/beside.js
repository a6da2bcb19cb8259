// The game that edited rules are compared with: the original at first, or another one, what is
// edited elsewhere, what was kept, or a file.

import { Refused, askOnce } from './api.js';
import { button, h, put } from './dom.js';
import { RuleFile } from './rulefile.js';
import { draft, draftName, drafts } from './route.js';
import { session, store } from './storage.js';
import { calledOf, forget, keepVersion, rename, version, versions } from './versions.js';
import { titleOf } from './words.js';

/** The request for the map of a game, with when to hold if it has a pot. */
export const mapRequest = (request, { pot = null }, memory) => ({
  ...request,
  memory,
  layers: pot ? ['hold'] : [],
});

/** Keeps in a tab what the rules of a game are compared with there. */
const CHOSEN = 'hog.beside.';

/** Rules with another title, if they have one. */
function titled(text, title) {
  const file = new RuleFile(text);
  return file.value('title') ? file.with('title', title) : text;
}

export class Beside {
  /**
   * The games that can be chosen: what each is called, and its `request`.
   * @type {{ key: string, label: string, title?: string, request: any, file?: string,
   *   isKept?: boolean }[]}
   */
  all = [];

  /**
   * The name of the original.
   * @type {string}
   */
  base;

  /** @type {string} */
  key;

  /** @type {() => void} */
  onChange;

  /** @type {(text: string, file: string) => void} */
  onEdit;

  /**
   * `onChange` is called when another game is chosen, `onEdit` with the text of a version that is
   * to be edited, and its file.
   */
  constructor(onChange, onEdit) {
    Object.assign(this, { onChange, onEdit });
    this.select = h('select', { onchange: () => this.choose(this.select.value) });
    this.own = h('span');
    const field = h('input', {
      type: 'file',
      hidden: true,
      accept: '.toml',
      'aria-label': 'A rule file to compare with',
      onchange: async () => {
        const [file] = field.files;
        const name = file && keepVersion(file.name, await file.text(), file.name);
        field.value = '';
        if (name) this.choose(name);
      },
    });
    this.element = h(
      'p',
      { class: 'bar' },
      h('label', {}, 'Compared\xa0with ', this.select),
      button('Another file', () => field.click()),
      field,
      this.own,
    );
  }

  /** The game that is chosen. */
  get chosen() {
    return this.all.find(({ key }) => key === this.key) ?? this.all[0];
  }

  /** Compares with the game of this key from now on. */
  choose(key) {
    this.key = key;
    store(session, CHOSEN + this.base, key);
    this.onChange();
  }

  /** Lists what rules that are `called` so, of the game `base`, can be compared with. */
  async list(base, called) {
    const { games } = await askOnce('rules/list');
    if (base !== this.base) this.key = session.getItem(CHOSEN + base) ?? base;
    this.base = base;
    const titles = new Map(
      games.flatMap((game) =>
        [game.id, ...game.aliases].map((name) => [name, titleOf(game, name)]),
      ),
    );
    const named = (name) => ({
      key: name,
      label: name,
      title: titles.get(name),
      request: { rules: name },
    });
    const labels = [called];
    const apart = (label, more) => {
      labels.push(label);
      return labels.indexOf(label) < labels.length - 1 ? `${label}, ${more}` : label;
    };
    const own = versions().map((name) => {
      const { text, file } = version(name);
      return { key: name, label: apart(name, 'kept'), request: { file: text }, file, isKept: true };
    });
    const edited = drafts()
      .filter((other) => other !== base)
      .map((other) => ({
        key: draftName(other),
        label: apart(calledOf(other), `in place of ${other}`),
        request: { file: draft(other) },
      }));
    const rest = [...titles.keys()].sort().filter((name) => name !== base);
    this.all = [named(base), ...own, ...edited, ...rest.map(named)];
    this.draw();
  }

  draw() {
    const options = this.all.map(({ key, label, title }) => [
      key,
      title ? `${label} · ${title}` : label,
    ]);
    const { key, request, file, isKept } = this.chosen;
    const drawn = JSON.stringify([options, key]);
    // A list that is open would close, and a button lose the focus.
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    put(
      this.select,
      options.map(([value, text]) => h('option', { value, selected: value === key }, text)),
    );
    const edit = button('Edit this one', () => this.onEdit(request.file, file));
    const drop = button('Forget it', () => {
      if (!confirm(`Forget ${key}? It cannot be brought back.`)) return;
      forget(key);
      this.select.focus();
      this.choose(this.base);
    });
    const name = button('Rename it', () => {
      const wanted = prompt('What this version is called:', key);
      if (wanted?.trim())
        this.choose(rename(key, wanted.trim(), titled(request.file, wanted.trim())));
    });
    put(this.own, isKept && [edit, ' ', name, ' ', drop]);
  }

  /**
   * What the chosen game is: what its rules say, and its map for these memories, which is null if
   * it has none, as where dice are kept, or other memories; or why its file has a fault.
   */
  async game(memory) {
    const { key, label, request } = this.chosen;
    const shown = await askOnce('rules/show', request).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return error;
    });
    if (shown instanceof Refused) {
      const [fault] = shown.faults;
      const why = fault ? `line ${fault.line}: ${fault.message}` : shown.message;
      return { key, label, map: null, why };
    }
    const map = await askOnce('map', mapRequest(request, shown, memory)).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return null;
    });
    return { key, label, map, shown };
  }
}
