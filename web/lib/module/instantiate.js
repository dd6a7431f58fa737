// Creates an instance of a compiled module by the function that Emscripten generated for it.

/**
 * Resolves to { module, memory, table }: the functions of a compiled module (src/bindings/bindings.cpp), its memory and its
 * table of functions.
 *
 * @param {WebAssembly.Module} compiled
 * @param {Function} createModule Emscripten's, for this module
 */
export function instantiate(compiled, createModule) {
  return new Promise((resolve, reject) => {
    let memory;
    let table;
    const options = {
      instantiateWasm(imports, receive) {
        const receiveInstance = (instance) => {
          // Their names differ between versions of Emscripten.
          const found = Object.values(instance.exports);
          memory = found.find((value) => value instanceof WebAssembly.Memory);
          table = found.find((value) => value instanceof WebAssembly.Table);
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
