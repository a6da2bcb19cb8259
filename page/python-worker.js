// One run of a Python file, in a worker of its own that ends with it: Pyodide, and the harness
// that the command line uses too.

/** The most memory of the interpreter and the file together, in bytes, as for the command line. */
const MOST_MEMORY = 1 << 30;

const PLACE = 'https://memory.invalid/';

async function started({ pyodide, python, module, library, lock, hashes, snapshot }) {
  // Nothing here can connect to anything; Pyodide asks for its library in the usual way.
  self.fetch = async (address) =>
    new Response(
      `${address}`.endsWith('.zip') ? library : new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
      { headers: { 'content-type': 'application/wasm' } },
    );
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiateStreaming = async (_, imports) => ({
    module,
    instance: await instantiate(module, imports),
  });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function limited(pages) {
    if (this.buffer.byteLength + pages * 65536 > MOST_MEMORY)
      throw new RangeError('no more memory');
    return grow.call(this, pages);
  };
  // They define `loadPyodide` and `_createPyodideModule`.
  importScripts(pyodide, python);
  // Pyodide refuses workers that can load scripts so.
  self.importScripts = () => {
    throw new Error('no more scripts');
  };
  const begin = snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true };
  const running = await self.loadPyodide({
    ...begin,
    createPyodideModule: self._createPyodideModule,
    indexURL: PLACE,
    stdLibURL: `${PLACE}library.zip`,
    lockFileContents: lock,
    packageBaseUrl: PLACE,
    env: { PYTHONHASHSEED: hashes, HOME: '/', PYTHONDONTWRITEBYTECODE: '1' },
    jsglobals: Object.create(null),
    checkAPIVersion: false,
    stdout: () => {},
    stderr: () => {},
  });
  if (!snapshot) postMessage({ snapshot: running.makeMemorySnapshot() });
  return running;
}

/** Writes a file into the interpreter's file system. */
function write({ FS }, path, bytes) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
  FS.writeFile(path, bytes);
}

const DRIVER = `
import sys
def _read():
    with open('/input', 'rb') as file:
        return file.read()
`;

let python = null;

onmessage = async ({ data }) => {
  if (data.module) {
    python = started(data);
    return;
  }
  let running;
  try {
    running = await python;
  } catch (error) {
    postMessage({ end: `it does not start: ${error.message}` });
    return;
  }
  const { harness, input, files } = data;
  for (const [path, bytes] of files) write(running, path, bytes);
  write(running, '/input', input);
  running.setStdout({
    write: (bytes) => {
      postMessage({ out: bytes.slice() });
      return bytes.length;
    },
  });
  running.setStderr({ write: (bytes) => bytes.length });
  for (const name of [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'WebTransport',
    'EventSource',
    'indexedDB',
    'caches',
    'Worker',
    'BroadcastChannel',
    'importScripts',
  ]) {
    try {
      delete self[name];
      self[name] = undefined;
    } catch {
      /* It cannot be taken away; the frame's policy still holds. */
    }
  }
  postMessage({ begins: true });
  try {
    running.runPython(`${harness}\n${DRIVER}\n_ask(_read())\n`);
    postMessage({ end: '' });
  } catch (error) {
    // The harness leaves by _exit, which ends the interpreter.
    const isExit =
      error?.name === 'Exit' || error?.name === 'ExitStatus' || /exit/i.test(error?.message ?? '');
    const last = `${error?.message ?? error}`.split('\n').filter(Boolean).pop();
    const broken = `it breaks the interpreter: ${last}`.slice(0, 200);
    postMessage({ end: isExit ? '' : broken });
  }
};
