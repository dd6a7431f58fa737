// Types of the page and its worker.

import type { AttentionApi, AttentionOptions, Tensor } from 'attention-wasm';
import type {
  LayerDescription,
  LoadedModel,
  ModelInput,
  RunOptions,
  StackDescription,
} from 'attention-wasm/models';
import type { NextWord } from 'attention-wasm/translator';

export type Mode = 'self' | 'cross' | 'learn';

/** A token of a text: a word or a piece of one. */
export interface Label {
  text: string;
  /** Index of its word in the text: pieces of one word share it; null for the column of hidden tokens. */
  word: number | null;
  /** Punctuation, or a special token such as </s>. */
  special: boolean;
  /** Position in the text; null for a token outside it. */
  start: number | null;
  end: number | null;
}

/** An attention over a text: a layer of a model, a rollout of its layers, or the only one of other sources. */
export type Part = VectorPart | WeightPart | RolloutPart;

interface PartFields {
  id: string;
  name: string;
  heads: number;
  /** Default of the setting "only backwards" (causal). */
  causal: boolean;
  /** Labels and texts where they differ from the reading's. */
  rows?: Label[];
  columns?: Label[];
  texts?: [string, string];
  /** Rows and columns are one sequence with different labels. */
  ordered?: boolean;
  /** A note about this part. */
  note?: string;
}

/** Weights are computed from vectors. Tensors are heads × tokens × numbers. */
export interface VectorPart extends PartFields {
  kind: 'vectors';
  query: Tensor;
  key: Tensor;
  value: Tensor;
  /** Default scale of q·k. */
  scale: number;
  /** Softcap of scores, of a model that has one. */
  softcap?: number;
  /** Default window. */
  window?: readonly [number | null, number | null];
  /** Position bias added to the scores, heads × rows × columns, and the origin of each number. */
  bias?: Tensor;
  biasAt?(head: number, row: number, column: number): PositionBias;
  /** Pairs blocked by the reader, heads × rows × columns, which `bias` has at −∞; heads that are switched off. */
  blocked?: Uint8Array;
  off?: number[];
  /** With something blocked: the position bias without it. */
  ownBias?: Tensor;
  /** Input vectors before the projections, tokens × numbers. */
  x?: { rows: Tensor; columns: Tensor } | null;
  /** Output projection: W_O (in × out) and b_O. */
  projection?: () => Projection;
  /** Runs the reader's model to return v W_O of each head and column, heads × columns × width. */
  transformed?(): Promise<Tensor>;
}

/** Weights are given, heads × rows × columns. */
export interface WeightPart extends PartFields {
  kind: 'weights';
  weights: Tensor;
}

export interface RolloutPart extends PartFields {
  kind: 'rollout';
  layers: VectorPart[];
  /** Computed on first use (compute/rolled_out.js). */
  rolledOut?: RolledOut;
}

export interface RolledOut {
  /** 1 × n × n. */
  weights: Tensor;
  /** What the weights are in a caption, and in a note. */
  made: string;
  note: string;
  /** As in PlainReading. */
  fixed: string;
  overruled: Record<string, string>;
}

/** A linear map as x · weight + bias, weight being in × out. */
export interface Projection {
  weight: Tensor;
  bias: Float32Array;
}

/** Position bias of a score, by the distance from the row's token to the column's. */
export interface PositionBias {
  number: number;
  distance: number;
  /** Of T5: name of the table in the file, and its row. */
  name?: string;
  bucket?: number;
  /** Of ALiBi: the head's slope. */
  slope?: number;
  /** Of DeBERTa: terms that the number is the sum of, by hook point. */
  terms?: { name: string; number: number }[];
}

/** Tokens of a long text that were read: the index of the first, and of the next after them, null at the end. */
export interface TextWindow {
  from: number;
  next: number | null;
}

/** Result of a source for the texts. */
export type Reading = NoReading | DrawnReading;

/** Vectors or weights for the texts. */
export type DrawnReading = PlainReading | ModelReading;

/** No tokens: nothing is drawn. */
export interface NoReading {
  kind: 'none';
  rows: never[];
  columns: never[];
  parts: never[];
  /** The reason, as a sentence; undefined where there is no text yet. */
  why?: string;
  blocks?: SaidBlock[];
}

interface ReadingFields {
  rows: Label[];
  columns: Label[];
  parts: Part[];
  /** Texts that positions of labels refer to, if they differ from the requested ones. */
  texts?: string[];
  /** What was read of a text that is longer than the limit, and the limit, as a sentence; else ''. */
  cut?: string;
  /** The same in numbers, of a text that can be read from any token on. */
  read?: TextWindow;
  /** A note about the vectors. */
  note?: string;
}

/** Vectors from spelling, or what files have. */
export interface PlainReading extends ReadingFields {
  kind: 'plain';
  /** Weights come from a file: a sentence naming it. */
  fixed?: string;
  /** Settings that a file determines: control id → reason. */
  overruled?: Record<string, string>;
  /** Number of examples in the batch of a file. */
  examples?: number;
}

/** A run of a model. Links, words and heads can be blocked. */
export interface ModelReading extends ReadingFields {
  kind: 'model';
  /** Id of the reader's model. */
  from?: number;
  /** Text that the model wrote, or was given, for the decoder. */
  translation?: string;
  /** A partial result. */
  unfinished?: boolean;
  /** For a pair of texts in one sequence: the text of each token, 0 or 1. */
  segments?: readonly number[];
  /** For an image: rows and columns of patches, after the first token. */
  grid?: [number, number];
  /** Logits of classes, or of each token. */
  classes?: Tensor;
  logits?: Tensor;
  /** Most likely words for, or after, the tokens from `row` to `last`. */
  nextWords?(row: number, last: number): Promise<NextWords>;
  /** What is blocked. */
  blocks?: SaidBlock[];
  /** With something blocked: the same text with nothing blocked, and what the model writes. */
  unedited?(): ModelReading | Promise<ModelReading>;
  /** Rows of the text that was written with nothing blocked. */
  formerRows?: Label[];
  effect?(): Effect | null | Promise<Effect | null>;
  /** Input of the run, tokens of each stack, and the ids that the rows write. */
  inputs?: { input: ModelInput; counts: Record<string, number>; written?: (number | undefined)[] };
  /** Scores of the heads of a decoder in one sequence of random tokens. */
  headScores?(sequence: number): Promise<HeadScores>;
  /** The model, with the input of this reading. */
  inside?(api: AttentionApi): Promise<InsideRun>;
  /** The unedited reading with its rollouts, once it was compared with. */
  before?: Promise<ModelReading>;
}

/** What is blocked, as text of the state, as a sentence, and without its layers and heads. */
export interface SaidBlock {
  item: string;
  says: string;
  what: string;
}

/** A model that can capture, and a run of it. */
export interface InsideRun {
  model: LoadedModel;
  input: ModelInput;
  blocked: RunOptions;
  /** Its logits name words. */
  isNaming: boolean;
  /** Output of a norm for a vector; of the trained model. */
  norm?(stack: string, layer: number, name: string): (x: Float32Array) => Float32Array;
}

/** For each pattern layers × heads, the mean weight of the rows that can have it; `length`: of the repeated sequence. */
export interface HeadScores {
  length: number;
  scores: Record<string, { data: Float32Array; dims: number[] }>;
}

/** What a sweep measures, before its runs. */
export interface SweepPlan {
  over: 'heads' | 'words';
  cells: SweepCell[];
  /** Words, tokens or a class whose probability is measured. */
  targets: SweepTarget[];
  /** Name of all targets together; '' where they are not one text. */
  whole: string;
  /** The text of the targets, if it is not in the picture. */
  written?: string;
  /** The text is long: only the target of the row that was selected. */
  isPartial?: boolean;
  /** The target is a word in place of another one: p is its probability if there were these two alone. */
  versus?: string;
  /** ln p of each target before; of two words the difference of their logits. */
  logProbabilities: ArrayLike<number>;
}

/** A head, or a word with its tokens, that is taken away in a run. */
export type SweepCell = {
  text: string;
  block: string;
  /** It is blocked already. */ isBlocked?: boolean;
} & (
  | { part: string; head: number; columns?: undefined }
  | { columns: number[]; part?: undefined; head?: undefined }
);

/** `tokens`: its rows in the picture; `label`: its name in a list. */
export interface SweepTarget {
  text: string;
  label: string;
  tokens: number[];
}

/** The block of one layer at one position, and the logit lens there. */
export interface Inside {
  /** That of the part, and the stack with the block. */
  kind: string;
  stack: string;
  layer: number;
  layers: number;
  row: number;
  /** The token whose vector it is, and in a decoder with cross-attention the one that is written next. */
  token: string;
  written?: string;
  facts: BlockFacts;
  /** Captured, or sums of captured ones; norms of the trained model only. */
  vectors: Record<'x' | 'attention' | 'forward' | 'y', Float32Array> &
    Partial<Record<InsideName, Float32Array>>;
  lens: { why: string } | { words: boolean; layers: LikelyToken[][] };
}

/** What the layer computes, from the model's description. */
export type BlockFacts = Pick<
  StackDescription,
  'parallel' | 'norm' | 'epsilon' | 'normBias' | 'normOffset' | 'finalNorm' | 'residualScale'
> &
  Pick<LayerDescription, 'norms'>;

export type InsideName =
  'cross' | 'first' | 'between' | 'sum' | 'last' | 'normed' | 'crossNormed' | 'forwardNormed';

/** What a model writes before and with something blocked. */
export type Effect =
  | { kind: 'written'; was: string; now: string; lang?: string }
  /** Probability of the reader's own text. */
  | { kind: 'own'; was: number; now: number }
  /** Most likely tokens or classes, likeliest first; `at`: the position of the tokens, in words. */
  | { kind: 'likeliest'; was: LikelyToken[]; now: LikelyToken[]; at?: string };

export interface LikelyToken {
  text: string;
  probability: number;
}

/** Most likely words at one position of a text. */
export interface NextWords {
  /**
   * Position of the words: of the row's token, which is being written; after it; or instead of it, in a complete text.
   */
  kind: 'written' | 'follows' | 'fits';
  text: string;
  /** The text before them. */
  before: string;
  /** `begin`: the text that ends with the word; `isOwn`: the word in the current text. */
  words: (NextWord & { isOwn: boolean; was?: number })[];
  lang?: string;
  /** In a complete text: the row to select next, and the text with a mask instead of the token. */
  row?: number;
  own?: string;
  masked?: string;
}

/**
 * A stage of the computation; 'difference': weights minus those of softmax (other kinds only); 'moved': ‖α v W_O‖ (of
 * models).
 */
export type Stage = 'raw' | 'scaled' | 'masked' | 'weights' | 'moved' | 'difference';

/** Given weights have no other stages. */
export type Stages = { weights: Float32Array } & Partial<Record<Stage, Float32Array>>;

/** A part arranged for drawing: tokens may be hidden, merged or sorted. */
export interface Picture {
  part: string;
  name: string;
  rows: Label[];
  columns: Label[];
  /** Tokens of each row and column. */
  rowTokens: number[][];
  columnTokens: number[][];
  /** Number of matrices; 1 for the average. */
  heads: number;
  average: boolean;
  oneSequence: boolean;
  /** For a pair of texts: the text of each token, 0 or 1. */
  segments?: readonly number[];
  /** Stages, heads × rows × columns each. */
  stages: Stages;
  /** Mask, rows × columns: 1 for a column hidden from its row. */
  hidden: Uint8Array | null;
  /** Pairs that the reader has blocked, heads × rows × columns. */
  blocked?: Uint8Array;
  /** Heads that are switched off. */
  off?: number[];
  /** Role of each head. */
  roles?: (HeadRole | null)[];
  /** All heads of all parts, for the heads view. */
  thumbnails: Thumbnail[];
  /** The alternative, for the comparison. */
  beside?: Beside;
}

/** Mean shares of a row's weight: on its own word, on its neighbors, on special tokens, and on its largest column. */
export interface HeadShares {
  itself?: number;
  previous?: number;
  next?: number;
  marks?: number;
  sharpest: number;
}

/** Shares of each head of the trained model's parts, by part, averaged over fixed sentences. */
export type ReferenceShares = Record<string, HeadShares[]>;

/** Role of a head, derived from its weights alone. */
export interface HeadRole {
  /** 'itself', 'previous word', 'mostly one word per row', 'mostly “word”', or 'spread out'. */
  says: string;
  /** 'largest' if the share is that of each row's largest weight and is small. */
  of?: string;
  /** Mean share of a row's weight in this text; null if no row can have it. */
  share: number | null;
  /** The same over the fixed sentences of worker/compute/reference_shares.js, for heads of the built-in model. */
  general?: number;
  /** Entropy in bits, and effective number of columns, 2^entropy, averaged over the rows. */
  entropy: number;
  spread: number;
  /** Distance in `unit`s, averaged over the weights; null between two texts. */
  distance: number | null;
  unit: 'word' | 'token';
}

/** The same rows and columns with one setting or the text changed. */
export interface Beside {
  what: 'text' | 'scale' | 'kind' | 'part' | 'head' | 'was';
  value: string;
  /** The head to draw, and the number of heads. */
  head: number;
  heads: number;
  stages: Stages;
  hidden: Uint8Array | null;
  blocked?: Uint8Array;
  options: AttentionOptions;
  /** Parts available for the comparison. */
  parts: string[];
  /** For another text: the words of its rows and columns (null where it has none), and its rows' tokens. */
  rows?: (Label | null)[];
  columns?: (Label | null)[];
  rowTokens?: number[][];
  /** For another text: both texts, and its translation, as in Facts. */
  texts?: [string, string];
  translation?: string;
}

/** Mean weights of a head by the token they are on; null where no row can have it. */
export interface PatternScores {
  previous: number | null;
  /** The first token and marks together. */
  first: number | null;
  /** The row's own token, and others with its text. */
  same: number | null;
}

/** A small picture of a head. */
export interface Thumbnail {
  part: string;
  name: string;
  head: number;
  /** Size of its matrix, and of the pooled matrix that is drawn (worker/compute/pooled.js). */
  rows: number;
  columns: number;
  cells: [number, number];
  weights: Float32Array;
  role: HeadRole | null;
  /** Effective number of columns, 2^entropy, averaged over the rows; null if weights are negative. */
  spread: number | null;
  /** Also its entropy in bits; null if weights are negative. */
  scores: (PatternScores & { spread: number }) | null;
  /** Names of its rows and columns. */
  words?: { rows: string[]; columns: string[] };
  /** Whether it is switched off; for heads of a model. */
  off?: boolean;
}

/** Facts about a reading besides its picture. */
export interface Facts {
  /** Id of the current part. */
  part: string;
  parts: { id: string; name: string; heads: number }[];
  causal: boolean;
  keyDim?: number;
  /** Length of an input vector. */
  dim?: number;
  /** Number of rows and columns. */
  counts: [number, number];
  /** Texts that positions of labels refer to. */
  texts: [string, string];
  /** Requested texts. */
  requestedTexts: [string, string];
  /** Options of the library call. */
  options: AttentionOptions;
  note: string;
  fixed?: string;
  /** What the weights are, if they are neither those of an attention nor from a file. */
  made?: string;
  /** If fused kernels were wanted: true if they ran, false if the browser has none. */
  fused?: boolean;
  overruled?: Record<string, string>;
  cut: string;
  read?: TextWindow;
  translation?: string;
  unfinished: boolean;
  from?: number;
  why?: string;
  grid?: [number, number];
  /** True if nextWords is supported. */
  hasNext: boolean;
  /** True if two texts are one sequence (a pair). */
  isPair: boolean;
  /** Number of examples in the batch of a file. */
  examples: number;
  /** True if the stage 'moved' is supported. */
  canMove: boolean;
  /** True if scores of the heads can be measured. */
  hasScores: boolean;
  /** True if the block of this part's layer can be shown. */
  hasInside: boolean;
  /** True if the part has a position bias of its own. */
  hasBias: boolean;
  /** What is blocked, and true if this changes the mask of the part. */
  blocks?: SaidBlock[];
  /** With something blocked: the rows, as they are drawn, of the text that the model wrote before. */
  formerRows?: Label[];
  isMasked: boolean;
  /** True if it is the prerendered picture. */
  isPrerendered?: boolean;
  /** Next words of the row that the page opens with, in the prerendered picture. */
  next?: NextWords;
}

/** Pairs of tokens behind a cell of the picture. */
export interface Pieces {
  /** Labels of the cell's row and column, and their numbers of tokens. */
  query: string;
  key: string;
  rows: number;
  columns: number;
  /** Numbers of the cell as in the picture; given weights have no score. */
  weight: number;
  score?: number;
  moved?: number;
  /** Weight of the cell in each head. */
  heads: number[];
  /** Pairs in the inspected head, strongest first; `row` and `column` are tokens. */
  pairs: {
    row: number;
    column: number;
    query: string;
    key: string;
    weight: number;
    score?: number;
  }[];
}

/** The computation of one weight of one head: slices of the library's inputs and results. */
export interface Inspection {
  /** Labels of the two tokens. */
  place: { head: number; row: number; column: number };
  /** The request; unless `isPiece`, `place` is the strongest pair of the requested cell. */
  request: { head: number; row: number; column: number; isPiece: boolean };
  pieces: Pieces;
  kind: string;
  options: AttentionOptions;
  row: string;
  columns: string[];
  x: { row: Float32Array; column: Float32Array } | null;
  query: Float32Array;
  key: Float32Array;
  /** All values of the head, columns × numbers. */
  values: Float32Array;
  /** Bias of the score. */
  bias?: PositionBias;
  /** The row at every stage. */
  stages: Stages;
  output: Float32Array;
  /** v W_O of the column's token in the head, if known. */
  transformed?: Float32Array | Float64Array;
  /** Concatenated heads of the row, and `result` = joined · weight + bias; only for the trained model. */
  together?: Projection & { joined: Float32Array; result: Float32Array };
}

/** Content of the tour, made by worker/tour/lesson.js. Tensors are heads × rows × numbers. */
export interface Lesson {
  /** The English sentence, its translation, and the decoder's input at each word of the translation. */
  words: string[];
  french: string[];
  written: string[];
  /** Embedding table E: its size, ids and rows of the words, and the rows around each. */
  table: {
    size: number;
    dim: number;
    ids: number[];
    rows: Tensor;
    windows: { first: number; rows: Tensor }[];
  };
  /** x = norm(factor · rows + waves); `weight` and `bias` are those of the norm. */
  places: Record<'rows' | 'waves' | 'sum' | 'x', Tensor> & {
    factor: number;
    weight: Float32Array;
    bias: Float32Array;
  };
  /** Number of the cross-attention layer, from 1. */
  layers: { cross: number };
  encoder: LessonAttention;
  decoder: LessonAttention;
  cross: LessonAttention;
  /** Initial selection. */
  start: { row: number; column: number; head: number; alignedHead: number };
}

/** The tour's blocked link: its item of the state, and what the model does with it. */
export interface BlockedLink {
  block: string;
  /** Of one cross-attention with the former translation, heads × rows × columns. */
  weights: Float32Array;
  scores: Float32Array;
  /** Likeliest words in the place of the link's row, now and before. */
  words: NextWords['words'];
  effect: Effect;
}

export interface LessonAttention {
  heads: number;
  keyDim: number;
  scale: number;
  x: { rows: Tensor; columns: Tensor };
  projections: Record<'query' | 'key' | 'value' | 'output', Projection>;
  query: Tensor;
  key: Tensor;
  value: Tensor;
  raw: Tensor;
  scaled: Tensor;
  masked: Tensor;
  weights: Tensor;
  weightsUnscaled: Tensor;
  weightsUnmasked: Tensor;
  /** Concatenated heads, and their product with W_O: rows × numbers. */
  outputs: Tensor;
  output: Tensor;
}

/** A source of vectors, as worker/sources/source_list.js describes its module. */
export interface Source {
  id: string;
  name: string;
  says: string;
  /** Note on the vectors, for the page's “About”. */
  meaning: string;
  /** Controls of the source. */
  settings: ('heads' | 'positions' | 'files' | 'model')[];
  fields?: Partial<Record<Mode | 'encoder' | 'decoder', string[]>>;
  /** The first of a mode is its initial text. */
  examples: Example[];
}

export interface Example {
  mode: Mode;
  name: string;
  lang: string;
  first: string;
  second?: string;
  /** A text to compare with. */
  other?: string;
  /** Word selected first. */
  read: string;
}
