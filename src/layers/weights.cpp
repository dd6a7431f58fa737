// Of a matrix that is out × in the columns are packed as keys are: what is the same place for both.
#include "layers/weights.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace attention {

const float* build(const float* numbers, std::size_t count, Workspace& memory) {
  if (numbers == nullptr) return nullptr;
  float* copy = memory.take<float>(count);
  if (copy != nullptr) std::copy_n(numbers, count, copy);
  return copy;
}

LinearMap build(const Kernels& kernels, const WeightMatrix& weights, const float* bias,
                Workspace& memory) {
  float* packed =
      memory.take<float>(std::uint64_t{weights.in()} * round_up_to_panel(weights.out()));
  if (packed != nullptr) {
    const Matrix<const float> matrix{weights.data, weights.rows, weights.cols, weights.cols};
    if (weights.torch) {
      kernels.pack_keys(packed, matrix);
    } else {
      kernels.pack_values(packed, matrix);
    }
  }
  return {weights.in(), weights.out(), packed, build(bias, weights.out(), memory)};
}

bool WeightRules::bias(std::string_view name, const TensorArgument& bias, double out) {
  if (bias.given == 0) return true;
  return tensor(name, bias, 1, 1) && same_dims(name, bias, "out", tensor_of({out}));
}

}  // namespace attention
