// Rules: an editor for rule files that solves the game again after each keystroke. solved.js and
// more.js draw the answers.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { Beside, mapRequest } from './beside.js';
import {
  button,
  download,
  h,
  put,
  putProgress,
  refresh,
  say,
  shareButton,
  withCode,
} from './dom.js';
import { Completion, Editor } from './editor.js';
import { More } from './more.js';
import { unpack } from './packed.js';
import { rulesLink } from './parts.js';
import { RuleFile } from './rulefile.js';
import {
  address,
  draft,
  draftBase,
  draftName,
  fullAddress,
  gameParams,
  keepDraft,
  read,
  withParams,
} from './route.js';
import { Solved } from './solved.js';
import { fileOf, keepCalled, keepVersion } from './versions.js';
import { count, working } from './words.js';

export async function enter(root, route) {
  return new RulesEditor(root);
}

/**
 * How long rules of a link or of the address are worked on unasked, in milliseconds: anybody may
 * have sent them.
 */
const UNASKED = 5000;

/** After this pause in typing, in milliseconds, a number is set. */
const TYPED = 500;

/** The pause in typing, in milliseconds, after which a screen reader hears of a fault. */
const AFTER_TYPING = 1200;

/** What is shown while the text has faults is grey, and of the rules before them. */
const FAULTY = 'The rule file has a fault: what is shown here is from before it. ';

const BEFORE = 'There is no answer about these rules: what is shown here is of those before. ';

const MOST_EXAMPLES = 5;

/** How formulas are written, and how rules act together. */
const FORMULAS = [
  ['a ? b : c', 'b if a holds, otherwise c'],
  ['== != < <= > >=', 'compare two numbers'],
  ['&& || !', 'and, or, not'],
  ['+ - * / %', 'of whole numbers; `%` is the rest of a division'],
  [
    '[[rule]]',
    'Rules act in the order of the file. Several may set a hook: each changes what those before ' +
      'it have left. Only `die`, `keep`, `worth`, `zero_dice` and `bust` are set once.',
  ],
];

class RulesEditor {
  constructor(root) {
    this.askMap = lastOnly();
    this.askCheck = lastOnly();
    this.askSolve = lastOnly();
    this.editor = new Editor({ label: 'Rule file', onInput: () => this.edited() });
    this.completion = new Completion(this.editor);
    this.opener = h('input', {
      type: 'file',
      hidden: true,
      accept: '.toml',
      'aria-label': 'A rule file',
      onchange: async () => {
        const [file] = this.opener.files;
        if (file) this.open(await file.text(), file.name);
        this.opener.value = '';
      },
    });
    this.kept = h('p', { class: 'note', role: 'status' });
    this.faults = h('ul', { class: 'faults', 'aria-label': 'Faults' });
    this.switches = h('div', {
      class: 'switches',
      role: 'group',
      'aria-label': 'Rules on and off',
    });
    this.warned = h('p', { class: 'note', role: 'status' });
    this.goal = this.numberField('goal', 1, 20000);
    this.most = this.numberField('max_dice', 0, 30);
    this.mostDice = h('label', {}, 'Most dice ', this.most);
    this.solved = new Solved((memory) => {
      this.memory = memory;
      this.solve();
    });
    this.examples = h('div', { class: 'note' });
    this.working = h('p', { class: 'note' });
    this.beside = new Beside(
      () => this.solve(),
      (text, file) => this.open(text, file),
    );
    this.more = new More((text) => this.replace(text));
    this.title = h('h2');
    this.links = h('p', { class: 'bar' });
    this.theme = () => this.solved.game.now && this.solved.draw();
    addEventListener('hog:theme', this.theme);
    this.elsewhere = () => this.base && this.isChangedElsewhere() && this.tellElsewhere();
    addEventListener('storage', this.elsewhere);
    put(
      root,
      h('h1', { class: 'sr' }, 'Change the rules'),
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { class: 'card', 'aria-label': 'Rules' },
          h('div', { class: 'bar' }, h('label', {}, 'Goal ', this.goal), this.mostDice),
          this.kept,
          this.switches,
          this.warned,
          this.editor.element,
          this.completion.element,
          this.faults,
          this.examples,
          h(
            'div',
            { class: 'bar' },
            button('Save as a file', () => download(this.fileNamed(), this.editor.text)),
            button('Open a file', () => this.opener.click()),
            this.opener,
            button('Add a rule', () => this.addRule()),
            shareButton(() => this.link()),
            button('Discard my changes', () => this.discard()),
            button('Keep to compare', () => this.keepToCompare()),
          ),
          h(
            'p',
            { class: 'note' },
            'A rule sets hooks of the turn with short formulas: ',
            h('code', {}, 'zero_dice'),
            ', ',
            h('code', {}, 'bust'),
            ', ',
            h('code', {}, 'points'),
            ', ',
            h('code', {}, 'score'),
            ', ',
            h('code', {}, 'swap'),
            ' … ',
            this.language(),
          ),
        ),
        h(
          'section',
          { class: 'card', 'aria-label': 'The game with these rules' },
          this.title,
          this.beside.element,
          this.working,
          this.solved.parts,
          this.more.element,
          this.links,
        ),
      ),
    );
  }

  async update(route) {
    this.route = route;
    if (this.begun === route.hash) return;
    this.begun = route.hash;
    await this.begin();
  }

  /** A field for a number of the rules, which is set while it is typed, after a moment. */
  numberField(name, min, max) {
    const set = () => {
      clearTimeout(this.typed);
      this.setNumber(name, field.value);
    };
    const field = h('input', {
      type: 'number',
      min,
      max,
      oninput: () => {
        clearTimeout(this.typed);
        if (field.value !== '') this.typed = setTimeout(set, TYPED);
      },
      // When the focus is where the user has put it.
      onchange: () => setTimeout(set),
    });
    return field;
  }

  leave() {
    removeEventListener('hog:theme', this.theme);
    removeEventListener('storage', this.elsewhere);
    clearTimeout(this.typed);
    clearTimeout(this.later);
    this.stop();
    this.more.stop();
  }

  stop() {
    clearTimeout(this.unasked);
    for (const work of [this.askMap, this.askCheck, this.askSolve]) work.stop();
  }

  /** Stops what takes long, and lets the user go on with it. */
  tire() {
    this.stop();
    const goOn = button('Solve them', () => this.solve());
    put(this.working, 'These rules take long to solve. ', goOn);
    say('These rules take long to solve.');
  }

  /** The hooks, variables and functions, fetched when they are opened. */
  language() {
    const details = h(
      'details',
      {
        ontoggle: async () => {
          if (!details.open || details.children.length > 1) return;
          const language = await askOnce('rules/functions');
          const list = (pairs) =>
            h(
              'dl',
              {},
              pairs.map(([name, meaning]) => [
                h('dt', {}, h('code', {}, name)),
                h('dd', {}, withCode(meaning)),
              ]),
            );
          details.append(
            h('h3', {}, 'Formulas'),
            list(FORMULAS),
            h('h3', {}, 'Parts'),
            list(language.parts),
            h('h3', {}, 'Hooks'),
            list(language.hooks),
            h('h3', {}, 'Variables'),
            list(language.variables),
            h('h3', {}, 'Functions'),
            h(
              'ul',
              { class: 'plain' },
              language.functions.map((text) => h('li', {}, text)),
            ),
          );
        },
      },
      h('summary', {}, 'The complete language'),
    );
    return details;
  }

  get file() {
    const { text } = this.editor;
    if (this.parsed?.text !== text) this.parsed = new RuleFile(text);
    return this.parsed;
  }

  /** The name of the rules as a file: that of the file that they are from, or their own. */
  fileNamed() {
    const { base, file, fileName, said } = this;
    const id = file.value('id');
    // A semester with the rules of another one goes by its own name.
    const own = id && id !== said.value('id') ? id : base;
    return fileName ?? `${own}${file.text === this.original ? '' : '-edited'}.toml`;
  }

  async begin() {
    const { route } = this;
    const named = draftBase(route.game) ?? route.game;
    const { id, aliases = [] } = await askOnce('rules/show', { rules: named });
    // A semester with the rules of another one goes by its own name.
    const base = aliases.find((alias) => alias === named.toLowerCase()) ?? id;
    this.base = base;
    const { text } = await askOnce('rules/text', { rules: base });
    const linked = route.hash.startsWith('z=');
    const shared = linked ? await unpack(route.hash.slice(2)).catch(() => null) : null;
    const own = draft(base);
    this.stored = own;
    this.fileName = fileOf(base);
    const { goal, max_dice: most } = gameParams(route);
    this.numbers = { goal, max_dice: most };
    this.original = text;
    this.said = new RuleFile(text);
    const numbered = (rules) => new RuleFile(rules).withNumbers(this.numbers);
    this.opened = numbered(this.original);
    this.editor.text = shared ?? numbered(own ?? this.original);
    this.byLink = shared !== null;
    if (own !== null) this.showKept(own);
    else if (this.byLink) put(this.kept, `These rules come from a link: they are not ${base}.`);
    if (linked && shared === null)
      put(this.kept, 'The link is damaged, and its rules cannot be shown: copy the whole link.');
    this.memory = {};
    this.more.varied = null;
    await this.beside.list(base, this.called);
    await this.beside.game({});
    // Those of hog and of this browser are nobody else's.
    const isGiven = this.byLink || this.editor.text !== (own ?? this.original);
    if (isGiven) this.unasked = setTimeout(() => this.tire(), UNASKED);
    await this.solve();
  }

  /**
   * Says that this browser keeps edited rules of the game; beside those of a link, offers to show
   * them.
   */
  showKept(own) {
    if (this.editor.text === own) {
      put(this.kept, `These are your edited rules of ${this.base}, kept in this browser.`);
      return;
    }
    put(
      this.kept,
      this.byLink ? 'These rules come from a link. ' : 'The address sets numbers of these rules. ',
      `If you change or play them, they replace your own edited rules of ${this.base}. `,
      button('Show mine', () => this.replace(own)),
    );
  }

  /**
   * Shows a rule file of the user; it is kept as edited rules of the game that is shown, and what
   * was edited before as a version.
   */
  open(text, file) {
    const before = { text: this.editor.text, file: this.fileName };
    if (text === before.text) return;
    const isKept = before.text === this.original || this.keepVersion();
    this.replaced = before;
    this.fileName = file;
    // What is told is about the text before.
    this.showFaults([]);
    put(this.working);
    this.replace(text);
    this.editor.area.focus();
    this.editor.area.setSelectionRange(0, 0);
    this.editor.reveal(1);
    put(
      this.kept,
      `This is ${this.called}, in place of what was here. `,
      isKept ? '' : 'This browser could not keep what was here. ',
      button('Go back', () => this.goBack()),
    );
  }

  goBack() {
    this.editor.area.focus();
    this.replace(this.replaced.text);
  }

  /** What these rules are called: as they say themselves, or as their file is, or the game's. */
  get called() {
    const { base, file, fileName, said } = this;
    if (file.text === this.original) return base;
    const own = (key) => (file.value(key) === said.value(key) ? null : file.value(key));
    const name = own('title') || fileName || own('id') || `${base}, as edited`;
    return file.without ? `${name},${file.without}` : name;
  }

  /** Keeps these rules as a version, and returns its name; null if the storage is full. */
  keepVersion() {
    return keepVersion(this.called, this.editor.text, this.fileName);
  }

  /** Adds a rule that can be changed into any other. */
  addRule() {
    const step = this.file.value('step') ?? 1;
    const formula = `points >= ${20 * step} ? points + ${5 * step} : points`;
    this.replace(this.file.withRule('A good turn', 'points', formula));
    const at = this.editor.text.split('\n').indexOf('name = "A good turn"') + 1;
    if (at) this.editor.goTo({ line: at, column: 1 });
  }

  keepToCompare() {
    const isOwn = this.editor.text !== this.original;
    const name = isOwn ? this.keepVersion() : this.base;
    put(this.kept, name ? 'It is compared with from now on.' : 'This browser’s storage is full.');
    if (name) this.beside.choose(name);
  }

  /** Replaces the text as if it had been typed. */
  replace(text) {
    this.editor.replace(text);
  }

  discard() {
    if (!this.original || this.editor.text === this.original) return;
    if (confirm('Discard your changes? Undo in the text brings them back.')) {
      this.replace(this.original);
    }
  }

  /** Called after each keystroke: saves the draft and solves the game again. */
  edited() {
    // What is typed before the rules are there would replace them.
    if (this.original === undefined) return;
    clearTimeout(this.unasked);
    // Undo, too, goes back to what a file has replaced.
    if (this.editor.text === this.replaced?.text) this.fileName = this.replaced.file;
    if (this.editor.text === this.original) this.fileName = null;
    this.solve();
    put(this.kept);
    this.keep();
    // The rules of the address are no longer those that are shown.
    const route = read();
    const shown = fullAddress({
      ...route,
      params: withParams(route.params, { goal: null, max_dice: null }),
    });
    if (shown !== location.href) history.replaceState(null, '', shown);
  }

  /** Keeps the edited rules in this browser, unless another tab has changed them. */
  keep() {
    if (this.isChangedElsewhere()) {
      this.tellElsewhere();
      return;
    }
    this.stored = this.editor.text === this.original ? null : this.editor.text;
    keepDraft(this.base, this.stored);
    if (this.file.isReadable) keepCalled(this.base, this.stored && this.called, this.fileName);
    dispatchEvent(new Event('hog:drafts'));
  }

  isChangedElsewhere() {
    return draft(this.base) !== this.stored;
  }

  /** Lets the user choose between the rules of this tab and those of another one. */
  tellElsewhere() {
    const theirs = draft(this.base);
    const choose = (label, text) => {
      const chosen = () => {
        this.stored = theirs;
        put(this.kept);
        if (text === this.editor.text) this.keep();
        else this.replace(text);
      };
      return button(label, chosen);
    };
    put(
      this.kept,
      `Another tab has changed your rules of ${this.base}; what you type here is not kept. `,
      choose('Show those', theirs ?? this.original),
      ' ',
      choose('Keep these', this.editor.text),
    );
  }

  async solve() {
    const text = this.editor.text;
    this.stale(true);
    clearTimeout(this.later);
    try {
      const onProgress = (progress) => putProgress(this.working, working(progress, 'Solving'));
      this.working.textContent = '';
      const memory = this.memoryOf(text);
      this.readNumbers();
      const shown = await askOnce('rules/show', { file: text });
      const request = mapRequest({ file: text }, shown, memory);
      const now = await this.askMap('map', request, { onProgress });
      const { called } = this;
      await this.beside.list(this.base, called);
      const other = await this.beside.game(memory);
      if (text !== this.editor.text || other.key !== this.beside.chosen.key) return;
      this.working.textContent = '';
      put(this.title, called);
      this.showFaults([]);
      this.stale(false);
      const isOther = Object.keys(memory).length > 0;
      this.solved.show({ now, other, file: text, shown, isOther });
      this.later = setTimeout(() => this.check(text), 250);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      if (error.faults.length) this.refuse(error);
      else await this.showUndrawn(text, error);
    }
  }

  /** Tells why there is no game by these rules: what is shown is of those before. */
  refuse({ faults, message }) {
    const [first] = faults;
    this.stale(true);
    const told = first ? `Line ${first.line}: ${first.message}` : message;
    put(this.working, FAULTY, withCode(told));
    say(told, AFTER_TYPING);
    this.showFaults(faults);
    put(this.examples);
    put(this.warned);
    clearTimeout(this.unasked);
  }

  /** The values of memories that were chosen, of those that a text still has. */
  memoryOf(text) {
    const isNamed = (name) => text.includes(`"${name.replace(/^opponent_/, '')}"`);
    return Object.fromEntries(Object.entries(this.memory).filter(([name]) => isNamed(name)));
  }

  /** A game in which dice are kept has no map of scores: its explorer answers roll by roll. */
  async showUndrawn(text, error) {
    const shown = await askOnce('rules/show', { file: text }).catch(() => null);
    if (text !== this.editor.text) return;
    if (!shown?.hand) {
      clearTimeout(this.unasked);
      put(this.working, BEFORE);
      put(this.faults, h('li', {}, withCode(error.message)));
      say(error.message, AFTER_TYPING);
      return;
    }
    put(this.working);
    this.showFaults([]);
    put(this.title, this.called);
    await this.beside.list(this.base, this.called);
    this.solved.show({ now: null });
    this.stale(false);
    this.check(text);
  }

  /**
   * Greys all that is computed while it is not that of the text; the figures stay so until they are
   * computed too.
   */
  stale(yes) {
    this.solved.stale(yes);
    this.showLinks(!yes);
    if (yes) this.more.stale();
  }

  showFaults(faults) {
    this.editor.mark(faults);
    put(this.faults, faults.map(this.linked));
  }

  linked = (fault) =>
    h(
      'li',
      {},
      button(
        [h('strong', {}, `Line ${fault.line}, column ${fault.column}: `), withCode(fault.message)],
        () => this.editor.goTo(fault),
      ),
    );

  /**
   * Checks the worked examples and shows the figures that take longer; called after a pause in
   * typing.
   */
  async check(text) {
    const onProgress = (progress) => putProgress(this.working, working(progress, 'Solving'));
    const solved = this.askSolve('solve', { file: text }, { onProgress }).catch((error) => error);
    const { left, remedy } = await this.leftByOff(text);
    if (text !== this.editor.text) return;
    put(this.warned, left, remedy);
    const isOther = ['goal', 'max_dice'].some(
      (name) => this.file.value(name) !== this.said.value(name),
    );
    const isOfOriginal = isOther && this.file.hasExamplesOf(this.said);
    const played = isOfOriginal
      ? ` They are played with the goal and the dice of ${this.base}.`
      : '';
    try {
      const { checked, warnings = [] } = await this.askCheck('rules/check', this.withExamples());
      const [[, number]] = checked;
      const hold = number === 1 ? 'The worked example holds' : `All ${number} worked examples hold`;
      const told = warnings.map(([, warning]) => `Warning: ${warning}.`);
      put(this.warned, told.length ? withCode(`${told.join(' ')} `) : left, remedy);
      put(this.examples, `${number ? hold : 'No worked examples'}.`, number ? played : '');
      if (number && isOfOriginal) await this.checkAsSaved(text);
    } catch (error) {
      if (isAbort(error)) return;
      const refused = await solved;
      // It is no worked example that is wrong.
      if (refused instanceof Refused) {
        this.refuse(refused);
        return;
      }
      const { faults = [] } = error;
      const several = `${count(faults.length, 'worked example')} no longer `;
      const hold = faults.length === 1 ? 'holds' : 'hold';
      const what = `${several}${hold}.${played}`;
      // Those of a rule that is off are no surprise.
      const isOpen = !this.file.off.length;
      put(
        this.examples,
        faults.length ? this.failing(what, faults, isOpen) : withCode(error.message),
      );
      say(what, AFTER_TYPING);
    }
    const view = await solved;
    clearTimeout(this.unasked);
    if (view instanceof Error || text !== this.editor.text) return;
    put(this.working);
    this.solved.showFigures(view);
    if (!this.solved.game.now) await this.solved.showRates(text, view, this.beside.chosen);
    this.more.show(this.file, this.called, this.beside.chosen);
  }

  /** Tells which worked examples do not hold as a file has them: with its own numbers. */
  async checkAsSaved(text) {
    const answer = await this.askCheck('rules/check', { file: text }).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return error;
    });
    if (!(answer instanceof Refused)) return;
    const { faults } = answer;
    const many = count(faults.length, 'does', 'do');
    this.examples.append(this.failing(`With these numbers, ${many} not hold.`, faults, false));
  }

  /** Worked examples that do not hold, and a button that removes them. */
  failing(what, faults, isOpen) {
    const list = h('ul', { class: 'faults' }, faults.slice(0, MOST_EXAMPLES).map(this.linked));
    const more = faults.length - MOST_EXAMPLES;
    const remove = () => {
      // The button goes.
      this.editor.area.focus();
      this.replace(this.file.withoutExamples(faults.map(({ line }) => line)));
    };
    return h(
      'details',
      { open: isOpen },
      h('summary', {}, what),
      list,
      more > 0 && `and ${more} more. `,
      button(`Remove ${faults.length === 1 ? 'it' : 'them'}`, remove),
    );
  }

  /** What the rules that are off leave to the default, and a button for what a 1 may do instead. */
  async leftByOff(text) {
    const [own, before] = await Promise.all(
      [text, this.original].map((file) => askOnce('rules/show', { file })),
    );
    const known = new Set(before.defaults.map(({ key }) => key));
    const left = this.file.off.length ? own.defaults.filter(({ key }) => !known.has(key)) : [];
    const likeOthers = () => this.replace(this.file.withRule('A 1 like any other', 'bust', 'sum'));
    const isPigOut = left.some(({ key, value }) => key === 'bust' && value === '1');
    return {
      left: left.length > 0 && `By default, ${left.map(({ meaning }) => meaning).join('; ')}. `,
      remedy: isPigOut && button('Make a 1 a face like any other', likeOthers),
    };
  }

  /**
   * The request for a check: the examples of the original are of its own goal and number of dice.
   * @returns {import('./api.js').Request}
   */
  withExamples() {
    const { file, said } = this;
    if (!file.hasExamplesOf(said)) return { file: file.text };
    const numbers = (one) => ({ goal: one.value('goal'), max_dice: one.value('max_dice') });
    return { ...numbers(file), file: file.withNumbers(numbers(said)) };
  }

  /**
   * Shows the numbers of the text in their fields; `all` also in the one that is being typed in.
   */
  readNumbers(all = false) {
    for (const [field, name] of [
      [this.goal, 'goal'],
      [this.most, 'max_dice'],
    ]) {
      const number = this.file.value(name);
      field.disabled = !Number.isInteger(number);
      // What is in the middle of being typed is not TOML; the numbers before stay.
      const isShown = all || document.activeElement !== field;
      if (isShown && this.file.isReadable) field.value = number ?? '';
    }
    // Where dice are kept, those that are left are rolled.
    this.mostDice.hidden =
      this.file.value('max_dice') === undefined && /^\[\[dice\]\]/m.test(this.file.text);
    this.readSwitches();
  }

  setNumber(name, value) {
    if (!/^\d+$/.test(value)) {
      put(this.kept, `${name} must be a whole number, not ${value || 'nothing'}.`);
      this.readNumbers(true);
      return;
    }
    if (this.file.value(name) === Number(value)) return;
    // Something else may have been typed into the text meanwhile, which is no TOML yet.
    const line = new RegExp(`^(${name}\\s*=\\s*)\\d+`, 'm');
    const { file } = this;
    this.replace(
      file.isReadable
        ? file.withNumbers({ [name]: Number(value) })
        : file.text.replace(line, `$1${Number(value)}`),
    );
  }

  /** Shows one switch for each rule of the file; a rule that is off is commented out. */
  readSwitches() {
    const change = (place) => this.replace(this.file.switched(place));
    const box = (rule, place) =>
      h(
        'label',
        {},
        h('input', {
          type: 'checkbox',
          checked: rule.isOn,
          'data-key': place,
          onchange: () => change(place),
        }),
        ` ${rule.name}`,
      );
    const { isReadable, rules } = this.file;
    const switches = JSON.stringify(rules.map(({ name, isOn }) => [name, isOn]));
    // A box that is replaced while it is pressed is not clicked.
    if (isReadable && switches !== this.drawnSwitches) {
      refresh(this.switches, rules.map(box));
      this.drawnSwitches = switches;
    }
    for (const [at, input] of [...this.switches.querySelectorAll('input')].entries()) {
      input.disabled = !isReadable;
      if (isReadable) input.checked = rules[at].isOn;
    }
  }

  /**
   * Shows the links to the game with these rules; disabled while the rules are faulty or not solved
   * yet.
   */
  showLinks(hold) {
    // The original rules with numbers of the address need no draft.
    const known = this.editor.text === this.opened;
    const game = known || this.editor.text === this.original ? this.base : draftName(this.base);
    const params = withParams(new URLSearchParams(), known ? this.numbers : {});
    const link = (view, label) =>
      hold
        ? h(
            'a',
            {
              class: 'button',
              href: address({ view, game, params }),
              onclick: () => known || this.keep(),
            },
            label,
          )
        : h('a', { class: 'button', role: 'link', 'aria-disabled': 'true' }, label);
    put(
      this.links,
      link('play', 'Play these rules'),
      link('explore', 'Explore these rules'),
      link('contest', 'Run a contest with these rules'),
    );
  }

  async link() {
    return rulesLink(this.base, this.editor.text);
  }
}
