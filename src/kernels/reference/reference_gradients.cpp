// The gradient kernels by their definitions, one number at a time.
#include "kernels/reference/reference_gradients.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace attention::reference {

void add_transposed_product(Matrix<float> output, Matrix<const float> weights,
                            PackedValues values) {
  for (std::size_t j = 0; j < output.rows; ++j) {
    for (std::size_t c = 0; c < output.cols; ++c) {
      const float* column = values.data + c / kPanel * values.panel_stride + c % kPanel;
      float sum = 0;
      for (std::size_t i = 0; i < weights.rows; ++i) sum += weights.row(i)[j] * column[i * kPanel];
      output.row(j)[c] += sum;
    }
  }
}

void softmax_gradient(Matrix<float> scores, Matrix<float> gradients, const float* shifts,
                      const float* deltas, float factor) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.cols; ++j) {
      float& score = scores.row(i)[j];
      float& gradient = gradients.row(i)[j];
      const bool is_visible = score != -std::numeric_limits<float>::infinity();
      score = is_visible ? std::exp(score - shifts[i]) : 0;
      gradient = is_visible ? factor * (score * (gradient - deltas[i])) : 0;
    }
  }
}

}  // namespace attention::reference
