// What the user's own rules are called, and the versions of them that this browser keeps, to
// compare with.

import { draftBase } from './route.js';
import { keysOf, local, store } from './storage.js';

const KEPT = 'hog.version.';
const CALLED = 'hog.called.';

/**
 * Returns what is known of a text that is kept under a name; `{}` if nothing is.
 * @returns {Record<string, any>}
 */
const read = (key) => JSON.parse(local.getItem(key) ?? '{}');

export const versions = () => keysOf(local, KEPT);

/** A version: its `text`, and the `file` that it was opened from, if it was. */
export const version = (name) => read(KEPT + name);

export const forget = (name) => local.removeItem(KEPT + name);

/** Gives a version another name and text; returns the name, with a number if another one has it. */
export function rename(name, wanted, text) {
  if (wanted === name) return name;
  forget(name);
  return keepVersion(wanted, text, wanted) ?? name;
}

/**
 * Keeps a version and returns its name, which has a number unless it is that of a file, or null if
 * the storage is full.
 */
export function keepVersion(wanted, text, file = null) {
  // What is edited on keeps its name, and is not this version.
  const numbered = (number) => (file && number === 1 ? wanted : `${wanted} (${number})`);
  let name = numbered(1);
  for (let number = 2; (version(name).text ?? text) !== text; number += 1) name = numbered(number);
  return store(local, KEPT + name, JSON.stringify({ text, file })) ? name : null;
}

/** Keeps what the edited rules of a game are called, and the file they are from. */
export function keepCalled(base, called, file) {
  if (called === null) local.removeItem(CALLED + base);
  else store(local, CALLED + base, JSON.stringify({ called, file }));
}

/** What the edited rules of a game are called. */
export const calledOf = (base) => read(CALLED + base).called ?? `${base}, as edited`;

/** What a game of the address is called: `shown` if it is not an edited one. */
export function nameOf(game, shown = game) {
  const base = draftBase(game);
  return base === null ? shown : calledOf(base);
}

/** The file that the edited rules of a game are from, or null. */
export const fileOf = (base) => read(CALLED + base).file ?? null;
