// Creates an instance of a compiled module by the function that Emscripten generated for it.

/**
 * @typedef {object} WasmInstance
 * @property {WasmExports} module functions (src/bindings/bindings.cpp)
 * @property {WebAssembly.Memory} memory
 * @property {WebAssembly.Table} table of functions
 */

/**
 * @param {WebAssembly.Module} compiled
 * @param {CreateModule} createModule Emscripten's, for this module
 * @returns {Promise<WasmInstance>}
 */
export function instantiate(compiled, createModule) {
  return new Promise((resolve, reject) => {
    /** @type {WebAssembly.Memory} */
    let memory;
    /** @type {WebAssembly.Table} */
    let table;
    /** @type {InstanceOptions} */
    const options = {
      instantiateWasm(imports, receive) {
        const receiveInstance = (/** @type {WebAssembly.Instance} */ instance) => {
          // Their names differ between versions of Emscripten.
          const found = Object.values(instance.exports);
          for (const value of found) {
            if (value instanceof WebAssembly.Memory) memory = value;
            if (value instanceof WebAssembly.Table) table = value;
          }
          receive(instance);
        };
        WebAssembly.instantiate(compiled, imports).then(receiveInstance).catch(reject);
        return {};
      },
      locateFile: (name) => name, // nothing is fetched
      // A module that is aborted throws; it also prints.
      print() {},
      printErr() {},
    };
    createModule(options).then((module) => resolve({ module, memory, table }), reject);
  });
}
