// y += x · W for matrices of any size.
#pragma once

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

// x: rows × depth, y: rows × columns. The bits are those of W as float32, of whatever type it is.
void add_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                 Matrix<float> y);

}  // namespace attention
