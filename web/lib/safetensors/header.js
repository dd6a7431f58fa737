// Reads the header of a file and checks the rules of the format: the bytes of the tensors must fill the data without
// gaps, and the length of each must match its dims.
import { elementOfDtype } from './element_types.js';
import { malformed, quoted, spell } from './malformed.js';
import { parseJson } from './strict_json.js';

/** Bytes before the header: its length, an unsigned 64-bit integer, lowest byte first. */
export const lengthBytes = 8;
/** Maximum length of a header in bytes. */
export const maxHeaderBytes = 100_000_000;

/** The length of the header, from the first bytes of a file of fileLength bytes. */
export function readHeaderLength(first, fileLength) {
  if (fileLength < lengthBytes) {
    throw malformed(
      `it has ${fileLength} bytes, and the length of the header alone takes ${lengthBytes}`,
    );
  }
  const { buffer, byteOffset } = first;
  const length = new DataView(buffer, byteOffset, lengthBytes).getBigUint64(0, true);
  if (length > maxHeaderBytes) {
    throw malformed(
      `its first 8 bytes give the header ${length} bytes, more than ${maxHeaderBytes}`,
    );
  }
  const available = fileLength - lengthBytes;
  if (length > available) {
    throw malformed(
      `its first 8 bytes give the header ${length} bytes, but only ${available} follow`,
    );
  }
  return Number(length);
}

/**
 * The metadata, and the tensors { name, element, dims, begin, end } in the order of their bytes;
 * begin and end count from the end of the header.
 */
export function readHeader(bytes, fileLength) {
  const text = decode(bytes);
  if (text[0] !== '{') {
    throw malformed(`the header must begin with '{', found ${quoted(text.slice(0, 12))}`);
  }
  let metadata = new Map();
  const tensors = [];
  for (const [name, value] of parseJson(text)) {
    if (name === '__metadata__') metadata = readMetadata(value);
    else tensors.push(readEntry(name, value));
  }
  tensors.sort((a, b) => a.begin - b.begin || a.end - b.end);
  checkLayout(tensors, fileLength - lengthBytes - bytes.length);
  return { metadata, tensors };
}

function decode(bytes) {
  try {
    // ignoreBOM: a byte order mark stays in the text, and is refused like anything else before '{'.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('the header is not UTF-8');
  }
}

function readMetadata(value) {
  if (value === null) return new Map();
  if (!(value instanceof Map)) {
    throw malformed(`__metadata__ must be an object of strings, found ${spell(value)}`);
  }
  for (const [name, text] of value) {
    if (typeof text === 'string') continue;
    throw malformed(`__metadata__ ${quoted(name)} must be a string, found ${spell(text)}`);
  }
  return value;
}

function readEntry(name, value) {
  const which = `tensor ${quoted(name)}`;
  if (!(value instanceof Map)) {
    const fields = 'dtype, shape and data_offsets';
    throw malformed(`${which} must be an object with ${fields}, found ${spell(value)}`);
  }
  const dtype = value.get('dtype');
  const element = elementOfDtype.get(dtype);
  if (!element) {
    const known = [...elementOfDtype.keys()].join(', ');
    throw malformed(`the dtype of ${which} must be one of ${known}; found ${spell(dtype)}`);
  }
  const dims = readIntegers(`the shape of ${which}`, value.get('shape'));
  const offsets = readIntegers(`the data_offsets of ${which}`, value.get('data_offsets'));
  if (offsets.length !== 2) {
    throw malformed(`the data_offsets of ${which} must be [begin, end], found ${spell(offsets)}`);
  }
  const [begin, end] = offsets;
  if (begin > end) {
    throw malformed(`the data_offsets ${spell(offsets)} of ${which} end before they begin`);
  }
  const needed = byteLength(which, element, dims);
  if (end - begin !== needed) {
    throw malformed(
      `${which}, ${spell(dims)} of ${dtype}, takes ${needed} bytes, ` +
        `but its data_offsets ${spell(offsets)} span ${end - begin}`,
    );
  }
  return { name, element, dims, begin, end };
}

function readIntegers(what, value) {
  if (!Array.isArray(value) || !value.every((item) => Number.isSafeInteger(item))) {
    throw malformed(`${what} must be a list of whole numbers below 2^53, found ${spell(value)}`);
  }
  return value;
}

function byteLength(which, { dtype, bits }, dims) {
  // Multiplied in order, as in the reference: an overflow before a dim of 0 is refused too.
  const total = dims.reduce((product, dim) => {
    if (product * dim <= Number.MAX_SAFE_INTEGER) return product * dim;
    throw malformed(`the shape ${spell(dims)} of ${which} has more than 2^53 elements`);
  }, 1);
  const bytes = (total / 8) * bits; // in this order, as the count of bits may be beyond 2^53
  if (bytes > Number.MAX_SAFE_INTEGER) {
    throw malformed(`the shape ${spell(dims)} of ${which} takes more than 2^53 bytes`);
  }
  if (!Number.isInteger(bytes)) {
    const found = `${spell(dims)} of ${dtype} takes ${total * bits} bits`;
    throw malformed(`${which} must fill its last byte, but ${found}`);
  }
  return bytes;
}

function checkLayout(tensors, dataLength) {
  let expected = 0;
  let before = 'the data begins';
  for (const { name, begin, end } of tensors) {
    const which = `tensor ${quoted(name)}`;
    if (begin !== expected) {
      const wrong = begin < expected ? 'they overlap' : 'the bytes between belong to no tensor';
      throw malformed(`${which} begins at byte ${begin}, but ${before} at ${expected}: ${wrong}`);
    }
    expected = end;
    before = `${which} ends`;
  }
  if (expected !== dataLength) {
    throw malformed(
      `${before} at byte ${expected}, but the data after the header has ${dataLength} bytes`,
    );
  }
}
