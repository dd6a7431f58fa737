// The tensors of one file or several (shards), wherever they lie, read as they are asked for and never twice: each
// file is { name, source }, of which the source is a Blob or a FileHandle of Node.js. What lies side by side is read at
// once.
import { openSafetensors } from '../safetensors.js';
import { byteRanges } from '../safetensors/byte_ranges.js';
import { quoted } from '../safetensors/malformed.js';
import { isHtmlBytes } from './sources/file_text.js';
import { fillFromStream } from './sources/fill_from_stream.js';

const mostAtOnce = 2 ** 25; // bytes that are read in one piece, unless one tensor alone is longer
const mostRowsAtOnce = 2 ** 22; // of a tensor that comes in parts

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
};

/** What a file that is no safetensors file may be instead, from its first bytes; undefined otherwise. */
async function otherKind(source) {
  const { size, read } = await byteRanges(source);
  const bytes = await read(0, Math.min(size, 64));
  const text = String.fromCharCode(...bytes).trimStart();
  if (isHtmlBytes(bytes)) return 'an HTML page, not safetensors';
  if (text.startsWith('version https://git-lfs'))
    return 'a pointer of Git LFS, not the file itself';
  if (text.startsWith('PK') || bytes[0] === 0x80) {
    return 'a pickle of PyTorch, not read because it can run programs: save_pretrained() writes safetensors';
  }
  return undefined;
}

async function open({ name, source }) {
  try {
    return await openSafetensors(source);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const kind = await otherKind(source);
    throw new RangeError(kind ? `${name} is ${kind}` : `${name}: ${cause.message}`, { cause });
  }
}

/** Neighbours in one file, as many as fit in one reading. */
function grouped(entries) {
  const groups = [];
  const sorted = [...entries].sort((a, b) => a.order - b.order || a.byteOffset - b.byteOffset);
  for (const entry of sorted) {
    const group = groups.at(-1);
    const first = group?.[0];
    const last = group?.at(-1);
    const isNext =
      last?.file === entry.file &&
      last.byteOffset + last.byteLength === entry.byteOffset &&
      entry.byteOffset + entry.byteLength - first.byteOffset <= mostAtOnce;
    if (isNext) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Bytes as numbers of a type; copied where they do not begin where such numbers can. */
function numbersOf(bytes, type, dims) {
  const List = arrays[type];
  const isAligned = bytes.byteOffset % List.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? bytes : bytes.slice();
  return { data: new List(buffer, byteOffset, byteLength / List.BYTES_PER_ELEMENT), dims, type };
}

/** A range of bytes, where it can be in the memory that is lent. */
async function readInto(source, begin, end, memory) {
  const part = memory && source.slice?.(begin, end);
  if (typeof part?.stream !== 'function')
    return (await byteRanges(source)).read(begin, end, memory);
  const bytes = await fillFromStream(await part.stream(), memory);
  if (bytes.length === end - begin) return bytes;
  throw new RangeError(`a file gave ${bytes.length} bytes where ${end - begin} were asked for`);
}

/** Memory that is lent again and again: clear() makes all of it free, and as much as was wanted before. */
function lentMemory() {
  let bytes = new Uint8Array(0);
  let wanted = 0;
  return {
    clear() {
      if (wanted > bytes.length) bytes = new Uint8Array(wanted);
      wanted = 0;
    },
    /** undefined where there is not so much. */
    take(length) {
      const begin = wanted;
      wanted += Math.ceil(length / 8) * 8;
      return wanted > bytes.length ? undefined : bytes.subarray(begin, begin + length);
    },
  };
}

/**
 * @param {{ name: string, source: object }[]} files
 * @param {(progress: { loaded: number, total: number, file: string }) => void} report
 * @param {AbortSignal} [signal]
 */
export async function openWeights(files, report, signal) {
  const entries = new Map();
  for (const [order, file] of files.entries()) {
    const opened = await open(file);
    for (const name of opened.names) {
      const other = entries.get(name);
      if (other) {
        throw new RangeError(`tensor ${quoted(name)} is in ${other.file.name} and in ${file.name}`);
      }
      entries.set(name, { ...opened.describe(name), name, file, order });
    }
    signal?.throwIfAborted();
  }
  const total = [...entries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const counted = new Set();
  const memory = lentMemory();
  let loaded = 0;

  async function bytesOf({ source }, begin, length) {
    signal?.throwIfAborted();
    const bytes = await readInto(source, begin, begin + length, memory.take(length));
    signal?.throwIfAborted();
    return bytes;
  }

  /** Counts what was read the first time. */
  function count(pieces, file) {
    for (const [key, length] of pieces) {
      if (counted.has(key)) continue;
      counted.add(key);
      loaded += length;
    }
    report({ loaded, total, file: file.name });
  }

  return {
    names: entries.keys(),
    has: (name) => entries.has(name),
    describe: (name) => entries.get(name),

    /** The tensors of these names, a Map; their numbers are there until more is read. */
    async read(names) {
      const read = new Map();
      memory.clear();
      for (const group of grouped(Array.from(new Set(names), (name) => entries.get(name)))) {
        const [{ file, byteOffset: begin }] = group;
        const { byteOffset, byteLength } = group.at(-1);
        const bytes = await bytesOf(file, begin, byteOffset + byteLength - begin);
        for (const { name, type, dims, ...at } of group) {
          const part = bytes.subarray(at.byteOffset - begin, at.byteOffset - begin + at.byteLength);
          read.set(name, numbersOf(part, type, dims));
        }
        count(
          group.map(({ name, byteLength: length }) => [name, length]),
          file,
        );
      }
      return read;
    },

    /** A matrix in parts of whole rows: yields { first, tensor }, of which the numbers are there until the next. */
    async *rows(name) {
      const { file, type, dims, byteOffset, byteLength } = entries.get(name);
      const [height, width] = dims.slice(-2);
      const rowBytes = byteLength / height;
      const most = Math.max(1, Math.floor(mostRowsAtOnce / rowBytes));
      for (let first = 0; first < height; first += most) {
        memory.clear();
        const rows = Math.min(most, height - first);
        const bytes = await bytesOf(file, byteOffset + first * rowBytes, rows * rowBytes);
        count([[`${name} ${first}`, bytes.length]], file);
        yield { first, tensor: numbersOf(bytes, type, [rows, width]) };
      }
    },
  };
}
