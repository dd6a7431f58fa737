// The SIMD kernels for every choice of kernels: the module of attention-wasm/training has no
// others.
#include "kernels/gradient_kernels.h"
#include "kernels/kernels.h"
#include "kernels/simd/simd_gradients.h"

namespace attention {

const Kernels& reference_kernels() { return simd_kernels(); }

const GradientKernels& gradient_kernels(const Kernels&) {
  static constexpr GradientKernels kSimd{simd::add_transposed_product, simd::softmax_gradient};
  return kSimd;
}

}  // namespace attention
