// The kernels that gain by rounding a product and its sum once: the files of this folder that call
// multiply_add(), compiled with ATTENTION_FUSED. In the library they are a WebAssembly module of
// their own, fused.wasm, because it is valid only in engines with relaxed SIMD.
#pragma once

#include "kernels/kernels.h"

namespace attention {

// Puts the fused kernels into a list that has all others.
void fuse(Kernels& kernels);

}  // namespace attention
