// Loads files of the site piece by piece, so that the progress can be shown.

/** Returns the bytes of a file; `onBytes` hears how many there are with each piece. */
export async function bytesOf(address, onBytes) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not part of this site (${response.status})`);
  const reader = response.body.getReader();
  const parts = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    onBytes?.(value.length);
  }
}
