// Positions as vectors and as slopes.
//
//   sinusoidal   P[p, 2c] = sin (p / base^(2c / dim)),  P[p, 2c + 1] = cos of the same
//                (Vaswani et al., "Attention Is All You Need", 2017, §3.5)
//   ALiBi        slope of head h of a power of two n: 2^(-8 (h + 1) / n); for other n those of the
//                largest power of two below, then every other one of twice that
//                (Press et al., arXiv 2108.12409)
#pragma once

#include <string>

#include "attention/shapes.h"

namespace attention {

struct PositionsRequest {
  double length, dim;
  OptionalNumber offset, base;
  TensorArgument output;  // length × dim
  double bytes;
};

std::string check(PositionsRequest& request);
void run(const PositionsRequest& request, void* block);

struct SlopesRequest {
  double heads;
  TensorArgument output;  // heads
  double bytes;
};

std::string check(SlopesRequest& request);
void run(const SlopesRequest& request, void* block);

}  // namespace attention
