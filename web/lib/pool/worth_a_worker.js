// The work, in multiply-adds, from which on workers take part, so that a call takes no longer than without them:
//
//   from        of attention, and for every number that it is given
//   perNumber   more: it is copied and sent, and so is what comes back. Two workers are as fast as none at
//               8 × 12 × 96 × 64 in a page, where messages cost more, and at 4 × 8 × 64 × 64 in Node.js
//   layer       of a layer, whose weights are in the workers already
//   each        that each worker then has at least

export const inNode = { from: 5e6, perNumber: 40, layer: 5e6, each: 5e6 };
export const inPages = { from: 2e7, perNumber: 60, layer: 6e7, each: 1e7 };
