// Rows brought to a common size.
//
//   layer norm   (x - mean) / √(variance + epsilon) · weight + bias   (Ba et al., arXiv 1607.06450)
//   RMS norm     x / √(mean of x² + epsilon) · weight                 (Zhang & Sennrich,
//   1910.07467)
#pragma once

#include <string>

#include "attention/matrix.h"
#include "attention/shapes.h"

namespace attention {

struct Norm {
  const float* weight = nullptr;  // or null: 1
  const float* bias = nullptr;    // or null: 0
  float epsilon = 0;
  bool rms = false;

  // y may be x. Both rows × dim.
  void apply(Matrix<const float> x, Matrix<float> y) const;
};

struct NormRequest {
  TensorArgument x;             // rows of dim numbers, in up to kMaximumRank dims
  TensorArgument weight, bias;  // dim, or not given
  double rms;
  double epsilon;
  TensorArgument output;  // as x
  double bytes;
};

std::string check(NormRequest& request);
void run(const NormRequest& request, void* block);

}  // namespace attention
