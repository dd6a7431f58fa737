// Positions as vectors and as slopes.
//
//   sinusoidal   P[p, 2c] = sin (p / base^(2c / dim)),  P[p, 2c + 1] = cos of the same
//                (Vaswani et al., "Attention Is All You Need", 2017, §3.5)
//   ALiBi        slope of head h of a power of two n: 2^(-8 (h + 1) / n); for other n those of the
//                largest power of two below, then every other one of twice that
//                (Press et al., arXiv 2108.12409)
#pragma once

#include <cstddef>

#include "attention/matrix.h"

namespace attention {

// The vectors of positions offset, offset + 1, ...: a row each, of an even number of columns.
void sinusoidal_positions(Matrix<float> positions, double offset = 0, double base = 10000);

// The slope of a head of so many.
double alibi_slope(std::size_t head, std::size_t heads);

}  // namespace attention
