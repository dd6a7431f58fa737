// Layer norm and RMS norm, row by row.
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
  float* weight = nullptr;  // null: 1
  float* bias = nullptr;    // null: 0
  float epsilon = 1e-5F;
  bool rms = false;

  // x and y: rows × dim, may be the same memory.
  void apply(Matrix<const float> x, Matrix<float> y) const;

  // Allocates the weight and, if has_bias, the bias: dim uninitialized floats each.
  void reserve(Workspace& memory, std::size_t dim, bool has_bias);
};

}  // namespace attention
