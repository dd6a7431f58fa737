// attention-wasm/fused: the kernels with fused multiply-add, for engines with relaxed SIMD.
import wasm from 'fused-module:wasm';
import { nodeProcess } from './module/node_process.js';

let compiling;

/** fused.wasm compiled, or undefined if the engine has no relaxed SIMD or the library was built without fused.wasm. */
async function compile() {
  if (!wasm) return undefined;
  const bytes = await wasm();
  if (!WebAssembly.validate(bytes)) return undefined;
  return nodeProcess() ? new WebAssembly.Module(bytes) : WebAssembly.compile(bytes);
}

export const fused = Object.freeze(
  Object.defineProperty({ name: 'fused' }, Symbol.for('attention-wasm'), {
    value: {
      compile() {
        compiling ??= compile().catch((error) => {
          compiling = undefined;
          throw error;
        });
        return compiling;
      },
    },
  }),
);
