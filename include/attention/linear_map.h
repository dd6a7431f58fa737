// y = x·W + b, W: in × out, packed once and used for ever.
#pragma once

#include <cstddef>

#include "attention/matrix.h"

namespace attention {

struct Kernels;

struct LinearMap {
  std::size_t in = 0;
  std::size_t out = 0;
  const float* packed = nullptr;  // W as Kernels::pack_values lays it out
  const float* bias = nullptr;    // out numbers, or null

  // x: rows × in, y: rows × out.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const;
};

}  // namespace attention
