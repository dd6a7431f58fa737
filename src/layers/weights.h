// Weights as they come with a call, and packed into the memory of a layer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "attention/linear_map.h"
#include "attention/rules.h"
#include "attention/shapes.h"
#include "attention/workspace.h"

namespace attention {

// A matrix as it came, or some of its rows.
struct WeightMatrix {
  const float* data;
  std::size_t rows, cols;
  bool torch;  // rows × cols is out × in

  std::size_t in() const { return torch ? cols : rows; }
  std::size_t out() const { return torch ? rows : cols; }
};

inline const float* weights_at(const TensorArgument& tensor, const void* block) {
  if (tensor.given == 0) return nullptr;
  return reinterpret_cast<const float*>(static_cast<const std::byte*>(block) +
                                        static_cast<std::size_t>(tensor.place));
}

inline WeightMatrix matrix_at(const TensorArgument& tensor, bool torch, const void* block) {
  return {weights_at(tensor, block), static_cast<std::size_t>(tensor.dims[0]),
          static_cast<std::size_t>(tensor.dims[1]), torch};
}

// A copy of count numbers, null for none.
const float* build(const float* numbers, std::size_t count, Workspace& memory);

// A linear map packed into memory. Without a block of weights it is only counted.
LinearMap build(const Kernels& kernels, const WeightMatrix& weights, const float* bias,
                Workspace& memory);

class WeightRules : public Rules {
 protected:
  // A bias of as many numbers as the map gives, or none.
  bool bias(std::string_view name, const TensorArgument& bias, double out);
};

}  // namespace attention
