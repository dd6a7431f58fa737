// Messages between the page and its worker. A new request cancels work for older ones at their next step.

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
  Part,
  SweepPlan,
} from '../types';

// ---- from the page to the worker -------------------------------------------------------------------

/** Answers name the id. */
export type Request = Question & { id: number };

export type Question =
  | { type: 'show'; state: State }
  | { type: 'inspect'; place: InspectedPlace }
  | Opening
  | SmallQuestion
  /** Null ends the current sweep. */
  | { type: 'sweep'; question: SweepQuestion | null };

/** Without an id: cancels the opening of a source, or asks for a sign of life, which worker.js gives. */
export type Signal = { type: 'cancel'; source: string } | { type: 'ping' };

/** Opens, closes or keeps what a source reads; answered by Opened or Refused. */
export type Opening =
  | { type: 'open'; source: string; file: File | ModelFrom }
  /** `file`: id of an open file; of a model none. */
  | { type: 'close'; source: string; file?: number }
  | { type: 'keep'; source: string; what: Keeping };

/** The model of a folder's files, of an address, or of a name under which it is kept; or a picture for the open one. */
export interface ModelFrom {
  files?: { path: string; file: File }[];
  address?: string;
  kept?: string;
  picture?: File;
  weights?: 'as stored' | 'int8';
}

export type Keeping = { act: 'list' } | { act: 'keep' } | { act: 'remove'; name: string };

/** Questions with one answer. */
export type SmallQuestion =
  /** Words for, or after, the tokens from `token` to `last` of a row; `isOther`: of the text beside. */
  | { type: 'nextWords'; token: number; last: number; isOther: boolean }
  | { type: 'inside'; row: number }
  | { type: 'headScores'; sequence: number }
  | { type: 'effect' }
  | { type: 'difference' }
  | { type: 'tensors' }
  | ({ type: 'tour' } & TourQuestion);

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

// ---- from the worker to the page -------------------------------------------------------------------

/** The answer to a request with this id, or a word on the way to it. */
export type Message = { id: number } & (
  | Shown
  | { type: 'inspected'; inspection: Inspection | null }
  | Progress
  /** What is wrong with the request. */
  | { type: 'problem'; message: string }
  | Opened
  | { type: 'refused'; source: string; message: string }
  | ({ type: 'swept' } & Swept)
  | ({ type: 'nextWords' } & (NextWords | Nothing<NextWords>))
  | { type: 'effect'; effect: Effect | null }
  | ({ type: 'tensors' } & SavedTensors)
  | { type: 'inside' | 'headScores' | 'difference' | 'tour'; answer: unknown; problem?: undefined }
  | { type: 'inside' | 'headScores' | 'difference' | 'tour'; problem: string }
);

/** None of the fields. */
type Nothing<T> = { [name in keyof T]?: undefined };

/** `isWhole`: the final answer to the request. Picture, facts and inspection only if they have changed. */
export type Shown = { type: 'shown'; isWhole: boolean } & (Answer | Nothing<Answer>);

/** Of loading the trained model (`isLoading`), of a text as it is written, or of what a source opens or measures. */
export interface Progress {
  type: 'progress';
  source?: string;
  isLoading?: boolean;
  text: string;
  fraction?: number;
}

/** A source has opened, closed or kept something. */
export type Opened = { type: 'opened'; source: string } & (OpenFiles | OpenModel);

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
  kept: { name: string; size: string }[];
  /** The picture that the model has looked at, as it sees it. */
  bitmap?: ImageBitmap;
}

/** `card`: a name and a text for each line. */
export interface ModelCard {
  id: number;
  name: string;
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
  x?: Part['x'];
  weights?: Tensor;
  ordered: boolean;
  causal: boolean;
  scale?: number;
}

/** Answers to questions, by their type. */
export interface Answers {
  inside: Inside;
  headScores: HeadScores;
  /** Where the text beside differs most; null where it differs nowhere. */
  difference: { part: string; head: number; row: number; column: number } | null;
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
