// The kinds of attention whose cost is measured, and what they are called.

export const kinds = [
  ['softmax', 'Softmax'],
  ['linear', 'Linear'],
  ['efficient', 'Efficient'],
];
