// Fields of a message of Protocol Buffers (protobuf.dev/programming-guides/encoding). Values are not copied and messages
// inside it are not read, so nothing is larger than the file and nothing is nested.

const maxVarintBytes = 10;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {string} name
   */
  constructor(bytes, name) {
    this.bytes = bytes;
    this.name = name;
    this.at = 0;
  }

  /**
   * @param {string} problem
   * @returns {never}
   */
  refuse(problem) {
    throw new RangeError(`${this.name} ${problem}`);
  }

  /** The next `length` bytes. */
  take(length) {
    const left = this.bytes.length - this.at;
    if (length > left) {
      this.refuse(
        `has ${left} bytes after byte ${this.at}, where a field of ${length} bytes begins`,
      );
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** A varint as { low: its lowest 32 bits, signed, size: its value, exact below 2^53 }. */
  varint() {
    let low = 0;
    let size = 0;
    for (let n = 0; n < maxVarintBytes; n++) {
      const [byte] = this.take(1);
      const bits = byte & 0x7f;
      if (n < 5) low |= bits << (7 * n);
      size += bits * 2 ** (7 * n);
      if (byte < 0x80) return { low, size };
    }
    return this.refuse(`has an integer of more than ${maxVarintBytes} bytes at byte ${this.at}`);
  }
}

/**
 * The value of each kind on the wire: integers are numbers, others bytes.
 *
 * @type {[number, (reader: Reader) => number | Uint8Array][]}
 */
const readers = [
  [0, (reader) => reader.varint().low],
  [1, (reader) => reader.take(8)],
  [2, (reader) => reader.take(reader.varint().size)],
  [5, (reader) => reader.take(4)],
];
const kinds = new Map(readers);

/**
 * Calls visit(number of the field, value) for each field of a message.
 *
 * @param {Uint8Array} bytes
 * @param {string} name of the message, for errors
 * @param {Function} visit
 */
export function forEachField(bytes, name, visit) {
  const reader = new Reader(bytes, name);
  while (reader.at < bytes.length) {
    const start = reader.at;
    const { size: key } = reader.varint();
    const kind = kinds.get(key % 8);
    const number = Math.floor(key / 8);
    if (!kind || number === 0) reader.refuse(`has no valid field at byte ${start}`);
    else visit(number, kind(reader));
  }
}

/**
 * The fields of a message with the values that it has. fields: { number: [name, read] }, read(value, label) checks and
 * converts a value. Of repeated fields the last one counts; fields of other numbers are left out.
 */
export function readMessage(bytes, name, fields) {
  const values = {};
  forEachField(bytes, name, (number, value) => {
    const [field, read] = fields[number] ?? [];
    if (field) values[field] = read(value, `'${field}' of ${name}`);
  });
  return values;
}

const isBytes = (value) => typeof value !== 'number';

export function integer(value, label) {
  if (isBytes(value)) throw new RangeError(`${label} must be an integer, found bytes`);
  return value;
}

export const flag = (value, label) => integer(value, label) !== 0;

export function bytes(value, label) {
  if (!isBytes(value)) throw new RangeError(`${label} must be bytes, found ${value}`);
  return value;
}

export function float(value, label) {
  if (!isBytes(value) || value.length !== 4) {
    throw new RangeError(`${label} must be a float of 4 bytes`);
  }
  const { buffer, byteOffset } = value;
  const number = new DataView(buffer, byteOffset, 4).getFloat32(0, true);
  if (Number.isFinite(number)) return number;
  throw new RangeError(`${label} must be a finite number, found ${number}`);
}

export function text(value, label) {
  const encoded = bytes(value, label);
  try {
    return decoder.decode(encoded);
  } catch (cause) {
    throw new RangeError(`${label} must be UTF-8`, { cause });
  }
}
