// The contest: exact win rates of every strategy against every other. This is its state, and how it
// is asked; entry.js shows what it is made from and how far it is, ranking.js its results.

import { Refused, askOnce, isAbort, lastOnly } from './api.js';
import { put, say } from './dom.js';
import { ContestForm, isRoster, kindOf } from './entry.js';
import { allKept, keep, kept } from './kept.js';
import { LIST, together, without } from './list.js';
import { gameParams } from './route.js';
import { session, store } from './storage.js';
import { BY_CANVAS } from './upload.js';
import { nameOf } from './versions.js';
import { count, listed } from './words.js';

/** How often a contest goes on by itself after the page was loaded again. */
const MOST_RESUMED = 3;

/** The most files that are named one by one. */
const FEW = 5;

/** The most kept contests that are offered. */
const MOST_OFFERED = 4;

/** Who takes part beside the files at first. */
const USUAL = 'optimal baseline';

/** Contests that go on, also while another view is shown, by their keys. */
const underWay = new Map();

export async function enter(root, route) {
  await askOnce('rules/show', gameParams(route));
  const key = keyOf(route);
  const known = underWay.get(key);
  if (known) {
    put(root, known.form.parts);
    return known;
  }
  const own = await kept(key);
  const state = { files: [], names: USUAL, scoring: {}, pages: [], ...own };
  const contest = new Contest(route, key, state);
  put(root, contest.form.parts);
  if (!state.files.length) contest.offer(await allKept('contest/'));
  // A reload in the middle: what was read by then is known.
  if (state.isRunning) contest.resume();
  return contest;
}

/** The name under which a contest is kept: two tabs have contests of their own. */
function keyOf(route) {
  const tab = session.getItem('hog.tab') ?? `${Date.now()}-${Math.random()}`;
  store(session, 'hog.tab', tab);
  const numbers = ['goal', 'max_dice'].map((name) => route.params.get(name) ?? '');
  return ['contest', route.game, ...numbers, tab].join('/');
}

/** What of a kept contest's name is its game, with its numbers. */
const gameOf = (key) => key.split('/').slice(1, -1);

class Contest {
  /** @type {any[]} */
  files;

  /** @type {string} */
  names;

  /** @type {any} */
  scoring;

  /**
   * `changed`: whose points are other ones than in the contest before.
   * @type {{
   *   view: import('answers').Answers['contest'],
   *   request: import('./api.js').Request,
   *   changed: string[] | null,
   * }}
   */
  result;

  /**
   * How often the contest that is running was begun; 0 if none is.
   * @type {number}
   */
  isRunning;

  /**
   * The files of the reports for students that were saved last.
   * @type {string[]}
   */
  pages;

  /**
   * What was asked of the contest that they are of.
   * @type {string}
   */
  pagesOf;

  constructor(route, key, state) {
    this.route = route;
    this.key = key;
    Object.assign(this, state);
    this.ask = lastOnly();
    this.form = new ContestForm(this);
    if (this.result) {
      this.draw();
      this.form.age(this.isOlder());
    }
  }

  update(route) {
    this.route = route;
  }

  leave() {
    this.form.leave();
  }

  draw() {
    this.form.draw(this.result, () => this.run());
  }

  /** Keeps what has changed: it lives through other views, Back and a reload. */
  save(changes) {
    Object.assign(this, changes);
    this.form.age(this.isOlder());
    return this.keep();
  }

  /** Whether the results are those of other files, names or points than there are now. */
  isOlder() {
    try {
      return Boolean(this.result) && asked(this.request()) !== asked(this.result.request);
    } catch {
      return true;
    }
  }

  keep() {
    const { files, names, scoring, result, isRunning, pages, pagesOf } = this;
    return keep(this.key, { files, names, scoring, result, isRunning, pages, pagesOf });
  }

  /** Keeps how the reports for students are called, so that later ones are called the same. */
  keepPages(pages) {
    // Those of somebody who has others now stay known: the names may come back.
    const own = (page) => page.replace(/--[^-]*$/, '');
    const isGone = (page) => !pages.some((one) => own(one) === own(page));
    this.pages = [...pages, ...this.pages.filter(isGone)];
    this.pagesOf = asked(this.result.request);
    this.keep();
  }

  /** Whether there are reports for students, of another contest than the one that is shown. */
  get hasOldPages() {
    return this.pages.length > 0 && this.pagesOf !== asked(this.result.request);
  }

  /** Offers what other tabs, which may be closed, and other games have: this game's first. */
  offer(all) {
    const own = `${gameOf(this.key)}`;
    const others = all
      .filter(({ name, value }) => name !== this.key && value.files?.length)
      .map((one) => ({ ...one, game: gameOf(one.name), isSame: `${gameOf(one.name)}` === own }))
      .sort((one, other) => Number(other.isSame) - Number(one.isSame));
    this.form.offer(others.slice(0, MOST_OFFERED), (other) => this.take(other));
  }

  /** Goes on with a kept contest; of another game, with its files. */
  take({ value, isSame }) {
    // What was typed here stays.
    const scoring = { ...value.scoring, ...this.scoring };
    this.save({ ...value, scoring, isRunning: 0, result: isSame ? value.result : undefined });
    this.form.refill();
    if (isSame && value.isRunning) this.run();
    else if (this.result) this.draw();
    this.form.age(this.isOlder());
  }

  /**
   * Whether a folder with these files is one person's, or replaces what there is of it. In a zip
   * that was e-mailed they may be in a folder, but not in one that a system names.
   */
  isOfOne(folder, files) {
    const isKnown = (one) => this.files.some(({ name }) => name.startsWith(`${one}/`));
    const [inner] = files[0].split('/');
    const isInside = files.every((file) => file.startsWith(`${inner}/`));
    const isNamed = isKnown(inner) || /^submission_\d+$/.test(inner);
    const own = isInside && !isNamed ? `${inner}/hog.py` : 'hog.py';
    return isKnown(folder) || files.includes(own);
  }

  /**
   * Takes files too; the last roster is the roster, and the lists of several exports are one. In a
   * folder, or as Canvas calls it, a file with the path of another one is a newer one; other files
   * without a folder may be those of two people, who have called theirs alike.
   */
  took(files, others) {
    const known = new Map(this.files.map((file) => [file.name, file]));
    const told = [others];
    const replaced = [];
    const roster = files.findLast(isRoster);
    const isOther = (file) => roster && isRoster(file) && file.name !== roster.name;
    for (const { name } of [...this.files, ...files].filter(isOther)) {
      known.delete(name);
      told.push(`${name} is left out: ${roster.name} is the roster.`);
    }
    for (const file of files.filter((one) => !isOther(one))) {
      const before = known.get(file.name);
      const isSame = before && before.text === file.text && before.base64 === file.base64;
      if (!before || isSame) {
        known.set(file.name, file);
      } else if (file.name === LIST) {
        known.set(LIST, { ...file, text: together(before.text, file.text) });
      } else if (file.name.includes('/') || kindOf(file) || BY_CANVAS.test(file.name)) {
        known.set(file.name, file);
        replaced.push(file.name);
      } else {
        const name = unused(file.name, known);
        known.set(name, { ...file, name });
        told.push(`There was another ${file.name} already: this one is called ${name}.`);
      }
    }
    if (replaced.length) {
      const more = replaced.length > FEW ? [count(replaced.length - FEW, 'other')] : [];
      told.push(`Replaced: ${listed([...replaced.slice(0, FEW), ...more])}.`);
    }
    // It is a class: nobody else counts, unless somebody names them.
    const { named } = this.form;
    if (files.some(kindOf) && named.value === USUAL) named.value = '';
    this.save({ files: [...known.values()], names: named.value });
    this.form.showFiles(told.filter(Boolean).join(' '));
    say(count(this.files.length, 'file'));
  }

  /** Takes a file back, or all: a folder without files is no submission of an export's list. */
  remove(name) {
    const files = name === null ? [] : this.files.filter((file) => file.name !== name);
    const [folder] = name?.split('/') ?? [];
    const isLeft = files.some((file) => file.name.startsWith(`${folder}/`));
    const of = (file) =>
      file.name === LIST && !isLeft ? { ...file, text: without(file.text, folder) } : file;
    this.save({ files: files.map(of) });
    this.form.showFiles();
    say(`${name ?? 'All'} removed, ${count(files.length, 'file')}`);
    if (!files.length) this.form.focus();
  }

  /**
   * Says that a file, or the folder that it is in, is that of a person; what there is in the folder
   * `before` was theirs, and is left out.
   */
  assign(path, person, before) {
    for (const { name } of this.files.filter(({ name }) => before && inFolder(before)(name)))
      this.remove(name);
    const [folder, ...inside] = path.split('/');
    const isOf = ({ name }) => name === path || (inside.length && name.startsWith(`${folder}/`));
    const end = ({ name }) => (inside.length ? name.slice(folder.length + 1) : name);
    const of = (file) => (isOf(file) ? { ...file, name: `${person}/${end(file)}` } : file);
    this.save({ files: this.files.map(of) });
    this.form.showFiles(`${path} is that of ${person} now.`);
  }

  /** The request of the contest: names, files, and how these are to be read and scored. */
  request() {
    const entrants = this.form.named.value.split(/,?\s+|,$/).filter(Boolean);
    const { files } = this;
    const roster = files.find(isRoster)?.name;
    const isStrategy = (file) => !kindOf(file);
    const request = { ...gameParams(this.route), entrants, files, ...this.scoring };
    if (request.win_above) request.win_above = Number(request.win_above);
    if (request.refuse_late) request.refuse_late = true;
    if (request.deadline) request.deadline = withOffset(request.deadline);
    if (roster) request.roster = roster;
    // Edited rules have the id of those that they come from.
    const own = nameOf(this.route.game, '');
    if (own) request.title ??= `Hog contest: ${own}`;
    if (files.filter(isStrategy).some(({ name }) => name.includes('/'))) request.each_in = true;
    return request;
  }

  /** Goes on with a contest that was stopped; a file in it may have ended the page each time. */
  resume() {
    if (this.isRunning <= MOST_RESUMED) this.run(this.isRunning + 1);
    else {
      this.form.tell(
        'This contest was stopped several times, perhaps by one of its files. What was read is ',
        'known: start it to go on.',
      );
    }
  }

  /** Plays the contest; `times` says how often it was begun. */
  async run(times = 1) {
    let request;
    try {
      request = this.request();
    } catch (error) {
      this.refuse(error);
      return;
    }
    if (!request.entrants.length && !request.files.length) {
      this.form.tell('Drop files of strategies, or name some, for example optimal baseline.');
      return;
    }
    this.form.running(true);
    underWay.set(this.key, this);
    this.save({ isRunning: times });
    try {
      const view = await this.played(request);
      const changed = changedPoints(this.result?.view, view);
      this.result = { view, request, changed };
      this.draw();
      this.save({ isRunning: 0 });
      say(`${view.ranking[0]?.name} wins the contest`);
    } catch (error) {
      this.save({ isRunning: 0 });
      this.restore();
      this.refuse(error);
    } finally {
      underWay.delete(this.key);
      this.form.running(false);
    }
  }

  /** Shows the results that there were before a run without any, as older if it was another one. */
  restore() {
    this.form.restore(this.result, () => this.run());
    this.form.age(this.isOlder());
  }

  refuse(error) {
    if (isAbort(error)) {
      this.form.tell('Cancelled. What was read is known: start it to go on.');
      return;
    }
    if (!(error instanceof Refused)) throw error;
    this.form.refuse(error);
  }

  /**
   * Plays a contest. A server for many gives it some time; what was read by then is known to it, so
   * that it is asked again, as long as it reads more.
   */
  async played(request) {
    for (let before = Infinity; ;) {
      this.form.begin();
      const onProgress = (progress) => this.form.hear(progress);
      const view = await this.ask('contest', request, { onProgress });
      const unread = view.rejected.filter((one) => one.unread).length;
      if (!unread || unread >= before) return view;
      before = unread;
    }
  }
}

/**
 * Whose points in the gradebook are other ones than in the contest before: "Ada 3 → 4"; null if
 * one of both had none.
 */
function changedPoints(before, now) {
  if (!before || before.points === null || now.points === null) return null;
  const [known, given] = [before, now].map(({ people }) => byPerson(people));
  const shown = (points) => points ?? 'none';
  return [...new Set([...given.keys(), ...known.keys()])]
    .filter((person) => shown(known.get(person)) !== shown(given.get(person)))
    .map((person) => `${person} ${shown(known.get(person))} → ${shown(given.get(person))}`);
}

/** The points of each person by the name; of those who are called alike, by a number too. */
function byPerson(people) {
  const found = new Map();
  for (const { name, points } of people) {
    let called = name;
    for (let number = 2; found.has(called); number += 1) called = `${name} (${number})`;
    found.set(called, points);
  }
  return found;
}

/** Whether a file is another one, or in its folder. */
const inFolder = (path) => (name) => name === path || name.startsWith(`${path.split('/')[0]}/`);

/** What a request asks, in whatever order its files are. */
function asked({ files = [], ...request }) {
  const linesOf = ({ name, text }) => (name === LIST ? text.split('\n').sort().join('\n') : text);
  const all = files.map((file) => [file.name, file.base64 ?? linesOf(file)]);
  return JSON.stringify([request, all.sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** A time of this browser with its offset from UTC: "2024-09-20T23:59-07:00". */
function withOffset(local) {
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (number) => `${Math.floor(number)}`.padStart(2, '0');
  const far = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(far / 60)}:${two(far % 60)}`;
}

/** Returns a name like this one that no file has: "hog (2).py". */
function unused(name, known) {
  const [, stem, ending] = /^(.*?)(\.\w+)$/.exec(name);
  let number = 2;
  while (known.has(`${stem} (${number})${ending}`)) number += 1;
  return `${stem} (${number})${ending}`;
}
