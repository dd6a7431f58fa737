// Angles in double precision: at position 10^6 a float angle would be off by a twentieth of a turn.
#include "attention/rotary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "attention/workspace.h"

namespace attention {
namespace {

struct Turn {
  float cos;
  float sin;
};

void turn_pair(float& first, float& second, Turn turn) {
  const float before = first;
  first = before * turn.cos - second * turn.sin;
  second = before * turn.sin + second * turn.cos;
}

double position_of(const RotaryOptions& options, std::size_t entry, std::size_t row,
                   std::size_t rows) {
  const std::span<const double> positions = options.positions;
  if (positions.empty()) return static_cast<double>(row) + options.offset;
  return positions[positions.size() == rows ? row : entry * rows + row];
}

// Turns the rows by the tables of the options, or by these frequencies from their positions.
void turn_rows(const Heads<float>& x, const RotaryOptions& options, std::size_t pairs,
               const double* frequencies, double factor) {
  // Billions of empty entries are no work.
  if (pairs == 0 || x.heads == 0 || x.rows == 0) return;
  for (std::size_t entry = 0; entry < x.batch; ++entry) {
    for (std::size_t row = 0; row < x.rows; ++row) {
      const double position = position_of(options, entry, row, x.rows);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        Turn turn;
        if (options.cos != nullptr) {
          turn = {options.cos[row * pairs + pair], options.sin[row * pairs + pair]};
        } else {
          const double angle = position * frequencies[pair];
          turn = {static_cast<float>(std::cos(angle) * factor),
                  static_cast<float>(std::sin(angle) * factor)};
        }
        const std::size_t first = options.interleaved ? 2 * pair : pair;
        const std::size_t second = options.interleaved ? 2 * pair + 1 : pair + pairs;
        for (std::size_t head = 0; head < x.heads; ++head) {
          float* numbers = x.at(entry, head).row(row);
          turn_pair(numbers[first], numbers[second], turn);
        }
      }
    }
  }
}

}  // namespace

double rotary_frequency(std::size_t pair, std::size_t width, double base) {
  return std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(width));
}

void rotate(Heads<float> x, const RotaryOptions& options, Workspace& workspace) {
  const std::size_t width = options.width.value_or(x.cols);
  assert(width <= x.cols && width % 2 == 0);
  const std::size_t pairs = width / 2;
  auto* frequencies = workspace.take<double>(pairs);
  if (workspace.counts() || x.rows == 0) return;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    frequencies[pair] = rotary_frequency(pair, width, options.base);
  }
  turn_rows(x, options, pairs, frequencies, 1);
}

void Rotation::turn(Heads<float> x, std::span<const double> positions) const {
  assert(width <= x.cols && width % 2 == 0);
  RotaryOptions options;
  options.interleaved = interleaved;
  // Positions of one row after the other, entry by entry where each begins at its own.
  const std::size_t entries = positions.size() > 1 ? x.batch : 1;
  x.batch /= std::max<std::size_t>(entries, 1);
  for (std::size_t entry = 0; entry < entries; ++entry, x.data += x.batch_stride) {
    options.offset = positions.empty() ? 0 : positions[entry];
    turn_rows(x, options, width / 2, frequencies, factor);
  }
}

}  // namespace attention
