// Narrow numbers where a call takes them: how much room they need, and as float32 in that room.
#pragma once

#include "calls/record.h"
#include "kernels/kernels.h"

namespace attention::calls {

NumberType type_of(const Tensor& tensor);

// Bytes of a tensor's numbers as they come.
double bytes_as_stored(const Tensor& tensor);

// Bytes of the room in which they are widened.
double bytes_as_float32(const Tensor& tensor);

// Fills the room with the numbers at its end: the tensor is one of float32 then.
void widen(const Kernels& kernels, Tensor& tensor, void* block);

}  // namespace attention::calls
