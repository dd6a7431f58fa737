// Sums are taken in double, as in the forward pass.
#include "training/norm_backward.h"

#include <cmath>
#include <cstddef>

#include "attention/norm.h"

namespace attention {

void norm_forward(const NormParameters& norm, Matrix<const float> x, Matrix<float> y) {
  Norm{norm.weight.values, norm.bias.values}.apply(x, y);
}

void norm_backward(const NormParameters& norm, Matrix<const float> x, Matrix<const float> dy,
                   Matrix<float> dx) {
  const auto width = static_cast<double>(x.cols);
  const float* weight = norm.weight.values;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const float* from = x.row(i);
    const float* gradient = dy.row(i);
    double mean = 0;
    double variance = 0;
    for (std::size_t c = 0; c < x.cols; ++c) mean += from[c];
    mean /= width;
    for (std::size_t c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
    const double factor = 1 / std::sqrt(variance / width + Norm{}.epsilon);
    double sum = 0;           // of dn
    double weighted_sum = 0;  // of dn·n
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double n = (from[c] - mean) * factor;
      const double dn = double{gradient[c]} * weight[c];
      sum += dn;
      weighted_sum += dn * n;
    }
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double n = (from[c] - mean) * factor;
      const double dn = double{gradient[c]} * weight[c];
      dx.row(i)[c] += static_cast<float>((dn - sum / width - n * (weighted_sum / width)) * factor);
      norm.weight.gradients[c] += static_cast<float>(gradient[c] * n);
      norm.bias.gradients[c] += gradient[c];
    }
  }
}

}  // namespace attention
