// Sums are taken in double, as in the forward pass.
#include "training/norm_backward.h"

#include <cmath>
#include <cstddef>

#include "attention/norm.h"

namespace attention {

void norm_forward(const NormParameters& norm, Matrix<const float> x, Matrix<float> y) {
  Norm{norm.weight.values, norm.bias.values}.apply(x, y);
}

namespace {

// Rows whose sums are taken side by side: the additions of one row wait for each other.
constexpr std::size_t kTogether = 4;

template <std::size_t kRows>
void backward_rows(const NormParameters& norm, Matrix<const float> x, Matrix<const float> dy,
                   Matrix<float> dx) {
  const auto width = static_cast<double>(x.cols);
  const float* weight = norm.weight.values;
  double means[kRows] = {};
  double factors[kRows] = {};
  double sums[kRows] = {};           // of dn
  double weighted_sums[kRows] = {};  // of dn·n
  for (std::size_t c = 0; c < x.cols; ++c) {
    for (std::size_t i = 0; i < kRows; ++i) means[i] += x.row(i)[c];
  }
  for (double& mean : means) mean /= width;
  for (std::size_t c = 0; c < x.cols; ++c) {
    for (std::size_t i = 0; i < kRows; ++i) {
      factors[i] += (x.row(i)[c] - means[i]) * (x.row(i)[c] - means[i]);
    }
  }
  for (double& factor : factors) factor = 1 / std::sqrt(factor / width + Norm{}.epsilon);
  for (std::size_t c = 0; c < x.cols; ++c) {
    for (std::size_t i = 0; i < kRows; ++i) {
      const double dn = double{dy.row(i)[c]} * weight[c];
      sums[i] += dn;
      weighted_sums[i] += dn * ((x.row(i)[c] - means[i]) * factors[i]);
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    const float* from = x.row(i);
    const float* gradient = dy.row(i);
    float* to = dx.row(i);
    const double mean = means[i];
    const double factor = factors[i];
    const double sum = sums[i] / width;
    const double weighted_sum = weighted_sums[i] / width;
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double n = (from[c] - mean) * factor;
      const double dn = double{gradient[c]} * weight[c];
      to[c] += static_cast<float>((dn - sum - n * weighted_sum) * factor);
      norm.weight.gradients[c] += static_cast<float>(gradient[c] * n);
      norm.bias.gradients[c] += gradient[c];
    }
  }
}

}  // namespace

void norm_backward(const NormParameters& norm, Matrix<const float> x, Matrix<const float> dy,
                   Matrix<float> dx) {
  std::size_t i = 0;
  for (; i + kTogether <= x.rows; i += kTogether) {
    backward_rows<kTogether>(norm, x.block(i, kTogether), dy.block(i, kTogether),
                             dx.block(i, kTogether));
  }
  for (; i < x.rows; ++i) backward_rows<1>(norm, x.block(i, 1), dy.block(i, 1), dx.block(i, 1));
}

}  // namespace attention
