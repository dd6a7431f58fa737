// Gradients of layer norm. With n = (x - mean) / √(variance + ε) and y = n·w + b:
//
//   dn = dy·w    dx += (dn - mean(dn) - n·mean(dn·n)) / √(variance + ε)
//   dw += Σ_rows dy·n    db += Σ_rows dy
#pragma once

#include "attention/matrix.h"
#include "attention/training.h"

namespace attention {

// y = n·w + b, by Norm. y may be x.
void norm_forward(const NormParameters& norm, Matrix<const float> x, Matrix<float> y);

// x: the input of the forward pass. Adds to dx, which already has the gradient of the residual
// stream.
void norm_backward(const NormParameters& norm, Matrix<const float> x, Matrix<const float> dy,
                   Matrix<float> dx);

}  // namespace attention
