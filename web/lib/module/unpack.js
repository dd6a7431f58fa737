// Unpacks the module's bytes from the text that the build creates (web/pack.js): base64 of zlib's format, which more
// engines support than raw deflate. Nothing is fetched, so that no Content-Security-Policy has to allow it.
import { nodeProcess } from './node_process.js';

// Inflate (RFC 1951), for engines without DecompressionStream (Firefox before 113) and those where it throws (the edge
// runtime of Next.js).
const maxCodeLength = 15; // bits
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Canonical Huffman codes: the number of codes of each length, and their symbols in the order of the codes. */
function codesOf(lengths) {
  const counts = Array(maxCodeLength + 1).fill(0);
  const symbols = [];
  for (let length = 1; length <= maxCodeLength; length++) {
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      counts[length]++;
      symbols.push(symbol);
    });
  }
  return { counts, symbols };
}

/** The bytes, `length` of them, of data in zlib's format. */
function inflate(data, length) {
  const bytes = new Uint8Array(length);
  let written = 0;
  let at = 2; // after zlib's header
  let bitsLeft = 0; // unread bits of the byte before `at`
  let bits = 0;

  function read(count) {
    let value = 0;
    for (let n = 0; n < count; n++) {
      if (bitsLeft === 0) [bits, bitsLeft] = [data[at++], 8];
      value |= (bits & 1) << n;
      bits >>= 1;
      bitsLeft--;
    }
    return value;
  }

  function symbolOf({ counts, symbols }) {
    let [code, first, index] = [0, 0, 0];
    for (let own = 1; own <= maxCodeLength; own++) {
      code |= read(1);
      const count = counts[own];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Error('the data is not deflate');
  }

  function copyUncompressed() {
    bitsLeft = 0;
    const count = data[at] | (data[at + 1] << 8);
    at += 4;
    bytes.set(data.subarray(at, at + count), written);
    at += count;
    written += count;
  }

  const fixedCodes = () => [
    codesOf(Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8))),
    codesOf(Array(30).fill(5)),
  ];

  function readCodes() {
    const [literals, distances, count] = [read(5) + 257, read(5) + 1, read(4) + 4];
    const own = Array(19).fill(0);
    for (let n = 0; n < count; n++) own[lengthOrder[n]] = read(3);
    const codes = codesOf(own);
    const lengths = [];
    while (lengths.length < literals + distances) {
      const symbol = symbolOf(codes);
      if (symbol < 16) lengths.push(symbol);
      else if (symbol === 16) lengths.push(...Array(3 + read(2)).fill(lengths.at(-1)));
      else lengths.push(...Array(symbol === 17 ? 3 + read(3) : 11 + read(7)).fill(0));
    }
    return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals))];
  }

  function readLength(symbol) {
    if (symbol < 8) return symbol + 3;
    if (symbol === 28) return 258;
    const extra = (symbol >> 2) - 1;
    return ((4 + (symbol & 3)) << extra) + 3 + read(extra);
  }

  function readDistance(symbol) {
    if (symbol < 2) return symbol + 1;
    const extra = (symbol >> 1) - 1;
    return ((2 + (symbol & 1)) << extra) + 1 + read(extra);
  }

  for (let isLast = 0; !isLast;) {
    isLast = read(1);
    const kind = read(2);
    if (kind === 0) {
      copyUncompressed();
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedCodes() : readCodes();
    for (;;) {
      const symbol = symbolOf(literals);
      if (symbol === 256) break;
      if (symbol < 256) {
        bytes[written++] = symbol;
        continue;
      }
      const end = written + readLength(symbol - 257);
      const distance = readDistance(symbolOf(distances));
      for (; written < end; written++) bytes[written] = bytes[written - distance];
    }
  }
  return bytes;
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** The engine's DecompressionStream, which is faster than inflate(); undefined if it is missing or throws. */
function decompression() {
  try {
    return new DecompressionStream('deflate');
  } catch {
    return undefined;
  }
}

/** @returns {Promise<Uint8Array>} `length` bytes */
export async function unpack(text, length) {
  // Node.js takes 10 ms to load its streams; zlib needs none.
  const process = nodeProcess();
  if (process) {
    const { Buffer } = process.getBuiltinModule('node:buffer');
    return process.getBuiltinModule('node:zlib').inflateSync(Buffer.from(text, 'base64'));
  }
  const stream = decompression();
  if (!stream) return inflate(bytesOfBase64(text), length);
  // Without Response and Blob, which Node.js takes 20 ms to load.
  const { readable, writable } = stream;
  const writer = writable.getWriter();
  writer.write(bytesOfBase64(text));
  writer.close();
  const reader = readable.getReader();
  const bytes = new Uint8Array(length);
  for (let count = 0; count < length;) {
    const { value } = await reader.read();
    bytes.set(value, count);
    count += value.length;
  }
  return bytes;
}
