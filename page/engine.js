// The engine: the server that the page came from or, on any other host, WebAssembly in workers of
// this tab. Both take the same requests and give the same documents.

import { bytesOf, described, inMemory, streamOf } from './load.js';

const { engine } = document.documentElement.dataset;

/** True if the engine runs in this tab, and there is no server. */
export const inTab = engine === undefined;

/** True if the server has the engine for this tab too, for when it has gone. */
const hasBoth = engine === 'both';

/**
 * The refusal of a request: a message, the parameter that it is about, and the faults of a file
 * with their locations.
 */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.parameter = error.parameter;
    this.faults = error.faults ?? [];
  }
}

/**
 * Sends a request and returns its answer; `name` is a question, `request` its parameters.
 * @param {string} name
 * @param {import('./api.js').Request} request
 * @param {import('./api.js').Options} options
 * @returns {Promise<any>}
 */
export async function ask(name, request = {}, { signal, onProgress } = {}) {
  signal?.throwIfAborted();
  // What is still under way after an abort is not told.
  const hear = (progress) => signal?.aborted || onProgress?.(progress);
  const options = { signal, onProgress: hear };
  const last = inTab
    ? ((await shipped(name, request)) ?? (await askWorker(name, request, options)))
    : await askServer(name, request, options);
  signal?.throwIfAborted();
  if (last.error) throw new Refused(last.error);
  return last.result;
}

/** The most times that a question is sent to a server that stops before it has answered. */
const MOST_SENT = 3;

/**
 * Asks the server. If it has gone, this tab answers, if it can; otherwise the question waits and is
 * asked again when the server is back: a page that is open loses nothing.
 */
async function askServer(name, request, options) {
  for (let sent = 0; sent < MOST_SENT; sent += 1) {
    if (!isThere) {
      const last = (await keeping) && (await askWorker(name, request, options));
      if (last) return last;
      await serverThere(options.signal);
    }
    const last = await answerOf(name, request, options);
    if (last) return last;
    await look();
  }
  const message = 'The server has stopped each time it was asked this: start `hog serve` again.';
  return { error: { message } };
}

/** Returns what is loaded, or null if the connection fails. */
const unlessGone = (loading) =>
  loading.catch((error) => {
    if (error.name === 'AbortError') throw error;
    return null;
  });

/** Returns the answer of the server, or null if it has gone. */
async function answerOf(name, request, { signal, onProgress }) {
  const response = await unlessGone(
    fetch(`/api/v1/${name}`, {
      method: 'POST',
      // In this format refusals have status 200 too, so the browser does not log them as errors.
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify(request),
      signal,
    }),
  );
  if (!response) return null;
  return response.ok ? lastLine(response, onProgress) : unlessGone(response.json());
}

/** How long the page waits before it looks for the server again, in milliseconds. */
const PAUSE = 1000;

let isThere = true;
let looking = null;

/** Looks whether the server is there; if it has gone, looks again until it is back. */
async function look() {
  const seen = await unlessGone(fetch('/favicon.ico', { method: 'HEAD', cache: 'no-store' }));
  isThere = seen !== null;
  if (!isThere) looking ??= lookAgain();
}

/** Looks for the server until it is back; `hog:server` tells the page that it has gone. */
async function lookAgain() {
  const goesOn = await keeping;
  const tell = () => dispatchEvent(new CustomEvent('hog:server', { detail: { isThere, goesOn } }));
  tell();
  while (!isThere) {
    await new Promise((done) => setTimeout(done, PAUSE));
    await look();
  }
  looking = null;
  tell();
  for (const worker of idle.splice(0)) dismiss(worker);
  if (!goesOn) keepEngine();
}

/** Waits until the server is there, or the question is no longer asked. */
function serverThere(signal) {
  return new Promise((done, failed) => {
    Promise.resolve(looking).then(done);
    signal?.addEventListener('abort', () => failed(signal.reason));
  });
}

/** Returns the last line of an answer, or null if it is cut. */
async function lastLine(response, onProgress) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let last = {};
  for (;;) {
    const { value, done } = (await unlessGone(reader.read())) ?? { done: true };
    if (done) return last.result || last.error ? last : null;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.progress) onProgress?.(last.progress);
    }
  }
}

/** A long question does not keep short ones waiting: each worker answers one question at a time. */
const MOST_WORKERS = 2;

const idle = [];
const queue = [];
let workers = 0;

const at = (path) => new URL(`../${path}`, import.meta.url);

let waiting = 0;

/** `hog:loading` tells the page how far the module is; null if no question waits for it. */
const tellLoading = (progress) =>
  dispatchEvent(new CustomEvent('hog:loading', { detail: progress }));

/** Loads the module that the site has packed; it is compiled while it is loaded. */
async function compiled() {
  let done = 0;
  let of = 0;
  const onBytes = (more) => {
    done += more;
    if (waiting) tellLoading({ done, of });
  };
  const [stream, { size }] = await Promise.all([
    streamOf(at('engine.wasm.gz'), onBytes),
    described(),
  ]);
  of = size;
  return WebAssembly.compileStreaming(
    new Response(stream, { headers: { 'content-type': 'application/wasm' } }),
  );
}

let compiling = null;

/** Returns the module, the same for all workers; after a failure, the next question tries again. */
async function module() {
  compiling ??= compiled();
  try {
    return await compiling;
  } catch (error) {
    compiling = null;
    throw error;
  }
}

/** As `module`, for a question: its view may have nothing to show yet, so the page tells. */
async function awaited() {
  waiting += 1;
  try {
    return await module();
  } finally {
    waiting -= 1;
    if (!waiting) tellLoading(null);
  }
}

let program = new URL('./worker.js', import.meta.url);

function start() {
  workers += 1;
  return new Worker(program, { type: 'module' });
}

/** Gives the next question in the queue to a free worker. */
function next() {
  while (queue.length && (idle.length || workers < MOST_WORKERS))
    queue.shift()(idle.pop() ?? start());
}

function freed(worker) {
  idle.push(worker);
  next();
}

function dismiss(worker) {
  worker.terminate();
  workers -= 1;
}

/** Ends a worker; a new one stands ready. */
function end(worker) {
  dismiss(worker);
  freed(start());
}

const answers = new Map();

/** Returns the answers that the site has in a file; none if there is no such file. */
function answersOf(file) {
  if (!answers.has(file)) {
    const loaded = bytesOf(at(`answers/${file}.json.gz`)).then((bytes) =>
      JSON.parse(new TextDecoder().decode(bytes)),
    );
    answers.set(
      file,
      loaded.catch(() => {
        answers.delete(file);
        return {};
      }),
    );
  }
  return answers.get(file);
}

/**
 * Returns the answer that the site has to a question about a shipped game as it is, so that the
 * first one needs no engine; null if it has none.
 * @param {string} name
 * @param {import('./api.js').Request} request
 */
async function shipped(name, request) {
  const { rules, memory = {}, ...others } = request;
  if (Object.keys({ ...memory, ...others }).length) return null;
  const { games } = await described().catch(() => ({ games: {} }));
  const file = rules === undefined ? 'list' : games[rules];
  const result = file && (await answersOf(file))[name];
  return result ? { result } : null;
}

function askWorker(name, request, { signal, onProgress }) {
  return new Promise((done, failed) => {
    const begin = (worker) => {
      if (signal?.aborted) {
        freed(worker);
        return;
      }
      let isOver = false;
      const stop = () => {
        isOver = true;
        end(worker);
        failed(signal.reason);
      };
      const finish = (last) => {
        isOver = true;
        signal?.removeEventListener('abort', stop);
        done(last);
      };
      signal?.addEventListener('abort', stop);
      worker.onmessage = ({ data }) => {
        if (data.progress) onProgress?.(data.progress);
        else if (data.python && !inTab) {
          // Python is where the server is.
          finish(null);
          end(worker);
        } else if (data.python)
          answerPython(worker, data.python, { signal, onProgress }).catch((error) => {
            if (error.name !== 'AbortError')
              worker.onmessage({
                data: { error: { message: `Python could not be loaded: ${error.message}` } },
              });
          });
        else {
          finish(data);
          // After a fault in it, a module is not used again.
          if (data.fault) end(worker);
          else freed(worker);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        finish({
          error: {
            message: `The engine could not be loaded: ${event.message ?? 'reload the page'}.`,
          },
        });
        end(worker);
      };
      awaited().then(
        (compiled) => isOver || worker.postMessage({ module: compiled, name, request }),
        (error) => isOver || worker.onerror(new ErrorEvent('error', { message: error.message })),
      );
    };
    signal?.addEventListener('abort', () => {
      const place = queue.indexOf(begin);
      if (place < 0) return;
      queue.splice(place, 1);
      failed(signal.reason);
    });
    queue.push(begin);
    next();
  });
}

/** Whether this tab can answer when the server has gone. */
let keeping = Promise.resolve(false);

/**
 * Loads the engine before it is needed. Where there is a server, that is what this tab needs to
 * answer when the server has gone: the module, and the program of workers, since a worker that is
 * ended is replaced. Returns when all is there, or cannot be had.
 */
export async function keepEngine() {
  if (inTab) {
    if (!workers) freed(start());
    await module().catch(() => {});
  } else if (hasBoth) {
    const loaded = Promise.all([inMemory('worker.js'), module()]);
    keeping = loaded.then(
      ([address]) => {
        program = address;
        return true;
      },
      () => false,
    );
    await keeping;
  }
}

/** Loads Python for the tab before a file is there: when one is likely to come. */
export async function expectPython() {
  if (!inTab) return;
  // The engine is needed with it, and by other questions first.
  await keepEngine();
  const { prepare } = await import('./python.js');
  // What fails is told when a file is there.
  await prepare().catch(() => {});
}

/**
 * Runs the Python files that a question is about, and gives their answers to the worker, which then
 * asks again.
 */
async function answerPython(worker, runs, options) {
  const { runAll } = await import('./python.js');
  const results = await runAll(runs, options);
  worker.postMessage({ results });
}
