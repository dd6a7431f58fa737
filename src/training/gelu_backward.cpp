// tanh is soft_cap() with a cap of 1.
#include "training/gelu_backward.h"

#include <algorithm>
#include <array>

#include "core/tiles.h"

namespace attention {

void gelu_forward(const Kernels& kernels, const float* x, std::size_t count, float* y) {
  std::copy_n(x, count, y);
  kernels.apply(y, count, Function::kGeluTanh);
}

void gelu_backward(const Kernels& kernels, const float* x, std::size_t count, float* gradient) {
  constexpr float kSqrtTwoOverPi = 0.7978845608F;
  constexpr float kCubic = 0.044715F;
  constexpr std::size_t kBlock = 256;
  std::array<float, kBlock> tanh;
  for_each_block(count, kBlock, [&](std::size_t first, std::size_t numbers) {
    const float* from = x + first;
    float* to = gradient + first;
    for (std::size_t c = 0; c < numbers; ++c) {
      tanh[c] = kSqrtTwoOverPi * (from[c] + kCubic * from[c] * from[c] * from[c]);
    }
    kernels.soft_cap(tanh.data(), numbers, 1);
    for (std::size_t c = 0; c < numbers; ++c) {
      const float t = tanh[c];
      const float du = kSqrtTwoOverPi * (1 + 3 * kCubic * from[c] * from[c]);
      to[c] *= 0.5F * (1 + t) + 0.5F * from[c] * (1 - t * t) * du;
    }
  });
}

}  // namespace attention
