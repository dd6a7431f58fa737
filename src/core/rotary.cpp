// Angles in double precision: at position 10^6 a float angle would be off by a twentieth of a turn.
#include "attention/rotary.h"

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

Turn turn_by(double angle, double factor) {
  return {static_cast<float>(std::cos(angle) * factor),
          static_cast<float>(std::sin(angle) * factor)};
}

// turn_of: the turn of a pair of a row of an entry of the batch.
template <class TurnOf>
void turn_rows(const Heads<float>& x, std::size_t width, bool interleaved, TurnOf turn_of) {
  const std::size_t pairs = width / 2;
  // Billions of empty entries are no work.
  if (pairs == 0 || x.heads == 0 || x.rows == 0) return;
  for (std::size_t entry = 0; entry < x.batch; ++entry) {
    for (std::size_t row = 0; row < x.rows; ++row) {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const Turn turn = turn_of(entry, row, pair);
        const std::size_t first = interleaved ? 2 * pair : pair;
        const std::size_t second = interleaved ? 2 * pair + 1 : pair + pairs;
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
  turn_rows(x, width, options.interleaved,
            [&](std::size_t entry, std::size_t row, std::size_t pair) {
              if (options.cos != nullptr) {
                return Turn{options.cos[row * pairs + pair], options.sin[row * pairs + pair]};
              }
              return turn_by(position_of(options, entry, row, x.rows) * frequencies[pair], 1);
            });
}

void Rotation::turn(Heads<float> x, std::span<const double> positions) const {
  assert(width <= x.cols && width % 2 == 0);
  turn_rows(x, width, interleaved, [&](std::size_t entry, std::size_t row, std::size_t pair) {
    const double first = positions.empty() ? 0 : positions[positions.size() == 1 ? 0 : entry];
    return turn_by((first + static_cast<double>(row)) * frequencies[pair], factor);
  });
}

}  // namespace attention
