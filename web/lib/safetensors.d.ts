/**
 * Weights from files: reading and writing the safetensors format, in which most trained models are
 * published (https://huggingface.co/docs/safetensors). No WebAssembly is needed for it.
 *
 * A file is 8 bytes with the length of the header (an unsigned integer, lowest byte first), the
 * header in JSON, and the tensors' bytes, row-major, lowest byte first. The header says of each name
 * its dtype, its shape, and where its bytes begin and end, counted from the end of the header:
 *
 * ```json
 * {"__metadata__":{"format":"pt"},"bias":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}}
 * ```
 *
 * Tensors and metadata are Maps, not objects: names come from the file, and one that is called
 * `__proto__` or `toString` is a name like any other in a Map, wherever it is copied to; names made
 * of digits keep their place. fromTorch() takes a Map as it is.
 */

/** A tensor of a file; `type` is the type of the numbers in `data`. */
export interface TensorOf<Type extends string, Data> {
  /** Row-major. */
  readonly data: Data;
  /** Empty for a single number. */
  readonly dims: number[];
  /** What the numbers of `data` are. */
  readonly type: Type;
}

/** Types without a typed array in JavaScript: `data` contains the bytes of the file. */
export type PackedType =
  | 'float4'
  | 'float6_e2m3'
  | 'float6_e3m2'
  | 'float8_e5m2'
  | 'float8_e4m3'
  | 'float8_e8m0'
  | 'float8_e4m3fnuz'
  | 'float8_e5m2fnuz';

/**
 * The dtypes of the format, and the tensors they are in JavaScript:
 *
 * | dtype | type | data |
 * |---|---|---|
 * | `F32`, `F64` | `'float32'`, `'float64'` | Float32Array, Float64Array |
 * | `F16`, `BF16` | `'float16'`, `'bfloat16'` | Uint16Array of their bits, in every engine |
 * | `I8` … `I64`, `U8` … `U64` | `'int8'` … `'int64'`, `'uint8'` … `'uint64'` | Int8Array … BigUint64Array |
 * | `BOOL` | `'bool'` | Uint8Array of 0 and 1 |
 * | `C64` | `'complex64'` | Float32Array of pairs (re, im): twice as many numbers as dims say |
 * | `F8_…`, `F6_…`, `F4` | {@link PackedType}: the dtype in small letters, `'float8_e4m3'` | Uint8Array of the bytes |
 *
 * Those of F32, F64, F16 and BF16 are arguments of attention() and weights of layers as they are.
 */
export type StoredTensor =
  | TensorOf<'float32', Float32Array>
  | TensorOf<'float16' | 'bfloat16', Uint16Array>
  | TensorOf<'float64', Float64Array>
  | TensorOf<'int8', Int8Array>
  | TensorOf<'int16', Int16Array>
  | TensorOf<'int32', Int32Array>
  | TensorOf<'int64', BigInt64Array>
  | TensorOf<'uint8' | 'bool', Uint8Array>
  | TensorOf<'uint16', Uint16Array>
  | TensorOf<'uint32', Uint32Array>
  | TensorOf<'uint64', BigUint64Array>
  | TensorOf<'complex64', Float32Array>
  | TensorOf<PackedType, Uint8Array>;

/** The types of a file in JavaScript. */
export type StoredType = StoredTensor['type'];

/** The contents of a file in memory. */
export interface SafetensorsFile {
  /** By name, in the order of their bytes in the file. */
  tensors: Map<string, StoredTensor>;
  /** The texts of `__metadata__` by name, in the order of the file; empty without any. */
  metadata: Map<string, string>;
}

/**
 * Reads a file that is in memory.
 *
 * **The memory is shared**: `data` is a view of `bytes`, not a copy. Changes of one change the
 * other; a transfer of the buffer empties the tensors; a retained tensor retains the whole
 * buffer. `data.slice()` makes a copy. Only a tensor that does not begin at a multiple
 * of its element's size is copied, as can happen in files of other writers and in views such as a
 * Buffer of Node.
 *
 * Files are checked as strictly as by the reference implementation (`SafeTensors::deserialize` of
 * huggingface/safetensors), before any tensor is made:
 *
 * - 8 bytes at least; a header of at most 100,000,000 bytes that is wholly there, in UTF-8, in JSON,
 *   beginning with `{` at once; spaces may follow it;
 * - in all of the header no name twice (the reference keeps the last one of most, the format allows
 *   none), and no half of a surrogate pair;
 * - `__metadata__`, where there is one, an object of strings;
 * - for each tensor a known dtype, a shape of whole numbers (written so: not 4.0, not 4e0) whose
 *   product stays below 2^53, and a begin that is not after its end; other fields are ignored;
 * - between begin and end exactly the bytes that shape and dtype need, a whole number of them;
 * - the first tensor begins at 0, each other one where the one before it ends, the last one ends
 *   with the file: no gap, no overlap, nothing outside, nothing left over. Their order in the header
 *   is free.
 *
 * Time is linear in the length of the header; the bytes of tensors are not read.
 *
 * @throws RangeError for a file that breaks one of these rules; the sentence begins with
 * `not a valid safetensors file:` and names the tensor, what was found and what was expected.
 * @throws TypeError for anything but an ArrayBuffer, a SharedArrayBuffer or a view of one, and for a
 * detached one.
 *
 * @example
 * ```js
 * import { parseSafetensors, writeSafetensors } from 'attention-wasm/safetensors';
 *
 * const bytes = writeSafetensors({ bias: { data: Float32Array.of(1, 2, 3), dims: [3] } });
 * const { tensors, metadata } = parseSafetensors(bytes);
 * console.log(tensors.get('bias')); // { data: Float32Array(3) [ 1, 2, 3 ], dims: [ 3 ], type: 'float32' }
 * console.log(metadata.size); // 0
 * ```
 */
export function parseSafetensors(bytes: ArrayBufferLike | ArrayBufferView): SafetensorsFile;

/** A `Uint8Array` whose memory is an ArrayBuffer, said so that older compilers understand it too. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>;

/** A tensor to be written. Tensors of onnxruntime-web and transformers.js fit as they are. */
export interface TensorToWrite {
  /** Any typed array; `Float16Array` and `Uint8ClampedArray` too. */
  readonly data: ArrayBufferView;
  /** Their product is the length of `data`; empty for a single number. */
  readonly dims: readonly number[];
  /**
   * The type of the numbers, as in {@link StoredTensor}. Default: that of the typed array; needed for
   * 'float16' and 'bfloat16' in a Uint16Array (which alone is 'uint16'), 'bool' in a Uint8Array,
   * 'complex64' in a Float32Array and bytes of a {@link PackedType}.
   */
  readonly type?: string;
}

/** Options of `writeSafetensors()`. */
export interface WriteOptions {
  /** Texts to be kept beside the tensors, as `__metadata__`; PyTorch's tools like `format: 'pt'`. */
  metadata?: ReadonlyMap<string, string> | Readonly<Record<string, string>> | null;
}

/**
 * The bytes of a file with these tensors, a plain object (own enumerable names) or a Map.
 *
 * Equal tensors give equal bytes, whatever the order they come in: wide elements before narrow ones
 * and then by name, as the reference writes them, metadata by name; the header is filled up with
 * spaces so that the data begins at a multiple of 8. So every tensor is aligned, and
 * `parseSafetensors(writeSafetensors(tensors, { metadata }))` gives tensors and metadata again.
 * Empty metadata is not written. The result shares no memory with the tensors.
 *
 * @throws TypeError for a wrong kind of thing: no tensor, no typed array, an array that does not fit
 * the type, metadata that is no string, an unknown option.
 * @throws RangeError for dims that do not match the data, an unknown type, a tensor called
 * `__metadata__`, a name with half of a surrogate pair (which UTF-8 cannot spell), and a header of
 * more than 100,000,000 bytes.
 *
 * @example
 * ```js
 * import { writeSafetensors } from 'attention-wasm/safetensors';
 *
 * const weight = { data: Uint16Array.of(0x3f80, 0x4000), dims: [1, 2], type: 'bfloat16' }; // 1 and 2
 * const bytes = writeSafetensors({ weight }, { metadata: { format: 'pt' } });
 * console.log(bytes.length % 4, bytes.subarray(-4)); // 0 Uint8Array(4) [ 128, 63, 0, 64 ]
 * ```
 */
export function writeSafetensors(
  tensors: ReadonlyMap<string, TensorToWrite> | Readonly<Record<string, TensorToWrite>>,
  options?: WriteOptions,
): OwnBytes;

/** The members of a `File` or a `Blob` that are used; `fs.openAsBlob()` of Node and `Bun.file()` give one too. */
export interface BlobSource {
  /** In bytes. */
  readonly size: number;
  /** A range of bytes, as an object that reads it into memory. */
  slice(begin: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** The members of a `FileHandle` (`open()` of node:fs/promises) that are used. */
export interface FileHandleSource {
  /** Its size in bytes. */
  stat(): Promise<{ size: number }>;
  /** Reads into a buffer from a position in the file; fewer bytes than requested at its end. */
  read(
    buffer: OwnBytes,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
}

/** The type, dims and byte range of a tensor. */
export interface StoredTensorInfo {
  /** As the header says it: 'F32', 'BF16', … */
  dtype: string;
  /** What it will be in JavaScript. */
  type: StoredType;
  /** Empty for a single number. */
  dims: number[];
  /** Counted from the beginning of the file. */
  byteOffset: number;
  /** In bytes. */
  byteLength: number;
}

/** A file whose header was read. */
export interface OpenSafetensors {
  /** In the order of their bytes in the file. */
  readonly names: readonly string[];
  /** The texts of `__metadata__` by name; empty without any. */
  readonly metadata: Map<string, string>;
  /**
   * Type, dims and byte range of a tensor, without reading it.
   *
   * @throws RangeError for a name that is not in the file.
   */
  describe(name: string): StoredTensorInfo;
  /**
   * Reads the bytes of this tensor and no others. The tensor owns its memory; nothing is kept, so
   * reading it again reads the file again.
   *
   * Rejects with a RangeError for a name that is not in the file, and for a file that has become
   * shorter; with the source's own error where it cannot be read.
   */
  read(name: string): Promise<StoredTensor>;
  /**
   * Reads several tensors, one after the other, all of the file without an argument: the Map that
   * layers' fromTorch() takes. All names are looked up before anything is read.
   */
  readMany(names?: Iterable<string>): Promise<Map<string, StoredTensor>>;
}

/**
 * Opens a file of any length where it is. Only its header is read, in two reads, and judged by all
 * the rules of {@link parseSafetensors}; each tensor is read when it is asked for.
 *
 * There is nothing to close: a File and a Blob need no closing, and a FileHandle stays its opener's,
 * who closes it after the last read. The source can be anything that does what is declared here, for
 * instance an object whose `slice()` fetches a range of a URL.
 *
 * Rejects with a RangeError for a file that breaks a rule, with a TypeError for a source of another
 * kind (bytes in memory go to {@link parseSafetensors}), and with the source's own error where it
 * cannot be read.
 *
 * @example
 * ```js
 * import { loadAttention, tensor } from 'attention-wasm';
 * import { openSafetensors, writeSafetensors } from 'attention-wasm/safetensors';
 *
 * // As input.files[0] of a page, or fs.openAsBlob(path) of Node.js, would be.
 * const blob = new Blob([writeSafetensors({ 'head.weight': tensor([[1, 2]]), other: tensor([3]) })]);
 * const file = await openSafetensors(blob); // reads the header, however long the file
 * console.log(file.names); // [ 'head.weight', 'other' ]
 * console.log(file.describe('head.weight').dims); // [ 1, 2 ]
 * const { Linear } = await loadAttention();
 * const layer = Linear.fromTorch(await file.readMany(['head.weight']), { prefix: 'head.' });
 * console.log(layer.inDim, layer.outDim); // 2 1
 * layer.delete();
 * ```
 */
export function openSafetensors(source: BlobSource | FileHandleSource): Promise<OpenSafetensors>;
