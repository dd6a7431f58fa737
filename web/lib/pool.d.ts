/**
 * attention-wasm/pool: attention on all cores, in workers that each have a module of their own. No
 * SharedArrayBuffer, so no cross-origin isolation and no special headers.
 */
import type { KeyValueCache, ModuleObject } from './attention/key_value_cache.js';
import type {
  ForwardOptions,
  ForwardResult,
  MultiHeadOptions,
  MultiHeadWeights,
  StateDict,
} from './layers/multi_head_attention.js';
import type { AttentionOptions, AttentionResultOf } from './attention/scaled_dot_product.js';
import type { PlatformAbortSignal } from './arguments/platform.js';
import type { TensorLike } from './arguments/tensor.js';
import type {
  DecoderForwardOptions,
  DecoderResult,
  EncoderForwardOptions,
  EncoderResult,
  TransformerDecoderLayer,
  TransformerEncoderLayer,
  TransformerLayerOptions,
} from './layers/transformer.js';

/**
 * A worker, as far as a pool uses it: one of the web, or of `node:worker_threads`. It posts answers to the pool and
 * nothing else.
 */
export interface PoolWorker {
  /** Sends a message, and hands over the memory of these buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  /** Ends it at once. */
  terminate(): unknown;
}

/** How many workers there are, and what they are made of. */
export interface PoolOptions {
  /** Workers at most, from 1 to 1024. Default: as many as there are cores. */
  workers?: number | null;
  /**
   * Makes a worker that runs `attention-wasm/pool-worker`, for bundlers that do not follow
   * `new URL(…, import.meta.url)` into a package:
   *
   * ```js
   * import PoolWorker from 'attention-wasm/pool-worker?worker'; // Vite
   * await loadAttentionPool({ createWorker: () => new PoolWorker() });
   * ```
   */
  createWorker?: (() => PoolWorker) | null;
  /** As for `loadAttention()`. */
  kernels?: 'simd' | 'reference' | null;
  /** As for `loadAttention()`, for the modules of all workers. */
  wipe?: boolean | null;
}

/** What a call of a pool takes besides the options that it has without one. */
export interface PoolCallOptions {
  /**
   * When it is aborted, the call rejects with its reason. What waits for a worker is given up; what a worker is at,
   * it finishes first, and nobody sees it. A call that needs no worker is done before anything can abort it.
   */
  signal?: PlatformAbortSignal | null;
}

/** Options of a pooled MultiHeadAttention: a cache lives in one module and cannot be shared by workers. */
export type PooledForwardOptions = Omit<ForwardOptions, 'cache'> & PoolCallOptions;

/** A {@link MultiHeadAttention} whose heads are spread over the workers. */
export interface PooledMultiHeadAttention extends ModuleObject {
  /** Heads of queries. */
  readonly heads: number;
  /** Heads of keys and values. */
  readonly kvHeads: number;
  /** d_k. */
  readonly keyDim: number;
  /** d_v. */
  readonly valueDim: number;
  /** Width of x. */
  readonly modelDim: number;

  /** As that of the layer, with the same options but `cache`, and the same bits. */
  forward<const Options extends PooledForwardOptions = {}>(
    x: TensorLike,
    context?: TensorLike | null,
    options?: Options,
  ): Promise<ForwardResult<Options>>;
}

/**
 * A {@link TransformerEncoderLayer} whose batch entries, or the rows of whose sequences, are spread over the
 * workers. A cache lives in one module: calls with one are computed at once, without a worker, as small
 * calls are.
 */
export interface PooledTransformerEncoderLayer extends Omit<TransformerEncoderLayer, 'forward'> {
  /** As that of the layer, with the same options and the same bits. */
  forward<const Options extends EncoderForwardOptions & PoolCallOptions = {}>(
    x: TensorLike,
    options?: Options,
  ): Promise<EncoderResult<Options>>;
}

/**
 * A {@link TransformerDecoderLayer} whose batch entries, or the rows of whose sequences, are spread over the
 * workers. Calls with a cache, be it the option or what `projectMemory()` made, are computed at once, without
 * a worker.
 */
export interface PooledTransformerDecoderLayer extends Omit<TransformerDecoderLayer, 'forward'> {
  /** As that of the layer, with the same options and the same bits. */
  forward<const Options extends DecoderForwardOptions & PoolCallOptions = {}>(
    x: TensorLike,
    memory: TensorLike | KeyValueCache,
    options?: Options,
  ): Promise<DecoderResult<Options>>;
}

/** What computes on all cores. Everything throws, as a rejection, what it throws without a pool. */
export interface AttentionPool {
  /**
   * As `attention()`, with the same options and a `signal`, errors (as rejections) and bits. Arguments are read and copied
   * before it returns. The work is divided by batch entries, key/value heads and queries; calls below
   * some 16 million operations and 80 for every number given, in a page 40 million and 120, are computed at once,
   * without a worker.
   */
  attention<const Options extends AttentionOptions & PoolCallOptions = {}>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: Options,
  ): Promise<AttentionResultOf<Options>>;

  /** The layer; made as without a pool, from weights or from a state dict. Its weights are sent to each worker once. */
  readonly MultiHeadAttention: {
    readonly prototype: PooledMultiHeadAttention;
    fromWeights(weights: MultiHeadWeights, options: MultiHeadOptions): PooledMultiHeadAttention;
    fromTorch(
      stateDict: StateDict,
      options: MultiHeadOptions & { prefix?: string | null },
    ): PooledMultiHeadAttention;
  };

  /** The layer of `torch.nn`; made as without a pool. */
  readonly TransformerEncoderLayer: {
    readonly prototype: PooledTransformerEncoderLayer;
    fromTorch(
      stateDict: StateDict,
      options: TransformerLayerOptions,
    ): PooledTransformerEncoderLayer;
  };

  /** The layer of `torch.nn`; made as without a pool. */
  readonly TransformerDecoderLayer: {
    readonly prototype: PooledTransformerDecoderLayer;
    fromTorch(
      stateDict: StateDict,
      options: TransformerLayerOptions,
    ): PooledTransformerDecoderLayer;
  };

  /** How many workers there are at most. They start when there is work for them. */
  readonly workers: number;
  /** Which kernels compute: `'simd'` unless `'reference'` was asked for. */
  readonly kernels: 'simd' | 'reference';

  /**
   * Ends the workers; what they were computing is rejected, as is every later call. Waiting workers do
   * not keep a Node.js process alive, closed or not.
   */
  close(): Promise<void>;
}

/**
 * A pool of workers. A worker that dies, does not start within a minute, or posts a message that is not an answer to
 * its tasks, is ended: the calls it was computing for reject, and it is replaced at the next call.
 *
 * @example
 * ```js
 * import { loadAttentionPool } from 'attention-wasm/pool';
 *
 * const pool = await loadAttentionPool({ workers: 2 });
 * const x = { data: new Float32Array(8 * 256 * 64).fill(0.5), dims: [1, 8, 256, 64] };
 * const { output, weights } = await pool.attention(x, x, x, { causal: true, weights: true });
 * console.log(pool.workers, output.dims, weights.dims); // 2 [ 1, 8, 256, 64 ] [ 1, 8, 256, 256 ]
 * await pool.close();
 * ```
 *
 * @example
 * A layer:
 *
 * ```js
 * import { tensor } from 'attention-wasm';
 * import { loadAttentionPool } from 'attention-wasm/pool';
 *
 * const pool = await loadAttentionPool();
 * const one = tensor([[1, 0], [0, 1]]);
 * const weights = { query: one, key: one, value: one };
 * const layer = pool.MultiHeadAttention.fromWeights(weights, { heads: 2 });
 * const { output } = await layer.forward(one);
 * console.log(output.dims); // [ 2, 2 ]
 * layer.delete();
 * await pool.close();
 * ```
 *
 * @example
 * A call that nobody waits for any more:
 *
 * ```js
 * import { loadAttentionPool } from 'attention-wasm/pool';
 *
 * const pool = await loadAttentionPool({ workers: 2 });
 * const x = { data: new Float32Array(8 * 512 * 64), dims: [1, 8, 512, 64] };
 * const stopping = new AbortController();
 * const result = pool.attention(x, x, x, { signal: stopping.signal });
 * stopping.abort();
 * await result.catch((error) => console.log(error.name)); // AbortError
 * await pool.close();
 * ```
 */
export function loadAttentionPool(options?: PoolOptions): Promise<AttentionPool>;
