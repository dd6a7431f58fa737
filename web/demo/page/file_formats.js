// Formats of the reader's files, as paragraphs: loaded when the list is unfolded.

import { element } from './element.js';

// Text in braces is code, between asterisks strong.
const formats = [
  '*Queries, keys and values, or weights*: rows × numbers, with heads before them, or layers before those; at most 512 rows and columns.',
  '*JSON* (.json) and *safetensors* (.safetensors) have them by name: {query}, {key}, {value} or {weights}, and their words as {tokens}, or {rows} and {columns}: a name for each; without them rows and columns are numbered, and the text above the map can name them. This page’s own JSON is fine.',
  '*NumPy* (.npy) has one array; the file’s name says which: {q.npy}, {k.npy}, {v.npy}, {weights.npy}.',
  'Files stay on your machine. Word vectors and projections are those of a model, which opens as {Your model}.',
];

const inner = (part) => part.slice(1, -1);

function partOf(part) {
  if (part.startsWith('{')) return element('code', {}, inner(part));
  return part.startsWith('*') ? element('strong', {}, inner(part)) : part;
}

export const formatParagraphs = () =>
  formats.map((text) => element('p', {}, text.split(/(\{[^}]+\}|\*[^*]+\*)/).map(partOf)));
