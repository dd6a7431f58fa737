// y = x · W + bias for int8 weights, with rows of x quantized to 14 bits.
#pragma once

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

// x: rows × in, w: int8, y: rows × out, bias: out numbers or null. A row of x whose largest
// absolute value is below 2^-100, infinite or NaN is multiplied in float32 with widened weights.
void integer_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                     const float* bias, Matrix<float> y);

}  // namespace attention
