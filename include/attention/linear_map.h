// y = x·W + b, W: in × out, packed once and used for ever.
//
// How one is made:
//
//   const LinearShape shape{.in = 64, .out = 256, .bias = true};
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());   // 16-byte aligned
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
//   map.pack(simd_kernels(), {weight, 64, 256, 256}, bias);
#pragma once

#include <cstddef>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct LinearShape {
  std::size_t in = 0;
  std::size_t out = 0;
  bool bias = false;
};

struct LinearMap {
  std::size_t in = 0;
  std::size_t out = 0;
  float* packed = nullptr;  // W as Kernels::pack_values lays it out
  float* bias = nullptr;    // out numbers, or null

  // A map whose numbers are still to be packed.
  static LinearMap reserve(Workspace& memory, const LinearShape& shape);

  // weight: in × out. bias_numbers: out, or none, which is zeros.
  void pack(const Kernels& kernels, Matrix<const float> weight,
            const float* bias_numbers = nullptr);
  // weight: out × in, as torch.nn.Linear has it.
  void pack_transposed(const Kernels& kernels, Matrix<const float> weight,
                       const float* bias_numbers = nullptr);

  // x: rows × in, y: rows × out.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const;

 private:
  void take_bias(const float* numbers);
};

}  // namespace attention
