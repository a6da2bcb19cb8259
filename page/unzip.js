// Unpacks zip archives, as browsers can inflate but not open them.

/** The most bytes and files that are unpacked from one archive; those in it share as much. */
const LARGEST = 64 << 20;
const MOST_FILES = 10_000;

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

const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32 of an entry's bytes. */
function checksum(bytes) {
  let sum = ~0;
  for (const byte of bytes) sum = (sum >>> 8) ^ CHECKSUMS[(sum ^ byte) & 0xff];
  return ~sum >>> 0;
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

/** The room for what one of so many archives may hold, in bytes and files: a share, or a little. */
export const roomFor = (shares) => ({
  bytes: Math.max(LARGEST / shares, 256 << 10),
  files: Math.max(MOST_FILES / shares, 1000),
});

/**
 * Returns the files of an archive as `[path, bytes]`, without the bytes of those that are not
 * `wanted`; throws an error that says what is wrong. What is unpacked takes from the `room`.
 */
export async function unzip(archive, room, wanted) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const files = [];
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + 46 > archive.length || view.getUint32(at, true) !== ENTRY) {
      throw new Error('its list of files is damaged');
    }
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const sum = view.getUint32(at + 16, true);
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
    if (!wanted(path)) {
      files.push([path, new Uint8Array()]);
      continue;
    }
    room.files -= 1;
    if (room.files < 0) throw new Error('it holds too many files');
    if (method === STORED && packed !== size) throw new Error(`${path} is longer than it says`);
    room.bytes -= size;
    if (room.bytes < 0) throw new Error('it holds too many bytes');
    if (local + 30 > archive.length) throw new Error('its list of files is damaged');
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const stored = archive.subarray(from, from + packed);
    const bytes = method === STORED ? stored : await inflated(stored, size);
    if (bytes.length !== size || checksum(bytes) !== sum) throw new Error(`${path} is damaged`);
    files.push([path, bytes]);
  }
  return files;
}
