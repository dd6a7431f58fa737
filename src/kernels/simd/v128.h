// The airlock to the instruction set: the only file that names the header of the wasm SIMD128
// intrinsics. Outside wasm the same text compiles through SIMDe, so what ships is what runs under
// the sanitizers.
#pragma once

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif
