// Loads files of the site: piece by piece, so that the progress can be shown, and modules to be
// kept.

/**
 * Undoes the packing of a stream; a host may declare it, so that the browser has undone it.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Promise<ReadableStream<Uint8Array>>}
 */
async function unpacked(stream) {
  const reader = stream.getReader();
  const { value: first } = await reader.read();
  const whole = new ReadableStream({
    start: (to) => to.enqueue(first),
    async pull(to) {
      const { value, done } = await reader.read();
      if (done) to.close();
      else to.enqueue(value);
    },
  });
  return first[0] === 0x1f ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}

/**
 * Returns a file as a stream, one that the site has packed (.gz) unpacked; `onBytes` hears how many
 * bytes have come with each piece.
 */
export async function streamOf(address, onBytes = null) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not part of this site (${response.status})`);
  const counting = new TransformStream({
    transform(piece, to) {
      onBytes?.(piece.length);
      to.enqueue(piece);
    },
  });
  const stream = response.body.pipeThrough(counting);
  return `${address}`.endsWith('.gz') ? unpacked(stream) : stream;
}

/** Returns the bytes of a file; `onBytes` as for `streamOf`. */
export async function bytesOf(address, onBytes = null) {
  const stream = await streamOf(address, onBytes);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let description = null;

/** What the site says of itself: version, sizes, and the games that it has answers about. */
export function described() {
  description ??= fetch(new URL('../engine.json', import.meta.url)).then((response) =>
    response.json(),
  );
  description.catch(() => {
    description = null;
  });
  return description;
}

/** The modules of this folder that a module imports. */
const IMPORTED = /\bfrom\s*["']\.\/([\w-]+\.js)["']/g;

/**
 * Returns an address in memory for a module of this folder; what it imports is in memory too, so
 * that it can be started when the host has gone. `known` has the addresses so far.
 */
export async function inMemory(name, known = new Map()) {
  if (!known.has(name)) {
    const source = new TextDecoder().decode(await bytesOf(new URL(name, import.meta.url)));
    let text = source;
    for (const [whole, imported] of source.matchAll(IMPORTED))
      text = text.replace(whole, `from '${await inMemory(imported, known)}'`);
    known.set(name, URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  }
  return known.get(name);
}
