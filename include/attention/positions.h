// Positional encodings: sinusoidal vectors, ALiBi slopes, and T5's buckets of distances.
//
//   sinusoidal   P[p, 2c] = sin (p / base^(2c / dim)),  P[p, 2c + 1] = cos of the same
//                (Vaswani et al., "Attention Is All You Need", 2017, §3.5)
//   ALiBi        slope of head h of a power of two n: 2^(-8 (h + 1) / n); for other n those of the
//                largest power of two below, then every other one of twice that
//                (Press et al., arXiv 2108.12409)
//   buckets      distances that share one learned bias (Raffel et al., "T5", arXiv 1910.10683,
//                §2.1)
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/distance_runs.h"
#include "attention/matrix.h"

namespace attention {

// Writes the vectors of positions offset, offset + 1, ..., one per row. cols must be even.
void sinusoidal_positions(Matrix<float> positions, double offset = 0, double base = 10000);

// The ALiBi slope of head `head`, 0 <= head < heads.
double alibi_slope(std::size_t head, std::size_t heads);

// Small distances have one bucket each, larger ones share buckets of logarithmically growing size,
// and all distances from max_distance on share the last. Bidirectional: the first half of the
// buckets is for keys up to the query, the second for keys after it. Otherwise keys after the query
// use the bucket of distance 0.
struct DistanceBuckets {
  std::size_t count = 0;
  std::size_t max_distance = 0;
  bool bidirectional = false;

  // Buckets per direction. The first half of them hold a single distance each.
  std::size_t in_direction() const { return bidirectional ? count / 2 : count; }

  // The bucket of distance j - p (key minus query position). Requires in_direction() >= 2 and
  // in_direction() / 2 < max_distance.
  std::size_t of(std::int64_t distance) const;

  // Writes the runs of all distances, at most `count` of them, and returns their number. The work
  // grows with the logarithm of max_distance.
  std::size_t write_runs(DistanceRun* runs) const;
};

}  // namespace attention
