// Files that the user drops or chooses, read in the browser to be sent with a request.

import { h } from './dom.js';
import { roomFor, unzip } from './unzip.js';

const ENDINGS = ['py', 'ipynb', 'csv', 'npy', 'txt', 'hog', 'strat'];

/** Gradescope's list of submitters, in the folder of an export. */
const LIST = /(^|\/)submission_metadata\.yml$/;

/** The most parts of a path: no strategy is looked for deeper. */
const DEEPEST = 4;

const endsWith = (name, endings) => endings.some((one) => name.toLowerCase().endsWith(`.${one}`));

/** Files that systems and Python make by themselves. */
const isHidden = (path) => /(^|\/)(\.|(__pycache__|__MACOSX|node_modules)\/)/.test(path);

async function sent(file, name) {
  if (!endsWith(name, ['npy', 'hog'])) return { name, text: await file.text() };
  const bytes = new Uint8Array(await file.arrayBuffer());
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
  for (const root of roots) await entries(root, '', found);
  return found;
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

/** Removes the folders that all files in folders are in: that of an export, of an archive. */
function withoutWrappers(paths) {
  const parts = paths.map((path) => path.split('/'));
  const inside = parts.filter((one) => one.length > 1);
  const isIn = (depth) => (one) => one.length > depth + 1 && one[depth] === inside[0][depth];
  let depth = 0;
  while (inside.length && inside.every(isIn(depth))) depth += 1;
  return parts.map((one) => one.slice(one.length > 1 ? depth : 0).join('/'));
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
 * Makes an area to drop files onto: files, folders and, with `archives`, archives of them.
 * `onFiles` is called with `[{ name, text | base64 }]` and a sentence on what was left out.
 */
export function dropZone({ label, text, archives = false, onFiles }) {
  // In a folder of submissions, JSON is more often the results of a contest.
  const endings = archives ? ENDINGS : [...ENDINGS, 'json'];
  const take = async (found) => {
    const faults = [];
    const files = archives ? await unpacked(found, faults, endings) : found;
    for (const one of files) one.path = plain(one.path);
    const isKnown = ({ path }) =>
      !isHidden(path) && (endsWith(path, endings) || (archives && LIST.test(path)));
    const known = files.filter(isKnown);
    const paths = withoutWrappers(known.map(({ path }) => path));
    known.forEach((one, place) => (one.path = paths[place]));
    const near = known.filter(({ path }) => path.split('/').length <= DEEPEST);
    const others = files.filter((one) => !isKnown(one)).map(({ path }) => path);
    faults.push(leftOut(others, archives ? [...endings, 'zip'] : endings));
    onFiles(
      await Promise.all(near.map(({ file, path }) => sent(file, path))),
      faults.filter(Boolean).join(' '),
    );
  };
  const chosen = (event) => {
    const files = [...event.target.files];
    take(files.map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    // Otherwise the same file, chosen again after a change, would not be noticed.
    event.target.value = '';
  };
  const accept = [...endings, ...(archives ? ['zip', 'yml'] : [])]
    .map((one) => `.${one}`)
    .join(',');
  const input = (name, extra) =>
    h('input', { type: 'file', 'aria-label': name, onchange: chosen, ...extra });
  const zone = h(
    'div',
    { class: 'drop' },
    h('p', {}, h('strong', {}, text)),
    h('p', {}, input(label, { multiple: true, accept })),
    h('label', {}, 'or a folder ', input(`${label}: a folder`, { webkitdirectory: true })),
  );
  const over = (yes) => (event) => {
    event.preventDefault();
    zone.classList.toggle('over', yes);
  };
  zone.addEventListener('dragover', over(true));
  zone.addEventListener('dragleave', over(false));
  zone.addEventListener('drop', async (event) => {
    over(false)(event);
    take(await dropped(event.dataTransfer));
  });
  return zone;
}
