// The online softmax of one row (Milakov & Gimelshein, arXiv 1805.02867): processes scores tile by
// tile in a single pass, with a running maximum and sum. Similarities that are not exponentials are
// summed directly.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

struct SoftmaxRow {
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

  float maximum = kMinusInfinity;
  float sum = 0;             // Σ exp(s - maximum) so far
  bool any_visible = false;  // whether any key was visible so far

  // A sink is the initial score of a row; it has no key and no value.
  static SoftmaxRow begin(std::span<const double> sinks, std::size_t head) {
    SoftmaxRow row;
    if (!sinks.empty()) {
      row.maximum = static_cast<float>(sinks[head]);
      row.sum = row.maximum == kMinusInfinity ? 0 : 1;
    }
    return row;
  }

  // Updates the maximum with that of a tile (-inf: no visible keys). Returns the factor
  // exp(old maximum - new maximum) that rescales earlier sums, here and in the output.
  float update_max(float tile_maximum) {
    const float before = maximum;
    if (!(tile_maximum > maximum)) return 1;
    maximum = tile_maximum;
    const float rescale = before == kMinusInfinity ? 0 : std::exp(before - maximum);
    sum *= rescale;
    return rescale;
  }

  // The number subtracted from scores before exp(). If all visible scores are -inf or NaN the
  // maximum is -inf; then it is 0, which gives exp(-inf) = 0 and exp(NaN) = NaN.
  float shift() const { return maximum == kMinusInfinity ? 0 : maximum; }

  // Adds a tile of plain similarities to the sum. Replaces invisible ones (-inf) by 0.
  void add(float* similarities, std::size_t count) {
    maximum = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (similarities[j] == kMinusInfinity) {
        similarities[j] = 0;
      } else {
        sum += similarities[j];
      }
    }
  }

  // Keys are visible, but all their scores are -inf: the softmax is 0/0.
  bool is_undefined() const { return any_visible && maximum == kMinusInfinity; }

  float log_sum_exp() const {
    if (!any_visible) return kMinusInfinity;
    return is_undefined() ? kNaN : maximum + std::log(sum);
  }

  // True if any score is NaN or +inf.
  bool has_nan() const { return std::isnan(sum); }

  // Divides exponentials, or sums weighted by exponentials, by the sum of the row. shift: the value
  // that was subtracted from their scores.
  void normalize(const Kernels& kernels, float* numbers, std::size_t count, float shift) const {
    float factor = 1 / sum;
    if (shift != maximum) factor *= std::exp(shift - maximum);
    kernels.scale(numbers, numbers, count, factor);
  }

  // Turns biased scores of a row with NaN into weights: NaN where visible, 0 where -inf.
  static void propagate_nan(float* scores, std::size_t count);

  // Turns plain similarities into weights; 0 if invisible (-inf) or if the sum is 0.
  void divide(float* row, std::size_t count) const {
    for (std::size_t j = 0; j < count; ++j) {
      row[j] = row[j] == kMinusInfinity || sum == 0 ? 0 : row[j] / sum;
    }
  }
};

// Adds a tile of scores (-inf where invisible) to the rows of a block and replaces the scores by
// exp(score - maximum). rescale_i: factor for the output of row i so far, see update_max().
void accumulate(const Kernels& kernels, SoftmaxRow* rows, Matrix<float> scores, float* rescale);

}  // namespace attention
