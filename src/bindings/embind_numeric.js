// Embind's JavaScript side for functions whose arguments and results are numbers, which need no conversion. Replaces
// Emscripten's library at link time: Embind for classes, strings and values would be a twelfth of the download.
/* global mergeInto, LibraryManager, Module, HEAPU8, getWasmTableEntry */

// Emscripten requires names for all arguments.
function ignore(_type, _name, _size, _min, _max) {}

// at: name of a function; invoker: calls functions of its C++ type, with the function as first argument.
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
