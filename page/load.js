// Loads files of the site: piece by piece, so that the progress can be shown, and modules to be
// kept.

/** Returns a file as a stream; `onBytes` hears how many bytes there are with each piece. */
export async function streamOf(address, onBytes = null) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not part of this site (${response.status})`);
  const counting = new TransformStream({
    transform(piece, to) {
      onBytes?.(piece.length);
      to.enqueue(piece);
    },
  });
  return response.body.pipeThrough(counting);
}

/** Returns the bytes of a file; `onBytes` as for `streamOf`. */
export async function bytesOf(address, onBytes = null) {
  const stream = await streamOf(address, onBytes);
  return new Uint8Array(await new Response(stream).arrayBuffer());
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
