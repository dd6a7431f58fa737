// Arbitrary calls of attention() for fast-check: sizes around SIMD lanes and tiles, any combination of options.
// A call is described by small numbers and a seed, so that fast-check can shrink and print it.
import fc from 'fast-check';

import { additiveMask, attentionTensors, booleanMask, seeded } from './random_tensors.js';

const few = fc.integer({ min: 1, max: 9 });
const length = fc.oneof(
  { weight: 3, arbitrary: few },
  { weight: 1, arbitrary: fc.constantFrom(31, 32, 33, 59, 60, 61, 64, 65, 127, 128, 129, 130) },
);
const width = fc.oneof(
  { weight: 3, arbitrary: few },
  { weight: 1, arbitrary: fc.constantFrom(15, 16, 17, 31, 33, 64) },
);

const OPTIONS = ['scale', 'softcap', 'causal', 'window', 'keyLengths', 'slopes', 'sinks'];
const MASKS = ['none', 'boolean', 'additive'];

/**
 * A call of up to `work` multiplications with any of the options `allowed` and any of the `masks`,
 * in one of the layouts `ranks`.
 */
export function arbitraryCall({
  ranks = [4],
  allowed = OPTIONS,
  masks = MASKS,
  needed = [],
  work = 2e5,
} = {}) {
  return fc
    .record({
      seed: fc.integer({ min: 0, max: 1e6 }),
      rank: fc.constantFrom(...ranks),
      batch: fc.integer({ min: 1, max: 3 }),
      kvHeads: fc.integer({ min: 1, max: 2 }),
      group: fc.integer({ min: 1, max: 3 }),
      qLen: length,
      kLen: length,
      keyDim: width,
      valueDim: width,
      spread: fc.constantFrom(1, 1, 1, 8),
      options: fc.subarray(allowed),
      mask: fc.constantFrom(...masks),
      maskAxes: fc.integer({ min: 0, max: 15 }),
    })
    .map((call) => ({
      ...call,
      batch: call.rank === 2 ? 1 : call.batch,
      options: [...new Set([...needed, ...call.options])],
    }))
    .filter((call) => costOf(call) <= work);
}

/** All pairs of options and masks that one call can have. */
export function optionPairs(options = OPTIONS, masks = MASKS.slice(1)) {
  return options.flatMap((one, at) =>
    [...options.slice(at + 1), ...masks].map((other) => `${one} ${other}`),
  );
}

/** The pairs in one drawn call. */
export const pairsOf = ({ options, mask }) =>
  optionPairs(
    OPTIONS.filter((name) => options.includes(name)),
    mask === 'none' ? [] : [mask],
  );

const costOf = ({ batch, kvHeads, group, qLen, kLen, keyDim, valueDim }) =>
  batch * kvHeads * group * qLen * kLen * (keyDim + valueDim);

/** Tensors and options of a description. */
export function makeCall(call) {
  const { rank, batch, kvHeads, group, qLen, kLen } = call;
  const heads = kvHeads * group;
  const random = seeded(`call ${call.seed}`);
  const tensors = attentionTensors(random, { ...call, heads });
  const options = rank === 4 ? {} : { heads, kvHeads };
  const draw = optionDraws(random, { batch, heads, qLen, kLen });
  for (const name of call.options) options[name] = draw[name]();
  if (['causal', 'window', 'slopes'].some((name) => name in options)) {
    if (qLen !== kLen || random.chance(0.5)) options.offset = draw.offset();
  }
  const full = [batch, heads, qLen, kLen];
  const dims = full.map((size, axis) => ((call.maskAxes >> axis) & 1 ? size : 1));
  if (call.mask === 'boolean') options.mask = booleanMask(random, dims, 0.8);
  if (call.mask === 'additive') options.mask = additiveMask(random, dims, 0.2);
  return { ...tensors, options, full };
}

// Numbers are eighths: exact in float32.
function optionDraws(random, { batch, heads, qLen, kLen }) {
  const eighths = (low, high) => random.integer(low * 8, high * 8) / 8;
  const reach = () => (random.chance(0.2) ? null : random.integer(0, kLen));
  const anyOffset = () => random.integer(-qLen - 1, kLen + 1);
  const perHead = (one) => Array.from({ length: heads }, one);
  const perEntry = (one) => Array.from({ length: batch }, one);
  return {
    scale: () => eighths(-2, 2),
    softcap: () => eighths(1, 8),
    causal: () => true,
    window: () => [reach(), reach()],
    keyLengths: () => perEntry(() => random.integer(0, kLen)),
    slopes: () => perHead(() => eighths(-1, 1)),
    sinks: () => perHead(() => eighths(-4, 4)),
    offset: () => (random.chance(0.5) ? anyOffset() : perEntry(anyOffset)),
  };
}
