// Angles are doubles: at position 10^6 the error of a float angle would be up to 1/20 of a turn.
#include "attention/rotary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "attention/workspace.h"
#include "kernels/powers.h"

namespace attention {
namespace {

struct Angle {
  float cos;
  float sin;
};

void rotate_pair(float& first, float& second, Angle angle) {
  const float before = first;
  first = before * angle.cos - second * angle.sin;
  second = before * angle.sin + second * angle.cos;
}

double position_of(const RotaryOptions& options, std::size_t entry, std::size_t row,
                   std::size_t rows) {
  const std::span<const double> positions = options.positions;
  if (positions.empty()) return static_cast<double>(row) + options.offset;
  return positions[positions.size() == rows ? row : entry * rows + row];
}

// Rotates the rows by the tables of the options, or else by position · frequencies.
void rotate_rows(const Heads<float>& x, const RotaryOptions& options, std::size_t pairs,
                 const double* frequencies, double factor) {
  // batch can be in the billions when the other sizes are 0.
  if (pairs == 0 || x.heads == 0 || x.rows == 0) return;
  for (std::size_t entry = 0; entry < x.batch; ++entry) {
    for (std::size_t row = 0; row < x.rows; ++row) {
      const double position = position_of(options, entry, row, x.rows);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        Angle angle;
        if (options.cos != nullptr) {
          angle = {options.cos[row * pairs + pair], options.sin[row * pairs + pair]};
        } else {
          const double radians = position * frequencies[pair];
          angle = {static_cast<float>(std::cos(radians) * factor),
                   static_cast<float>(std::sin(radians) * factor)};
        }
        const std::size_t first = options.interleaved ? 2 * pair : pair;
        const std::size_t second = options.interleaved ? 2 * pair + 1 : pair + pairs;
        for (std::size_t head = 0; head < x.heads; ++head) {
          float* numbers = x.at(entry, head).row(row);
          rotate_pair(numbers[first], numbers[second], angle);
        }
      }
    }
  }
}

}  // namespace

void rotary_frequencies(double* to, std::size_t width, double base) {
  const Powers power(base);
  for (std::size_t pair = 0; pair < width / 2; ++pair) {
    to[pair] = power(-2 * static_cast<double>(pair) / static_cast<double>(width));
  }
}

void rotate(Heads<float> x, const RotaryOptions& options, Workspace& workspace) {
  const std::size_t width = options.width.value_or(x.cols);
  assert(width <= x.cols && width % 2 == 0);
  const std::size_t pairs = width / 2;
  auto* frequencies = workspace.take<double>(pairs);
  if (workspace.counts() || x.rows == 0) return;
  if (pairs > 0) rotary_frequencies(frequencies, width, options.base);
  rotate_rows(x, options, pairs, frequencies, 1);
}

void Rotation::apply(Heads<float> x, std::span<const double> positions) const {
  assert(width <= x.cols && width % 2 == 0);
  RotaryOptions options;
  options.interleaved = interleaved;
  // With one position per batch entry, rotates one entry at a time.
  const std::size_t entries = positions.size() > 1 ? x.batch : 1;
  x.batch /= std::max<std::size_t>(entries, 1);
  for (std::size_t entry = 0; entry < entries; ++entry, x.data += x.batch_stride) {
    options.offset = positions.empty() ? 0 : positions[entry];
    rotate_rows(x, options, width / 2, frequencies, factor);
  }
}

}  // namespace attention
