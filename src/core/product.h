// Products of matrices of any size in float32. The bits are those of W as float32, whatever its
// type.
#pragma once

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

// Rows of x that are multiplied with a group of columns of W at once.
inline constexpr std::size_t kProductRows = 16;

// y += x · W. x: rows × depth, y: rows × columns.
void add_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                 Matrix<float> y);

// y = x · W + bias. bias: columns numbers, or null for zeros.
void product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
             const float* bias, Matrix<float> y);

// Some rows of a panel of W as float32.
void widen(const Kernels& kernels, PackedNumbers panel, std::size_t rows, float* to);

}  // namespace attention
