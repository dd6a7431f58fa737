// Formats of the reader's files, as paragraphs: loaded when the list is unfolded.

import { element } from './element.js';

// Text in braces is code, between asterisks strong.
const formats = [
  '*Word vectors* (.txt, .vec): one word a line, then its numbers, with spaces between: {tea 0.12 −0.5 0.3}. A first line with two numbers, as word2vec writes it, is fine.',
  '*Projections* (.safetensors): {W_Q}, {W_K}, {W_V} for q = x·W_Q, or as models have them: {q_proj.weight}, {query.weight}, {in_proj_weight}, {c_attn.weight}, {query_key_value.weight}, behind any prefix; heads of queries may share those of keys and values. Heads: {heads} in the metadata, or a config.json.',
  '*Queries, keys, values, or weights* (.npy, .csv, .json): rows × numbers, with heads before them, or layers before those. The name says which: {q.npy}, {k.npy}, {v.npy}, {weights.csv}. JSON has them by name; this page’s own is fine.',
  'Files stay on your machine. One is enough.',
];

const inner = (part) => part.slice(1, -1);

function partOf(part) {
  if (part.startsWith('{')) return element('code', {}, inner(part));
  return part.startsWith('*') ? element('strong', {}, inner(part)) : part;
}

export const formatParagraphs = () =>
  formats.map((text) => element('p', {}, text.split(/(\{[^}]+\}|\*[^*]+\*)/).map(partOf)));
