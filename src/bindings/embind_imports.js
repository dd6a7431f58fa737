// Tells the linker that these imports exist; web/lib/module/instantiate.js defines them. Any other undefined symbol is an
// error.
/* global mergeInto, LibraryManager */

mergeInto(LibraryManager.library, {
  _embind_register_function() {},
  _embind_register_bindings() {},
});
