// Numbers of 16 bits and of int8, by the definition of their formats: what they stand for, and
// tensors made of them.
#pragma once

#include <cstdint>
#include <vector>

#include "support/cpp/tensors.h"

namespace attention::tests {

// The number that 16 bits stand for.
double number_of(std::uint16_t bits, NarrowType type);

// A tensor of these bits.
NarrowTensor tensor_of_bits(std::vector<double> dims, NarrowType type,
                            const std::vector<std::uint16_t>& bits);
// A tensor of int8 numbers, row by row, and the scale of each row.
NarrowTensor tensor_of_int8(std::vector<double> dims, const std::vector<std::int8_t>& numbers,
                            const std::vector<float>& scales);

// The numbers of a tensor cut to a type. Of int8: the largest of each row becomes 127, and what is
// not finite 0.
NarrowTensor narrowed(const VectorTensor& tensor, NarrowType type);

// The same numbers as float32.
VectorTensor widened(const NarrowTensor& tensor);

}  // namespace attention::tests
