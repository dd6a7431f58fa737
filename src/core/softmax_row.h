// The running softmax of one row: fed tile by tile in the order of the keys, it needs neither the
// whole row nor a second look at it (Milakov & Gimelshein, arXiv 1805.02867). Similarities that are
// no exponentials are added up as they are.
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
  float sum = 0;      // Σ exp(s - maximum) so far
  bool sees = false;  // whether anything was visible so far

  // A sink is a score that is there from the start, with no key and no value.
  static SoftmaxRow begin(std::span<const double> sinks, std::size_t head) {
    SoftmaxRow row;
    if (!sinks.empty()) {
      row.maximum = static_cast<float>(sinks[head]);
      row.sum = row.maximum == kMinusInfinity ? 0 : 1;
    }
    return row;
  }

  // Takes in the largest score of a tile, -inf if the row sees nothing there. Returns the factor
  // that brings what was summed before, here and in the output, to the new maximum.
  float rise(float tile_maximum) {
    const float before = maximum;
    if (!(tile_maximum > maximum)) return 1;
    maximum = tile_maximum;
    const float carry = before == kMinusInfinity ? 0 : std::exp(before - maximum);
    sum *= carry;
    return carry;
  }

  // What exponentials are taken relative to. Visible scores that overflowed to -inf, or are NaN,
  // may be all there is: exp(s - 0) is 0 for the first and NaN for the second.
  float shift() const { return maximum == kMinusInfinity ? 0 : maximum; }

  // Takes in a tile of similarities themselves (-inf where not visible). Leaves 0 in the place of
  // the invisible ones.
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

  // A row that sees keys but none whose score is above -inf has no softmax.
  bool undefined() const { return sees && maximum == kMinusInfinity; }

  float log_sum_exp() const {
    if (!sees) return kMinusInfinity;
    return undefined() ? kNaN : maximum + std::log(sum);
  }

  // Whether there is a NaN among the scores, or +inf.
  bool poisoned() const { return std::isnan(sum); }

  // Turns exponentials, or sums of them, that were taken relative to `shift` into their part of the
  // whole.
  void weigh(const Kernels& kernels, float* numbers, std::size_t count, float shift) const {
    float factor = 1 / sum;
    if (shift != maximum) factor *= std::exp(shift - maximum);
    kernels.scale(numbers, numbers, count, factor);
  }

  // Turns biased scores of a row that is not a number into weights.
  static void spoil(float* scores, std::size_t count);

  // Turns similarities that were added into weights, zeros if they add up to 0. -inf: not visible.
  void divide(float* row, std::size_t count) const {
    for (std::size_t j = 0; j < count; ++j) {
      row[j] = row[j] == kMinusInfinity || sum == 0 ? 0 : row[j] / sum;
    }
  }
};

// Takes a tile of scores (-inf where not visible) into the rows of a block and leaves
// exp(s - maximum) in their place. carry_i: what brings the output of row i to its new maximum.
void absorb(const Kernels& kernels, SoftmaxRow* rows, Matrix<float> scores, float* carry);

}  // namespace attention
