// Sums are doubles: in a residual stream the mean of a row can be large compared to its variance.
#include "attention/norm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attention {
namespace {

// Rows that are summed together: the sums of one row wait for each other.
constexpr std::size_t kRows = 2;

// Constant indices, so that sums stay in registers: called, they make a row take 1.5 times as long.
template <class Visit>
[[gnu::always_inline]] inline void for_each_row(Visit visit) {
  visit(0);
  visit(1);
}

}  // namespace

void Norm::apply(Matrix<const float> x, Matrix<float> y) const {
  const auto width = static_cast<double>(x.cols);
  for (std::size_t first = 0; first < x.rows; first += kRows) {
    // Rows beyond the last repeat it.
    const float* rows[kRows];
    double means[kRows] = {};
    double variances[kRows] = {};
    const std::size_t count = std::min(kRows, x.rows - first);
    for_each_row([&](std::size_t i) { rows[i] = x.row(first + std::min(i, count - 1)); });
    if (!rms) {
      for (std::size_t c = 0; c < x.cols; ++c) {
        for_each_row([&](std::size_t i) { means[i] += rows[i][c]; });
      }
      for_each_row([&](std::size_t i) { means[i] /= width; });
    }
    for (std::size_t c = 0; c < x.cols; ++c) {
      for_each_row([&](std::size_t i) {
        const double difference = rows[i][c] - means[i];
        variances[i] += difference * difference;
      });
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double factor = 1 / std::sqrt(variances[i] / width + epsilon);
      float* to = y.row(first + i);
      for (std::size_t c = 0; c < x.cols; ++c) {
        const double number =
            (rows[i][c] - means[i]) * factor * (weight != nullptr ? weight[c] : 1.0F);
        to[c] = static_cast<float>(bias != nullptr ? number + bias[c] : number);
      }
    }
  }
}

void Norm::reserve(Workspace& memory, std::size_t dim, bool has_bias) {
  weight = memory.take<float>(dim);
  if (has_bias) bias = memory.take<float>(dim);
}

}  // namespace attention
