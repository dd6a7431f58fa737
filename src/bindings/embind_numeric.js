// Embind's JavaScript side for functions whose arguments and results are numbers, which need no conversion. Linked
// instead of Embind's library, which for classes, strings and values would be a twelfth of the download.
/* global mergeInto, LibraryManager, Module, HEAPU8, getWasmTableEntry */

// at: name of a function; invoker: calls functions of its C++ type, with the function as first argument.
function expose(at, _count, _types, _signature, invoker, itself, _isAsync, _isNonnull) {
  let name = '';
  while (HEAPU8[at]) name += String.fromCharCode(HEAPU8[at++]);
  Module[name] = getWasmTableEntry(invoker).bind(null, itself);
}

mergeInto(LibraryManager.library, {
  _embind_register_function: expose,
  _embind_register_function__deps: ['$getWasmTableEntry'],
});
