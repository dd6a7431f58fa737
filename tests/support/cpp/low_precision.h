// float16, bfloat16 and int8 numbers by the definitions of their formats, and tensors of them.
#pragma once

#include <cstdint>
#include <vector>

#include "support/cpp/tensors.h"

namespace attention::tests {

// The value of a 16-bit pattern.
double number_of(std::uint16_t bits, LowPrecisionType type);

// A tensor of 16-bit patterns.
LowPrecisionTensor tensor_of_bits(std::vector<double> dims, LowPrecisionType type,
                                  const std::vector<std::uint16_t>& bits);
// A tensor of int8 rows with a scale each.
LowPrecisionTensor tensor_of_int8(std::vector<double> dims, const std::vector<std::int8_t>& numbers,
                                  const std::vector<float>& scales);

// Converts a tensor to a low-precision type. int8: the largest magnitude of each row becomes 127;
// NaN and infinity become 0.
LowPrecisionTensor to_low_precision(const VectorTensor& tensor, LowPrecisionType type);

// The values of a low-precision tensor as float32.
VectorTensor to_float32(const LowPrecisionTensor& tensor);

}  // namespace attention::tests
