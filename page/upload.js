// Files that the user drops or chooses, read in the browser to be sent with a request.

import { expectPython } from './api.js';
import { h } from './dom.js';
import { roomFor, unzip } from './unzip.js';

/** In a folder of submissions, JSON is more often the results of a contest. */
export const ENDINGS = ['py', 'ipynb', 'csv', 'npy', 'txt', 'hog', 'strat'];

/** Gradescope's list of submitters, in the folder of an export. */
const LIST = /(^|\/)submission_metadata\.yml$/;

/** The most parts of a path: no strategy is looked for deeper. */
const DEEPEST = 4;

const endsWith = (name, endings) => endings.some((one) => name.toLowerCase().endsWith(`.${one}`));

/** Files that systems and Python make by themselves. */
const isHidden = (path) => /(^|\/)(\.|(__pycache__|__MACOSX|node_modules)\/)/.test(path);

/**
 * A file for a request: a text, or bytes in base64. A program in another encoding declares it, so
 * its bytes stay; a table in another one has only names in it, in that of Windows.
 */
async function sent(file, name) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!endsWith(name, ['npy', 'hog'])) {
    try {
      return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch {
      const text = new TextDecoder('windows-1252').decode(bytes);
      if (!endsWith(name, ['py', 'ipynb'])) return { name, text };
    }
  }
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return { name, base64: btoa(text) };
}

/** Characters that are not seen, or that turn the direction of writing around. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Makes a path that the engine accepts. */
const plain = (path) =>
  path
    .split(/[/\\]/)
    .filter((part) => part && part !== '.' && part !== '..')
    .join('/')
    .replaceAll(':', '_')
    .replace(UNSEEN, '');

async function entries(entry, path, found) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    found.push({ file, path: path + entry.name });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!batch.length) return;
    for (const inner of batch) await entries(inner, `${path}${entry.name}/`, found);
  }
}

async function dropped(transfer) {
  const found = [];
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [...transfer.files].map((file) => ({ file, path: file.name }));
  for (const root of roots) await entries(root, '', found);
  // What is no file of a disk has no entry.
  return roots.length ? found : files;
}

/**
 * Replaces archives by their files, in a folder of the archive's name; also archives in archives.
 * All archives in one share the room of one, so that nobody's takes that of others.
 */
async function unpacked(found, faults, endings, depth = 0) {
  const files = [];
  const isArchive = ({ path }) => endsWith(path, ['zip']) && !isHidden(path);
  const shares = depth > 0 ? found.filter(isArchive).length : 1;
  const wanted = (path) =>
    !isHidden(path) && (endsWith(path, [...endings, 'zip']) || LIST.test(path));
  for (const one of found) {
    if (!isArchive(one)) {
      files.push(one);
      continue;
    }
    try {
      if (depth > 1) throw new Error('it is an archive in an archive in an archive');
      const bytes = new Uint8Array(await one.file.arrayBuffer());
      const inner = await unzip(bytes, roomFor(shares), wanted);
      const folder = one.path.replace(/\.zip$/i, '');
      const members = inner.map(([path, bytes]) => ({
        file: new Blob([bytes]),
        path: `${folder}/${path}`,
      }));
      files.push(...(await unpacked(members, faults, endings, depth + 1)));
    } catch (error) {
      faults.push(`${one.path} was not read: ${error.message}.`);
    }
  }
  return files;
}

/**
 * Removes the folders that all files in folders are in, as that of an archive, but not one whose
 * files `isOfOne` says are the work of one; of each export, the folder that has its list.
 */
function withoutWrappers(paths, isOfOne) {
  const lists = paths.filter((path) => LIST.test(path));
  if (lists.length) {
    const exports = lists.map((path) => path.slice(0, path.lastIndexOf('/') + 1));
    const exportOf = (path) => exports.find((folder) => path.startsWith(folder));
    const beside = withoutWrappers(
      paths.filter((path) => exportOf(path) === undefined),
      isOfOne,
    );
    return paths.map((path) => {
      const folder = exportOf(path);
      return folder === undefined ? beside.shift() : path.slice(folder.length);
    });
  }
  const parts = paths.map((path) => path.split('/'));
  const inside = parts.filter((one) => one.length > 1);
  const isIn = (depth) => (one) => one.length > depth + 1 && one[depth] === inside[0][depth];
  const isKept = (depth) => {
    const files = inside.map((one) => one.slice(depth + 1).join('/'));
    return isOfOne(inside[0][depth], files);
  };
  let depth = 0;
  while (inside.length && inside.every(isIn(depth)) && !isKept(depth)) depth += 1;
  const found = parts.map((one) => one.slice(one.length > 1 ? depth : 0).join('/'));
  if (depth === 0) return found;
  // Beside files that were in the same one, only a folder of folders is no work of one.
  const isKeptBeside = (folder, files) =>
    files.every((file) => !file.includes('/')) || isOfOne(folder, files);
  return withoutWrappers(found, isKeptBeside);
}

/** What Canvas calls each submission: its author, perhaps that it was late, and two numbers. */
export const BY_CANVAS = /^[^_/]+(_LATE)?_\d+_\d+_/;

/** Removes the folders of which each part is called as Canvas calls a submission. */
function withoutCollections(paths) {
  const parts = paths.map((path) => path.split('/'));
  const folders = new Map();
  for (const own of parts) {
    for (let depth = 1; depth < own.length; depth += 1) {
      const folder = own.slice(0, depth).join('/');
      folders.set(folder, (folders.get(folder) ?? true) && BY_CANVAS.test(own[depth]));
    }
  }
  return parts.map((own) => {
    const depth = own.findIndex((_, at) => at > 0 && folders.get(own.slice(0, at).join('/')));
    return own.slice(Math.max(depth, 0)).join('/');
  });
}

/** What is told of files whose endings are not among those that are read. */
function leftOut(paths, endings) {
  const own = paths.filter((path) => !isHidden(path));
  if (!own.length) return '';
  const shown = `${own.slice(0, 4).join(', ')}${own.length > 4 ? ' …' : ''}`;
  const dotted = endings.map((one) => `.${one}`);
  const known = `${dotted.slice(0, -1).join(', ')} and ${dotted.at(-1)} files`;
  return `Left out, since only ${known} are read: ${shown}.`;
}

/**
 * Makes an area to drop files onto: files, folders and archives of them; `endings` are those that
 * are read. `onFiles` is called with `[{ name, text | base64 }]` and a sentence on what was left
 * out. Of files in one folder, `isOfOne(folder, files)` says whether its name is needed. Whatever
 * is dropped elsewhere on the page is taken too.
 */
export function dropZone({ label, text, endings = ENDINGS, onFiles, isOfOne = nobodys }) {
  const take = async (found) => onFiles(...(await taken(found, endings, isOfOne)));
  const chosen = (event) => {
    const files = [...event.target.files];
    take(files.map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    // Otherwise the same file, chosen again after a change, would not be noticed.
    event.target.value = '';
  };
  const accept = [...endings, 'zip', 'yml'].map((one) => `.${one}`).join(',');
  const input = (name, extra) =>
    h('input', { type: 'file', 'aria-label': name, onchange: chosen, hidden: true, ...extra });
  const files = input(label, { multiple: true, accept });
  const folder = input(`${label}: a folder`, { webkitdirectory: true });
  const button = (kind, words, field) =>
    h('button', { type: 'button', class: kind, onclick: () => field.click() }, words);
  zone = h(
    'div',
    { class: 'drop' },
    button('primary', text, files),
    button(null, 'or choose a folder', folder),
    files,
    folder,
  );
  zone.take = take;
  return zone;
}

/** @type {(folder: string, files: string[]) => boolean} */
const nobodys = () => false;

/** The area of the view that is shown. */
let zone = null;

/** Returns the files that are sent of those that were found, and what is told of the others. */
async function taken(found, endings, isOfOne) {
  const faults = [];
  const files = await unpacked(found, faults, endings);
  for (const one of files) one.path = plain(one.path);
  const isKnown = ({ path }) => !isHidden(path) && (endsWith(path, endings) || LIST.test(path));
  const known = files.filter(isKnown);
  const paths = withoutWrappers(withoutCollections(known.map(({ path }) => path)), isOfOne);
  known.forEach((one, place) => (one.path = paths[place]));
  const near = known.filter(({ path }) => path.split('/').length <= DEEPEST);
  const others = files.filter((one) => !isKnown(one)).map(({ path }) => path);
  faults.push(leftOut(others, [...endings, 'zip']));
  const all = await Promise.all(near.map(({ file, path }) => sent(file, path)));
  return [all, faults.filter(Boolean).join(' ')];
}

/**
 * Takes what is dropped anywhere on the page: `open` shows a view with an area, if there is none,
 * and `openRules` takes the text of a rule file and its name.
 */
export function takeDrops(open, openRules) {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const over = (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { classList } = document.documentElement;
    if (event.type === 'dragover' && !classList.contains('dragged')) expectPython();
    classList.toggle('dragged', event.type === 'dragover');
  };
  addEventListener('dragover', over);
  addEventListener('dragleave', over);
  addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    over(event);
    const found = await dropped(event.dataTransfer);
    if (found.length === 1 && endsWith(found[0].path, ['toml'])) {
      openRules(await found[0].file.text());
      return;
    }
    if (!zone?.isConnected) await open();
    zone.take(found);
  });
}
