// y = x/2 · (1 + t), t = tanh(u), u = √(2/π)·(x + 0.044715 x³), and its gradient:
//
//   dx = dy · ((1 + t)/2 + x/2 · (1 - t²) · √(2/π)·(1 + 3·0.044715 x²))
#pragma once

#include <cstddef>

#include "kernels/kernels.h"

namespace attention {

void gelu_forward(const Kernels& kernels, const float* x, std::size_t count, float* y);

// Turns dy into dx in place.
void gelu_backward(const Kernels& kernels, const float* x, std::size_t count, float* gradient);

}  // namespace attention
