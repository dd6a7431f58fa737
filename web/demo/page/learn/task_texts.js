// Texts of the mode: names of the tasks, what to watch in each, and what a matrix shows.

export const names = { reverse: 'Reverse digits', sort: 'Sort digits' };

const start = 'A Transformer with random weights';
export const says = {
  reverse: `${start} reads 8 digits and learns to write them backwards. To write a digit, it has to look at the right one: watch the matrix become a diagonal.`,
  sort: `${start} reads 6 digits from 0 to 2 and learns to write them in order. To write the next one, it has to look at what it has read and at what it has written.`,
};

/** What rows and columns of a matrix are. */
export const directions = {
  cross: 'Rows: the digits that it writes. Columns: the digits that it reads, and looks at.',
  encoder: 'Rows and columns: the digits that it reads; each looks at all of them.',
  decoder: 'Rows and columns: what it has written; each digit looks at itself and those before it.',
  self: 'Rows and columns: the digits; each looks at itself and those before it.',
};
