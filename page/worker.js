// The engine in a worker: one question at a time, by the module that the page has loaded.

import { bytesOf } from './load.js';
import { Fd } from './wasi-fd.js';
import { Directory, File, OpenFile, PreopenDirectory } from './wasi-fs_mem.js';
import WASI from './wasi-wasi.js';

/** Returns a file of the host; null if it has none, or if this runs from memory, without a host. */
async function ofHost(path) {
  try {
    return await bytesOf(new URL(`../${path}`, import.meta.url));
  } catch {
    return null;
  }
}

/** Standard output: the module writes lines of JSON; what is not a progress line is the answer. */
class Lines extends Fd {
  constructor() {
    super();
    this.parts = [];
    this.last = null;
    this.isMuted = false;
  }

  fd_write(bytes) {
    this.parts.push(bytes);
    if (bytes[bytes.length - 1] === 10) {
      const document = JSON.parse(new TextDecoder().decode(joined(this.parts)));
      this.parts = [];
      if (!document.progress) this.last = document;
      else if (!this.isMuted) postMessage(document);
    }
    return { ret: 0, nwritten: bytes.length };
  }
}

function joined(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** Standard error: the last lines tell why the module has failed. */
class Complaints extends Fd {
  constructor() {
    super();
    this.text = '';
  }

  fd_write(bytes) {
    this.text = (this.text + new TextDecoder().decode(bytes)).slice(-2000);
    return { ret: 0, nwritten: bytes.length };
  }
}

const tables = new Directory(new Map());
const python = new Directory(new Map());
const lines = new Lines();
const complaints = new Complaints();

async function started(module) {
  const root = new PreopenDirectory(
    '/',
    new Map([
      ['tables', tables],
      ['sent', new Directory(new Map())],
      ['python', python],
      ['tmp', new Directory(new Map())],
    ]),
  );
  const wasi = new WASI(['hog'], [], [new OpenFile(new File([])), lines, complaints, root], {
    debug: false,
  });
  const { exports } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
  });
  wasi.initialize({ exports });
  return { wasi, exports };
}

let engine = null;
let games = null;

function answered({ wasi, exports }, name, request) {
  wasi.fds[0] = new OpenFile(
    new File(new TextEncoder().encode(`${name}\n${JSON.stringify(request)}`)),
  );
  lines.last = null;
  exports.ask();
  return lines.last;
}

/** The built-in games by each of their names. */
function named(running) {
  return Object.fromEntries(
    answered(running, 'rules/list', {}).result.games.flatMap((game) =>
      [game.id, ...game.aliases].map((name) => [name, game.id]),
    ),
  );
}

/** The fields of a request that name games, and those for the texts of their rules. */
const NAMED = { rules: 'file', other: 'other_file' };

/**
 * Returns the request with the texts of rule files that are on the host, as games/NAME.toml, in
 * place of their names.
 */
async function withRules(request) {
  const changed = { ...request };
  for (const [field, file] of Object.entries(NAMED)) {
    const name = request[field];
    if (name === undefined || name in games || !/^[\w-]+$/.test(name)) continue;
    const text = await ofHost(`games/${name}.toml`);
    if (text === null) continue;
    delete changed[field];
    changed[file] = new TextDecoder().decode(text);
  }
  return changed;
}

/** Loads the shipped table of a game, if it has one that is not loaded yet. */
async function withTable(name) {
  const id = games[name];
  if (id === undefined || tables.contents.has(`${id}.hog`)) return;
  const bytes = await ofHost(`tables/${id}.hog`);
  // Without its table a game is solved, which takes longer.
  if (bytes) tables.contents.set(`${id}.hog`, new File(bytes));
}

/**
 * Returns the runs of Python files that the last question asked for and that have not been run:
 * `[key, run]`.
 */
function wanted(request) {
  const runs = [];
  const { contents } = python;
  for (const [name, file] of contents) {
    const key = name.replace(/\.run$/, '');
    if (key === name || contents.has(`${key}.out`)) continue;
    const { data } = file;
    const first = data.indexOf(10);
    const second = data.indexOf(10, first + 1);
    const text = new TextDecoder();
    const input = data.slice(second + 1);
    runs.push([
      key,
      {
        hashes: text.decode(data.subarray(0, first)),
        seconds: Number(text.decode(data.subarray(first + 1, second))),
        input,
        harness: text.decode(contents.get('harness.py').data),
        files: readable(request, input),
      },
    ]);
  }
  return runs;
}

/** Where the harness's input names the file to run, and the folder that it may read; by lines. */
const FILE = 2;
const FOLDER = 7;

/** The files of a request that a run may read, `[path, bytes]`, as the engine calls them. */
function readable({ files = [] }, input) {
  const lines = new TextDecoder('latin1').decode(input).split('\n', FOLDER + 1);
  const [own, folder] = [FILE, FOLDER].map((line) =>
    new TextDecoder().decode(
      Uint8Array.from(lines[line].match(/../g) ?? [], (byte) => `0x${byte}`),
    ),
  );
  return files
    .map((file) => [`/sent/files/${file.name}`, file])
    .filter(([path]) => path === own || (folder && path.startsWith(`${folder}/`)))
    .map(([path, { text, base64 }]) => [
      path,
      text === undefined
        ? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
        : new TextEncoder().encode(text),
    ]);
}

let asked = null;

function keep(results) {
  asked.runs.forEach(([key], place) => {
    python.contents.set(`${key}.out`, new File(results[place].out));
    if (results[place].end)
      python.contents.set(`${key}.end`, new File(new TextEncoder().encode(results[place].end)));
  });
}

onmessage = async ({ data: { module, name, request, results } }) => {
  try {
    if (results) keep(results);
    else {
      asked = { name, request };
      // The page knows what has been run, and which files it depended on.
      python.contents.clear();
    }
    engine ??= started(module);
    const running = await engine;
    games ??= named(running);
    if (!results) asked.request = await withRules(asked.request);
    const isSolved = !asked.name.startsWith('rules/');
    if (isSolved) for (const field of Object.keys(NAMED)) await withTable(asked.request[field]);
    // Before Python files have been run, what a contest tells of its entrants is not true yet.
    lines.isMuted =
      !results && (asked.request.files ?? []).some((file) => /\.(py|ipynb)$/i.test(file.name));
    const answer = answered(running, asked.name, asked.request);
    asked.runs = wanted(asked.request);
    postMessage(asked.runs.length ? { python: asked.runs.map(([, run]) => run) } : answer);
  } catch (error) {
    const reason = complaints.text.trim().split('\n').pop() || error.message;
    postMessage({
      fault: true,
      error: { message: `The engine in this tab has failed: ${reason}`, faults: [] },
    });
  }
};
