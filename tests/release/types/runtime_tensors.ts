// Tensors of onnxruntime-web (onnxruntime-common 1.30) and transformers.js (3), with the members that matter here: they
// are accepted without a cast, and their constructors accept results.
import { loadAttention, tensor, toNested, type TensorLike } from 'attention-wasm';

interface OrtDataTypes {
  float32: Float32Array;
  uint8: Uint8Array;
  int8: Int8Array;
  uint16: Uint16Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  string: string[];
  bool: Uint8Array;
  float16: Uint16Array;
  float64: Float64Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  uint4: Uint8Array;
  int4: Int8Array;
}
type OrtType = keyof OrtDataTypes;
interface OrtTypedTensor<T extends OrtType> {
  readonly dims: readonly number[];
  readonly type: T;
  readonly data: OrtDataTypes[T];
  readonly location: 'none' | 'cpu' | 'cpu-pinned' | 'texture' | 'gpu-buffer' | 'ml-tensor';
  getData(releaseData?: boolean): Promise<OrtDataTypes[T]>;
  dispose(): void;
  readonly size: number;
}
type OrtTensor = OrtTypedTensor<OrtType>;
declare const makeOrtTensor: (
  type: 'float32',
  data: Float32Array | readonly number[],
  dims?: readonly number[],
) => OrtTypedTensor<'float32'>;

declare class TransformersTensor {
  constructor(type: OrtType, data: TransformersTensor['data'], dims: number[]);
  set dims(value: number[]);
  get dims(): number[];
  get type(): OrtType;
  get data():
    | Int8Array
    | Uint8Array
    | Uint8ClampedArray
    | Int16Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array
    | Float64Array
    | BigInt64Array
    | BigUint64Array
    | any[];
  get size(): number;
  get location(): string;
  dispose(): void;
}

declare const results: Record<string, OrtTensor>;
declare const typed: OrtTypedTensor<'float32'>;
declare const half: OrtTypedTensor<'float16'>;
declare const hidden: TransformersTensor;
declare const inputs: { attention_mask: TransformersTensor };

const { attention, kernelAttention, MultiHeadAttention } = await loadAttention();
const all: TensorLike[] = [results['last_hidden_state']!, typed, half, hidden];
const { output } = attention(results['query']!, typed, hidden, { mask: inputs.attention_mask });
kernelAttention(hidden, hidden, hidden, { mask: inputs.attention_mask });
const layer = MultiHeadAttention.fromWeights(
  { query: typed, key: hidden, value: half },
  { heads: 1 },
);
layer.forward(hidden, results['memory']!).output;
makeOrtTensor('float32', output.data, output.dims);
new TransformersTensor('float32', output.data, output.dims);
const ones = tensor([[1, 1]]);
makeOrtTensor('float32', ones.data, ones.dims);
new TransformersTensor('float32', ones.data, ones.dims);
const rows: number[][] = [toNested(typed), toNested(hidden), toNested(results['logits']!)].flat();

// @ts-expect-error 32-bit integers are not a float tensor
attention({ data: new Int32Array(2), type: 'int32', dims: [1, 2] }, typed, typed);
// @ts-expect-error a mask of 32-bit integers
attention(typed, typed, typed, { mask: { data: new Int32Array(1), dims: [1, 1] } });
attention(typed, typed, typed, { mask: { data: new BigInt64Array(1), dims: [1, 1] } });

export { all, rows };
