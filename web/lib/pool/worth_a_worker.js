// The work, in multiply-adds, from which on workers take part, so that no call takes longer than without them.
// Two workers save half of the work and cost a wait, and for every number of the arguments a copy and its way
// there and back; a page waits longer for its messages. Measured with 30 sizes, from 1 × 256 × 64 to 16 batch
// entries of 12 × 64 × 64, on one machine: the sums below part those that are sooner divided from the others
// but for a few within a twentieth of both.
//
// from, perNumber: of attention; layer: of a layer, whose weights are in the workers; each: of every worker
// beyond the second.

export const inNode = { from: 7e6, perNumber: 30, layer: 5e6, each: 5e6 };
export const inPages = { from: 15e6, perNumber: 60, layer: 6e7, each: 3e7 };
