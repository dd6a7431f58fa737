// The SIMD128 gradient kernels. Contracts: kernels/gradient_kernels.h.
#pragma once

#include "kernels/kernels.h"

namespace attention::simd {

void add_transposed_product(Matrix<float> output, Matrix<const float> weights, PackedValues values);
void softmax_gradient(Matrix<float> scores, Matrix<float> gradients, const float* shifts,
                      const float* deltas, float factor);

}  // namespace attention::simd
