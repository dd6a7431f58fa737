// The module with a smaller maximum of memory, which really cannot grow beyond it.
import { readFileSync } from 'node:fs';

const memorySection = 5;
const wasm = readFileSync(new URL('../../../web/built/attention.wasm', import.meta.url));

/** An unsigned LEB128 number: { value, end }. */
function readNumber(bytes, at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, end: at };
  }
}

/** The bytes of attention.wasm, whose memory has at most `pages` of 64 KiB. */
export function wasmOfPages(pages) {
  const bytes = Uint8Array.from(wasm);
  let at = 8; // after the header
  for (;;) {
    const { value: size, end } = readNumber(bytes, at + 1);
    if (bytes[at] !== memorySection) {
      at = end + size;
      continue;
    }
    const max = readNumber(bytes, end + 2).end; // after the count, the flags and the initial size
    const last = readNumber(bytes, max).end - 1;
    for (let byte = max; byte < last; byte++)
      bytes[byte] = 128 | ((pages >> (7 * (byte - max))) & 127);
    bytes[last] = pages >> (7 * (last - max));
    return bytes;
  }
}
