// What the build puts in place of an import of NAME-module:create and NAME-module:wasm (web/build.js), and the functions
// that src/bindings exports with Embind. Addresses and sizes in bytes are doubles.

/** The exports of attention.wasm and training.wasm, as Emscripten's instance has them. */
interface WasmExports {
  /** The address of a new block of `bytes` bytes, or 0 if out of memory. */
  allocate(bytes: number): number;
  /** Frees a block of allocate(). */
  release(address: number): void;
  /** Fills the unused part of the stack with zeros. */
  wipeStack(): void;
  /** The description of records, enumerations and functions, as JSON. */
  describe(): string;
  /** Whether the record is valid for the function with index `call`; computes the facts about it. */
  check(call: number, record: number): boolean;
  /** The error message of a record that check() refused. */
  problem(call: number, record: number): string;
  /** The address of the list of SIMD kernels. */
  simdKernels(): number;
  /** The address of the list of reference kernels. */
  referenceKernels(): number;
  /** The address of a list of kernels that another module may change. */
  otherKernels(): number;
  /** Runs a checked record in a block. */
  run(call: number, kernels: number, record: number, block: number): void;
}

/** The exports of fused.wasm. */
interface FusedExports {
  /** Adds the address of the module's data to the addresses in it. */
  __wasm_apply_data_relocs?(): void;
  /** Replaces kernels in the list at this address. */
  fuse(kernels: number): void;
}

/** Options of Emscripten's function that are used here. */
interface InstanceOptions {
  /** Replaces Emscripten's own instantiation. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): object;
  /** The address of a file. */
  locateFile(name: string): string;
  print(): void;
  printErr(): void;
}

/** Emscripten's function that creates an instance. */
type CreateModule = (options: InstanceOptions) => Promise<WasmExports>;

/** Resolves to the bytes of the module. */
type UnpackModule = () => Promise<Uint8Array<ArrayBuffer>>;

declare module 'attention-module:create' {
  const createModule: CreateModule;
  export default createModule;
}

declare module 'training-module:create' {
  const createModule: CreateModule;
  export default createModule;
}

declare module 'attention-module:wasm' {
  const unpackModule: UnpackModule;
  export default unpackModule;
}

declare module 'training-module:wasm' {
  const unpackModule: UnpackModule;
  export default unpackModule;
}

/** The pool's worker as the text of one classic script, a file that the build writes. */
declare module '*/pool_worker_code.js' {
  const code: string;
  export default code;
}

declare module 'fused-module:wasm' {
  const unpackModule: UnpackModule;
  export default unpackModule;
}
