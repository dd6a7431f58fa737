// Corpus BLEU-4, case-sensitive, with several references: Papineni et al., "BLEU: a Method for Automatic Evaluation of
// Machine Translation" (2002).

const longest = 4;

/** Tokens: letters with a following apostrophe, digits, any other character alone. */
const words = (text) => text.match(/\p{L}+['’]?|\p{N}+|[^\p{L}\p{N}\s]/gu) ?? [];

function countRuns(tokens, length) {
  const counts = new Map();
  for (let n = 0; n + length <= tokens.length; n++) {
    const run = tokens.slice(n, n + length).join(' ');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

/** 0 to 100. translations: texts; references: for each one a list of texts. */
export function corpusBleu(translations, references) {
  const found = new Array(longest).fill(0);
  const possible = new Array(longest).fill(0);
  let length = 0;
  let referenceLength = 0;
  translations.forEach((translation, n) => {
    const tokens = words(translation);
    const others = references[n].map(words);
    length += tokens.length;
    // The closest in length; of two as close the shorter.
    referenceLength += others
      .map((other) => other.length)
      .sort((a, b) => Math.abs(a - tokens.length) - Math.abs(b - tokens.length) || a - b)[0];
    for (let size = 1; size <= longest; size++) {
      const limits = others.map((other) => countRuns(other, size));
      for (const [run, count] of countRuns(tokens, size)) {
        const most = Math.max(...limits.map((limit) => limit.get(run) ?? 0));
        found[size - 1] += Math.min(count, most);
      }
      possible[size - 1] += Math.max(0, tokens.length - size + 1);
    }
  });
  if (found.some((count) => count === 0)) return 0;
  const precision =
    found.reduce((sum, count, n) => sum + Math.log(count / possible[n]), 0) / longest;
  return 100 * Math.exp(precision + Math.min(0, 1 - referenceLength / length));
}
