// attention() and its three steps.
import type { Mask, NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Stage of returned scores: scale·q·k, then with the softcap, then with masks and biases. */
export type ScoreStage = 'raw' | 'capped' | 'biased';

/**
 * Options of `attention()` and of its steps. `null` and `undefined` mean the default;
 * only own properties are read, each once; unknown names throw.
 */
export interface AttentionOptions {
  /** Number of query heads, for tensors with 2 or 3 dims (with 4 dims it is an axis). Default 1. */
  heads?: number | null;
  /** Number of key/value heads, for tensors with 2 or 3 dims: a divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
  /** Factor on q·k: any finite number, 0 included. Default 1/√d_k; 1 for unscaled dot products. */
  scale?: number | null;
  /** c > 0 limits scores to ±c by c·tanh(s/c), before masks and biases. Default off. */
  softcap?: number | null;
  /**
   * Causal attention: key j is visible only if j ≤ offset + i. With qLen ≠ kLen an `offset` is
   * required:
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
   * Position of the first query: query i is at position p = offset + i. An integer, or one per
   * batch entry. May be negative. Default 0 if qLen = kLen.
   */
  offset?: number | NumberList | null;
  /** `[left, right]`: key j is visible only if p - left ≤ j ≤ p + right; `null` is unbounded. Needs an offset as `causal` does. */
  window?: readonly [left: number | null, right: number | null] | null;
  /** Visible keys as booleans, or numbers that are added to scores. */
  mask?: Mask | null;
  /** Number of keys of each batch entry; later keys are padding and never visible. */
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
   * Return the scores of this stage, or of each of a list of stages. Raw and capped scores include
   * invisible keys.
   */
  scores?: ScoreStage | readonly ScoreStage[] | false | null;
  /** Return log Σ exp(score) of each row; -Infinity for rows without visible keys. */
  logSumExp?: boolean | null;
}

/**
 * The results of attention(). The caller owns their memory. Requesting more results does not change the
 * bits of the output.
 */
export interface AttentionResult {
  /** Output in the layout of the query, with d_v numbers per head. */
  output: OwnedTensor;
  /** batch × heads × qLen × kLen; at 2 dims heads × qLen × kLen, or qLen × kLen if `heads` was not given. Averaged: no heads axis. */
  weights?: OwnedTensor;
  /**
   * Scores with the dims of weights per head; an object by stage if `scores` was a list. Biased scores are
   * -Infinity at invisible keys.
   */
  scores?: OwnedTensor | { readonly [Stage in ScoreStage]?: OwnedTensor };
  /** As the weights per head, without the last axis. */
  logSumExp?: OwnedTensor;
}

/** The scores that the options request. */
export type ScoresOf<Options> = Options extends { scores: ScoreStage }
  ? { scores: OwnedTensor }
  : Options extends { scores: readonly (infer Stage extends ScoreStage)[] }
    ? { scores: { [Name in Stage]: OwnedTensor } }
    : unknown;

/** {@link AttentionResult} with the properties that the options request. */
export type AttentionResultOf<Options extends AttentionOptions> = {
  output: OwnedTensor;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown) &
  ScoresOf<Options> &
  (Options extends { logSumExp: true } ? { logSumExp: OwnedTensor } : unknown) &
  AttentionResult;

export interface ScaledDotProduct {
  /**
   * Scaled dot-product attention.
   *
   * | dims | query | key | value |
   * |---|---|---|---|
   * | 4 | batch × heads × qLen × d_k | batch × kvHeads × kLen × d_k | batch × kvHeads × kLen × d_v |
   * | 3 | batch × qLen × heads·d_k | batch × kLen × kvHeads·d_k | batch × kLen × kvHeads·d_v |
   * | 2 | qLen × heads·d_k | kLen × kvHeads·d_k | kLen × kvHeads·d_v |
   *
   * Time: 4·heads·qLen·kLen·d operations, fewer with causal, window and keyLengths. Memory
   * is linear in qLen + kLen, unless weights or scores are requested.
   *
   * Rows without visible keys are zeros. Invisible keys and values never affect the result, not even
   * NaN. NaN at a visible position, or a score that overflows to Infinity, makes that row NaN and
   * no other. The bits of a row depend on its inputs and the shape only: not on the engine or machine.
   *
   * @example
   * Causal self-attention, with weights:
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
   * Cross-attention of a batch of 2 with 4 heads and 2 key/value heads; the second entry has 3 keys:
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
   * Invalid shapes throw before anything is computed:
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
   * Step 1 of 3: scores of the stage `scores`, by default `'biased'`: with biases added, and
   * -Infinity at invisible keys. They may be changed before softmax(). An object by stage if
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
   * Step 2 of 3: weights from scores, [[batch ×] heads ×] qLen × kLen. A score of -Infinity is an invisible
   * key; rows without visible keys are zeros. Uses the options `sinks`, `causal`, `offset`, `window`, `keyLengths`
   * and `mask` (its invisible keys only: scores() adds its numbers), so that all three steps accept the same options.
   * The weights have the bits of attention().
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
   * Step 3 of 3: Σ_j weights_ij · v_j, for weights of [[batch ×] heads ×] qLen × kLen. The value has 4 or 3 dims for
   * weights with 4 dims, otherwise 2. Values with a weight of exactly 0 do not affect the result. Uses the option
   * `kvHeads`.
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
