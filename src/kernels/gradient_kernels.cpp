// The gradient kernels that belong to a list of kernels.
#include "kernels/gradient_kernels.h"

#include "kernels/reference/reference_gradients.h"
#include "kernels/simd/simd_gradients.h"

namespace attention {

const GradientKernels& gradient_kernels(const Kernels& kernels) {
  static constexpr GradientKernels kReference{reference::add_transposed_product,
                                              reference::softmax_gradient};
  static constexpr GradientKernels kSimd{simd::add_transposed_product, simd::softmax_gradient};
  return &kernels == &simd_kernels() ? kSimd : kReference;
}

}  // namespace attention
