// The functions of softmax_row.h that are too large to be inlined.
#include "core/softmax_row.h"

#include <array>

namespace attention {

void SoftmaxRow::propagate_nan(float* scores, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) scores[j] = scores[j] == kMinusInfinity ? 0 : kNaN;
}

void accumulate(const Kernels& kernels, SoftmaxRow* rows, Matrix<float> scores, float* rescale) {
  std::array<float, kBlockQueries> maxima;
  std::array<float, kBlockQueries> shifts;
  std::array<float, kBlockQueries> sums;
  kernels.maximum(maxima.data(), scores);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    rescale[i] = rows[i].update_max(maxima[i]);
    shifts[i] = rows[i].shift();
  }
  kernels.exponentiate(sums.data(), scores, shifts.data());
  for (std::size_t i = 0; i < scores.rows; ++i) rows[i].sum += sums[i];
}

}  // namespace attention
