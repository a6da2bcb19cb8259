// The coach: rates a strategy, whatever is dropped or typed; rated.js shows where it loses.

import { Refused, askOnce, expectPython, isAbort, lastOnly } from './api.js';
import { button, download, h, put, putProgress, say, shareButton, withCode } from './dom.js';
import { Editor } from './editor.js';
import { fileIn, filesOf, forgetMine, keepMine, mine } from './kept.js';
import { FEW_LINES, Seconds, fewLines } from './parts.js';
import { Rated, answered, inShort, nextStep, result, since } from './rated.js';
import {
  draftBase,
  fullAddress,
  gameParams,
  go,
  linked,
  withParams,
} from './route.js';
import { Tuning } from './tuning.js';
import { ENDINGS, dropZone } from './upload.js';
import { nameOf } from './versions.js';
import { percent, working } from './words.js';

const RATING = 'Rating what you typed…';

/** After this pause in typing, in milliseconds, the edited file is rated. */
const PAUSE = 600;

/** As many files of before are offered. */
const MOST_FILES = 3;

/** As many functions are offered of a file that has not the usual one. */
const MOST_FUNCTIONS = 6;

export async function enter(root, route) {
  expectPython();
  return new Coach(root, await askOnce('rules/show', gameParams(route)));
}

/** Returns the file of several that has the strategy: hog.py, or the first that defines it. */
function mainFile(files) {
  const isCalled = (file) => /(^|\/)hog\.(py|ipynb)$/i.test(file.name);
  const defines = (file) => /def\s+final_strategy\b/.test(file.text ?? '');
  return files.find(isCalled) ?? files.find(defines) ?? files[0];
}

class Coach {
  constructor(root, shown) {
    this.shown = shown;
    // Best play is a strategy of every game; some have no baseline, and Pig has no always_roll:4.
    this.rival = shown.baseline ? 'baseline' : 'optimal';
    this.always = shown.pot ? 'hold_at:20' : `always_roll:${Math.min(4, shown.max_dice)}`;
    this.ask = lastOnly();
    this.askLines = lastOnly();
    this.function = h('input', { value: 'final_strategy', spellcheck: 'false', size: 16 });
    this.against = h('input', { spellcheck: 'false', size: 16, list: 'rivals' });
    this.named = h('input', {
      spellcheck: 'false',
      size: 18,
      list: 'rivals',
      placeholder: this.always,
    });
    this.rivals = h('datalist', { id: 'rivals' });
    this.state = h('p', { role: 'status', 'aria-live': 'polite' });
    this.cancel = h(
      'button',
      { type: 'button', hidden: true, onclick: () => this.ask.stop() },
      'Cancel',
    );
    this.editor = new Editor({ label: 'Your file', onInput: () => this.typed() });
    this.edit = h('details', {
      class: 'card',
      hidden: true,
      ontoggle: () => this.edit.open && this.reveal(),
    });
    // While one writes, the rate at the top of the page is not seen.
    this.beside = h('p', { class: 'beside', role: 'status' });
    this.seconds = new Seconds();
    this.further = h('p', { class: 'bar' });
    this.lines = h('div', { role: 'status' });
    this.answer = h('div');
    this.result = h('div');
    this.rated = new Rated(shown);
    this.tuning = new Tuning((text) => {
      this.editor.text = text;
      this.typed();
    });
    this.theme = () => this.view && this.rated.drawMap();
    addEventListener('hog:theme', this.theme);
    const zone = dropZone({
      label: 'Your strategy',
      text: matchMedia('(hover: none)').matches
        ? 'Choose your hog.py or a table'
        : 'Drop your hog.py or a table here',
      endings: [...ENDINGS, 'json'],
      onFiles: (files, others) => this.took(files, others),
    });
    const submit = (event) => {
      event.preventDefault();
      this.analyse();
    };
    this.intro = h(
      'p',
      {},
      'Drop your hog.py or a table of rolls: see its exact win rate, the best possible one, ',
      'and which of its rolls cost most. Python runs in a sandbox: it cannot read or write ',
      'your files. This browser keeps what you drop for a day.',
    );
    this.controls = h(
      'div',
      {},
      this.intro,
      zone,
      h(
        'form',
        { class: 'setup', onsubmit: submit },
        h('label', {}, 'Function', this.function),
        h('label', {}, 'Against', this.against),
        this.rivals,
        h('label', {}, 'Or a strategy by name', this.named),
        h('button', {}, 'Analyse'),
      ),
    );
    put(
      root,
      h(
        'section',
        { class: 'card', 'aria-label': 'Rates' },
        h('h1', {}, 'Coach'),
        this.state,
        this.seconds.element,
        this.cancel,
        this.answer,
        this.further,
        this.lines,
        this.controls,
      ),
      this.edit,
      this.tuning.element,
      this.result,
    );
  }

  leave() {
    removeEventListener('hog:theme', this.theme);
    clearTimeout(this.later);
    this.seconds.stop();
    this.ask.stop();
    this.askLines.stop();
    this.tuning.stop();
  }

  /** Shows what the address says: the analysis of a strategy, or none. */
  async update(route) {
    this.route = route;
    this.ask.stop();
    clearTimeout(this.later);
    const names = new Set([this.rival, 'optimal', this.always, ...mine()]);
    put(
      this.rivals,
      [...names].map((name) => h('option', { value: name })),
    );
    this.strategy = route.params.get('strategy');
    this.against.value = route.params.get('against') ?? this.rival;
    const name = this.strategy && fileIn(this.strategy);
    this.named.value = name ?? this.strategy ?? '';
    if (name) this.function.value = this.strategy.split(`${name}:`)[1] ?? 'final_strategy';
    put(this.state, this.notice);
    this.notice = null;
    this.clear();
    this.offer(name);
    this.openFile(name);
    if (this.strategy) await this.judge();
  }

  /** Offers what else there is: what to write, a game against it, and a link to share. */
  offer(name) {
    const isOwn = name || draftBase(this.route.game) !== null;
    const players = `person~${this.strategy}`;
    const href = linked(this.route, 'play', { params: { players, against: null } });
    this.duel = h('a', { class: 'button', href }, 'Play against it');
    this.sharing = shareButton(() => this.result(), 'Copy result', 'Result');
    this.sharing.hidden = true;
    this.askLines.stop();
    put(this.lines);
    put(
      this.further,
      h(
        'button',
        { type: 'button', onclick: () => this.showLines() },
        'What to write: the best few lines',
      ),
      !this.strategy &&
        mine()
          .slice(0, MOST_FILES)
          .map((own) => button(`Go on with ${own}`, () => this.go(own))),
      this.strategy && this.duel,
      this.strategy && !isOwn && shareButton(() => fullAddress(this.route)),
      name && this.sharing,
      name &&
        filesOf(name) &&
        h(
          'span',
          { class: 'note' },
          `Only this browser has ${name}: to share it, send the file, not this page’s address.`,
        ),
    );
  }

  /** The rate in a sentence that stands alone. */
  result() {
    const { baseline } = this.shown;
    const { against } = this.view;
    const rival = against === 'baseline' && baseline ? `the baseline, ${baseline}` : against;
    return result(this.view, nameOf(this.route.game), rival);
  }

  /** Shows the best strategy of a few lines against the opponent. */
  async showLines() {
    const onProgress = (progress) => putProgress(this.lines, working(progress, 'Looking for it'));
    const against = this.against.value.trim() || this.rival;
    const asked = { ...gameParams(this.route), lines: FEW_LINES, against };
    onProgress({});
    this.lines.scrollIntoView({ block: 'nearest' });
    try {
      const simple = await this.askLines('simplify', asked, { onProgress });
      const [rate, best] = [simple.win_rate.average, simple.best].map((one) => percent(one));
      const told = `These lines win ${rate} against ${against}; the best possible is ${best}:`;
      put(this.lines, h('p', {}, told), fewLines(simple));
      this.lines.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Refused)) throw error;
      put(this.lines, h('strong', { class: 'loss' }, withCode(error.message)));
    }
  }

  /** Scrolls the editor to the line of a fault, or else to the function. */
  reveal() {
    this.editor.reveal(this.fault || this.begins + 5);
  }

  /** The line of the function; 0 if there is none. */
  get begins() {
    const begins = new RegExp(`^\\s*def ${this.function.value.replace(/\W/g, '')}\\b`);
    return this.editor.text.split('\n').findIndex((line) => begins.test(line)) + 1;
  }

  /** Shows no analysis. */
  clear() {
    put(this.beside);
    put(this.answer);
    put(this.result);
    this.intro.hidden = Boolean(this.strategy);
    this.tuning.stop();
  }

  /** Puts the strategy into the address, which analyses it. */
  analyse() {
    const strategy = this.named.value.trim();
    if (strategy) {
      this.go(strategy);
      return;
    }
    put(this.state, `Enter the name of a strategy, for example ${this.always}, or drop a file.`);
    this.named.focus();
  }

  go(strategy) {
    const against = this.against.value.trim();
    const own = this.function.value.trim();
    const isOther = /\.(py|ipynb)$/i.test(strategy) && own && own !== 'final_strategy';
    const params = withParams(this.route.params, {
      strategy: isOther ? `${strategy}:${own}` : strategy,
      against: against === this.rival ? null : against,
    });
    go({ ...this.route, params });
  }

  async took(files, others) {
    if (!files.length) {
      const known = '.py, .ipynb, .csv, .npy, .txt, .strat, .json, .hog or .zip';
      put(this.state, others || `This is not a strategy: drop a ${known} file.`);
      return;
    }
    const own = this.withLacking(files);
    const first = mainFile(own);
    keepMine([first, ...own.filter((file) => file !== first)]);
    this.dropped = null;
    this.go(first.name);
  }

  /** Files beside those of before, if they are what the strategy lacks. */
  withLacking(files) {
    const isLacking = ({ name }) => name.split('/').pop() === `${this.lacks}.py`;
    if (!this.file || !files.every(isLacking)) return files;
    const isNew = (one) => files.some(({ name }) => name === one.name);
    const known = filesOf(this.file) ?? [];
    return [...known.filter((one) => !isNew(one)), ...files];
  }

  /** Opens a file of the user in the editor, if it is a text. */
  openFile(name) {
    const [file] = (name && filesOf(name)) || [];
    this.edit.hidden = !file;
    if (!file) return;
    if (this.file !== name) {
      this.file = name;
      const part = (label, onclick) => h('button', { type: 'button', onclick }, label);
      put(
        this.edit,
        h('summary', {}, `Your file: ${name}`),
        this.beside,
        file.text !== undefined && this.editor.element,
        h(
          'p',
          { class: 'bar' },
          file.text !== undefined &&
            part('Save as a file', () => download(name.split('/').pop(), this.editor.text)),
          part('Forget this file', () => this.forget(name)),
        ),
      );
    }
    if (file.text !== undefined && this.editor.text !== file.text) this.editor.text = file.text;
  }

  forget(name) {
    forgetMine(name);
    this.notice = `This browser no longer has ${name}.`;
    go({ ...this.route, params: withParams(this.route.params, { strategy: null }) });
  }

  /** Keeps what was typed, and rates it after a pause. */
  typed() {
    const [file, ...others] = filesOf(this.file);
    keepMine([{ ...file, text: this.editor.text }, ...others]);
    clearTimeout(this.later);
    for (const part of [this.answer, this.result]) part.classList.add('stale');
    // It keeps its place.
    this.state.style.visibility = 'hidden';
    // Told once, and not at each key.
    if (this.beside.textContent !== RATING) put(this.beside, RATING);
    this.later = setTimeout(() => this.judge(), PAUSE);
  }

  /** Asks for the analysis of the strategy in the address, and shows it. */
  async judge() {
    const asked = {};
    this.asked = asked;
    // They come with the answer, so that it does not push them down.
    // With the focus in them they stay: it would be lost.
    const isUsed = this.controls.contains(document.activeElement);
    this.controls.hidden = !this.answer.hasChildNodes() && !isUsed;
    this.further.hidden = this.controls.hidden;
    // Above the editor, what comes and goes would move it while one writes.
    const isWriting = document.activeElement === this.editor.area;
    const state = isWriting ? this.beside : this.state;
    if (!isWriting) {
      state.style.visibility = '';
      put(state, 'Analysing every position…');
      this.cancel.hidden = false;
      this.seconds.start();
    }
    const onProgress = (progress) => {
      const what = progress.what === 'asking' ? 'Asking your function at' : 'Analysing';
      putProgress(state, working(progress, `${what} every position`));
    };
    const request = {
      ...gameParams(this.route),
      strategy: this.strategy,
      against: this.against.value.trim() || this.rival,
      // Where dice are kept there is no map of all positions, and each takes long to put in words.
      top: this.shown.hand ? 100 : 100_000,
    };
    try {
      this.view = await this.ask('try', request, { onProgress });
      this.view.worst.sort((a, b) => b.loss - a.loss);
      put(this.state);
      const change = this.change();
      put(this.answer, answered(this.view, change, this.shown, this.route));
      put(this.beside, inShort(this.view, change));
      this.duel.hidden = false;
      this.sharing.hidden = false;
      this.editor.mark([]);
      this.fault = null;
      for (const part of [this.answer, this.result]) part.classList.remove('stale');
      this.draw();
      const { strategy, win_rate: rate, best_response: best } = this.view;
      const [own, most] = [rate, best].map(({ average }) => percent(average));
      say(`${strategy}: win rate ${own}, the best possible ${most}. ${nextStep(this.view)}`);
    } catch (error) {
      if (isAbort(error)) {
        if (this.asked === asked) put(this.state, 'Cancelled.');
        return;
      }
      if (!(error instanceof Refused)) throw error;
      const told = h('strong', { class: 'loss' }, withCode(error.message));
      this.lacks = /No module named '(\w+)'/.exec(error.message)?.[1];
      const [fault] = error.faults.filter(({ file }) => file === this.file);
      // What is grey while one writes stays.
      if (!isWriting) this.clear();
      this.duel.hidden = !isWriting;
      this.sharing.hidden = true;
      put(state, told, fault?.kind === 'random' && this.remedy(), this.functions(error.message));
      this.fault = fault?.line;
      if (!fault) return;
      this.editor.mark([{ line: fault.line }]);
      this.edit.open = true;
      // Where one writes already, nothing moves.
      if (!isWriting) this.reveal();
    } finally {
      if (this.asked === asked) {
        this.cancel.hidden = true;
        this.seconds.stop();
        this.controls.hidden = false;
        this.further.hidden = false;
      }
    }
  }

  /**
   * How the win rate has changed since the file was first rated or, for one that was just dropped,
   * since the one before it, and what was best; null for the first one.
   */
  change() {
    const { rules, against, strategy, win_rate: rate } = this.view;
    const now = rate.average;
    const key = JSON.stringify([rules, against]);
    const { key: known, file, last, best } = this.rates ?? {};
    const isNew = this.dropped === null;
    const isSame =
      key === known && (isNew || file === strategy) && fileIn(strategy) && fileIn(file);
    const from = isNew ? last : this.dropped;
    if (!isSame || isNew) this.dropped = now;
    this.rates = { key, file: strategy, last: now, best: isSame ? Math.max(now, best) : now };
    const before = file === strategy ? 'the last file' : file;
    const what = isNew ? before : 'it was first rated here';
    return isSame ? since(now, from, what, this.rates.best) : null;
  }

  /** A file with random numbers can be rated with a fixed seed. */
  remedy() {
    const seeded = () => this.go(`seeded:${this.strategy}`);
    return h(
      'div',
      { class: 'bar' },
      h('button', { type: 'button', onclick: seeded }, 'Rate it with a fixed seed'),
    );
  }

  /** A file without the function that is asked for may have another one. */
  functions(message) {
    if (!message.includes('it defines no function')) return null;
    const told = new Set(message.match(/\w+/g));
    const defined = [...this.editor.text.matchAll(/^def (\w+)\(/gm)].map(([, name]) => name);
    // The last is likely to be the newest.
    const names = defined.filter((name) => told.has(name)).reverse();
    const rate = (name) => button(`Rate ${name}`, () => this.go(`${this.file}:${name}`));
    return h('div', { class: 'bar' }, names.slice(0, MOST_FUNCTIONS).map(rate));
  }

  draw() {
    const asked = this.against.value.trim() || this.rival;
    // Best play need not be named.
    this.rated.show(this.view, this.route, asked === 'optimal' ? null : asked);
    put(this.result, this.rated.element);
    const request = { ...gameParams(this.route), against: asked };
    this.tuning.show(this.strategy, request, this.shown.goal);
  }
}
