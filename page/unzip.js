// Unpacks zip archives, as browsers can inflate but not open them.

/** The most bytes that are unpacked from one archive. */
const LARGEST = 64 << 20;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** Returns the offset of the record at the end, which says where the list of entries is. */
function endOf(view) {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new Error('it is not a zip archive');
}

async function inflated(packed, size) {
  const reader = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  const bytes = new Uint8Array(size);
  let done = 0;
  for (;;) {
    const { value, done: ended } = await reader.read();
    if (ended) return bytes.subarray(0, done);
    // An entry may have more than it announces.
    if (done + value.length > size) throw new Error('it has more than it announces');
    bytes.set(value, done);
    done += value.length;
  }
}

/** Returns the files of an archive as `[path, bytes]`; throws an error that says what is wrong. */
export async function unzip(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let total = 0;
  const files = [];
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + 46 > archive.length || view.getUint32(at, true) !== ENTRY) {
      throw new Error('its list of files is damaged');
    }
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const name = view.getUint16(at + 28, true);
    const others = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const local = view.getUint32(at + 42, true);
    const path = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + name));
    at += 46 + name + others;
    if (path.endsWith('/')) continue;
    if (flags & 1) throw new Error('it has a password');
    if (method !== STORED && method !== DEFLATED)
      throw new Error(`${path} is packed in a rare way`);
    total += size;
    if (total > LARGEST) throw new Error(`it holds more than ${LARGEST >> 20} MB`);
    if (local + 30 > archive.length) throw new Error('its list of files is damaged');
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const bytes = archive.subarray(from, from + packed);
    files.push([path, method === STORED ? bytes : await inflated(bytes, size)]);
  }
  return files;
}
