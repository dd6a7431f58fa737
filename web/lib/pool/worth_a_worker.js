// The work, in multiply-adds, from which on workers take part, and that each of them then has at least.
// Messages cost more in a page than between threads of Node.js: 12 heads × 128 × 64 and their results
// some 1.4 ms in Chromium and 0.5 ms there, a call of that size alone 1.6 ms. Two workers are as fast as
// none from 60 million multiply-adds on in the one and from 8 million on in the other.

export const inNode = { from: 5e6, each: 5e6 };
export const inPages = { from: 6e7, each: 3e7 };

// What is sent is copied first: a number takes as long as some twenty multiply-adds, of which two workers save
// half. A query of a long cache has one for every number.
export const workPerNumber = 40;
