// The work, in multiply-adds, from which on workers take part, so that a call takes no longer than without them:
//
//   from        of attention, and for every number that it is given
//   perNumber   more: it is copied and sent, and so is what comes back. Two workers are as fast as none at
//               12 × 160 × 64 and 512 × 16 in a page, where messages cost more, at 8 × 128 × 64 and 384 × 16 in Node.js
//   layer       of a layer, whose weights are in the workers already; in Node.js two are as fast as none at 128 × 128 of
//               MultiHeadAttention and at 96 × 128 of an encoder
//   each        that each worker then has at least

export const inNode = { from: 8e6, perNumber: 40, layer: 2e7, each: 5e6 };
export const inPages = { from: 2e7, perNumber: 60, layer: 6e7, each: 1e7 };
