// y += x · W for matrices of any size.
#pragma once

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

// x: rows × depth, w: depth rows packed as values are, y: rows × columns.
void add_product(const Kernels& kernels, Matrix<const float> x, PackedValues w, Matrix<float> y);

}  // namespace attention
