// Texts of the mode: names of the tasks, what to watch in each, and what a matrix shows.

export const names = {
  reverse: 'Reverse digits',
  sort: 'Sort digits',
  repeat: 'Repeat letters',
  pairs: 'Your own lines',
};

const start = 'A Transformer with random weights';
export const says = {
  reverse: `${start} reads 8 digits and learns to write them backwards. To write a digit, it has to look at the right one: watch the matrix become a diagonal.`,
  sort: `${start} reads 6 digits from 0 to 2 and learns to write them in order. To write the next one, it has to look at what it has read and at what it has written.`,
  repeat: `${start} reads 6 letters, which come twice more in the same order, each time from another letter on, and learns to say the next one (· where nobody can know it). Two layers work together: in the first, letters look at the one before them; in the second, a letter looks behind where it stood before. This is called an induction head: watch slanted lines appear in layer 2.`,
  pairs: `${start} learns your lines, character by character: what is before “=” it reads, what is behind it writes.`,
};

/** Why each setting is there. */
export const purposes = [
  ['Layers', 'A later layer looks at what the layers before it have found.'],
  ['Heads', 'Each head looks with weights of its own: two can look at two things at once.'],
  ['Width', 'The numbers of a token’s vector, which the heads divide among themselves.'],
  ['Positions', 'Without them all orders are alike to it: it cannot learn to reverse.'],
  [
    'Scores ÷ √d',
    'A score is a sum of d products, one for each number of a head. Undivided, scores are too large in wide heads: try width 96, which then takes longer.',
  ],
  [
    'Learning rate',
    'How far a step moves each number: a small one takes long, a large one misses.',
  ],
  ['Seed', 'Where the random numbers begin: those of the weights and of the examples.'],
];

/** What a token is. */
const units = { pairs: 'character', repeat: 'letter' };
export const unitOf = (task) => units[task] ?? 'digit';

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

/** "the third digit": the one of this index that is written. */
export const ordinalOf = (at, unit) =>
  ordinals[at] ? `the ${ordinals[at]} ${unit}` : `${unit} ${at + 1}`;

/** What rows and columns of a matrix are. */
export const directions = {
  cross: (unit) =>
    `Rows: the ${unit}s that it writes. Columns: the ${unit}s that it reads, and looks at.`,
  encoder: (unit) => `Rows and columns: the ${unit}s that it reads; each looks at all of them.`,
  decoder: (unit) =>
    `Rows and columns: what it has written, behind a start mark; each ${unit} looks at itself and those before it.`,
  self: (unit) => `Rows and columns: the ${unit}s; each looks at itself and those before it.`,
};

/** How many rows come out right. */
export const scoreText = (task, { right, of }) =>
  task === 'pairs'
    ? `${right} of ${of} lines are right`
    : `${right} of ${of} rows that it never saw are right`;

/** Why training has stopped by itself. */
export const solvedText = (task, { steps, score: { of } }) =>
  `After ${steps} steps all ${of} ${task === 'pairs' ? 'lines' : 'rows that it never saw'} are right. Play trains on.`;
