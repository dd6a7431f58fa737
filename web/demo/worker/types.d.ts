// Types of the worker: sources of vectors, requests, and what is computed for them.

import type { AttentionApi, AttentionOptions, Tensor } from 'attention-wasm';
import type {
  CaptureRequest,
  LoadedModel,
  ModelDescription,
  ModelResult,
  StackName,
} from 'attention-wasm/models';
import type { Translator } from 'attention-wasm/translator';
import type { State } from '../state/types';
import type {
  DrawnReading,
  Effect,
  InsideRun,
  Label,
  ModelReading,
  NextWords,
  NoReading,
  Part,
  Picture,
  Projection,
  Reading,
  Source,
  Stage,
  Stages,
  SweepPlan,
  TextWindow,
} from '../types';
import type { rulesOf } from './models/image_input.js';
import type { Keeping, ModelFrom, OpenFiles, OpenModel, Progress, Swept } from './messages';

/** A module of sources/: what the page shows of a source, and its functions. */
export interface SourceModule extends Source {
  /** Links, words and heads of its readings can be blocked. */
  canBlock?: boolean;
  read(question: SourceQuestion, context: ReadingContext): Promise<Reading>;
  /** Opens a file or a model; rejects with a sentence. */
  open?(file: File | ModelFrom, context: OpeningContext): Promise<OpenFiles | OpenModel>;
  /** Closes a file, or the model. */
  close?(id?: number): Promise<OpenFiles | OpenModel>;
  /** Cancels opening. */
  cancel?(): Promise<void>;
  /** Stores, lists or removes models for the next visit. */
  keep?(what: Keeping, context: OpeningContext): Promise<OpenFiles | OpenModel>;
  /** Log probabilities with one set of blocks after another: models/measured_translation.js. */
  measure?(question: MeasuredQuestion, context: MeasuringContext): Promise<{ why?: string } | void>;
}

/** A source that opens files or models; which of the functions it has, the page knows. */
export type OpeningSource = SourceModule &
  Required<Pick<SourceModule, 'open' | 'close' | 'cancel' | 'keep'>>;

export type MeasurableSource = SourceModule & Required<Pick<SourceModule, 'measure'>>;

/** What is asked of a source: the texts, and the settings that change its vectors. Equal questions have equal readings. */
export interface SourceQuestion {
  mode: State['mode'];
  first: string;
  second: string;
  heads: number;
  positions: boolean;
  /** Prefix of a translation. */
  begin?: string;
  /** What is blocked. */
  block?: string;
  /** Names of the files that the address tells of. */
  file?: string;
  /** The model that the address names. */
  model?: string;
  /** Index in the batch that the files have. */
  example?: number;
  /** Index of the first token of a long text that is read. */
  from?: number;
}

export type ReportedProgress = Pick<Progress, 'text' | 'fraction' | 'isLoading'>;

export interface OpeningContext {
  api: AttentionApi;
  /** To be awaited between steps of long work; rejects when the work is no longer wanted. */
  step(): Promise<void>;
  report(progress: ReportedProgress): unknown;
}

export interface ReadingContext extends OpeningContext {
  signal?: AbortSignal;
  /** A partial reading is shown. */
  report(progress: ReportedProgress & { reading?: Reading }): unknown;
}

export interface MeasuredQuestion {
  request: SourceQuestion;
  reading: ModelReading;
  /** The selected token. */
  row: number;
  /** Two words whose logits are compared. */
  difference?: [string, string];
  /** What is blocked, and the same with each cell in turn. */
  now: string;
  blocks: string[];
}

export interface MeasuringContext extends OpeningContext {
  signal?: AbortSignal;
  begin(plan: Omit<SweepPlan, 'over' | 'cells'>): void;
  /** ln p of each target in the next run. */
  add(logProbabilities: ArrayLike<number>): void;
  tell(message: Swept): void;
}

/** Context of a request; `files`: count of files opened and closed, with which the same text may have other vectors. */
export interface RequestContext {
  api: AttentionApi;
  signal: AbortSignal;
  step(): Promise<void>;
  files: number;
}

/** A request for a picture; equal keys have the same answer. */
export interface PictureRequest extends RequestContext {
  id: number;
  state: State;
  source: SourceModule;
  question: SourceQuestion;
  key: string;
}

/** Labels of the rows and columns of a part. */
export interface Labels {
  rows: Label[];
  columns: Label[];
}

/** Options of a library call for a part. */
export interface CallOptions {
  scale: number;
  softcap?: number;
  causal?: boolean;
  window?: readonly [number | null, number | null];
}

/** Result of the library for a part; given weights have no output. Stages are heads × rows × columns each. */
export interface Computed {
  options: AttentionOptions;
  stages: Stages;
  /** heads × rows × numbers. */
  output?: Float32Array;
  /** v W_O of each head and column, once a run has returned it, and the norms ‖α v W_O‖. */
  transformed?: Tensor;
  moved?: Float32Array;
}

/** What is computed for a request, and drawn of it. */
export interface Computation {
  request: PictureRequest;
  part: Part;
  labels: Labels;
  reading: DrawnReading;
  besideReading?: DrawnReading;
  computed: Computed;
  stages: Stages;
  key: string;
}

/** A reading without tokens. */
export type EmptyComputation = Pick<Computation, 'request'> & { labels: null } & (
    { reading: NoReading; part: null } | { reading: DrawnReading; part: Part }
  );

/** A picture, or the parts of one, of single tokens in the order of the text. */
export interface Unarranged {
  rows: Label[];
  columns: Label[];
  segments?: readonly number[];
  heads: number;
  stages: { [name in Stage]?: Float32Array };
  hidden: Uint8Array | null;
  blocked?: Uint8Array;
}

/** The picture of a part before it is arranged. */
export type WholePicture = Omit<Picture, keyof Tokens>;

/** Tokens of each row and column. */
export interface Tokens {
  rowTokens: number[][];
  columnTokens: number[][];
}

/** Settings of arrange(). */
export type Arrangement = Pick<State, 'hideSpecial' | 'merge' | 'pair' | 'sort' | 'row'>;

/** Labels and tokens of the picture, which is transferred to the page. */
export type Drawn = Pick<Picture, 'rows' | 'columns' | 'rowTokens' | 'columnTokens' | 'average'>;

// ---- models ------------------------------------------------------------------------------------------

/** A model that readings are made of: the built-in one, or the reader's. */
export interface OpenedModel {
  /** Of the reader's model. */
  id?: number;
  name?: string;
  model: LoadedModel;
  description: ModelDescription;
  texts: Texts;
  /** Its logits are over the vocabulary. */
  isNaming: boolean;
  /** Its logits are over classes of the whole text. */
  isClassifier?: boolean;
  /** Mask token. */
  mask?: string;
  /** First id of the decoder's input, and ids that end a text. */
  decoderStart?: number;
  ends?: (number | undefined)[];
  /** Preprocessing of images, and the image that it looks at. */
  rules?: ReturnType<typeof rulesOf>;
  pixels?: Tensor;
  /** Of a model whose weights are in memory. */
  known?: KnownWeights;
}

export interface BuiltInModel extends OpenedModel {
  translator: Translator;
}

/** Texts of a model: its tokens, what it writes, and its likeliest words. */
export interface Texts {
  /** The model is small: what it has written so far is shown with its attention. */
  isQuick: boolean;
  /** Likeliest words come from the logits of the run. */
  usesLogits: boolean;
  /** Language that it writes. */
  lang?: string;
  /** A text of the encoder, or of the only stack. */
  read(given: string, role: 'encoder' | 'only', from?: number): ReadText | NoText;
  /** The reason why a text cannot be written, or the reader's own not be used; '' if there is none. */
  whyNot?(own: string): string;
  /** The reader's own text for the decoder. */
  own(given: string): WrittenText;
  /** Writes token by token; null where the text so far is not shown. */
  write(
    read: ReadText,
    begin: string,
    block: string,
  ): AsyncGenerator<{ text: string; written?: WrittenText } | null, WrittenText, void>;
  /** What it wrote for the same text with nothing blocked, if it is known sooner than by writing. */
  former?(read: ReadText, begin: string): Promise<WrittenText>;
  /** Notes on a reading, and on its parts. */
  notes(read: ReadText, written: WrittenText): { note: string; cross?: string; decoder?: string };
  nextWords(
    read: ReadText,
    written: WrittenText,
    run: { block?: string; result: ModelResult; unblocked?: () => Promise<ModelResult> },
  ): ModelReading['nextWords'];
  /** Effect of what is blocked on the reader's own text, or on what the model writes for a text that it reads. */
  effect?(read: ReadText, block: string, own?: WrittenText): Effect | null;
}

/** A text as the model reads it. */
export interface ReadText {
  /** What of the given text is read. */
  given: string;
  /** The text that positions of labels refer to. */
  text: string;
  input: { ids: number[]; typeIds?: number[] };
  labels: Label[];
  cut: string;
  window?: TextWindow;
  /** It has no tokens but special ones, which are not drawn. */
  isEmpty?: boolean;
  /** A note about the text. */
  note?: string;
  /** A prompt that the model puts before the text. */
  prompt?: string;
  /** Separator of two texts that are read as a pair. */
  end?: string;
}

/** The reason why there is no text, as a sentence; undefined for an empty one. */
export interface NoText {
  why: string | undefined;
  labels?: undefined;
}

/** A text of the decoder. */
export interface WrittenText {
  text: string;
  /** The reader's own text as it was given. */
  given?: string;
  /** Tokens that the rows write, and those that the decoder reads. */
  rows: Label[];
  before: Label[];
  decoderIds: number[];
  /** Ids of the rows; of the last none, if its end is not known. */
  writes: (number | undefined)[];
  /** The last row is the end of the text. */
  hasEnd: boolean;
  cut: string;
}

/** What follows from the weights of a model: inputs of the projections, W_O, and norms. */
export interface KnownWeights {
  /** What a run has to capture for fieldsOf(). */
  captures(stacks: ('encoder' | 'decoder')[]): CaptureRequest[];
  fieldsOf(
    kind: StackName,
    layer: number,
    result: ModelResult,
  ): { x: { rows: Tensor; columns: Tensor }; projection: () => Projection };
  norm: NonNullable<InsideRun['norm']>;
}
