/**
 * Reads and writes safetensors files, the format of most published models
 * (https://huggingface.co/docs/safetensors), without WebAssembly.
 *
 * A file consists of the header's length (8 bytes, an unsigned little-endian integer), the header in
 * JSON, and the tensors' bytes, row-major and little-endian. For each name the header has the dtype,
 * the shape, and the begin and end of its bytes, counted from the end of the header:
 *
 * ```json
 * {"__metadata__":{"format":"pt"},"bias":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}}
 * ```
 *
 * Tensors and metadata are Maps, not objects, because names come from the file: a Map has no special
 * names such as `__proto__`, and keeps the order of names made of digits. fromTorch() accepts a Map.
 */

/** A tensor of a file; `type` is the type of the numbers in `data`. */
export interface TensorOf<Type extends string, Data> {
  /** Row-major. */
  readonly data: Data;
  /** Empty for a single number. */
  readonly dims: number[];
  /** Type of the numbers in `data`. */
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
 * A tensor of a file. Dtypes of the format and their types in JavaScript:
 *
 * | dtype | type | data |
 * |---|---|---|
 * | `F32`, `F64` | `'float32'`, `'float64'` | Float32Array, Float64Array |
 * | `F16`, `BF16` | `'float16'`, `'bfloat16'` | Uint16Array of their bits, in every engine |
 * | `I8` … `I64`, `U8` … `U64` | `'int8'` … `'int64'`, `'uint8'` … `'uint64'` | Int8Array … BigUint64Array |
 * | `BOOL` | `'bool'` | Uint8Array of 0 and 1 |
 * | `C64` | `'complex64'` | Float32Array of pairs (re, im): twice the product of dims |
 * | `F8_…`, `F6_…`, `F4` | {@link PackedType}: the dtype in lower case, `'float8_e4m3'` | Uint8Array of the bytes |
 *
 * attention() and the layers accept F32, F64, F16 and BF16 tensors unchanged.
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
  /** Tensors by name, in the order of their bytes in the file. */
  tensors: Map<string, StoredTensor>;
  /** Strings of `__metadata__` by name, in the order of the file; empty without `__metadata__`. */
  metadata: Map<string, string>;
}

/**
 * Reads a file that is in memory.
 *
 * **The memory is shared**: `data` is a view of `bytes`, not a copy. Changes of one change the
 * other; transferring the buffer empties the tensors; one retained tensor retains the whole
 * buffer. `data.slice()` makes a copy. A tensor is copied only if it does not begin at a multiple
 * of its element size, which happens in some files and in views such as a Buffer of Node.js.
 *
 * Files are checked as strictly as by the reference implementation (`SafeTensors::deserialize` of
 * huggingface/safetensors), before the first tensor is created:
 *
 * - The file has at least 8 bytes. The header is complete, has at most 100,000,000 bytes, and is
 *   JSON in UTF-8 that starts with `{`; spaces may follow it.
 * - The header has no duplicate names (the reference implementation keeps the last one; the format
 *   forbids them) and no lone surrogates.
 * - `__metadata__`, if present, is an object of strings.
 * - Each tensor has a known dtype, a shape of integers (`4`, not `4.0` or `4e0`) with a product below
 *   2^53, and a begin that is not after its end. Other fields are ignored.
 * - The bytes from begin to end are exactly those that shape and dtype need.
 * - Tensors fill the file without gap or overlap: the first begins at 0, each next one at the end of
 *   the one before, and the last ends with the file. Their order in the header is free.
 *
 * Time is linear in the length of the header; the bytes of tensors are not read.
 *
 * @throws RangeError for a file that breaks one of these rules; the message begins with
 * `not a valid safetensors file:` and names the tensor, the value found and the expected one.
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

/** A `Uint8Array` whose buffer is an ArrayBuffer, in a form that older compilers accept. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>;

/** A tensor to write. Tensors of onnxruntime-web and transformers.js are accepted unchanged. */
export interface TensorToWrite {
  /** Any typed array, including `Float16Array` and `Uint8ClampedArray`. */
  readonly data: ArrayBufferView;
  /** Dims with the product `data.length`; empty for a single number. */
  readonly dims: readonly number[];
  /**
   * The type of the numbers, as in {@link StoredTensor}. Default: that of the typed array.
   * Required for 'float16' and 'bfloat16' in a Uint16Array (default: 'uint16'), 'bool' in a
   * Uint8Array, 'complex64' in a Float32Array and bytes of a {@link PackedType}.
   */
  readonly type?: string;
}

/** Options of `writeSafetensors()`. */
export interface WriteOptions {
  /** Strings for `__metadata__`; transformers requires `format: 'pt'`. */
  metadata?: ReadonlyMap<string, string> | Readonly<Record<string, string>> | null;
}

/**
 * The bytes of a file with these tensors, from a plain object (own enumerable properties) or a Map.
 *
 * Equal tensors give equal bytes in any order: as in the reference implementation, tensors are sorted
 * by decreasing element size and then by name, metadata by name, and spaces pad the header so that
 * the data begins at a multiple of 8. Every tensor is therefore aligned, and
 * `parseSafetensors(writeSafetensors(tensors, { metadata }))` returns equal tensors and metadata.
 * Empty metadata is not written. The result shares no memory with the tensors.
 *
 * @throws TypeError for an argument that is not a tensor, `data` that is not a typed array or does
 * not match `type`, metadata that is not a string, and an unknown option.
 * @throws RangeError for dims that do not match the data, an unknown type, the name `__metadata__`, a
 * name with a lone surrogate (which UTF-8 cannot encode), and a header of more than 100,000,000 bytes.
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

/** The members used of a `File` or `Blob`, also from `fs.openAsBlob()` of Node.js or `Bun.file()`. */
export interface BlobSource {
  /** In bytes. */
  readonly size: number;
  /** A range of bytes, as an object that reads it into memory. */
  slice(begin: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** The members used of a `FileHandle` (`open()` of node:fs/promises). */
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
  /** Dtype in the header: 'F32', 'BF16', … */
  dtype: string;
  /** Type in JavaScript. */
  type: StoredType;
  /** Empty for a single number. */
  dims: number[];
  /** Begin of its bytes, counted from the start of the file. */
  byteOffset: number;
  /** Number of bytes. */
  byteLength: number;
}

/** A file whose header was read. */
export interface OpenSafetensors {
  /** Names of the tensors, in the order of their bytes in the file. */
  readonly names: readonly string[];
  /** Strings of `__metadata__` by name; empty without `__metadata__`. */
  readonly metadata: Map<string, string>;
  /**
   * Type, dims and byte range of a tensor, without reading it.
   *
   * @throws RangeError for a name that is not in the file.
   */
  describe(name: string): StoredTensorInfo;
  /**
   * Reads the bytes of one tensor, which owns its memory. Nothing is cached: each call reads the
   * file again.
   *
   * Rejects with a RangeError for a name that is not in the file and for a file that was truncated
   * since it was opened, and with the source's own error if reading fails.
   */
  read(name: string): Promise<StoredTensor>;
  /**
   * Reads several tensors one after another, into a Map for the layers' fromTorch(). Default: all
   * tensors. All names are checked before the first read.
   */
  readMany(names?: Iterable<string>): Promise<Map<string, StoredTensor>>;
}

/**
 * Opens a file of any length. Only the header is read, in two reads, and checked by all rules of
 * {@link parseSafetensors}; tensors are read on request.
 *
 * The result needs no closing. A FileHandle is closed by its opener after the last read. Any object
 * with the declared members is accepted, for instance one whose `slice()` fetches a range of a URL.
 *
 * Rejects with a RangeError for a file that breaks a rule, with a TypeError for another kind of
 * source (for bytes in memory use {@link parseSafetensors}), and with the source's own error if
 * reading fails.
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

/**
 * The numbers of a tensor as float32: of 16-bit floats, which few engines have a typed array for, and of all
 * other types whose elements are single numbers.
 *
 * @param tensor as it was read; `type` may be missing where the typed array says it
 * @returns a new array, or `data` itself if it is float32
 * @throws RangeError for complex numbers and the {@link PackedType}s, TypeError for other arguments
 *
 * @example
 * ```js
 * import { toFloat32 } from 'attention-wasm/safetensors';
 *
 * console.log(toFloat32({ data: Uint16Array.of(0x3c00, 0xc000), type: 'float16' })); // Float32Array(2) [ 1, -2 ]
 * ```
 */
export function toFloat32(tensor: {
  readonly data: ArrayBufferView;
  readonly type?: string;
}): Float32Array;
