// openSafetensors(): reads the header of a file, and the bytes of tensors on demand.
import { describe } from '../arguments/describe.js';
import { byteRanges } from './byte_ranges.js';
import { lengthBytes, readHeader, readHeaderLength } from './header.js';
import { quoted } from './malformed.js';
import { tensorOfBytes } from './tensor_of_bytes.js';

export async function openSafetensors(source) {
  const { size, read } = await byteRanges(source);
  const first = await read(0, Math.min(lengthBytes, size));
  const dataStart = lengthBytes + readHeaderLength(first, size);
  const { metadata, tensors } = readHeader(await read(lengthBytes, dataStart), size);
  const entries = new Map(tensors.map((entry) => [entry.name, entry]));

  function find(name) {
    if (typeof name !== 'string') {
      throw new TypeError(`the name of a tensor must be a string, found ${describe(name)}`);
    }
    const entry = entries.get(name);
    if (!entry) throw new RangeError(`the file has no tensor ${quoted(name)}${nearby(entries)}`);
    return entry;
  }

  async function readEntry(entry) {
    const bytes = await read(dataStart + entry.begin, dataStart + entry.end);
    return tensorOfBytes(entry, bytes);
  }

  return {
    names: Object.freeze([...entries.keys()]),
    metadata,
    describe(name) {
      const { element, dims, begin, end } = find(name);
      const { dtype, type } = element;
      const byteOffset = dataStart + begin;
      return { dtype, type, dims: [...dims], byteOffset, byteLength: end - begin };
    },
    read: async (name) => readEntry(find(name)),
    async readMany(names = entries.keys()) {
      if (typeof names === 'string' || typeof names?.[Symbol.iterator] !== 'function') {
        throw new TypeError(`names must be a list of strings, found ${describe(names)}`);
      }
      // Looks up all names before reading, and reads no tensor twice.
      const requested = new Set(Array.from(names, find));
      const result = new Map();
      for (const entry of requested) result.set(entry.name, await readEntry(entry));
      return result;
    },
  };
}

function nearby(entries) {
  const names = [...entries.keys()].slice(0, 5).map(quoted);
  if (names.length === 0) return '; it has none at all';
  return `; it has ${names.join(', ')}${entries.size > 5 ? ` and ${entries.size - 5} more` : ''}`;
}
