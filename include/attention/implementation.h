// The two implementations of the kernels. Both satisfy the same error bounds. Their results differ
// in the last bits, but each gives the same bits on every machine.
#pragma once

namespace attention {

struct Kernels;

// Scalar code that follows the definitions.
const Kernels& reference_kernels();
// WebAssembly SIMD128, four floats at a time; also available in native builds.
const Kernels& simd_kernels();

}  // namespace attention
