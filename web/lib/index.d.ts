/**
 * attention-wasm: the attention mechanism of the Transformer as one small WebAssembly module that
 * shows its work.
 *
 * ```
 * scores   s_ij = bias(cap(scale · q_i·k_j))     -Infinity where query i may not see key j
 * weights  α_i  = softmax over the visible keys of s_i
 * output   o_i  = Σ_j α_ij v_j
 * ```
 *
 * Source: Vaswani et al., "Attention Is All You Need" (2017), §3.2.1.
 *
 * Dimensions, named alike everywhere: `batch`, `heads` (of queries), `kvHeads` (of keys and values;
 * query head h reads key/value head ⌊h / (heads / kvHeads)⌋), `qLen`, `kLen`, `keyDim` (d_k),
 * `valueDim` (d_v).
 */
import type { Embed } from './attention/embed.js';
import type { KernelAttention } from './attention/kernel_attention.js';
import type { KeyValueCacheConstructor } from './attention/key_value_cache.js';
import type { LinearConstructor } from './layers/linear.js';
import type { LinearAttention } from './attention/linear_attention.js';
import type { MultiHeadAttentionConstructor } from './layers/multi_head_attention.js';
import type { Norms } from './layers/norm.js';
import type { CompiledModule, PlatformResponse, PlatformURL } from './arguments/platform.js';
import type { Positions } from './attention/positions.js';
import type { ScaledDotProduct } from './attention/scaled_dot_product.js';
import type {
  TransformerDecoderLayerConstructor,
  TransformerEncoderLayerConstructor,
} from './layers/transformer.js';
import type { TransformerLayerConstructor } from './layers/transformer_layer.js';

export type * from './attention/embed.js';
export type * from './attention/kernel_attention.js';
export type * from './attention/key_value_cache.js';
export type * from './layers/linear.js';
export type * from './attention/linear_attention.js';
export type * from './layers/multi_head_attention.js';
export type * from './layers/norm.js';
export type * from './attention/positions.js';
export type * from './attention/scaled_dot_product.js';
export * from './arguments/nested.js';
export type * from './arguments/tensor.js';
export type * from './layers/transformer.js';
export type * from './layers/transformer_layer.js';

/**
 * All of it, synchronous. Everything throws before it computes anything: a `TypeError` for a wrong
 * kind of thing or an unknown option, a `RangeError` for shapes and values that do not fit and for a
 * call that needs more memory than there is.
 */
export interface AttentionApi
  extends ScaledDotProduct, KernelAttention, LinearAttention, Positions, Embed, Norms {
  /** The layer: projections, heads, and their output put together. */
  readonly MultiHeadAttention: MultiHeadAttentionConstructor;
  /** Keys and values of all positions so far. */
  readonly KeyValueCache: KeyValueCacheConstructor;
  /** A projection by itself. */
  readonly Linear: LinearConstructor;
  /** A layer of the blocks that published models are made of. */
  readonly TransformerLayer: TransformerLayerConstructor;
  /** The same by the names of `torch.nn.TransformerEncoderLayer`. */
  readonly TransformerEncoderLayer: TransformerEncoderLayerConstructor;
  /** The same by the names of `torch.nn.TransformerDecoderLayer`. */
  readonly TransformerDecoderLayer: TransformerDecoderLayerConstructor;

  /** Which kernels compute: `'simd'` unless `'reference'` was asked for. */
  readonly kernels: 'simd' | 'reference';

  /** Bytes of the module's memory at this moment: caches, layers, and one call at a time. It never shrinks. */
  memoryBytes(): number;

  /**
   * Takes the memory of a result, for results to come of the same size: large ones, such as weights, are copied
   * into it several times as fast as into fresh memory. All that a function returned can be given, or a tensor of
   * it; its arrays are empty from then on. Results that are not released are the garbage collector's, as ever.
   * Up to 512 MiB wait for results to come.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { attention, release } = await loadAttention();
   * const x = tensor([[1, 0], [0, 1]]);
   * const result = attention(x, x, x, { weights: true });
   * release(result);
   * console.log(result.output.data.length, result.weights.data.length); // 0 0
   * ```
   */
  release(result: object): void;
}

/** Where the module comes from: its bytes, a `Response` (or a promise of one), a `URL` to fetch, or a compiled module. */
export type WasmSource =
  | ArrayBuffer
  | ArrayBufferView
  | PlatformResponse
  | PlatformURL
  | CompiledModule
  | PromiseLike<ArrayBuffer | ArrayBufferView | PlatformResponse | CompiledModule>;

/** Where the module comes from and how it computes. `null` and `undefined` count as not given. */
export interface LoadOptions {
  /** The module, instead of the one inside: `attention-wasm/attention.wasm`, of the same version. */
  wasm?: WasmSource | null;
  /** `'reference'`: the kernels by their definitions, slower and for comparison. Default `'simd'`. */
  kernels?: 'simd' | 'reference' | null;
  /**
   * `true`: an instance of its own for private data. What a call wrote into the module's memory (arguments, options,
   * intermediate numbers, results) is zeroed when it returns or throws, what a layer or a cache held when it is
   * deleted or forgotten, and all of the memory once a call was interrupted. Not zeroed: arrays of JavaScript, be
   * they handed in, given back, released or made on the way; what `clear()` of a cache forgets, until the cache is
   * deleted; the sentence of the last error, with the sizes and options that it names; what the engine keeps
   * elsewhere. Costs some microseconds a call.
   */
  wipe?: boolean | null;
}

/**
 * Loads the module. Nothing happens before, and nothing is fetched unless a URL was given. Calls
 * without options share one instance; one that was rejected can be tried again. Rejects with a sentence
 * where the engine has no WebAssembly SIMD (it is in Chrome 91, Firefox 89, Safari 16.4, Node.js 16.4 and later). With
 * all else that it uses: Chrome 93, Firefox 92, Safari 16.4, Node.js 20. Rejects with the remedy where a policy does not
 * allow WebAssembly (`'wasm-unsafe-eval'` is missing), and where bytes may not be compiled (Cloudflare Workers): there
 * `attention-wasm/core` takes a `WebAssembly.Module`.
 *
 * @example
 * ```js
 * import { loadAttention } from 'attention-wasm';
 *
 * const { attention, kernels } = await loadAttention();
 * const one = { data: Float32Array.of(3), dims: [1, 1] };
 * console.log(attention(one, one, one).output.data[0], [kernels]); // 3 [ 'simd' ]
 * ```
 *
 * @example
 * Private data in an instance of its own:
 *
 * ```js
 * import { loadAttention } from 'attention-wasm';
 *
 * const shared = await loadAttention();
 * const secret = await loadAttention({ wipe: true }); // an instance that forgets
 * console.log([secret === shared, (await loadAttention()) === shared]); // [ false, true ]
 * ```
 */
export function loadAttention(options?: LoadOptions): Promise<AttentionApi>;
