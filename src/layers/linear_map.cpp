// The bias, and the product added to it. A matrix that is out × in is packed as keys are, which
// puts number (o, i) where pack_values() puts number (i, o) of its transpose.
#include "attention/linear_map.h"

#include <algorithm>
#include <cassert>

#include "core/product.h"
#include "kernels/kernels.h"

namespace attention {

LinearMap LinearMap::reserve(Workspace& memory, const LinearShape& shape) {
  LinearMap map;
  map.in = shape.in;
  map.out = shape.out;
  map.packed = memory.take<float>(shape.in * round_up_to_panel<std::uint64_t>(shape.out));
  if (shape.bias) map.bias = memory.take<float>(shape.out);
  return map;
}

void LinearMap::pack(const Kernels& kernels, Matrix<const float> weight,
                     const float* bias_numbers) {
  assert(weight.rows == in && weight.cols == out);
  kernels.pack_values(packed, weight);
  take_bias(bias_numbers);
}

void LinearMap::pack_transposed(const Kernels& kernels, Matrix<const float> weight,
                                const float* bias_numbers) {
  assert(weight.rows == out && weight.cols == in);
  kernels.pack_keys(packed, weight);
  take_bias(bias_numbers);
}

void LinearMap::take_bias(const float* numbers) {
  if (bias == nullptr) return;
  if (numbers != nullptr) {
    std::copy_n(numbers, out, bias);
  } else {
    std::fill_n(bias, out, 0.0F);
  }
}

void LinearMap::apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const {
  assert(x.cols == in && y.cols == out && x.rows == y.rows);
  for (std::size_t i = 0; i < y.rows; ++i) {
    if (bias != nullptr) {
      std::copy_n(bias, out, y.row(i));
    } else {
      std::fill_n(y.row(i), out, 0.0F);
    }
  }
  add_product(kernels, x, {packed, in * kPanel}, y);
}

}  // namespace attention
