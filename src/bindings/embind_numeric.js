// Embind's JavaScript side for bindings of which every function takes numbers and returns a number or nothing:
// those pass as they are, so no type has to be known. Overrides Emscripten's library for the link; Embind for
// classes, strings and values would be a twelfth of the download.
/* global mergeInto, LibraryManager, Module, HEAPU8, getWasmTableEntry */

// Emscripten wants names for all the arguments there are.
function ignore(_type, _name, _size, _min, _max) {}

// The name of a function, the invoker of its C++ type, and the function itself, which its invoker takes first.
function expose(at, _count, _types, _signature, invoker, itself, _isAsync, _isNonnull) {
  let name = '';
  while (HEAPU8[at]) name += String.fromCharCode(HEAPU8[at++]);
  Module[name] = getWasmTableEntry(invoker).bind(null, itself);
}

const kinds = ['void', 'bool', 'integer', 'bigint', 'float', 'std_string', 'std_wstring', 'emval'];
for (const kind of [...kinds, 'memory_view']) {
  mergeInto(LibraryManager.library, {
    [`_embind_register_${kind}`]: ignore,
    [`_embind_register_${kind}__deps`]: [],
  });
}
mergeInto(LibraryManager.library, {
  _embind_register_function: expose,
  _embind_register_function__deps: ['$getWasmTableEntry'],
});
