// Kernels of backward passes, beside those of kernels.h, which programs that do not train link
// without them. The same rules hold: fixed order of summation, no float outside the rows.
#pragma once

#include <cstddef>

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

struct GradientKernels {
  // output (j, c) += Σ_i weights (i, j) · value (i, c), the sum formed first: a product with the
  // transpose of weights. output: weights.cols × value columns.
  void (*add_transposed_product)(Matrix<float> output, Matrix<const float> weights,
                                 PackedValues values);

  // Scores become P = exp(score - shift_i), gradients (dO·v) become
  // factor · (P · (gradient - delta_i)); both 0 where the score is -inf. cols % kPanel == 0.
  void (*softmax_gradient)(Matrix<float> scores, Matrix<float> gradients, const float* shifts,
                           const float* deltas, float factor);
};

// Those of the same implementation.
const GradientKernels& gradient_kernels(const Kernels& kernels);

}  // namespace attention
