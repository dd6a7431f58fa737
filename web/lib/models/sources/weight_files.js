// Tensors of one safetensors file or several shards, read on demand. A file is { name, source }, where the source is a
// Blob or a FileHandle of Node.js. Adjacent tensors are read in one request.
import { openSafetensors } from '../../safetensors.js';
import { byteRanges } from '../../safetensors/byte_ranges.js';
import { quoted } from '../../safetensors/malformed.js';
import { isHtmlBytes } from './file_text.js';
import { fillFromStream } from './fill_from_stream.js';

const maxReadBytes = 2 ** 25; // max bytes of a request, unless a single tensor is larger
const maxBlockBytes = 2 ** 22; // max bytes of a block of rows

const typedArrays = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  int8: Int8Array,
};

/** The kind of a file that is not safetensors, from its first bytes; undefined if unknown. */
async function describeOtherKind(source) {
  const { size, read } = await byteRanges(source);
  const bytes = await read(0, Math.min(size, 64));
  const text = String.fromCharCode(...bytes).trimStart();
  if (isHtmlBytes(bytes)) return 'an HTML page, not safetensors';
  if (text.startsWith('version https://git-lfs')) return 'a Git LFS pointer, not the file itself';
  if (text.startsWith('PK') || bytes[0] === 0x80) {
    return 'a PyTorch pickle, which can run programs and is not read; save_pretrained() writes safetensors';
  }
  return undefined;
}

async function open({ name, source }) {
  try {
    return await openSafetensors(source);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const kind = await describeOtherKind(source);
    throw new RangeError(kind ? `${name} is ${kind}` : `${name}: ${cause.message}`, { cause });
  }
}

/** Groups of adjacent tensors of one file, each read in one request. */
function groupAdjacent(entries) {
  const groups = [];
  const sorted = [...entries].sort((a, b) => a.order - b.order || a.byteOffset - b.byteOffset);
  for (const entry of sorted) {
    const group = groups.at(-1);
    const first = group?.[0];
    const last = group?.at(-1);
    const isNext =
      last?.file === entry.file &&
      last.byteOffset + last.byteLength === entry.byteOffset &&
      entry.byteOffset + entry.byteLength - first.byteOffset <= maxReadBytes;
    if (group && isNext) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Bytes as numbers of a type; copied if they are not aligned. */
function numbersOf(bytes, type, dims) {
  const TypedArray = typedArrays[type];
  const isAligned = bytes.byteOffset % TypedArray.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? bytes : bytes.slice();
  return {
    data: new TypedArray(buffer, byteOffset, byteLength / TypedArray.BYTES_PER_ELEMENT),
    dims,
    type,
  };
}

/** Reads a range of bytes, into `memory` if possible. */
async function readInto(source, begin, end, memory) {
  const range = memory && source.slice?.(begin, end);
  if (typeof range?.stream !== 'function')
    return (await byteRanges(source)).read(begin, end, memory);
  const bytes = await fillFromStream(await range.stream(), memory);
  if (bytes.length === end - begin) return bytes;
  throw new RangeError(`a file returned ${bytes.length} bytes, expected ${end - begin}`);
}

/** Joins each int8 tensor with its scales NAME.scales, which are removed from the entries. */
function joinScales(entries) {
  for (const [name, entry] of entries) {
    const scales = entries.get(`${name}.scales`);
    if (entry.type !== 'int8' || scales?.type !== 'float32') continue;
    entries.delete(scales.name);
    Object.assign(entry, { scales, scaleCount: scales.byteLength / 4 });
  }
}

/** A reusable buffer: clear() releases all of it and grows it to the size requested since the last clear(). */
function reusableBuffer() {
  let bytes = new Uint8Array(0);
  let requested = 0;
  return {
    clear() {
      if (requested > bytes.length) bytes = new Uint8Array(requested);
      requested = 0;
    },
    /** A range of the buffer, or undefined if it is too small. */
    take(length) {
      const begin = requested;
      requested += Math.ceil(length / 8) * 8;
      return requested > bytes.length ? undefined : bytes.subarray(begin, begin + length);
    },
  };
}

/**
 * Opens weights. The metadata of a file that safetensors' save_model() wrote names tensors that were left out because
 * another one shares their memory: { name left out: name in the file }. Such a tensor has both names here; `names` are those
 * of the files.
 *
 * @param {{ name: string, source: object }[]} files
 * @param {(progress: { loaded: number, total: number, file: string }) => void} report
 * @param {AbortSignal} [signal]
 */
export async function openWeights(files, report, signal) {
  const entries = new Map();
  const otherNames = [];
  for (const [order, file] of files.entries()) {
    const opened = await open(file);
    otherNames.push(...opened.metadata);
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
  joinScales(entries);
  const names = [...entries.keys()];
  for (const [other, name] of otherNames) {
    if (entries.has(other) || !names.includes(name)) continue;
    entries.set(other, { ...entries.get(name), name: other });
  }
  const counted = new Set();
  const memory = reusableBuffer();
  let loaded = 0;

  async function bytesOf({ source }, begin, length) {
    signal?.throwIfAborted();
    const bytes = await readInto(source, begin, begin + length, memory.take(length));
    signal?.throwIfAborted();
    return bytes;
  }

  /** Reports progress; bytes read again do not count. */
  function count(ranges, file) {
    for (const [key, length] of ranges) {
      if (counted.has(key)) continue;
      counted.add(key);
      loaded += length;
    }
    report({ loaded, total, file: file.name });
  }

  /** A copy of the row scales of an int8 tensor. */
  async function scalesOf({ name, file, type, dims, byteOffset, byteLength }) {
    memory.clear();
    const bytes = await bytesOf(file, byteOffset, byteLength);
    count([[name, byteLength]], file);
    return numbersOf(bytes, type, dims).data.slice();
  }

  return {
    names,
    has: (name) => entries.has(name),
    describe: (name) => entries.get(name),

    /** A Map of the named tensors; their data is valid until the next read. */
    async read(names) {
      const read = new Map();
      memory.clear();
      const tensors = Array.from(new Set(names), (name) => entries.get(name));
      for (const group of groupAdjacent(tensors.flatMap((one) => [one, one.scales ?? []].flat()))) {
        const [{ file, byteOffset: begin }] = group;
        const { byteOffset, byteLength } = group.at(-1);
        const bytes = await bytesOf(file, begin, byteOffset + byteLength - begin);
        for (const { name, type, dims, ...range } of group) {
          const tensorBytes = bytes.subarray(
            range.byteOffset - begin,
            range.byteOffset - begin + range.byteLength,
          );
          read.set(name, numbersOf(tensorBytes, type, dims));
        }
        count(
          group.map(({ name, byteLength: length }) => [name, length]),
          file,
        );
      }
      for (const { name, scales } of tensors) {
        if (!scales) continue;
        read.get(name).scales = read.get(scales.name).data;
        read.delete(scales.name);
      }
      return read;
    },

    /** Yields a matrix in blocks of rows { first, tensor }; the data is valid until the next block. */
    async *rows(name) {
      const { file, type, dims, byteOffset, byteLength, scales } = entries.get(name);
      const rowScales = scales && (await scalesOf(scales));
      const [height, width] = dims.slice(-2);
      const rowBytes = byteLength / height;
      const maxRows = Math.max(1, Math.floor(maxBlockBytes / rowBytes));
      for (let first = 0; first < height; first += maxRows) {
        memory.clear();
        const rows = Math.min(maxRows, height - first);
        const bytes = await bytesOf(file, byteOffset + first * rowBytes, rows * rowBytes);
        count([[`${name} ${first}`, bytes.length]], file);
        const tensor = numbersOf(bytes, type, [rows, width]);
        if (rowScales) tensor.scales = rowScales.subarray(first, first + rows);
        yield { first, tensor };
      }
    },
  };
}
