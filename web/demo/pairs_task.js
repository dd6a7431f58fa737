// The reader's own task: lines "what it reads = what it writes", learned character by character.

const maxLines = 200;
const maxCharacters = 24; // on either side
const mark = '<s>'; // begins and ends what is written

/** Lines for a start: small letters become capitals, which words that it never saw show too. */
export const firstPairs = [
  'tea cup house bird moon tree river stone window garden',
  'quick brown fox jumps over lazy dog',
]
  .join(' ')
  .split(' ')
  .map((word) => `${word} = ${word.toUpperCase()}`)
  .join('\n');

/** [what it reads, what it writes] of each line that is not empty; throws a sentence. */
export function readPairs(text) {
  const lines = text.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const pairs = lines.filter(({ line }) => line !== '').map(readLine);
  if (pairs.length === 0) throw new Error('Write lines such as “tea = TEA”');
  if (pairs.length > maxLines) {
    throw new Error(`There are ${pairs.length} lines, at most ${maxLines} can be learned`);
  }
  return pairs;
}

function readLine({ line, number }) {
  const at = line.indexOf('=');
  const sides = [line.slice(0, at), line.slice(at + 1)].map((side) => [...side.trim()]);
  if (at < 0 || sides.some(({ length }) => length === 0)) {
    throw new Error(`Line ${number} is not of the form “tea = TEA”`);
  }
  if (sides.some(({ length }) => length > maxCharacters)) {
    throw new Error(`Line ${number} has more than ${maxCharacters} characters on a side`);
  }
  return sides;
}

/** A task as in web/tasks/tasks.js, whose rows are all trained on. */
export function pairsTask(text) {
  const pairs = readPairs(text);
  const tokens = [mark, ...[...new Set(pairs.flat(2))].sort()];
  const idsOf = (side) => side.map((character) => tokens.indexOf(character));
  const rows = pairs.map((sides) => {
    const [ids, written] = sides.map(idsOf);
    return { ids, targets: [...written, 0], decoderIds: [0, ...written] };
  });
  const context = Math.max(...rows.flatMap(({ ids, targets }) => [ids.length, targets.length]));
  return {
    tokens,
    sizes: { kind: 'encoder-decoder', context },
    rows,
    row: (random) => rows[Math.floor(random() * rows.length)],
  };
}
