// Angles in double precision: at position 10^6 a float angle would be off by a twentieth of a turn.
#include "attention/rotary.h"

#include <cassert>
#include <cmath>

#include "attention/workspace.h"
#include "kernels/powers.h"

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

}  // namespace

void rotate(Heads<float> x, const RotaryOptions& options, Workspace& workspace) {
  const std::size_t width = options.width.value_or(x.cols);
  assert(width <= x.cols && width % 2 == 0);
  const std::size_t pairs = width / 2;
  auto* frequencies = workspace.take<double>(pairs);
  // Billions of empty entries are no work.
  if (workspace.counts() || pairs == 0 || x.heads == 0 || x.rows == 0) return;
  const Powers power(options.base);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const double exponent = -2 * static_cast<double>(pair) / static_cast<double>(width);
    frequencies[pair] = power(exponent);
  }
  for (std::size_t entry = 0; entry < x.batch; ++entry) {
    for (std::size_t row = 0; row < x.rows; ++row) {
      const double position = position_of(options, entry, row, x.rows);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        Turn turn;
        if (options.cos != nullptr) {
          turn = {options.cos[row * pairs + pair], options.sin[row * pairs + pair]};
        } else {
          const double angle = position * frequencies[pair];
          turn = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
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

}  // namespace attention
