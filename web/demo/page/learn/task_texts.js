// Texts of the mode: names of the tasks, what to watch in each, and what a matrix shows.

export const names = { reverse: 'Reverse digits', sort: 'Sort digits', pairs: 'Your own lines' };

const start = 'A Transformer with random weights';
export const says = {
  reverse: `${start} reads 8 digits and learns to write them backwards. To write a digit, it has to look at the right one: watch the matrix become a diagonal.`,
  sort: `${start} reads 6 digits from 0 to 2 and learns to write them in order. To write the next one, it has to look at what it has read and at what it has written.`,
  pairs: `${start} learns your lines, character by character: what is before “=” it reads, what is behind it writes.`,
};

/** Why each setting is there. */
export const purposes = [
  ['Layers', 'A later layer looks at what the layers before it have found.'],
  ['Heads', 'Each head looks with weights of its own: two can look at two things at once.'],
  ['Width', 'The numbers of a token’s vector, which the heads divide among themselves.'],
  ['Positions', 'Without them all orders are alike to it: it cannot learn to reverse.'],
  [
    'Learning rate',
    'How far a step moves each number: a small one takes long, a large one misses.',
  ],
  ['Seed', 'Where the random numbers begin: those of the weights and of the examples.'],
];

/** What a token is. */
export const unitOf = (task) => (task === 'pairs' ? 'character' : 'digit');

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
