// Narrow numbers as float32: 16-bit ones exactly, int8 ones times the scale of their row.
#pragma once

#include "attention/shapes.h"

namespace attention {

// Turns the narrow numbers at the end of a tensor's place into floats that fill it.
void widen(const TensorArgument& tensor, void* block);

}  // namespace attention
