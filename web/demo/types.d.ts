// The nouns of the page: what the worker makes of two texts, and what it sends to be drawn.

import type { AttentionOptions, Tensor } from 'attention-wasm';
import type { NextWord } from 'attention-wasm/translator';

export type Mode = 'self' | 'cross' | 'lookup';

/** A token of a text: a word, or a piece of one. */
export interface Label {
  text: string;
  /** Which word of the text it belongs to: pieces of one word have the same number. */
  word: number;
  /** Punctuation, or a mark such as </s>. */
  special: boolean;
  /** Where it stands in its text; null for one that is not in it. */
  start: number | null;
  end: number | null;
}

/**
 * One attention over a text: a layer of the model, or all there is. Tensors are heads × tokens × numbers; of weights
 * that were given, `weights` is all there is.
 */
export interface Part {
  id: string;
  name: string;
  heads: number;
  /** Whether it looks only backwards unless the reader says otherwise. */
  causal: boolean;
  /** What q·k is multiplied by unless the reader says otherwise. */
  scale?: number;
  /** What the heads' outputs, end to end, are multiplied with: W_O, in × out, and b_O. */
  projection?: () => { weight: Tensor; bias: Float32Array };
  /** The vectors before they are projected, tokens × numbers. */
  x?: { rows: Tensor; columns: Tensor } | null;
  query?: Tensor;
  key?: Tensor;
  value?: Tensor;
  /** heads × rows × columns. */
  weights?: Tensor;
  /** What is added to each score, heads × rows × columns, and where a number of it comes from. */
  bias?: Tensor;
  biasAt?(head: number, row: number, column: number): LearntNumber;
  /** Where they are its own and not the reading's. */
  rows?: Label[];
  columns?: Label[];
  texts?: [string, string];
  /** Rows and columns are one sequence, though not the same labels. */
  ordered?: boolean;
  /** How far it sees unless the reader says otherwise. */
  window?: [number | null, number | null];
  /** Where the weights are given: as in a reading. */
  fixed?: string;
  overruled?: Record<string, string>;
}

/** A number that a model adds to a score: of a table by how far the column's token stands behind the row's. */
export interface LearntNumber {
  number: number;
  distance: number;
  /** The table's name in the file, and the row in it. */
  name: string;
  bucket: number;
}

/** What a source makes of the texts. */
export interface Reading {
  rows: Label[];
  columns: Label[];
  parts: Part[];
  /** What the labels stand in, if it is not what was asked. */
  texts?: string[];
  /** There was more text than is shown. */
  cut?: boolean;
  /** A sentence about the vectors. */
  note?: string;
  /** What the source wrote into the empty text. */
  translation?: string;
  /** Weights that were given and not computed: the sentence that says whose. */
  fixed?: string;
  /** Controls that a file decides instead, by their ids: why. */
  overruled?: Record<string, string>;
  /** More will come. */
  unfinished?: boolean;
  /** Which of several models. */
  from?: number;
  /** Why there is nothing to be seen. */
  why?: string;
  /** Of a picture: how many rows and columns of patches its tokens are, after the first. */
  grid?: [number, number];
  /** The words that may stand where the tokens from `row` to `last` do, or behind them, as the library tells them. */
  nextWords?(row: number, last: number): NextWords;
}

/** What may stand at one place of a text. */
export interface NextWords {
  /** In the place of a row's token, which is being written; behind it; or in its place, in a text that is there. */
  kind: 'written' | 'follows' | 'fits';
  text: string;
  /** The text up to there. */
  before: string;
  /** `begin`: the text with it; `isOwn`: it stands there. */
  words: (NextWord & { isOwn: boolean })[];
  lang?: string;
  /** Of a text that is there: the row to go on with, and the text with a mask in the place of the token. */
  row?: number;
  own?: string;
  masked?: string;
}

/** A stage of the computation; 'difference' is weights less those of softmax, for the other kinds. */
export type Stage = 'raw' | 'scaled' | 'masked' | 'weights' | 'difference';

/** Of weights that were given, there are no others. */
export type Stages = { weights: Float32Array } & Partial<Record<Stage, Float32Array>>;

/** A part as it is drawn: rows and columns may be left out, merged or sorted. */
export interface Picture {
  part: string;
  name: string;
  rows: Label[];
  columns: Label[];
  /** Which tokens of the part each row and column stands for. */
  rowTokens: number[][];
  columnTokens: number[][];
  /** How many matrices there are; 1 for the average. */
  heads: number;
  average: boolean;
  oneSequence: boolean;
  /** heads × rows × columns each. */
  stages: Stages;
  /** rows × columns, 1 for a column that its row may not see. */
  hidden: Uint8Array | null;
  /** What each head does. */
  roles?: (HeadRole | null)[];
  /** Every head of every part, for the view of all heads. */
  thumbnails: Thumbnail[];
  /** For the view that compares. */
  beside?: Beside;
}

/** What a head does, as far as its weights say it. */
export interface HeadRole {
  /** 'itself', 'previous word', 'one word each', the column that all look at, or 'spread, largest'. */
  says: string;
  /** The mean share of a row's weight that made it; of the last two, the mean of the largest of each row. */
  share: number;
  /** In bits, the mean over the rows. */
  entropy: number;
  /** In tokens or words, the mean over all weight; null between two texts. */
  distance: number | null;
}

/** The same rows and columns with one thing otherwise. */
export interface Beside {
  what: 'scale' | 'kind' | 'part' | 'head';
  value: string;
  /** The head to be drawn, and how many there are. */
  head: number;
  heads: number;
  stages: Stages;
  hidden: Uint8Array | null;
  options: AttentionOptions;
  /** The parts that could stand beside it. */
  parts: string[];
}

export interface Thumbnail {
  part: string;
  name: string;
  head: number;
  rows: number;
  columns: number;
  weights: Float32Array;
  role: HeadRole | null;
}

/** What is known about a reading besides its picture. */
export interface Facts {
  /** The part that is shown. */
  part: string;
  parts: { id: string; name: string; heads: number }[];
  causal: boolean;
  keyDim?: number;
  /** The length of a word's vector. */
  dim?: number;
  /** How many rows and columns there are. */
  counts: [number, number];
  /** As they were read: labels stand in these. */
  texts: [string, string];
  /** As they were asked for. */
  asked: [string, string];
  /** The options of the library's call. */
  options: AttentionOptions;
  note: string;
  fixed?: string;
  overruled?: Record<string, string>;
  cut: boolean;
  translation?: string;
  unfinished: boolean;
  from?: number;
  why?: string;
  grid?: [number, number];
  /** Whether nextWords can be asked for. */
  hasNext: boolean;
  /** It came with the page, before anything was computed. */
  isReadyMade?: boolean;
}

/** Everything behind one weight, of one head: rows of the tensors that the library was given and gave back. */
export interface Inspection {
  /** Of the tokens. */
  place: { head: number; row: number; column: number };
  kind: string;
  options: AttentionOptions;
  row: string;
  columns: string[];
  x: { row: Float32Array; column: Float32Array } | null;
  query: Float32Array;
  key: Float32Array;
  /** All values of the head, columns × numbers. */
  values: Float32Array;
  /** What is added to the score. */
  bias?: LearntNumber;
  /** The row at every stage. */
  stages: Stages;
  output: Float32Array;
  /** The row's outputs of all heads end to end, and `result` = joined · weight + bias; of the trained model. */
  together?: { joined: Float32Array; weight: Tensor; bias: Float32Array; result: Float32Array };
}

/** What the tour shows; worker/tour/lesson.js makes it. Tensors are heads × rows × numbers. */
export interface Lesson {
  /** The English sentence, its translation, and what had been written before each word of that. */
  words: string[];
  french: string[];
  written: string[];
  /** E: how long and how wide it is, the words' numbers and rows, and the rows around each. */
  table: {
    size: number;
    dim: number;
    ids: number[];
    rows: Tensor;
    windows: { first: number; rows: Tensor }[];
  };
  /** x = norm(factor · rows + waves), whose size and shift are `weight` and `bias`. */
  places: Record<'rows' | 'waves' | 'sum' | 'x', Tensor> & {
    factor: number;
    weight: Float32Array;
    bias: Float32Array;
  };
  /** Which layer looks across, counted from 1. */
  layers: { cross: number };
  encoder: LessonAttention;
  decoder: LessonAttention;
  cross: LessonAttention;
  /** What is shown first. */
  start: { row: number; column: number; head: number; alignedHead: number };
}

export interface LessonAttention {
  heads: number;
  keyDim: number;
  scale: number;
  x: { rows: Tensor; columns: Tensor };
  projections: Record<'query' | 'key' | 'value' | 'output', { weight: Tensor; bias: Float32Array }>;
  query: Tensor;
  key: Tensor;
  value: Tensor;
  raw: Tensor;
  scaled: Tensor;
  masked: Tensor;
  weights: Tensor;
  weightsUnscaled: Tensor;
  weightsUnmasked: Tensor;
  /** Of all heads end to end, and that times W_O: rows × numbers. */
  outputs: Tensor;
  output: Tensor;
}

/** A source of vectors: worker/sources/source_list.js says what its module exports. */
export interface Source {
  id: string;
  name: string;
  says: string;
  meaning: string;
  settings: ('heads' | 'positions' | 'files' | 'model')[];
  fields?: Partial<Record<Mode | 'encoder' | 'decoder', string[]>>;
  examples: Example[];
}

export interface Example {
  mode: Mode;
  name: string;
  lang: string;
  first: string;
  second?: string;
  /** The word to start with. */
  read: string;
}
