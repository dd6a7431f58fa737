// Rows brought to a common size.
//
//   layer norm   (x - mean) / √(variance + epsilon) · weight + bias
//                (Ba et al., arXiv 1607.06450)
//   RMS norm     x / √(mean of x² + epsilon) · weight
//                (Zhang & Sennrich, arXiv 1910.07467)
#pragma once

#include <cstddef>

#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct Norm {
  float* weight = nullptr;  // or null: 1
  float* bias = nullptr;    // or null: 0
  float epsilon = 1e-5F;
  bool rms = false;

  // y may be x. Both rows × dim.
  void apply(Matrix<const float> x, Matrix<float> y) const;

  // Room for weights, and if there are any for biases, of dim numbers each, which are still to be
  // written.
  void reserve(Workspace& memory, std::size_t dim, bool has_bias);
};

}  // namespace attention
