// Input and output tensors of calls, as tests write them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace attention::tests {

struct VectorTensor {
  std::vector<double> dims;
  std::vector<double> numbers;  // values, independent of the type in the block
  bool bytes = false;           // true if that type is uint8
};

enum class LowPrecisionType { kFloat16, kBfloat16, kInt8 };

// The bytes of a low-precision tensor. int8: each row is preceded by its scale, a float.
struct LowPrecisionTensor {
  std::vector<double> dims;
  LowPrecisionType type = LowPrecisionType::kFloat16;
  std::vector<std::byte> bytes;
};

inline std::size_t count_of(const std::vector<double>& dims) {
  double count = 1;
  for (const double dim : dims) count *= dim;
  return static_cast<std::size_t>(count);
}

struct Result {
  std::vector<double> dims;
  std::vector<float> numbers;
};

using Results = std::map<std::string, Result>;

// Distinguishes 0 from -0; all NaNs are equal.
inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
  });
}

inline bool same_bits(const Result& a, const Result& b) {
  return a.dims == b.dims && same_bits(a.numbers, b.numbers);
}

}  // namespace attention::tests
