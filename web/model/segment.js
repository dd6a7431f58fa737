// Text as token ids, for training: as the tokenizer that ships does it, or with some of the words of a sentence
// cut otherwise. Source: Provilkov, Emelianenko & Voita, "BPE-Dropout: Simple and Effective Subword
// Regularization" (2020).
import { createTokenizer } from './byte_pairs.js';

/** @param {object} description a tokenizer.json */
export function createSegmenter(description) {
  const tokenizer = createTokenizer(description);
  const { vocab, merges } = description.model;
  const ranks = new Map(merges.map((pair, rank) => [pair.join('\n'), rank]));
  const known = new Map();
  const idsOf = (piece) => {
    if (!known.has(piece)) known.set(piece, bytesOrTokens(merged(piece, ranks), vocab));
    return known.get(piece);
  };

  /**
   * The ids of a text; a share of its words are put together from pieces with some merges left out.
   * onWord(word, position of its first id) is called for each word.
   */
  return function segment(text, random, share = 0, onWord = undefined) {
    const ids = [];
    for (const piece of tokenizer.pre_tokenizer(tokenizer.normalizer(text))) {
      const cut = share > 0 && random() < share;
      const pieceIds = cut
        ? bytesOrTokens(merged(piece, ranks, random, 0.25), vocab)
        : idsOf(piece);
      onWord?.(piece.replace(/^[^\p{L}\p{N}]+/u, ''), ids.length);
      for (const id of pieceIds) ids.push(id);
    }
    return ids;
  };
}

function merged(piece, ranks, random, leftOut = 0) {
  let symbols = [...piece];
  for (;;) {
    let best = -1;
    let least = Infinity;
    for (let n = 1; n < symbols.length; n++) {
      const rank = ranks.get(`${symbols[n - 1]}\n${symbols[n]}`);
      if (rank === undefined || rank >= least || (leftOut > 0 && random() < leftOut)) continue;
      [best, least] = [n, rank];
    }
    if (best < 0) return symbols;
    const pair = `${symbols[best - 1]}\n${symbols[best]}`;
    const next = [];
    for (let n = 0; n < symbols.length; n++) {
      const found = n + 1 < symbols.length && `${symbols[n]}\n${symbols[n + 1]}` === pair;
      next.push(found ? symbols[n] + symbols[++n] : symbols[n]);
    }
    symbols = next;
  }
}

const byteName = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

const bytesOrTokens = (symbols, vocab) =>
  symbols.flatMap(
    (symbol) => vocab[symbol] ?? [...Buffer.from(symbol)].map((byte) => vocab[byteName(byte)]),
  );
