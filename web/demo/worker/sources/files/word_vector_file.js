// Word vectors as text: GloVe (.txt), word2vec and fastText (.vec). Each line is a word and its numbers, separated by
// spaces; an optional first line has the count of words and of numbers. Only the position of each line is stored;
// numbers are read from the file when needed.

const space = 32;
const newline = 10;
const longestLine = 1 << 20;

class NotWordVectors extends Error {}

/**
 * Scans the file once. Resolves to { dim, count, vector(word) → Promise<Float32Array | null> }, or rejects with a
 * message that names the line.
 */
export async function openWordVectors(file, { step, report }) {
  const places = new Map(); // word → [begin of its numbers, end]
  const decoder = new TextDecoder();
  let dim = 0;
  let line = 0;
  let read = 0;
  let rest = new Uint8Array(0);

  const take = (bytes, begin) => {
    ++line;
    let end = bytes.length;
    while (end > 0 && (bytes[end - 1] === space || bytes[end - 1] === 13)) --end;
    if (end === 0) return;
    const spaces = [];
    for (let at = 0; at < end; ++at) {
      if (bytes[at] === space || bytes[at] === 9) spaces.push(at);
    }
    if (
      line === 1 &&
      spaces.length === 1 &&
      /^\d+\s+\d+$/.test(decoder.decode(bytes.subarray(0, end)))
    ) {
      return; // count of words, count of numbers
    }
    if (dim === 0) dim = firstLineOf(decoder.decode(bytes.subarray(0, end)), line);
    const cut = spaces[spaces.length - dim];
    if (!(cut > 0)) {
      throw new NotWordVectors(
        `line ${line} has a word and ${spaces.length} numbers, where the first word has ${dim}`,
      );
    }
    const word = decoder.decode(bytes.subarray(0, cut));
    if (!places.has(word)) places.set(word, [begin + cut + 1, begin + end]);
  };

  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (read === 0) refuseBinary(value);
    let from = 0;
    for (let at = value.indexOf(newline); at >= 0; at = value.indexOf(newline, from)) {
      const part = value.subarray(from, at);
      take(rest.length > 0 ? joined(rest, part) : part, read + from - rest.length);
      rest = new Uint8Array(0);
      from = at + 1;
    }
    rest = joined(rest, value.subarray(from));
    if (rest.length > longestLine) {
      throw new NotWordVectors(`line ${line + 1} is longer than a word and its numbers can be`);
    }
    read += value.length;
    report({ text: `Reading ${file.name}`, fraction: read / file.size });
    await step();
  }
  if (rest.length > 0) take(rest, read - rest.length);
  if (places.size === 0) throw new NotWordVectors('it has no line with a word and its numbers');

  return { dim, count: places.size, vector };

  async function vector(word) {
    const place = places.get(word) ?? places.get(word.toLowerCase());
    if (!place) return null;
    const text = await file.slice(...place).text();
    const numbers = Float32Array.from(text.trim().split(/\s+/), Number);
    if (numbers.length !== dim) {
      throw new NotWordVectors(
        `number ${numbers.length + 1} of “${word}” is missing: the first word has ${dim}`,
      );
    }
    const bad = numbers.findIndex((number) => !Number.isFinite(number));
    if (bad >= 0) {
      throw new NotWordVectors(
        `number ${bad + 1} of “${word}” is “${text.trim().split(/\s+/)[bad]}”`,
      );
    }
    return numbers;
  }
}

function firstLineOf(text, line) {
  const fields = text.split(/[ \t]+/);
  const dim = fields.length - 1;
  if (dim >= 2 && fields.slice(1).every((field) => Number.isFinite(Number(field)))) return dim;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new NotWordVectors(
    `line ${line} should be a word and its numbers, separated by spaces, but is “${shown}”`,
  );
}

function refuseBinary(bytes) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw new NotWordVectors('it is packed with gzip; unpack it and drop the text inside');
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw new NotWordVectors('it is a zip archive; unpack it and drop the text inside');
  }
  if (bytes.subarray(0, 4096).includes(0)) {
    throw new NotWordVectors('it is binary; the text form of word2vec is needed, one word a line');
  }
}

function joined(one, other) {
  if (one.length === 0) return other.slice();
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
