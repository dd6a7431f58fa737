// A digest over random calls of attention(), for comparisons of engines and processors.

import fc from 'fast-check';
import { arbitraryCall, makeCall } from './arbitrary_calls.js';
import { resultDigest } from './digest.js';

/** { digest, numbers }: output and weights of `count` calls. */
export function randomCallsDigest({ attention }, count) {
  const digest = resultDigest();
  fc.sample(arbitraryCall(), { numRuns: count, seed: 1 }).forEach((drawn, at) => {
    const { query, key, value, options } = makeCall(drawn);
    const { output, weights } = attention(query, key, value, { ...options, weights: true });
    digest.add(`${at}`, { output, weights });
  });
  return { digest: digest.hex().slice(0, 16), numbers: digest.numbers };
}
