// The worker as the page calls it, and the types of its questions and answers.

import type { AttentionOptions, Tensor } from 'attention-wasm';
import type { Answer, InspectedPlace, State, SweepQuestion } from '../state/types';
import type { Lookup } from '../state_fields.js';
import type {
  BlockedLink,
  Effect,
  HeadScores,
  Inside,
  Inspection,
  Label,
  Lesson,
  Mode,
  NextWords,
  VectorPart,
  SweepPlan,
} from '../types';

/**
 * Methods of the worker: a question, and functions for what is reported before the result. They reject with an error
 * whose message is part of a sentence.
 */
export interface PageWorker {
  /** Shows a state: its pictures, of which the last is whole. A newer call ends it at its next step, without a result. */
  show(
    state: State,
    on: { shown(answer: Shown): void; progress(progress: Progress): void },
  ): Promise<void>;
  /** Ends show() at its next step, without a result. */
  stop(): Promise<void>;
  /** The computation behind a weight of the picture; null while there is none. */
  inspect(place: InspectedPlace): Promise<{ inspection: Inspection | null } | null>;
  /** Words for, or after, the tokens from `token` to `last` of a row; `isOther`: of the text beside. */
  nextWords(place: WordPlace): Promise<NextWords | Nothing<NextWords>>;
  /** The whole block of the current layer at a token. */
  inside(row: number): Promise<Inside>;
  /** Scores of the open model's heads in one sequence. */
  headScores(sequence: number): Promise<HeadScores | undefined>;
  /** What the blocks change in what the model writes; null for a model that writes nothing. */
  effect(): Promise<Effect | null>;
  /** Where the text beside differs most; null where it differs nowhere. */
  difference(): Promise<Difference | null>;
  /** What each head or word changes. A newer call ends it at its next step; null measures nothing. */
  sweep(
    question: SweepQuestion | null,
    on: { swept(step: Swept): void; progress(progress: Progress): void },
  ): Promise<void>;
  /** Query, key, value, options and tokens of the current part. */
  tensors(): Promise<SavedTensors | null>;
  /** Opens a file or a model. */
  open(
    what: { source: string; file: File | ModelFrom },
    on: { progress(progress: Progress): void },
  ): Promise<Opened>;
  /** `file`: id of an open file; of a model none. */
  close(what: { source: string; file?: number }): Promise<Opened>;
  /** Stores, lists or removes models for the next visit. */
  keep(
    what: { source: string; what: Keeping },
    on: { progress(progress: Progress): void },
  ): Promise<Opened>;
  /** Cancels the opening of a source. */
  cancel(source: string): Promise<void>;
  /** Answers a question of the tour. */
  tour<Asked extends TourQuestion>(question: Asked): Promise<TourAnswers[Asked['about']]>;
}

// ---- messages of a call, in calls.js ---------------------------------------------------------------

export type CallName = keyof PageWorker;
export type Question<Name extends CallName> = Parameters<PageWorker[Name]>[0];
export type Result<Name extends CallName> = Awaited<ReturnType<PageWorker[Name]>>;

/** The worker's methods, which may have a result at once. */
export type Methods = {
  [Name in CallName]: (
    question: Question<Name>,
    on: Parameters<PageWorker[Name]>[1],
  ) => Result<Name> | Promise<Result<Name>>;
};

/** Functions by the names of events. */
export interface Events {
  [event: string]: { call(value: object): void }['call'];
}

/** A message to the worker. */
export interface Call {
  type: CallName;
  id: number;
  question: unknown;
  /** Names of the events that the page listens to. */
  events: string[];
}

/** A message from the worker: an event, or the end of a call. */
export interface CallMessage {
  type: string;
  id: number;
  result?: unknown;
  message?: string;
}

/** A call without its end. */
export interface PendingCall {
  on: Events;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

// ---- questions -------------------------------------------------------------------------------------

/** The model of a folder's files, of an address, or of a place where it is kept; or a picture for the open one. */
export interface ModelFrom {
  files?: { path: string; file: File }[];
  address?: string;
  kept?: string;
  picture?: File;
  weights?: 'as stored' | 'int8';
}

export type Keeping =
  { act: 'list' } | { act: 'keep' } | { act: 'remove'; place: string; name: string };

export interface WordPlace {
  token: number;
  last: number;
  isOther?: boolean;
}

export type TourQuestion =
  | { about: 'lesson' }
  | { about: 'lookup'; table: Lookup }
  | { about: 'words'; row: number }
  | { about: 'cost'; length: number; dim: number }
  | ({ about: 'blocked' } & TourLink);

/** A link of the cross-attention `part`; without `layer` in all layers, without `head` in all heads. */
export interface TourLink {
  part: string;
  layer?: number;
  head?: number;
  row: number;
  column: number;
}

// ---- answers ---------------------------------------------------------------------------------------

/** None of the fields. */
type Nothing<T> = { [name in keyof T]?: undefined };

/** `isWhole`: the final answer to the request. Picture, facts and inspection only if they have changed. */
export type Shown = { isWhole: boolean } & (Answer | Nothing<Answer>);

/** Of loading the trained model (`isLoading`), of a text as it is written, or of what a source opens or measures. */
export interface Progress {
  isLoading?: boolean;
  text: string;
  fraction?: number;
}

/** A source has opened, closed or kept something. */
export type Opened = OpenFiles | OpenModel;

export interface OpenFiles {
  /** What was done, as a sentence. */
  text: string;
  files: { id: number; name: string; says: string }[];
  /** What a newly opened file changes. */
  state?: Partial<State>;
  /** The texts of `state` are names in the file. */
  isNamed?: boolean;
  /** Address of the picture that the file was exported from. */
  link?: string;
}

export interface OpenModel {
  text: string;
  model: ModelCard | null;
  /** Of a newly opened model: its modes, the first by default, and its stacks. */
  modes?: Mode[];
  stacks?: Stacks;
  /** Models that are kept for the next visit. */
  kept: KeptModel[];
  /** The picture that the model has looked at, as it sees it. */
  bitmap?: ImageBitmap;
}

/** A model in the list of those that are kept; `identity` is '' for those that were kept without one. */
export interface KeptModel {
  place: string;
  name: string;
  size: string;
  identity: string;
}

/** `card`: a name and a text for each line; `identity` as in model_identity.js. */
export interface ModelCard {
  id: number;
  name: string;
  identity: string;
  card: [string, string][];
  isKept: boolean;
  seesPictures: boolean;
}

/** Layers and heads of each stack as parts name it. */
export type Stacks = Record<string, { layers: number; heads: number }>;

/** A step of a sweep: the plan, then runs from the index `first` on, then the end; or why there is nothing to measure. */
export interface Swept {
  plan?: SweepPlan;
  first?: number;
  /** ln p of each target. */
  runs?: ArrayLike<number>[];
  isDone?: boolean;
  /** The reason as a sentence. */
  why?: string;
  /** The message of an error. */
  problem?: string;
}

/** Tensors of the current part, and its tokens before any are hidden or merged; for downloads. */
export interface SavedTensors {
  query?: Tensor;
  key?: Tensor;
  value?: Tensor;
  mask?: Tensor;
  options: AttentionOptions;
  tokens: SavedTokens;
}

export interface SavedTokens {
  rows: Label[];
  /** Null: those of the rows. */
  columns: Label[] | null;
  x?: VectorPart['x'];
  weights?: Tensor;
  ordered: boolean;
  causal: boolean;
  scale?: number;
}

/** Where the text beside differs most. */
export interface Difference {
  part: string;
  head: number;
  row: number;
  column: number;
}

/** Answers to questions of the tour, by what they are about. */
export interface TourAnswers {
  lesson: Lesson;
  lookup: LookupAnswer;
  words: NextWords['words'];
  cost: { softmax: number; linear: number };
  blocked: BlockedLink;
}

/** Soft lookup in a price list; without an entry or a query only its keys. */
export interface LookupAnswer {
  keys: string[];
  /** Value of the equal key. */
  hard: number | null;
  scale?: number;
  values?: number[];
  scores?: number[];
  weights?: number[];
  soft?: number;
}
