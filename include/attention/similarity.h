// The similarity of a query and a key, for attention as a weighted mean of values (Tsai et al.,
// "Transformer Dissection", arXiv 1908.11775; Katharopoulos et al., arXiv 2006.16236, eq. 3),
//
//   o_i = Σ_j sim (q_i, k_j) · v_j / Σ_j sim (q_i, k_j)   over the keys visible to query i.
//
//   exponential   exp (scale · q·k), softmax attention
//   gaussian      exp (-|q - k|² / (2 · bandwidth²)); default bandwidth ⁴√key_dim: equal to
//                 softmax attention if all keys have one length
//   laplacian     exp (-Σ_c |q_c - k_c| / bandwidth); default bandwidth √key_dim, about the
//                 mean distance of unit-normal vectors
//   cosine        q·k / (|q| · |k|), or 0 if a length is 0
//   polynomial    (scale · q·k + constant)^degree
//   precomputed   a matrix from the caller
//
// The first three are computed as a softmax over log sim, which cannot underflow. For the others, a
// row whose similarities add up to 0 is all zeros.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/matrix.h"

namespace attention {

struct Similarity {
  enum class Kind { kExponential, kGaussian, kLaplacian, kCosine, kPolynomial, kPrecomputed };

  Kind kind = Kind::kExponential;
  std::optional<float> bandwidth = {};  // > 0; unset: the default above
  float constant = 1;
  int degree = 2;
  Heads<const float> precomputed = {};  // batch × heads × q_len × k_len

  // True if scores are log sim and go through a softmax.
  bool is_exponential() const { return kind <= Kind::kLaplacian; }
};

}  // namespace attention
