// How alike a query and a key are: the sim of attention as a weighted mean (Tsai et al.,
// "Transformer Dissection", arXiv 1908.11775; Katharopoulos et al., arXiv 2006.16236, eq. 3),
//
//   o_i = Σ_j sim (q_i, k_j) · v_j / Σ_j sim (q_i, k_j)   over the keys that query i may see.
//
//   exponential   exp (scale · q·k)                       softmax attention
//   gaussian      exp (-|q - k|² / (2 · bandwidth²))       bandwidth ⁴√key_dim, which makes it the
//                                                         softmax where all keys are equally long
//   laplacian     exp (-Σ_c |q_c - k_c| / bandwidth)      bandwidth √key_dim, about the mean
//                                                         distance of unit-normal vectors
//   cosine        q·k / (|q| · |k|), 0 where a length is 0; rows of any length but infinity
//   polynomial    (scale · q·k + constant)^degree
//   given         numbers of the caller's own
//
// The first three are a softmax over log sim, so nothing underflows; of the others a row whose
// similarities add up to 0 is zeros.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/matrix.h"

namespace attention {

struct Similarity {
  enum class Kind { kExponential, kGaussian, kLaplacian, kCosine, kPolynomial, kGiven };

  Kind kind = Kind::kExponential;
  std::optional<float> bandwidth = {};  // above 0; not given: as above
  float constant = 1;
  int degree = 2;
  Heads<const float> given = {};  // batch × heads × q_len × k_len

  // Whether scores are log sim.
  bool is_exponential() const { return kind <= Kind::kLaplacian; }
};

}  // namespace attention
