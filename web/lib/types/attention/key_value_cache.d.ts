/// <reference lib="esnext.disposable" />
// KeyValueCache: keys and values of all positions so far, for attention of the newest queries.
import type { AttentionOptions, AttentionResultOf } from './scaled_dot_product.js';
import type { TensorLike } from '../arguments/tensor.js';

/** An object whose data is in the module's memory until it is deleted. */
export interface ModuleObject {
  /**
   * Frees the memory immediately. Further calls have no effect; any other use afterwards throws an error with
   * the name `'DeletedError'`. Objects that are not deleted are freed when they are garbage collected.
   */
  delete(): void;
  /** `delete()`, for `using`; where the engine has `Symbol.dispose`. */
  [Symbol.dispose](): void;
}

/** The size of a cache. Its memory is allocated by the constructor. */
export interface KeyValueCacheOptions {
  /** Default 1. */
  batch?: number | null;
  /** Default 1. */
  kvHeads?: number | null;
  /** d_k. */
  keyDim: number;
  /** d_v. Default `keyDim`. */
  valueDim?: number | null;
  /** Maximum number of keys. Memory: about batch · kvHeads · capacity · (d_k + d_v) · 4 bytes. */
  capacity: number;
  /** `true`: a full cache drops its oldest keys instead of throwing. Default `false`. */
  sliding?: boolean | null;
}

/** Options of {@link KeyValueCache.attend}: those of `attention()` except `offset`, which the cache defines. */
export type CachedAttentionOptions = Omit<AttentionOptions, 'offset'>;

export interface KeyValueCache extends ModuleObject {
  /** Maximum number of keys. */
  readonly capacity: number;
  /** Number of keys appended so far, which is the position of the next one. */
  readonly length: number;
  /** Number of keys in the cache, the kLen of `attend()`: `length`, but at most `capacity` for a sliding cache. */
  readonly keptLength: number;

  /**
   * Appends keys and values, in any layout of `attention()` with the cache's kvHeads. Returns the new
   * length. Throws a `RangeError` if the capacity is exceeded, and leaves the cache unchanged.
   */
  append(key: TensorLike, value: TensorLike): number;

  /**
   * Attention of queries to all keys in the cache. The queries are the last qLen positions: their
   * offset is length - qLen. For 2 and 3 dims `heads` is the number of query heads, by default kvHeads.
   * Columns of masks, `keyLengths`, weights and scores count from the oldest key in the cache.
   *
   * Decoding step by step gives the rows of a causal call over all positions, with the same bits. Time:
   * 4·heads·qLen·kLen·d operations; query heads that share keys are computed together.
   */
  attend<const Options extends CachedAttentionOptions = {}>(
    query: TensorLike,
    options?: Options,
  ): AttentionResultOf<Options>;

  /** Removes all positions from `length` on. Throws a `RangeError` if that needs keys that a sliding cache dropped. */
  rewind(length: number): void;

  /**
   * Replaces the keys and values of batch entry `to` by those of entry `from`: a beam search whose text continues
   * another. Throws a `RangeError` for an entry that the cache does not have.
   */
  copyEntry(from: number, to: number): void;

  /** Removes all keys; positions start from 0 again. */
  clear(): void;
}

export interface KeyValueCacheConstructor {
  /**
   * An empty cache. Throws a `RangeError` for sizes that are not integers or too small, and if memory is not
   * sufficient.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { KeyValueCache } = await loadAttention();
   * const cache = new KeyValueCache({ keyDim: 2, capacity: 16 });
   * for (const row of [[1, 0], [0, 1], [1, 1]]) cache.append(tensor([row]), tensor([row]));
   * const { weights } = cache.attend(tensor([[1, 1]]), { weights: true });
   * console.log(cache.length, weights.dims); // 3 [ 1, 3 ]
   * cache.rewind(1);
   * console.log(cache.length); // 1
   * cache.delete();
   * ```
   *
   * @example
   * A sliding window:
   *
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { KeyValueCache } = await loadAttention();
   * const cache = new KeyValueCache({ keyDim: 1, capacity: 2, sliding: true });
   * cache.append(tensor([[1], [2], [3]]), tensor([[10], [20], [30]]));
   * console.log(cache.length, cache.keptLength); // 3 2
   * console.log(cache.attend(tensor([[0]])).output.data[0]); // 25: the mean of the last two
   * cache.delete();
   * ```
   */
  new (options: KeyValueCacheOptions): KeyValueCache;
  readonly prototype: KeyValueCache;
}
