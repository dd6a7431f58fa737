// Types of the worker: sources of vectors, requests, and what is computed for them.

import type { AttentionApi, AttentionOptions, Tensor } from 'attention-wasm';
import type { State } from '../state/types';
import type { Label, Part, Picture, Reading, Source, Stage, Stages, SweepPlan } from '../types';
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
  /** Log probabilities with one set of blocks after another: measured_model.js. */
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
  reading: Reading;
  /** The selected token. */
  row: number;
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
  reading: Reading;
  besideReading?: Reading;
  computed: Computed;
  stages: Stages;
  key: string;
}

/** A reading without tokens. */
export type EmptyComputation = Pick<Computation, 'request' | 'part' | 'reading'> & { labels: null };

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
