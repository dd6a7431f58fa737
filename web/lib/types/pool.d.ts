/**
 * attention-wasm/pool: attention on all cores, in workers with separate instances of the module. It needs no
 * SharedArrayBuffer, and therefore no cross-origin isolation and no special headers.
 * Where memory may be shared (Node.js, isolated pages), the workers of a model exchange their columns in it: generated tokens
 * take less time.
 */
import type { AttentionApi, LoadOptions } from './index.js';
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
 * The members of a worker that a pool uses: a web worker, or one of `node:worker_threads`. It must post nothing but
 * answers to the pool.
 */
export interface PoolWorker {
  /** Sends a message, and transfers these buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  /** Ends the worker immediately. */
  terminate(): unknown;
}

/** Options of `loadAttentionPool()`. */
export interface PoolOptions {
  /** Maximum number of workers, from 1 to 1024. Default: the number of cores. */
  workers?: number | null;
  /**
   * Creates a worker that runs `attention-wasm/pool-worker`. Default: the worker file of the package; if a bundler does not
   * emit it (Rollup, esbuild, Angular, Vite 6 and 7 in development), a blob with the same code, for which a CSP needs
   * `worker-src blob:`. Output as `iife` or `umd` needs `output.inlineDynamicImports` in Rollup. Edge runtimes
   * (Next.js, Cloudflare) have no workers: loading rejects there without `createWorker`. The workers of a model share memory
   * only where each is a `Worker` of the environment, not an object that wraps one.
   *
   * ```js
   * import PoolWorker from 'attention-wasm/pool-worker?worker'; // Vite
   * await loadAttentionPool({ createWorker: () => new PoolWorker() });
   * ```
   */
  createWorker?: (() => PoolWorker) | null;
  /** As for `loadAttention()`. */
  kernels?: LoadOptions['kernels'];
  /** As for `loadAttention()`, for the modules of all workers. */
  wipe?: boolean | null;
}

/** The additional option of calls of a pool. */
export interface PoolCallOptions {
  /**
   * On abort the call rejects with the signal's reason. Queued work is dropped. Work already running completes, but its
   * result is discarded. Calls that use no worker are synchronous and cannot be aborted.
   */
  signal?: PlatformAbortSignal | null;
}

/** Options of a pooled MultiHeadAttention: no `cache`, as it belongs to one instance of the module. */
export type PooledForwardOptions = Omit<ForwardOptions, 'cache' | 'interventions'> &
  PoolCallOptions;

/** A {@link MultiHeadAttention} whose heads are distributed among the workers. */
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

  /** As `forward()` of the layer: the same options except `cache`, and results with the same bits. */
  forward<const Options extends PooledForwardOptions = {}>(
    x: TensorLike,
    context?: TensorLike | null,
    options?: Options,
  ): Promise<ForwardResult<Options>>;
}

/**
 * A {@link TransformerEncoderLayer} whose batch entries, or rows of sequences, are distributed among the
 * workers. Small calls, and calls with a cache, which belongs to one instance of the module, are computed in the calling
 * thread.
 */
export interface PooledTransformerEncoderLayer extends Omit<TransformerEncoderLayer, 'forward'> {
  /** As that of the layer, with the same options and the same bits. */
  forward<
    const Options extends Omit<EncoderForwardOptions, 'interventions'> & PoolCallOptions = {},
  >(
    x: TensorLike,
    options?: Options,
  ): Promise<EncoderResult<Options>>;
}

/**
 * A {@link TransformerDecoderLayer} whose batch entries, or rows of sequences, are distributed among the
 * workers. Calls with a cache, as an option or from `projectMemory()`, are computed in the calling thread.
 */
export interface PooledTransformerDecoderLayer extends Omit<TransformerDecoderLayer, 'forward'> {
  /** As that of the layer, with the same options and the same bits. */
  forward<
    const Options extends Omit<DecoderForwardOptions, 'interventions'> & PoolCallOptions = {},
  >(
    x: TensorLike,
    memory: TensorLike | KeyValueCache,
    options?: Options,
  ): Promise<DecoderResult<Options>>;
}

/** The pooled functions and classes. They reject with the errors that their counterparts without a pool throw. */
export interface AttentionPool {
  /**
   * As `attention()`, with the same options and a `signal`, errors (as rejections) and bits. Arguments are read and copied
   * before it returns. The work is divided by batch entries, key/value heads and queries. Calls below
   * about 16 million operations plus 80 per input number (in a page: 40 million plus 120) are computed in the calling
   * thread.
   */
  attention<const Options extends AttentionOptions & PoolCallOptions = {}>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: Options,
  ): Promise<AttentionResultOf<Options>>;

  /** The layer, created as without a pool from weights or a state dict. Its weights are sent to each worker once. */
  readonly MultiHeadAttention: {
    readonly prototype: PooledMultiHeadAttention;
    fromWeights(weights: MultiHeadWeights, options: MultiHeadOptions): PooledMultiHeadAttention;
    fromTorch(
      stateDict: StateDict,
      options: MultiHeadOptions & { prefix?: string | null },
    ): PooledMultiHeadAttention;
  };

  /** The pooled layer of `torch.nn`, created as without a pool. */
  readonly TransformerEncoderLayer: {
    readonly prototype: PooledTransformerEncoderLayer;
    fromTorch(
      stateDict: StateDict,
      options: TransformerLayerOptions,
    ): PooledTransformerEncoderLayer;
  };

  /** The pooled layer of `torch.nn`, created as without a pool. */
  readonly TransformerDecoderLayer: {
    readonly prototype: PooledTransformerDecoderLayer;
    fromTorch(
      stateDict: StateDict,
      options: TransformerLayerOptions,
    ): PooledTransformerDecoderLayer;
  };

  /** Maximum number of workers. They start on first use. */
  readonly workers: number;
  /** The kernels of all instances. */
  readonly kernels: AttentionApi['kernels'];

  /**
   * As `release()` of `loadAttention()`: returns the memory of a result for reuse by later results of the same size. New memory
   * takes time in pages.
   */
  release(result: object): void;

  /**
   * Ends the workers; pending and later calls reject. Idle workers do not keep a Node.js process running, even if the
   * pool is not closed.
   */
  close(): Promise<void>;
}

/**
 * A pool of workers. A worker that fails, does not start within a minute, or posts a message that is not an answer to
 * its tasks is terminated: its pending calls reject, and the next call replaces it.
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
 * Aborting a call:
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
