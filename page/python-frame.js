// Runs strangers' Python files: a frame without an origin, whose policy allows no connections, and
// a worker in it for each run. So the browser itself keeps a file from the network, from what the
// page has stored, and from the page. What runs here, Pyodide and the worker's program, is sent by
// the page, over a port that it sends first: no other window can reach what runs here.

'use strict';

/** The most bytes that a run may print: the answers at all positions are some kilobytes. */
const MOST_PRINTED = 8 << 20;

/** What a message counts for beside its bytes: many take time, whatever they hold. */
const COST_OF_MESSAGE = 256;

/** The longest reason why a run has ended, in characters: a line of it is shown. */
const LONGEST_REASON = 400;

let parts = null;

/**
 * Takes what runs start from: `{ scripts: { worker, pyodide, python }, module, library, lock }`.
 */
async function prepare({ scripts, module, library, lock }) {
  const script = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  parts = {
    worker: script(scripts.worker),
    pyodide: script(scripts.pyodide),
    python: script(scripts.python),
    library,
    lock,
    // Compiled once, for all workers.
    module: await WebAssembly.compile(module),
  };
}

/**
 * A worker that has started its interpreter and waits for a file; one for each value of
 * `PYTHONHASHSEED`.
 */
const waiting = new Map();

/**
 * The memory of an interpreter that has just started, by the value of `PYTHONHASHSEED`: others
 * begin with a copy of it.
 */
const snapshots = new Map();

function start(hashes) {
  // A classic one: without an origin there are no modules.
  const worker = new Worker(parts.worker);
  const { pyodide, python, module, library, lock } = parts;
  worker.postMessage({
    pyodide,
    python,
    module,
    library,
    lock,
    hashes,
    snapshot: snapshots.get(hashes),
  });
  worker.onmessage = ({ data: { snapshot } }) => {
    if (snapshot) snapshots.set(hashes, snapshot);
  };
  return worker;
}

function stand(hashes) {
  if (!waiting.has(hashes)) waiting.set(hashes, start(hashes));
}

/** Runs a file; `port` gets what it prints, and how it has ended. */
function run({ hashes, seconds, harness, input, files }, port) {
  const worker = waiting.get(hashes) ?? start(hashes);
  waiting.delete(hashes);
  let limit = null;
  let printed = 0;
  const end = (how) => {
    clearTimeout(limit);
    worker.terminate();
    port.postMessage({ end: how.slice(0, LONGEST_REASON) });
    port.close();
  };
  // Once the file runs, the messages may be its own: it must not change what others begin with, and
  // one that the worker's program does not send ends it.
  worker.onmessage = ({ data }) => {
    if (limit === null && data.snapshot) snapshots.set(hashes, data.snapshot);
    // The time counts from when the interpreter has started.
    else if (limit === null && data.begins) {
      limit = setTimeout(() => end('time'), seconds * 1000);
      port.postMessage({ begins: true });
    } else if (data?.out instanceof Uint8Array && Object.keys(data).length === 1) {
      // With a part of a buffer comes the whole.
      printed += data.out.buffer.byteLength + COST_OF_MESSAGE;
      if (printed > MOST_PRINTED) end('it prints too much');
      else port.postMessage({ out: data.out });
    } else end(typeof data?.end === 'string' ? data.end : 'it sends messages of its own');
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(
      event.message ? `it breaks the interpreter: ${event.message}` : 'it breaks the interpreter',
    );
  };
  port.onmessage = () => end('');
  worker.postMessage({ harness, input, files });
}

/** Answers the page: `{ prepare }` once, then `{ stand }`, and `{ run }` with a port for each. */
async function answer({ data, ports, target }) {
  if (data.stand) stand(data.stand);
  else if (data.run && parts) run(data.run, ports[0]);
  else if (data.prepare && !parts) {
    try {
      await prepare(data.prepare);
      target.postMessage({ ready: true });
    } catch (error) {
      target.postMessage({ failed: error.message });
    }
  }
}

/**
 * Takes the port of the page, once: of the window around this frame, from the host that this frame
 * is from. A frame that has an origin is not the page's, and takes none: what runs here could reach
 * what that origin has stored.
 */
function take({ source, origin: sender, ports: [port] }) {
  if (source !== parent || sender !== location.origin || self.origin !== 'null' || !port) return;
  removeEventListener('message', take);
  port.onmessage = answer;
}

addEventListener('message', take);
