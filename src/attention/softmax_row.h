// The running softmax of one row: fed tile by tile in the order of the keys, it needs neither the
// whole row nor a second look at it (Milakov & Gimelshein, arXiv 1805.02867). Similarities that are
// no exponentials are added up as they are.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

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

  // Takes in a tile of scores of which at least one is visible (-inf where not) and leaves
  // exp(s - maximum) in their place. Returns the factor that brings what was summed before, here
  // and in the output, to the new maximum. count % kPanel == 0.
  float absorb(const Kernels& kernels, float* scores, std::size_t count) {
    sees = true;
    const float tile_maximum = kernels.maximum(scores, count);
    const float before = maximum;
    if (tile_maximum > maximum) maximum = tile_maximum;
    if (maximum == kMinusInfinity) {
      // Visible scores that overflowed to -inf, or are NaN: exp(s - 0) is 0 for the first and NaN
      // for the second. end() knows what to make of a row of nothing else.
      sum += kernels.exponentiate(scores, count, 0);
      return 1;
    }
    const float tile_sum = kernels.exponentiate(scores, count, maximum);
    const float carry = maximum == before ? 1 : std::exp(before - maximum);
    sum = sum * carry + tile_sum;
    return carry;
  }

  // Takes in a tile of similarities themselves, of which at least one is visible (-inf where not).
  // Leaves 0 in the place of the invisible ones.
  void add(float* similarities, std::size_t count) {
    sees = true;
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

  // row: the scores that were absorbed, -inf where nothing was visible. Turns them into weights.
  void normalise(const Kernels& kernels, float* row, std::size_t count) const {
    if (sees && !undefined()) {
      kernels.normalise(row, count, maximum, 1 / sum);
      return;
    }
    for (std::size_t j = 0; j < count; ++j) row[j] = row[j] == kMinusInfinity ? 0 : kNaN;
  }

  // The same for similarities that were added; zeros if they add up to 0.
  void divide(float* row, std::size_t count) const {
    for (std::size_t j = 0; j < count; ++j) {
      row[j] = row[j] == kMinusInfinity || sum == 0 ? 0 : row[j] / sum;
    }
  }
};

}  // namespace attention
