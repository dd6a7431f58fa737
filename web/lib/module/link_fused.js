// Links fused.wasm (src/kernels/simd/fused.h) to an instance of attention.wasm. It is a shared library of WebAssembly
// (https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md): the loader gives it addresses in the
// memory and places in the table of the instance. It calls nothing of the instance, so its stack is its own.
import { OutOfMemoryError } from './errors.js';

// Three frames of the size that CMakeLists.txt allows; the deepest kernel uses about 17 kilobytes.
const stackBytes = 65536;

/** Bytes and places in the table that the library needs, from its section dylink.0. */
function requirementsOf(compiled) {
  const [section] = WebAssembly.Module.customSections(compiled, 'dylink.0');
  if (!section) throw new Error('kernels is not fused.wasm of this version of attention-wasm');
  const bytes = new Uint8Array(section);
  let at = 2; // behind the kind and the size of the first subsection, which has what is read here
  /** An unsigned number in groups of seven bits. */
  const readNumber = () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  };
  const dataBytes = readNumber();
  readNumber(); // the alignment; what the instance allocates is aligned for vectors
  return { dataBytes, places: readNumber() };
}

function allocate(module, bytes) {
  const address = module.allocate(bytes);
  if (address !== 0) return address;
  throw new OutOfMemoryError(`out of memory: could not allocate ${bytes} bytes for the kernels`);
}

/**
 * Resolves to { kernels, stack }: the address of the list of kernels, and the stack of the fused ones, { address, bytes }.
 *
 * @param {WebAssembly.Module} compiled fused.wasm
 * @param {object} instance a result of instantiate()
 */
export async function linkFused(compiled, { module, memory, table }) {
  const { dataBytes, places } = requirementsOf(compiled);
  const data = allocate(module, dataBytes);
  const stack = { address: allocate(module, stackBytes), bytes: stackBytes };
  const constant = (value) => new WebAssembly.Global({ value: 'i32' }, value);
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
  const { exports } = await WebAssembly.instantiate(compiled, { env });
  exports.__wasm_apply_data_relocs?.();
  const kernels = module.otherKernels();
  exports.fuse(kernels);
  return { kernels, stack };
}
