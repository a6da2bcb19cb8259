// Files that the user handed in, and the results of contests: kept in this browser for a day, so
// that they outlive Back and a reload. Where the browser refuses, they are kept as long as the
// page.

const LONGEST = 24 * 3600 * 1000;

/** What was kept or read since the page was loaded, by its name. */
const here = new Map();

let opened = null;

function database() {
  opened ??= new Promise((done) => {
    try {
      const request = indexedDB.open('hog', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('kept');
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
  return opened;
}

/** Runs `work` with the object store and returns the result of its request; null if it fails. */
async function stored(mode, work) {
  const base = await database();
  if (!base) return null;
  return new Promise((done) => {
    try {
      const request = work(base.transaction('kept', mode).objectStore('kept'));
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
}

export function keep(name, value) {
  // What was kept last is listed first.
  here.delete(name);
  here.set(name, value);
  return stored('readwrite', (store) => store.put({ value, at: Date.now() }, name));
}

export function forget(name) {
  here.delete(name);
  return stored('readwrite', (store) => store.delete(name));
}

/** Returns the value kept under a name; undefined if there is none. */
export async function kept(name) {
  if (!here.has(name)) {
    const found = await stored('readonly', (store) => store.get(name));
    if (found && !here.has(name)) here.set(name, found.value);
  }
  return here.get(name);
}

/** Returns what is kept under names that begin so, the last first: `{ name, value, at }`. */
export async function allKept(prefix) {
  const names = (await stored('readonly', (store) => store.getAllKeys())) ?? [];
  const all = [];
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const found = await stored('readonly', (store) => store.get(name));
    if (found) all.push({ name, ...found });
  }
  return all.sort((one, other) => other.at - one.at);
}

async function tidy() {
  const names = (await stored('readonly', (store) => store.getAllKeys())) ?? [];
  for (const name of names) {
    const found = await stored('readonly', (store) => store.get(name));
    if (found && Date.now() - found.at > LONGEST) await forget(name);
  }
}

/** The user's own strategies: files by the name of the first, which has the strategy. */
const MINE = 'mine/';

/** Reads the user's strategies, so that they can be named from then on. */
async function readMine() {
  const names = (await stored('readonly', (store) => store.getAllKeys())) ?? [];
  for (const name of names.filter((one) => one.startsWith(MINE))) await kept(name);
}

/** The longest time that the page waits for the browser's storage, in milliseconds. */
const PATIENCE = 2000;

/** Done when the user's strategies can be named. */
export const ready = Promise.race([
  readMine(),
  new Promise((done) => {
    setTimeout(done, PATIENCE);
  }),
]);
// What is old is looked for when the page is shown.
ready.then(tidy);

/** Keeps a strategy of the user: the file that has it, and the files beside it. */
export const keepMine = (files) => keep(MINE + files[0].name, files);

export const forgetMine = (name) => forget(MINE + name);

/** Returns the names of the user's strategies, the last one first. */
export const mine = () =>
  [...here.keys()]
    .filter((name) => name.startsWith(MINE))
    .map((name) => name.slice(MINE.length))
    .reverse();

/** Returns the name of the file that a strategy's name begins with: `hog.py` of `beat:hog.py:f`. */
export function fileIn(strategy) {
  const name = strategy.replace(/^(beat:|seeded:)+/, '');
  const found = /^.+\.(py|ipynb|csv|npy|txt|strat|json|hog)(?=$|:\w*$)/i.exec(name);
  return found ? found[0] : null;
}

/** Returns the files of the user's strategy with this name; undefined if there is none. */
export const filesOf = (name) => here.get(MINE + name);
