// to += from, number by number.
#pragma once

#include <cstddef>

#include "attention/matrix.h"

namespace attention {

void add(const float* from, std::size_t count, float* to);
void add(Matrix<const float> from, Matrix<float> to);

}  // namespace attention
