// The steps over whole tiles: one copy each in the module.
#include "core/softmax_row.h"

#include <array>

namespace attention {

void SoftmaxRow::spoil(float* scores, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) scores[j] = scores[j] == kMinusInfinity ? 0 : kNaN;
}

void absorb(const Kernels& kernels, SoftmaxRow* rows, Matrix<float> scores, float* carry) {
  std::array<float, kBlockQueries> maxima;
  std::array<float, kBlockQueries> shifts;
  std::array<float, kBlockQueries> sums;
  kernels.maximum(maxima.data(), scores);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    carry[i] = rows[i].rise(maxima[i]);
    shifts[i] = rows[i].shift();
  }
  kernels.exponentiate(sums.data(), scores, shifts.data());
  for (std::size_t i = 0; i < scores.rows; ++i) rows[i].sum += sums[i];
}

}  // namespace attention
