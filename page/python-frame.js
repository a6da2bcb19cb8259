// Runs strangers' Python files: a frame without an origin, whose policy allows no connections, and
// a worker in it for each run. So the browser itself keeps a file from the network, from what the
// page has stored, and from the page. What runs here, Pyodide and the worker's program, is sent by
// the page.

'use strict';

/** The most bytes that a run may print: the answers at all positions are some kilobytes. */
const MOST_PRINTED = 8 << 20;

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
    port.postMessage({ end: how });
    port.close();
  };
  worker.onmessage = ({ data }) => {
    // Once the file runs, the messages may be its own: it must not change what others begin with.
    if (data.snapshot && limit === null) snapshots.set(hashes, data.snapshot);
    // The time counts from when the interpreter has started.
    else if (data.begins && limit === null) {
      limit = setTimeout(() => end('time'), seconds * 1000);
      port.postMessage({ begins: true });
    }
    else if (data.end !== undefined) end(`${data.end}`);
    else if (data.out instanceof Uint8Array) {
      printed += data.out.length;
      if (printed > MOST_PRINTED) end('it prints too much');
      else port.postMessage({ out: data.out });
    }
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

onmessage = async ({ data, ports: [port] }) => {
  if (data.prepare) {
    try {
      await prepare(data.prepare);
      port.postMessage({ ready: true });
    } catch (error) {
      port.postMessage({ failed: error.message });
    }
  } else if (data.stand) stand(data.stand);
  else run(data, port);
};
