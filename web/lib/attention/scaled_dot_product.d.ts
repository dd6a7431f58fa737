// attention() and its three steps.
import type { Mask, NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** How far kept scores have come: scale·q·k, then capped, then with masks and biases. */
export type ScoreStage = 'raw' | 'capped' | 'biased';

/**
 * Options of `attention()` and of its steps. `null` and `undefined` count as not
 * given; only own properties are read, each once; unknown names are refused.
 */
export interface AttentionOptions {
  /** Query heads, at 2 and 3 dims (4 dims name their own). Default 1. */
  heads?: number | null;
  /** Key/value heads, at 2 and 3 dims: a divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
  /** Factor on q·k: any finite number, 0 included. Default 1/√d_k; 1 for unscaled dot products. */
  scale?: number | null;
  /** c > 0 bends scores to c·tanh(s/c) before masks and biases. Default off. */
  softcap?: number | null;
  /**
   * Look only backwards: key j is visible only if j ≤ offset + i. With qLen ≠ kLen an `offset` has
   * to be named:
   *
   * ```
   * qLen 3, kLen 5      offset 0             offset 2 = kLen - qLen
   *                   x . . . .                x x x . .
   *                   x x . . .                x x x x .
   *                   x x x . .                x x x x x
   * ```
   */
  causal?: boolean | null;
  /**
   * Keys before the first query, so that query i sits at position p = offset + i: a whole number, or
   * one per batch entry. May be negative. Default 0, where qLen = kLen.
   */
  offset?: number | NumberList | null;
  /** `[left, right]`: key j is visible only if p - left ≤ j ≤ p + right; `null` is unbounded. Needs an offset as `causal` does. */
  window?: readonly [left: number | null, right: number | null] | null;
  /** Which keys may be seen, or what is added to scores. */
  mask?: Mask | null;
  /** Per batch entry, how many keys there are: keys from there on do not exist. */
  keyLengths?: NumberList | null;
  /**
   * ALiBi (Press et al., arXiv 2108.12409): one slope per head, adds -slope·|p - j| to the score.
   * Needs an offset as `causal` does.
   */
  slopes?: NumberList | null;
  /**
   * One logit per head that takes part in the softmax and has no value: weights then sum to less
   * than 1, and logSumExp includes it.
   */
  sinks?: NumberList | null;
  /** `true`: weights of each head; `'average'`: their mean over heads. Costs memory for qLen × kLen. */
  weights?: boolean | 'average' | null;
  /**
   * Keep the scores at this stage, or at each of a list of stages. Raw and capped ones are given of
   * invisible keys as well.
   */
  scores?: ScoreStage | readonly ScoreStage[] | false | null;
  /** Keep log Σ exp(score) of each row; -Infinity where nothing is visible. */
  logSumExp?: boolean | null;
}

/**
 * The results of attention(). Their memory belongs to the caller. Asking for more does not change a bit
 * of the output.
 */
export interface AttentionResult {
  /** In the layout of the query, d_v numbers per head. */
  output: OwnedTensor;
  /** batch × heads × qLen × kLen; at 2 dims heads × qLen × kLen, or qLen × kLen if `heads` was not given. Averaged: no heads axis. */
  weights?: OwnedTensor;
  /**
   * As the weights per head, by stage where `scores` was a list. -Infinity at invisible keys, if
   * biased.
   */
  scores?: OwnedTensor | { readonly [Stage in ScoreStage]?: OwnedTensor };
  /** As the weights per head, without the last axis. */
  logSumExp?: OwnedTensor;
}

/** The scores that the options ask for. */
export type ScoresOf<Options> = Options extends { scores: ScoreStage }
  ? { scores: OwnedTensor }
  : Options extends { scores: readonly (infer Stage extends ScoreStage)[] }
    ? { scores: { [Name in Stage]: OwnedTensor } }
    : unknown;

/** {@link AttentionResult} with the properties that the options ask for. */
export type AttentionResultOf<Options extends AttentionOptions> = {
  output: OwnedTensor;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown) &
  ScoresOf<Options> &
  (Options extends { logSumExp: true } ? { logSumExp: OwnedTensor } : unknown) &
  AttentionResult;

export interface ScaledDotProduct {
  /**
   * Attention as a whole.
   *
   * | dims | query | key | value |
   * |---|---|---|---|
   * | 4 | batch × heads × qLen × d_k | batch × kvHeads × kLen × d_k | batch × kvHeads × kLen × d_v |
   * | 3 | batch × qLen × heads·d_k | batch × kLen × kvHeads·d_k | batch × kLen × kvHeads·d_v |
   * | 2 | qLen × heads·d_k | kLen × kvHeads·d_k | kLen × kvHeads·d_v |
   *
   * Time 4·heads·qLen·kLen·d operations, less what causal, window and lengths leave out. Memory
   * grows with qLen + kLen, unless weights or scores are asked for.
   *
   * A row that sees no key is zeros. What an invisible key or value holds, NaN included, has no
   * influence. NaN at a visible position, or a score that overflows to Infinity, makes that row NaN and
   * no other. The bits of a row depend on its inputs and the shape only: not on the engine or machine.
   *
   * @example
   * Self-attention that looks only backwards, with the weights:
   *
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { attention } = await loadAttention();
   * const x = tensor([[1, 0], [0, 1], [1, 1]]); // 3 tokens, d_k = d_v = 2
   * const { output, weights } = attention(x, x, x, { causal: true, weights: true });
   * console.log(output.dims, weights.dims); // [ 3, 2 ] [ 3, 3 ]
   * console.log(toNested(weights)[0]); // [ 1, 0, 0 ]: the first token sees only itself
   * ```
   *
   * @example
   * Cross-attention of a batch of 2, whose 4 heads share keys and values by twos; the second entry has 3 keys:
   *
   * ```js
   * import { loadAttention } from 'attention-wasm';
   *
   * const { attention } = await loadAttention();
   * const ones = (...dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)).fill(1), dims });
   * const [query, key, value] = [ones(2, 5, 4 * 8), ones(2, 7, 2 * 8), ones(2, 7, 2 * 6)];
   * const options = { heads: 4, kvHeads: 2, keyLengths: [7, 3], weights: 'average', logSumExp: true };
   * const { output, weights, logSumExp } = attention(query, key, value, options);
   * console.log(output.dims, weights.dims, logSumExp.dims); // [ 2, 5, 24 ] [ 2, 5, 7 ] [ 2, 4, 5 ]
   * console.log([...weights.data.slice(-7)].map((weight) => weight.toFixed(2)).join(' ')); // 0.33 0.33 0.33 0.00 0.00 0.00 0.00
   * ```
   *
   * @example
   * What does not fit is refused before anything is computed:
   *
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { attention } = await loadAttention();
   * try {
   *   attention(tensor([[1, 0]]), tensor([[1, 0, 0]]), tensor([[1]]));
   * } catch (error) {
   *   console.log(error.name); // RangeError
   *   console.log(error.message); // which dims there are, and which there should be
   * }
   * ```
   */
  attention<const Options extends AttentionOptions = {}>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: Options,
  ): AttentionResultOf<Options>;

  /**
   * Step 1 of 3. Scores at a stage, `'biased'` unless `scores` says otherwise: with biases added, and
   * -Infinity where a key is not visible. Change them as you like before softmax(). By stage where
   * `scores` is a list.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { scores } = await loadAttention();
   * const x = tensor([[2, 0], [0, 2]]);
   * console.log(toNested(scores(x, x, { scale: 1, causal: true }))); // [ [ 4, -Infinity ], [ 0, 4 ] ]
   * const { raw, capped } = scores(x, x, { scale: 1, softcap: 4, scores: ['raw', 'capped'] });
   * console.log(raw.data[0], capped.data[0].toFixed(4)); // 4 3.0464: 4·tanh(1)
   * ```
   */
  scores<const Options extends AttentionOptions = {}>(
    query: TensorLike,
    key: TensorLike,
    options?: Options,
  ): ScoresOf<Options> extends { scores: infer Scores } ? Scores : OwnedTensor;

  /**
   * Step 2 of 3. Weights of scores of [[batch ×] heads ×] qLen × kLen. A score of -Infinity is a key
   * that is not visible; a row of nothing else is zeros. Of the options it uses `sinks` and those that
   * hide keys (`causal`, `offset`, `window`, `keyLengths`, and what `mask` hides: numbers that a mask
   * adds belong to scores()), so all three steps can be given the same options. Bit for bit the
   * weights of attention().
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { softmax } = await loadAttention();
   * const hidden = -Infinity;
   * const weights = softmax(tensor([[0, 0, hidden], [hidden, hidden, hidden]]));
   * console.log(toNested(weights)); // [ [ 0.5, 0.5, 0 ], [ 0, 0, 0 ] ]
   * ```
   */
  softmax(scores: TensorLike, options?: AttentionOptions): OwnedTensor;

  /**
   * Step 3 of 3. Σ_j weights_ij · v_j, for weights of [[batch ×] heads ×] qLen × kLen: with four dims
   * the value has four or three, else two. The value of a weight of exactly 0 is not read. Of the
   * options it uses `kvHeads`.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { weightedSum } = await loadAttention();
   * const value = tensor([[2, 4], [4, 8]]);
   * console.log(toNested(weightedSum(tensor([[0.5, 0.5]]), value))); // [ [ 3, 6 ] ]
   * ```
   */
  weightedSum(weights: TensorLike, value: TensorLike, options?: AttentionOptions): OwnedTensor;
}
