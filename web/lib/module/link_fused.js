// Links fused.wasm (src/kernels/simd/fused.h) to an instance of attention.wasm. It is a shared library of WebAssembly
// (https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md): the loader gives it addresses in the
// memory and places in the table of the instance. It calls nothing of the instance, so its stack is its own.
import { messageOf } from '../arguments/message_of.js';
import { OutOfMemoryError } from './errors.js';

// Three frames of the size that CMakeLists.txt allows; the deepest kernel uses about 17 kilobytes.
const stackBytes = 65536;

// Limits of what a module may request: fused.wasm needs hundreds of bytes and tens of places.
const maxDataBytes = 2 ** 20;
const maxPlaces = 2 ** 12;

const imports = ['memory', '__indirect_function_table'];
imports.push('__memory_base', '__table_base', '__stack_pointer');

/** @import { WasmInstance } from './instantiate.js' */

/** @type {(found: string, cause?: unknown) => Error} */
const otherModule = (found, cause) =>
  new Error(`kernels is not fused.wasm of this version of attention-wasm: ${found}`, { cause });

/** Bytes and places in the table that the library needs, from its section dylink.0. */
function requirementsOf(/** @type {WebAssembly.Module} */ compiled) {
  const [section] = WebAssembly.Module.customSections(compiled, 'dylink.0');
  if (!section) throw otherModule('it has no section dylink.0');
  const bytes = new Uint8Array(section);
  let at = 2; // behind the kind and the size of the first subsection, which has what is read here
  /** An unsigned number in groups of seven bits, up to 32 bits. */
  const readNumber = () => {
    let number = 0;
    for (let factor = 1; at < bytes.length && factor <= 2 ** 28; factor *= 128) {
      const byte = bytes[at++];
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
    throw otherModule(
      `its section dylink.0 of ${bytes.length} bytes has no sizes of memory and table`,
    );
  };
  const dataBytes = readNumber();
  readNumber(); // the alignment; what the instance allocates is aligned for vectors
  const places = readNumber();
  if (dataBytes <= maxDataBytes && places <= maxPlaces) return { dataBytes, places };
  throw otherModule(
    `it requests ${dataBytes} bytes and ${places} table entries; the limits are ${maxDataBytes} and ${maxPlaces}`,
  );
}

/** Throws for imports that are not given to fused.wasm, and without its function. */
function checkInterface(/** @type {WebAssembly.Module} */ compiled) {
  const other = WebAssembly.Module.imports(compiled).find(
    ({ module, name }) => module !== 'env' || !imports.includes(name),
  );
  if (other) throw otherModule(`it imports '${other.module}.${other.name}'`);
  const exported = WebAssembly.Module.exports(compiled);
  if (exported.some(({ name, kind }) => name === 'fuse' && kind === 'function')) return;
  throw otherModule("it exports no function 'fuse'");
}

function allocate(/** @type {WasmExports} */ module, /** @type {number} */ bytes) {
  const address = module.allocate(bytes);
  if (address !== 0) return address;
  throw new OutOfMemoryError(`out of memory: could not allocate ${bytes} bytes for the kernels`);
}

/**
 * Resolves to { kernels, stack }: the address of the list of kernels, and the stack of the fused ones, { address, bytes }.
 *
 * @param {WebAssembly.Module} compiled fused.wasm
 * @param {WasmInstance} instance
 */
export async function linkFused(compiled, { module, memory, table }) {
  const { dataBytes, places } = requirementsOf(compiled);
  checkInterface(compiled);
  const data = allocate(module, dataBytes);
  const stack = { address: allocate(module, stackBytes), bytes: stackBytes };
  const constant = (/** @type {number} */ value) => new WebAssembly.Global({ value: 'i32' }, value);
  const env = {
    memory,
    __indirect_function_table: table,
    __memory_base: constant(data),
    __table_base: constant(table.grow(places)),
    __stack_pointer: new WebAssembly.Global(
      { value: 'i32', mutable: true },
      stack.address + stack.bytes,
    ),
  };
  const kernels = module.otherKernels();
  try {
    const { exports } = await WebAssembly.instantiate(compiled, { env });
    const fused = /** @type {typeof exports & FusedExports} */ (exports);
    fused.__wasm_apply_data_relocs?.();
    fused.fuse(kernels);
  } catch (error) {
    if (error instanceof RangeError) throw error; // of memory or stack
    throw otherModule(messageOf(error), error);
  }
  return { kernels, stack };
}
