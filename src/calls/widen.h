// Narrow numbers as float32: 16-bit ones exactly, int8 ones times the scale of their row.
#pragma once

#include "calls/record.h"

namespace attention::calls {

// Turns the narrow numbers at the end of a tensor's place into floats that fill it.
void widen(const Tensor& tensor, void* block);

}  // namespace attention::calls
