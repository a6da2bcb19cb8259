// Python in the tab: loaded when the first Python file is dropped, run in a frame of its own
// (python-frame.js).

import { keep, kept } from './kept.js';
import { bytesOf, described } from './load.js';

/** What is loaded. */
const NAMES = [
  'pyodide.js.gz',
  'pyodide.asm.mjs.gz',
  'pyodide.asm.wasm.gz',
  'python_stdlib.zip',
  'pyodide-lock.json.gz',
];

/** The values of `PYTHONHASHSEED` of the two runs of a file. */
const HASHES = ['1', '2'];

const place = (name) => new URL(`../python/${name}`, import.meta.url);

/** How long the frame may take to start, in milliseconds, when all of it has been loaded. */
const PATIENCE = 60_000;

/** The frame, when it is ready: its element, and the port to it. */
let frame = null;

/** Who wants to hear how far it is. */
const listeners = new Set();

/** Returns the frame; after a failure, the next call tries again. */
export async function prepare(onProgress) {
  if (onProgress) listeners.add(onProgress);
  frame ??= prepared((progress) => {
    for (const listen of listeners) listen(progress);
  });
  try {
    return await frame;
  } catch (error) {
    frame = null;
    throw error;
  } finally {
    listeners.delete(onProgress);
  }
}

/**
 * Adds the frame, and returns it when it has loaded: from the host, in a sandbox, or without a
 * network from the service worker, which puts it into one (service.js): browsers do not let it
 * answer for frames in a sandbox. A frame that has an origin takes no port.
 */
async function loadedFrame(isOffline) {
  const element = document.createElement('iframe');
  element.hidden = true;
  if (!isOffline) element.setAttribute('sandbox', 'allow-scripts');
  element.title = 'Python';
  const loaded = new Promise((ready) => {
    element.onload = ready;
  });
  const page = isOffline ? './python-offline.html' : './python.html';
  element.src = new URL(page, import.meta.url).href;
  document.body.append(element);
  await loaded;
  return element;
}

/** Whether the host answers. */
const hasNetwork = () =>
  fetch(new URL('./python.html?now', import.meta.url), { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts the frame and returns it with the port to it, which no other window has. */
async function prepared(onProgress) {
  const { python: of } = await described();
  let done = 0;
  const onBytes = (more) => {
    done += more;
    onProgress({ what: 'loading Python', done, of });
  };
  const [worker, ...files] = await Promise.all([
    bytesOf(new URL('./python-worker.js', import.meta.url)),
    ...NAMES.map((name) => bytesOf(place(name), onBytes)),
  ]);
  const element = await loadedFrame(!(await hasNetwork()));
  const text = (bytes) => new TextDecoder().decode(bytes);
  const [pyodide, python, module, library, lock] = files;
  // The interpreter's module as a script.
  const script = text(python)
    .replaceAll('import.meta.url', "'https://memory.invalid/pyodide.asm.mjs'")
    .replace(/export default _createPyodideModule;?/, '');
  const program = {
    scripts: { worker: text(worker), pyodide: text(pyodide), python: script },
    module,
    library,
    lock: text(lock),
  };
  onProgress({ what: 'starting Python', done: 0, of: 0 });
  const { port1, port2 } = new MessageChannel();
  const ready = new Promise((done, failed) => {
    port1.onmessage = ({ data }) => (data.ready ? done(null) : failed(new Error(data.failed)));
    const late = 'it did not start within a minute; with a network, reload the page';
    setTimeout(() => failed(new Error(late)), PATIENCE);
  });
  // The frame has no origin, so the address cannot name it.
  element.contentWindow.postMessage('port', '*', [port2]);
  port1.postMessage({ prepare: program });
  try {
    await ready;
  } catch (error) {
    element.remove();
    throw error;
  }
  stand(port1);
  return { element, port: port1 };
}

/** Ends a frame that does not answer; the next run starts another one. */
function dismiss(element) {
  if (element.isConnected) frame = null;
  element.remove();
}

/** Starts interpreters that wait for the next file. */
function stand(port) {
  for (const hashes of HASHES) port.postMessage({ stand: hashes });
}

/**
 * Runs a file: `{ hashes, seconds, harness, input, files }`; returns what it has printed, and how
 * it has ended. `onBegin` is called when the interpreter has started. Another file may have ended
 * the frame: then nothing comes.
 */
async function ran(run, { signal, onBegin }) {
  const { element, port } = await prepare();
  const { port1, port2 } = new MessageChannel();
  const parts = [];
  let patience = null;
  const ended = new Promise((done) => {
    port1.onmessage = ({ data }) => {
      if (data.out) parts.push(data.out);
      else if (data.begins) onBegin();
      else done(data.end);
    };
    signal?.addEventListener('abort', () => {
      port1.postMessage('stop');
      done('');
    });
    const lost = () => {
      dismiss(element);
      done('it breaks the interpreter');
    };
    patience = setTimeout(lost, PATIENCE + run.seconds * 1000);
  });
  port.postMessage({ run }, [port2]);
  const end = await ended;
  clearTimeout(patience);
  port1.close();
  return { out: new Uint8Array(await new Blob(parts).arrayBuffer()), end };
}

/** The memory of the machine in gibibytes, as far as the browser says it. */
const { deviceMemory = 4 } = /** @type {{ deviceMemory?: number }} */ (navigator);

/**
 * The most runs at the same time: one for each core, and one for each two gibibytes of memory,
 * since each has an interpreter of its own, of up to a gibibyte.
 */
const AT_ONCE = Math.max(
  1,
  Math.min(4, navigator.hardwareConcurrency ?? 2, Math.floor(deviceMemory / 2)),
);

/** Returns the first lines of a run's input. */
function firstLines({ input }, count) {
  let end = 0;
  for (let line = 0; line < count; line += 1) end = input.indexOf(10, end) + 1;
  return new TextDecoder('latin1').decode(input.subarray(0, end - 1));
}

/** What the two runs of a function have in common: three lines name the file and the function. */
const functionOf = (run) => firstLines(run, 3);

/**
 * Whether a run has given all answers: its last line is the harness's. Of others it is not known
 * whose fault that is: files that ran beside it may have taken the time or the memory, or ended
 * the frame.
 */
function isComplete(run, { out }) {
  const last = new TextDecoder('latin1').decode(out.subarray(-64));
  return last.endsWith(`\n${firstLines(run, 1)}done\n`);
}

/**
 * Returns the name under which a run's result is kept in this browser: a digest of all that it
 * depends on. Null where the browser makes none, as for pages of a network without encryption.
 */
async function nameOf({ hashes, seconds, harness, input, files }) {
  if (!crypto.subtle) return null;
  const parts = files.flatMap(([path, bytes]) => [`\n${path} ${bytes.length}\n`, bytes]);
  const head = `${hashes} ${seconds} ${harness.length} ${input.length}\n`;
  const all = new Blob([head, harness, input, ...parts]);
  const digest = await crypto.subtle.digest('SHA-256', await all.arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `run/${hex.join('')}`;
}

/** As `ran`, unless this run's answers are kept; they are kept if they are complete. */
async function ranOnce(run, options) {
  const name = await nameOf(run);
  const known = name && (await kept(name));
  if (known) return known;
  const result = await ran(run, options);
  if (name && isComplete(run, result)) keep(name, result);
  return result;
}

/**
 * Runs files, some at the same time, and returns their results in order. A file's second run comes
 * after all first ones, and not if the first gave no answers: it would give none again. Those that
 * have not given all answers are run again at the end, alone: others may have been the reason.
 * @param {any[]} runs
 * @param {import('./api.js').Options} options
 */
export async function runAll(runs, { signal, onProgress } = {}) {
  await prepare(onProgress);
  const results = [];
  const firstOf = new Map();
  const firsts = [];
  const seconds = [];
  runs.forEach((run, place) => {
    const key = functionOf(run);
    (firstOf.has(key) ? seconds : firsts).push(place);
    if (!firstOf.has(key)) firstOf.set(key, place);
  });
  const progress = { what: 'asking', done: 0, of: runs.length };
  const tell = () => onProgress?.({ ...progress });
  const options = { signal, onBegin: tell };
  const isOver = (place) => results[place] && isComplete(runs[place], results[place]);
  const take = async (places) => {
    for (const place of places) {
      if (signal?.aborted) return;
      const first = firstOf.get(functionOf(runs[place]));
      const isVain = results[first] && !isOver(first);
      results[place] = isVain ? results[first] : await ranOnce(runs[place], options);
      progress.done += 1;
      tell();
    }
  };
  // All take from one list.
  const list = [...firsts, ...seconds].values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => take(list)));
  if (firsts.length > 1) {
    const again = [...firsts, ...seconds].filter((place) => !isOver(place));
    for (const place of again) results[place] = undefined;
    Object.assign(progress, { what: 'asking again', done: 0, of: again.length });
    await take(again);
  }
  signal?.throwIfAborted();
  stand((await prepare()).port);
  return results;
}
