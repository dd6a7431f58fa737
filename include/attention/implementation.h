// Which implementation of the kernels computes. Both give results within the same bounds, each its
// own bits, the same on every machine.
#pragma once

namespace attention {

struct Kernels;

// By the definition, one number at a time.
const Kernels& reference_kernels();
// wasm SIMD128, four numbers at a time, also where the library is native code.
const Kernels& simd_kernels();

}  // namespace attention
