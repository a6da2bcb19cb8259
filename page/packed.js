// A text packed into an address.

async function stream(bytes, transform) {
  const packed = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Packs a text. */
export async function pack(text) {
  const bytes = await stream(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The largest size of a text in a link after decompression. */
const LARGEST = 1 << 20;

/** Returns a text that was packed; fails if it is none. */
export async function unpack(code) {
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  );
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) throw new Error('too large');
    parts.push(value);
  }
  return new Blob(parts).text();
}
