// Files that the user drops or chooses, read in the browser to be sent with a request.

import { h } from './dom.js';

const ENDINGS = /\.(py|ipynb|csv|npy|txt|hog|strat)$/i;
// In a folder, JSON is more often the results of a contest.
const OR_JSON = /\.(py|ipynb|csv|npy|txt|hog|strat|json)$/i;

async function sent(file, name) {
  if (/\.(npy|hog)$/i.test(name)) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return { name, base64: btoa(text) };
  }
  return { name, text: await file.text() };
}

/** Makes a name that the server accepts: plain components, at most three folders deep. */
const plain = (path) =>
  path
    .split('/')
    .filter((part) => part && part !== '.' && part !== '..')
    .slice(-4)
    .join('/')
    .replace(/[:\\]/g, '_')
    .replace(/[\u0000-\u001f]/g, '');

async function entries(entry, path, found) {
  if (entry.isFile) {
    found.push([
      await new Promise((done, failed) => {
        entry.file(done, failed);
      }),
      path + entry.name,
    ]);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((done, failed) => {
      reader.readEntries(done, failed);
    });
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

/** Returns a sentence on files that are no strategies; nothing on those that systems and Python make by themselves. */
function leftOut(names) {
  const own = names.filter((name) => !/(^|\/)[._]/.test(name) && !/\.pyc$/i.test(name));
  if (!own.length) return '';
  const shown = `${own.slice(0, 4).join(', ')}${own.length > 4 ? ' …' : ''}`;
  return `Left out, since only .py, .ipynb, .csv, .npy, .txt, .hog, .strat and single .json files are strategies: ${shown}.`;
}

/**
 * Makes an area to drop files onto; `onFiles` is called with `[{ name, text | base64 }]` and a sentence on the files that
 * are left out.
 */
export function dropZone({ label, text, folder = false, onFiles }) {
  const endings = folder ? ENDINGS : OR_JSON;
  const take = async (found) => {
    const known = found.filter(([, path]) => endings.test(path));
    const others = found.filter(([, path]) => !endings.test(path)).map(([, path]) => path);
    onFiles(
      await Promise.all(known.map(([file, path]) => sent(file, plain(path)))),
      leftOut(others),
    );
  };
  const chosen = (event) => {
    take([...event.target.files].map((file) => [file, file.webkitRelativePath || file.name]));
    // Otherwise the same file, chosen again after a change, would not be noticed.
    event.target.value = '';
  };
  const files = h('input', {
    type: 'file',
    multiple: folder,
    accept: `.py,.ipynb,.csv,.npy,.txt,.hog,.strat${folder ? '' : ',.json'}`,
    'aria-label': label,
    onchange: chosen,
  });
  const whole =
    folder &&
    h(
      'label',
      {},
      'or a folder ',
      h('input', {
        type: 'file',
        webkitdirectory: true,
        'aria-label': `${label}: a folder`,
        onchange: chosen,
      }),
    );
  const zone = h(
    'div',
    { class: 'drop' },
    h('p', {}, h('strong', {}, text)),
    h('p', {}, files),
    whole && h('p', {}, whole),
  );
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', async (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    take(await dropped(event.dataTransfer));
  });
  return zone;
}
