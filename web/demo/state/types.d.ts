// Types of the store: what the reader chose, what came back, and the measurements of a sweep.

import type { fields, Lookup } from '../state_fields.js';
import type { beginning } from './tour.js';
import type {
  BlockedLink,
  Effect,
  Facts,
  HeadScores,
  Inside,
  Inspection,
  Lesson,
  NextWords,
  Picture,
  Source,
  SweepPlan,
} from '../types';
import type {
  Difference,
  LookupAnswer,
  ModelCard,
  ModelFrom,
  OpenFiles,
  OpenModel,
  Progress,
  Result,
  Shown,
  Swept,
  TourAnswers,
  TourQuestion,
  WordPlace,
} from '../worker/messages';

/** What the reader chose: a value for each field of state_fields.js. */
export type State = { [Name in keyof typeof fields]: (typeof fields)[Name]['initial'] };

export interface Store {
  chosen: State;
  /** Position in the picture under the pointer. */
  hovered: Position | null;
  /** A translation that is played; null for none. */
  playing: Playing | null;
  /** Pair of tokens that the reader chose in the details of a weight. */
  piece: { row: number; column: number } | null;
  /** Example whose picture is being computed, and the word to select in it. */
  example: { first: string; word: string; isCompared: boolean } | null;
  /** The latest change of `chosen` was typed into a text field. */
  isTyped: boolean;
  /** The selection was made for the picture that is being computed. */
  isPlaced: boolean;
  /** Counts of what the reader's actions have asked for: rows of questions.js whose key they are. */
  asked: Record<
    'picture' | 'stop' | 'inspection' | 'difference' | 'cancel' | 'saved' | 'sweep',
    number
  >;
  /** The answer to the latest request is due. */
  awaited: Record<'picture' | 'inspection', boolean>;
  /** The picture, its facts and its inspection, which come together. */
  answer: Answer;
  /** The latest question of each other row of questions.js, and what came back. */
  answers: Partial<Answers>;
  /** The reader's files. */
  files: Files;
  /** The reader's model. */
  ownModel: OwnModel;
  /** What is saved or copied. */
  saving: Saving;
  /** Scores of heads, of the model for which they were measured. */
  scores: Scores | null;
  /** Whose texts have the ready picture, which partial answers do not replace. */
  readyFor: State | null;
  /** What each head or word changes, while its panel is open. */
  sweep: Sweep | null;
  /** What the reader chose in the tour, and what came for it. */
  tour: Tour;
  /** How much of the trained model has come, while a picture waits for it. */
  loading: Loading | null;
  /** Why there is no picture, as a sentence; else ''. */
  problem: string;
  /** Sources of vectors, as source_list.js has them, without their code. */
  sources: Source[];
}

/** The store of the page, as createStore() returns it. */
export interface PageStore {
  get(): Store;
  /** Replaces the store by `change(store, ...what)`, one of the functions of changes.js and answers.js. */
  update<Arguments extends unknown[]>(
    change: (store: Store, ...what: Arguments) => Store,
    ...what: Arguments
  ): void;
  /** The listener is called after each change, in the order of subscription. */
  subscribe(listener: (now: Store, before: Store) => void): void;
}

export interface Loading {
  text: string;
  fraction?: number;
}

// ---- questions to the worker, in questions.js ------------------------------------------------------

/** Rows of the table: what is asked, what is reported on the way, and the answer. */
export interface Questions {
  picture: { ask: State; step: Shown; answer: void };
  stop: { ask: undefined; step: never; answer: void };
  inspection: {
    ask: InspectedPlace | null;
    step: never;
    answer: { inspection: Inspection | null } | null;
  };
  block: { ask: number; step: never; answer: Inside };
  nextWords: { ask: WordPlace; step: never; answer: Result<'nextWords'> };
  otherWords: { ask: WordPlace; step: never; answer: Result<'nextWords'> };
  effect: { ask: undefined; step: never; answer: Effect | null };
  difference: { ask: Picture; step: never; answer: Difference | null };
  headScores: { ask: number; step: never; answer: HeadScores | undefined };
  files: { ask: FileOrder; step: never; answer: FilesAnswer };
  model: { ask: ModelOrder; step: Progress; answer: OpenModel };
  models: { ask: ModelsOrder; step: never; answer: OpenModel };
  cancel: { ask: undefined; step: never; answer: void };
  saved: {
    ask: Pick<Saving, 'format' | 'paper'>;
    step: Pick<Saving, 'copied'>;
    answer: string;
  };
  sweep: { ask: SweepQuestion | null; step: Swept; answer: void };
  lesson: { ask: undefined; step: never; answer: Lesson };
  tour: { ask: TourQuestion; step: never; answer: TourAnswers[TourQuestion['about']] };
}

export type QuestionName = keyof Questions;

/** What an answer depends on; two keys are equal if their values are the same. */
export type Key = readonly unknown[];

export interface Row<Name extends QuestionName> {
  /** Something on the screen needs the answer. */
  isShown(store: Store): boolean;
  /** All that the question is about has come. */
  isReady?(store: Store): boolean;
  key(store: ShownStore): Key;
  ask(store: ShownStore): Questions[Name]['ask'];
  /** What comes for older questions is taken too. */
  takesOlder?: boolean;
  /** Puts what came into the store, in place of `answers`. */
  take?(store: Store, came: Came<Name>): Store;
  /** What the answer changes, besides `answers`. */
  after?(store: Store, came: Came<Name>): Store;
}

export type Rows = { [Name in QuestionName]: Row<Name> };

/** What came back for a question: a step, or the answer, or the message of an error. */
export interface Came<Name extends QuestionName> {
  step?: Questions[Name]['step'];
  answer?: Questions[Name]['answer'];
  problem?: string;
  /** It is for the latest question. */
  isLatest: boolean;
  question: Questions[Name]['ask'];
}

/** The latest question of a row; the answer is the former one while it is due. */
export type Answers = {
  [Name in QuestionName]: {
    key: Key;
    question: Questions[Name]['ask'];
    isDue: boolean;
    answer: Questions[Name]['answer'] | null;
    problem: string;
  };
};

/** A file to open, or the id of one to close. */
export interface FileOrder {
  id: number;
  file?: File;
  close?: number;
}

/** `saved`: the state of the link that an opened file has. */
export type FilesAnswer = OpenFiles & { saved?: Partial<State> };

export interface Files {
  /** What is to be done, one after another. */
  orders: FileOrder[];
  /** Id of the latest order. */
  last: number;
  open: OpenFiles['files'];
  /** What was done, or why not, as a sentence; and the count of sentences so far. */
  text: string;
  isProblem: boolean;
  said: number;
  /** The state before the first file was opened, and what files have changed in it. */
  before: State | null;
  brought: Partial<State>;
  /** Names of files that the address tells of and that are still to be opened. */
  linked: string[];
}

/** Files of a model, dropped on the page; `entries`: those of a file system, where the browser has them. */
export interface DroppedFiles {
  entries: FileSystemEntry[];
  files: File[];
}

/** What takes its time: a model to open, or a picture for the open one; without `from` the open one is kept. */
export interface ModelOrder {
  id: number;
  from?: ModelFrom & { dropped?: DroppedFiles };
}

/** The model is closed, or a kept one removed; without both the kept ones are listed. */
export interface ModelsOrder {
  id: number;
  close?: boolean;
  remove?: { place: string; name: string };
}

export interface OwnModel {
  model: ModelCard | null;
  /** The picture that it has looked at, as it sees it. */
  bitmap: ImageBitmap | null;
  /** Models that are kept for the next visit. */
  kept: OpenModel['kept'];
  /** Numbers of models to open. */
  weights: 'as stored' | 'int8';
  /** What is being done, and how far it is; null for nothing. */
  order: ModelOrder | null;
  far: Loading | null;
  /** The latest of the orders that need no time. */
  modelsOrder: ModelsOrder;
  /** Id of the latest order. */
  last: number;
  /** What was done, or why not, as a sentence; and the count of sentences so far. */
  text: string;
  isProblem: boolean;
  said: number;
  /** The model for which the view was made that the open one shows; '' for this one. */
  asked: string;
  /** The source of vectors where a model was dropped, while that is what its reader looks at. */
  droppedIn: string | null;
}

export interface Saving {
  /** The latest one. */
  format: string;
  /** Colors of pictures. */
  paper: 'page' | 'light' | 'dark';
  /** What was done, or why not, as a sentence; and the count of sentences so far. */
  says: string;
  said: number;
  /** A text to copy from; null for none. */
  copied: string | null;
}

/** Scores of heads: means over the sequences so far. */
export interface Scores {
  /** Id of the model. */
  from: number | undefined;
  /** Count of measurements that were begun. */
  run: number;
  /** Count of sequences that are measured. */
  far: number;
  isRunning: boolean;
  found: { count: number; length: number; means: HeadScores['scores'] } | null;
  /** Why it could not be measured, as a sentence; else ''. */
  problem: string;
}

/** How far a translation is played. */
export interface Playing {
  /** Count of words that are written. */
  written: number;
  /** What the next word looks at is shown. */
  isAiming: boolean;
  /** It goes on by itself. */
  isRunning: boolean;
}

export type ShownStore = Store & { answer: ShownAnswer };

/** A picture has facts; texts without a picture may have facts that say why. */
export type Answer = ShownAnswer | EmptyAnswer;

export interface ShownAnswer {
  picture: Picture;
  facts: Facts;
  /** Null for weights from a file, which have no vectors, and until it has come. */
  inspection: Inspection | null;
}

export interface EmptyAnswer {
  picture: null;
  facts: Facts | null;
  inspection: Inspection | null;
}

/** A place in a view: a cell, a row, a column, or a head, perhaps of another part. */
export interface Position {
  row?: number;
  column?: number;
  part?: string;
  head?: number;
}

/** A selection in a view; a row without a column, or with null, selects the column that it attends to most. */
export interface Selection {
  row?: number;
  column?: number | null;
  part?: string;
  head?: number;
}

/** The selected cell of the picture, in the head that is drawn. */
export interface Place {
  row: number;
  column: number;
  head: number;
}

/** Place in the picture with the part, and what the pointer is on. */
export interface PointedPlace extends Place {
  part: string;
  hovered?: Position;
}

/** Two tokens, which the reader chose in the details of a weight or which stand for the selected cell, and a head. */
export interface InspectedPlace {
  head: number;
  row: number;
  column: number;
  isPiece: boolean;
}

/** What a sweep measures: of a part, for the token `row`. */
export interface SweepQuestion {
  over: SweepPlan['over'];
  part: string;
  row: number;
  source: string;
  /** Two words whose logits are compared. */
  difference?: [string, string];
}

/** What each head or word changes: numbers of worker/sweep/sweep.js. */
export interface Sweep {
  over: SweepPlan['over'];
  /** What the numbers depend on, besides heads or words. */
  basis: string;
  isRunning: boolean;
  /** The first message; null until it has come. */
  plan: SweepPlan | null;
  /** ln p of each target in the runs so far. */
  runs: ArrayLike<number>[];
  isDone: boolean;
  /** The reason why nothing could be measured; else ''. */
  why: string;
  /** Index of the word whose effects are shown. */
  target: number;
  /** The effect on the whole text is chosen. */
  isWhole: boolean;
  /** The selected cell of the map, and the one under the pointer. */
  cell: EffectCell | null;
  pointed: EffectCell | null;
}

export interface Tour {
  /** Index of the step that is shown; null outside of the tour. */
  step: number | null;
  /** What the reader chose; the rest of it comes with the lesson. */
  place: Partial<TourPlace>;
  lesson: Lesson | null;
  /** The step where the lesson could not come, and why. */
  failed: { step: number | null; problem: string } | null;
  /** The latest answer for a price list. */
  found: { table: Lookup; answer: LookupAnswer } | null;
  /** Likeliest words, by the row in whose place they are. */
  words: Record<number, NextWords['words']>;
  /** What blocked links change, by their names. */
  blocked: Record<string, BlockedLink>;
  /** Milliseconds of calls, in the order of their lengths. */
  costs: TourAnswers['cost'][];
}

/** The reader's choices in the tour. */
export type TourPlace = ReturnType<typeof beginning> & {
  /** A number of the step's figure. */
  at: { of?: string; row?: number; column?: number } | null;
  /** The link of the step “what if” is blocked, in one head alone. */
  isBlocked?: boolean;
  isOneHead?: boolean;
};

/** A sweep whose plan has come. */
export type PlannedSweep = Sweep & { plan: SweepPlan };

/** A cell of the map of effects: indices of the head or word, and of the target. */
export interface EffectCell {
  index: number;
  target: number;
}
