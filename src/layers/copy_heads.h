// A copy of packed heads in head-major order.
#pragma once

#include "attention/matrix.h"

namespace attention {

// Returns the end of the copy.
float* copy_heads(const Heads<const float>& from, float* to);

}  // namespace attention
