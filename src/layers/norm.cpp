// Sums are doubles: in a residual stream the mean of a row can be large compared to its variance.
#include "attention/norm.h"

#include <cmath>
#include <cstddef>

namespace attention {

void Norm::apply(Matrix<const float> x, Matrix<float> y) const {
  const auto width = static_cast<double>(x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const float* from = x.row(i);
    double mean = 0;
    if (!rms) {
      for (std::size_t c = 0; c < x.cols; ++c) mean += from[c];
      mean /= width;
    }
    double variance = 0;
    for (std::size_t c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
    const double factor = 1 / std::sqrt(variance / width + epsilon);
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double number = (from[c] - mean) * factor * (weight != nullptr ? weight[c] : 1.0F);
      y.row(i)[c] = static_cast<float>(bias != nullptr ? number + bias[c] : number);
    }
  }
}

void Norm::reserve(Workspace& memory, std::size_t dim, bool has_bias) {
  weight = memory.take<float>(dim);
  if (has_bias) bias = memory.take<float>(dim);
}

}  // namespace attention
