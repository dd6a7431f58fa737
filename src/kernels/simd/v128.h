// The only file that includes the header of the wasm SIMD128 intrinsics. Native builds compile the
// same source through SIMDe, so the shipped kernels also run under the sanitizers.
#pragma once

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif
