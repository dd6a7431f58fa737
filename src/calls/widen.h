// Conversion of a call's low-precision tensors to float32, in place in a region with room for both.
#pragma once

#include <algorithm>

#include "calls/record.h"
#include "kernels/kernels.h"

namespace attention::calls {

NumberType type_of(const Tensor& tensor);

inline double bytes_of_floats(const Tensor& tensor) { return tensor.count * sizeof(float); }

// Bytes of a tensor's numbers in their own type.
double bytes_as_stored(const Tensor& tensor);

// Bytes of the region in which they are converted; tensor.bytes must be set.
inline double bytes_as_float32(const Tensor& tensor) {
  return std::max(bytes_of_floats(tensor), tensor.bytes);
}

// Converts the numbers at the end of the region; the tensor is float32 afterwards.
void widen(const Kernels& kernels, Tensor& tensor, void* block);

}  // namespace attention::calls
