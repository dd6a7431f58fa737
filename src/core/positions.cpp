// Computed in C++ because JavaScript engines differ in the last bit of sines.
#include "attention/positions.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "kernels/powers.h"

namespace attention {

void sinusoidal_positions(Matrix<float> positions, double offset, double base) {
  assert(positions.cols % 2 == 0);
  // cols can be in the billions when rows is 0.
  if (positions.rows == 0) return;
  const Powers power(base);
  for (std::size_t pair = 0; pair < positions.cols / 2; ++pair) {
    const double exponent = -2 * static_cast<double>(pair) / static_cast<double>(positions.cols);
    const double frequency = power(exponent);
    for (std::size_t p = 0; p < positions.rows; ++p) {
      const double angle = (static_cast<double>(p) + offset) * frequency;
      positions.row(p)[2 * pair] = static_cast<float>(std::sin(angle));
      positions.row(p)[2 * pair + 1] = static_cast<float>(std::cos(angle));
    }
  }
}

double alibi_slope(std::size_t head, std::size_t heads) {
  const std::size_t even = std::bit_floor(heads);
  // Heads beyond the power of two use exponents 1, 3, 5, ... of twice as many heads.
  const double step =
      head < even ? static_cast<double>(head) + 1 : static_cast<double>(head - even) + 0.5;
  return Powers(2)(-8 * step / static_cast<double>(even));
}

// Single precision, as in T5's own code: in double, a distance at the boundary of two buckets could
// get the other bucket.
std::size_t DistanceBuckets::of(std::int64_t distance) const {
  const std::size_t buckets = in_direction();
  const std::size_t before = bidirectional && distance > 0 ? buckets : 0;
  const std::int64_t steps =
      bidirectional ? std::abs(distance) : -std::min<std::int64_t>(distance, 0);
  const auto size = static_cast<std::size_t>(steps);
  const std::size_t exact = buckets / 2;
  if (size < exact) return before + size;
  const auto logarithm = [&](std::size_t away) {
    return std::log(static_cast<float>(away) / static_cast<float>(exact));
  };
  const float fraction = logarithm(size) / logarithm(max_distance);
  const auto shared = static_cast<std::size_t>(fraction * static_cast<float>(buckets - exact));
  return before + std::min(exact + shared, buckets - 1);
}

std::size_t DistanceBuckets::write_runs(DistanceRun* runs) const {
  const auto farthest = static_cast<std::int64_t>(max_distance);
  std::size_t written = 0;
  for (std::int64_t distance = -farthest;;) {
    const std::size_t bucket = of(distance);
    runs[written++] = {distance, static_cast<std::uint32_t>(bucket)};
    if (bucket == of(farthest)) return written;
    // Bisection: buckets are consecutive on either side of 0, which ends a run at the latest.
    std::int64_t end = distance < 0 ? 0 : farthest;
    for (std::int64_t inside = distance; end - inside > 1;) {
      const std::int64_t middle = inside + (end - inside) / 2;
      if (of(middle) == bucket) {
        inside = middle;
      } else {
        end = middle;
      }
    }
    distance = end;
  }
}

}  // namespace attention
