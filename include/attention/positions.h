// Positions as vectors, as slopes and as buckets of distances.
//
//   sinusoidal   P[p, 2c] = sin (p / base^(2c / dim)),  P[p, 2c + 1] = cos of the same
//                (Vaswani et al., "Attention Is All You Need", 2017, §3.5)
//   ALiBi        slope of head h of a power of two n: 2^(-8 (h + 1) / n); for other n those of the
//                largest power of two below, then every other one of twice that
//                (Press et al., arXiv 2108.12409)
//   buckets      of distances, each with a learnt bias (Raffel et al., "T5", arXiv 1910.10683,
//   §2.1)
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/matrix.h"

namespace attention {

// The vectors of positions offset, offset + 1, ...: a row each, of an even number of columns.
void sinusoidal_positions(Matrix<float> positions, double offset = 0, double base = 10000);

// The slope of a head of so many.
double alibi_slope(std::size_t head, std::size_t heads);

// Small distances have a bucket each; larger ones share theirs, ever more of them; from
// max_distance on all share the last. Bidirectional: one half of the buckets for keys up to the
// query, the other for those after it. Otherwise the latter are as far as the query itself.
struct DistanceBuckets {
  std::size_t count = 0;
  std::size_t max_distance = 0;
  bool bidirectional = false;

  // Buckets of one direction, of which the first half are those of one distance each.
  std::size_t in_direction() const { return bidirectional ? count / 2 : count; }

  // The bucket of distance j - p. in_direction() / 2 is at least 1 and below max_distance.
  std::size_t of(std::int64_t distance) const;
};

}  // namespace attention
