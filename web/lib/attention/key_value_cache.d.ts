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
  new (options: KeyValueCacheOptions): KeyValueCache;
  readonly prototype: KeyValueCache;
}
