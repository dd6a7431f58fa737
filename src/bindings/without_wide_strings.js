// Overrides a part of Emscripten's library for the link: the bindings pass no std::wstring, so the glue need
// not know UTF-16 and UTF-32.
/* global mergeInto, LibraryManager */
function ignore() {}

mergeInto(LibraryManager.library, { _embind_register_std_wstring: ignore });
