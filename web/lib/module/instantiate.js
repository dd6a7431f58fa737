// Instantiates the module, which Emscripten links without JavaScript of its own: standalone, with the few imports below.
import { addressAt, textAt } from './heap.js';

function exit() {
  throw new WebAssembly.RuntimeError('the module was aborted');
}

/** Resolves to { module, memory }: the functions of a compiled module and its memory. */
export async function instantiate(compiled) {
  const functions = {};
  const { exports } = await WebAssembly.instantiate(compiled, {
    env: {
      /**
       * Embind's JavaScript side for functions whose arguments and results are numbers, which need no conversion.
       * at: name of a function; invoker: calls functions of its C++ type, with the function as first argument.
       */
      _embind_register_function(at, _count, _types, _signature, invoker, itself) {
        const name = textAt(exports.memory, at);
        functions[name] = exports.__indirect_function_table.get(invoker).bind(null, itself);
      },
      /** Newer versions of Emscripten: `at` points to the address of a function that registers others. */
      _embind_register_bindings(at) {
        exports.__indirect_function_table.get(addressAt(exports.memory, at))();
      },
      emscripten_notify_memory_growth() {},
    },
    wasi_snapshot_preview1: { proc_exit: exit },
  });
  exports._initialize();
  return { module: functions, memory: exports.memory };
}
