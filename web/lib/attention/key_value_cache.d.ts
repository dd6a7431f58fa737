/// <reference lib="esnext.disposable" />
// KeyValueCache: keys and values of all positions so far, for attention of the newest queries.
import type { AttentionOptions, AttentionResultOf } from './scaled_dot_product.js';
import type { TensorLike } from '../arguments/tensor.js';

/** Something that lives in the module's memory until it is deleted, or its page is. */
export interface ModuleObject {
  /**
   * Frees the memory at once. Deleting twice is harmless; any other use after it throws an error of
   * the name `'DeletedError'`. What is forgotten undeleted is freed when it is garbage collected.
   */
  delete(): void;
  /** `delete()`, for `using`; where the engine has `Symbol.dispose`. */
  [Symbol.dispose](): void;
}

/** The size of a cache. Its memory is taken at once. */
export interface KeyValueCacheOptions {
  /** Default 1. */
  batch?: number | null;
  /** Default 1. */
  kvHeads?: number | null;
  /** d_k. */
  keyDim: number;
  /** d_v. Default `keyDim`. */
  valueDim?: number | null;
  /** Keys there is room for. Memory about batch · kvHeads · capacity · (d_k + d_v) · 4 bytes. */
  capacity: number;
  /** Keep the last `capacity` keys and let go of older ones, instead of refusing more. Default `false`. */
  sliding?: boolean | null;
}

/** Options of {@link KeyValueCache.attend}: those of `attention()`; the offset is the cache's own. */
export type CachedAttentionOptions = Omit<AttentionOptions, 'offset'>;

export interface KeyValueCache extends ModuleObject {
  /** Keys there is room for. */
  readonly capacity: number;
  /** Keys appended so far: the position of the next. */
  readonly length: number;
  /** Keys that are kept, kLen of `attend()`: `length`, or `capacity` at most when sliding. */
  readonly keptLength: number;

  /**
   * Appends keys and values, in any layout of `attention()` with the cache's kvHeads. Returns the new
   * length. Throws a `RangeError` where there is no room, and nothing has changed.
   */
  append(key: TensorLike, value: TensorLike): number;

  /**
   * Attention of queries to all keys that are kept. The queries are the last qLen positions: their
   * offset is length - qLen. At 2 and 3 dims `heads` counts the query's, by default as many as kvHeads.
   * Columns of masks, `keyLengths`, weights and scores count from the oldest key that is kept.
   *
   * Decoding step by step gives, bit for bit, the rows of the whole causal pass. Time 4·heads·qLen·kLen·d
   * operations; all query heads that share keys read them together.
   */
  attend<const Options extends CachedAttentionOptions = {}>(
    query: TensorLike,
    options?: Options,
  ): AttentionResultOf<Options>;

  /** Forgets all from position `length` on. Keys that have slid out do not come back: a `RangeError`. */
  rewind(length: number): void;

  /** Forgets everything; positions count from 0 again. */
  clear(): void;
}

export interface KeyValueCacheConstructor {
  /**
   * An empty cache. Throws a `RangeError` for a size that is no whole number or too small, and where there is no room
   * for it.
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
   * A window that slides:
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
