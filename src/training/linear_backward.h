// y = x·W + b and its gradients:
//
//   dx = dy·Wᵀ    dW += xᵀ·dy    db += Σ_rows dy
//
// x: rows × in, W: in × out, y: rows × out.
#pragma once

#include "attention/matrix.h"
#include "attention/training.h"
#include "attention/workspace.h"
#include "kernels/kernels.h"

namespace attention {

// Scratch memory for maps with W of up to these dims.
struct LinearScratch {
  LinearScratch(Workspace& workspace, std::size_t largest_matrix, std::size_t widest);

  float* packed;   // a matrix
  float* values;   // a block of dy, or of x
  float* columns;  // the same block of x, or of dy
};

// y = x·W + b
void linear_forward(const Kernels& kernels, const LinearParameters& map, Matrix<const float> x,
                    Matrix<float> y, const LinearScratch& scratch);

// dx is overwritten.
void linear_backward(const Kernels& kernels, const LinearParameters& map, Matrix<const float> x,
                     Matrix<const float> dy, Matrix<float> dx, const LinearScratch& scratch);

// y = x·Wᵀ for a matrix of out × in without bias, and its gradients dx = dy·W, dW += dyᵀ·x.
void transposed_forward(const Kernels& kernels, const Parameter& weight, Matrix<const float> x,
                        Matrix<float> y, const LinearScratch& scratch);
void transposed_backward(const Kernels& kernels, const Parameter& weight, Matrix<const float> x,
                         Matrix<const float> dy, Matrix<float> dx, const LinearScratch& scratch);

}  // namespace attention
