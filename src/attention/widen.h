// 16-bit numbers as float32, every one exactly.
#pragma once

#include "attention/shapes.h"

namespace attention {

// Turns the 16-bit numbers in the upper half of a tensor's place into floats that fill it.
void widen(const TensorArgument& tensor, void* block);

}  // namespace attention
