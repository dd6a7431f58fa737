// The cost of a text: an untrusted tokenizer.json could double a text forty times, or repeat it in a template 100,000
// times, so characters and tokens are counted as they are produced.

// Limit of characters and tokens that all steps produce from n characters: growth · n + leeway. Published tokenizers have
// at most about thirty steps, and NFKC produces at most 18 characters from one.
const growth = 1000;
const leeway = 2 ** 20;

// Encoding and decoding are synchronous, so one global budget suffices.
let allowed = leeway;
let left = leeway;

/** Begins to count for a text. */
export function allow(characters) {
  allowed = growth * characters + leeway;
  left = allowed;
}

/** Counts characters or tokens that a step produced. */
export function spend(count) {
  left -= count;
  if (left >= 0) return;
  throw new RangeError(
    `its steps produce more than ${allowed} characters and tokens from this text`,
  );
}

// Work of reading the patterns of a file, in characters tried against a class; other steps count as many as take the same
// time. Published patterns take at most a twentieth.
const maxWork = 2 ** 26;
let workLeft = maxWork;

/** Begins to count for the patterns of a file. */
export function allowPatterns() {
  workLeft = maxWork;
}

/** Counts work on a pattern. */
export function spendWork(count) {
  workLeft -= count;
  if (workLeft >= 0) return;
  throw new RangeError(
    `too many classes or ways through it, with the patterns before it, to show that it takes at most quadratic time`,
  );
}
