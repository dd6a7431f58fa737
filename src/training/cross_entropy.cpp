// The padding of the last panel, beyond the vocabulary, is -inf: its weight is 0.
#include "training/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attention {

double cross_entropy(const Kernels& kernels, Matrix<float> logits,
                     std::span<const double> targets) {
  const auto counted =
      std::count_if(targets.begin(), targets.end(), [](double target) { return target >= 0; });
  const std::size_t padded = round_up_to_panel(logits.cols);
  double loss = 0;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    float* row = logits.row(i);
    std::fill(row + logits.cols, row + padded, -std::numeric_limits<float>::infinity());
    if (targets[i] < 0) {
      std::fill_n(row, padded, 0.0F);
      continue;
    }
    const auto target = static_cast<std::size_t>(targets[i]);
    const float logit = row[target];
    float maximum = 0;
    float sum = 0;
    kernels.maximum(&maximum, {row, 1, padded, padded});
    kernels.exponentiate(&sum, {row, 1, padded, padded}, &maximum);
    loss += double{maximum} + double{std::log(sum)} - logit;
    const auto weight = static_cast<float>(1 / static_cast<double>(counted));
    kernels.scale(row, row, padded, weight / sum);
    row[target] -= weight;
  }
  return loss / static_cast<double>(counted);
}

}  // namespace attention
