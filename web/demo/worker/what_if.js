// Blocked links, words and heads of a reading: its parts with the pairs masked, and a sentence for each block.

import { visibleText } from 'attention-wasm/heatmap';
import { tokenName } from '../token_name.js';
import {
  blockedPairs,
  isHead,
  isOff,
  isWord,
  placeOfPart,
  readBlocks,
  writeBlock,
} from '../blocks.js';

/** The reading with the pairs masked in its parts, and `blocks`: SaidBlocks. */
export function markBlocks(reading, text) {
  const blocks = readBlocks(text);
  if (reading.kind === 'plain') return reading;
  return {
    ...reading,
    parts: reading.parts.map((part) => marked(part, reading, blocks)),
    blocks: blocks.map((block) => {
      const { what, where } = saysOf(block, reading);
      return { item: writeBlock(block), what, says: where ? `${what} (${where})` : what };
    }),
  };
}

const labelsOf = (part, reading) => [part.rows ?? reading.rows, part.columns ?? reading.columns];

function marked(part, reading, blocks) {
  const [rows, columns] = labelsOf(part, reading).map(({ length }) => length);
  const pairs = blockedPairs(blocks, part, rows, columns);
  const place = placeOfPart(part.id);
  const off = Array.from({ length: part.heads }, (_, head) => head).filter((head) =>
    isOff(blocks, { ...place, head }),
  );
  if (!pairs && off.length === 0) return part;
  const own = { off, ownBias: part.bias };
  if (pairs)
    Object.assign(own, {
      blocked: pairs,
      bias: masked(part.bias, pairs, [part.heads, rows, columns]),
    });
  // Tensors of a part may be computed on first use.
  return Object.create(part, Object.getOwnPropertyDescriptors(own));
}

/** A position bias with −∞ for blocked pairs. */
function masked(bias, pairs, dims) {
  const data = bias ? bias.data.slice() : new Float32Array(pairs.length);
  pairs.forEach((isBlocked, at) => isBlocked && (data[at] = -Infinity));
  return { data, dims };
}

// ---- words -----------------------------------------------------------------------------------------

const names = { encoder: 'encoder', decoder: 'decoder', cross: 'cross-attention', self: '' };

/** What a block takes away, and in which layers and heads; '' for a word, which is hidden in all of them. */
function saysOf(block, reading) {
  const { stack, layer, head, rows, columns } = block;
  const where = [
    names[stack],
    layer === undefined ? (rows ? 'all layers' : '') : `layer ${layer + 1}`,
    head === undefined ? (layer === undefined ? '' : 'all heads') : `head ${head + 1}`,
  ]
    .filter(Boolean)
    .join(', ');
  if (isHead(block)) return { what: 'Head switched off', where };
  const part = reading.parts.find(({ id }) => placeOfPart(id).stack === stack);
  if (!part) {
    const what = isWord(block) ? 'A word of another text hidden' : 'A link of another text blocked';
    return { what, where: '' };
  }
  const [rowLabels, columnLabels] = labelsOf(part, reading);
  const key = wordOf(columns, columnLabels);
  const others = reading.grid ? 'patches' : 'words';
  if (isWord(block)) return { what: `${key} hidden from all other ${others}`, where: '' };
  return { what: `${queryOf(rows, rowLabels, reading)} blocked from ${key}`, where };
}

/** The word of a row; in a text that is now another, also the word that was there. */
function queryOf(tokens, labels, { rows, formerRows }) {
  const now = wordOf(tokens, labels);
  if (!formerRows || labels !== rows) return now;
  const was = wordOf(tokens, formerRows);
  return was === now ? now : `${was}, now ${now},`;
}

function wordOf(tokens, labels) {
  const found = tokens.map((token) => labels[token]).filter(Boolean);
  if (found.length === 0) return 'a word that is not written';
  if (found.length > 1 && found.every(({ special }) => special)) return 'marks';
  const isNew = (label, at) =>
    at === 0 || label.start === null || label.start !== found[at - 1].start;
  const texts = found.filter(isNew).map(({ text }) => text);
  return `“${visibleText(tokenName(texts.join('')))}”`;
}
