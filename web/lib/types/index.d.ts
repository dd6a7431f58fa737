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
 * Names of dimensions: `batch`, `heads` (of queries), `kvHeads` (of keys and values;
 * query head h uses key/value head ⌊h / (heads / kvHeads)⌋), `qLen`, `kLen`, `keyDim` (d_k),
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
 * The functions and classes of the library; all are synchronous. Arguments are checked before anything is computed:
 * a `TypeError` for a wrong type or an unknown option, a `RangeError` for invalid shapes and values and for a
 * call that needs more memory than is available.
 */
export interface AttentionApi
  extends ScaledDotProduct, KernelAttention, LinearAttention, Positions, Embed, Norms {
  /** Multi-head attention: projections, heads, and the output projection. */
  readonly MultiHeadAttention: MultiHeadAttentionConstructor;
  /** Keys and values of all positions so far. */
  readonly KeyValueCache: KeyValueCacheConstructor;
  /** A linear layer: y = x·W + b. */
  readonly Linear: LinearConstructor;
  /** A configurable Transformer layer with the building blocks of published models. */
  readonly TransformerLayer: TransformerLayerConstructor;
  /** A layer with the state dict of `torch.nn.TransformerEncoderLayer`. */
  readonly TransformerEncoderLayer: TransformerEncoderLayerConstructor;
  /** A layer with the state dict of `torch.nn.TransformerDecoderLayer`. */
  readonly TransformerDecoderLayer: TransformerDecoderLayerConstructor;

  /** The kernels of this instance: `'simd'`, or by option `'reference'`, or `'fused'` in engines that have relaxed SIMD. */
  readonly kernels: 'simd' | 'reference' | 'fused';

  /** Current size of the module's memory in bytes: caches, layers, and the data of one call. It never shrinks. */
  memoryBytes(): number;

  /**
   * Returns the memory of a result for reuse by later results of the same size: copying a large result, such as
   * weights, into it is several times as fast as into new memory. The argument is the result of a function, or a tensor
   * of it; its arrays are empty afterwards. Results that are not released are garbage collected as usual.
   * At most 512 MiB are retained.
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

/** The source of the module: its bytes, a `Response` (or a promise of one), a `URL` to fetch, or a compiled module. */
export type WasmSource =
  | ArrayBuffer
  | ArrayBufferView
  | PlatformResponse
  | PlatformURL
  | CompiledModule
  | PromiseLike<ArrayBuffer | ArrayBufferView | PlatformResponse | CompiledModule>;

/** `fused` of `attention-wasm/fused`. */
export interface FusedKernels {
  /** Their name, as of `kernels` of the result. */
  readonly name: 'fused';
}

/** Options of `loadAttention()`. `null` and `undefined` mean the default. */
export interface LoadOptions {
  /** The module, instead of the included one: `attention-wasm/attention.wasm` of the same version. */
  wasm?: WasmSource | null;
  /**
   * `'reference'`: plain kernels without SIMD, slower, for comparison. `fused` of `attention-wasm/fused`: fused
   * multiply-add where the engine has it, else `'simd'`. Where bytes may not be compiled: a compiled
   * `attention-wasm/fused.wasm` of the same version, which engines without relaxed SIMD refuse to compile. Default
   * `'simd'`: the same bits on every machine.
   */
  kernels?: 'simd' | 'reference' | FusedKernels | (CompiledModule & object) | null;
  /**
   * `true`: a separate instance for private data. Data of a call in the module's memory (arguments, options,
   * intermediate numbers, results) is zeroed when the call returns or throws, data of a layer or a cache when it is
   * deleted or garbage collected, and all memory after an interrupted call. Not zeroed: JavaScript arrays (arguments,
   * results, released and intermediate ones); entries that `clear()` removes from a cache, until the cache is
   * deleted; the message of the last error, with the sizes and options in it; copies elsewhere in the engine.
   * Costs some microseconds per call.
   */
  wipe?: boolean | null;
}

/**
 * Loads the module. An import has no side effects, and nothing is fetched except the option `wasm` if it is a URL. Calls
 * without options share one instance; after a rejection the next call tries again. Rejects if
 * the engine has no WebAssembly SIMD (supported by Chrome 91, Firefox 89, Safari 16.4, Node.js 16.4 and later). The
 * library as a whole needs Chrome 93, Firefox 92, Safari 16.4 or Node.js 20. Rejects with a `CompileForbiddenError` if a
 * policy does not allow WebAssembly (`'wasm-unsafe-eval'` is missing), or if bytes cannot be compiled (Cloudflare
 * Workers): there `attention-wasm/core` accepts a `WebAssembly.Module`. It also loads in workers and audio worklets.
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
 * Private data in a separate instance:
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
