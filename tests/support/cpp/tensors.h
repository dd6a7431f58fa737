// Tensors that go into a call and come out of it, as tests write it down.
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
  std::vector<double> numbers;  // whatever their type in the buffer
  bool bytes = false;           // whether that type is uint8
};

enum class NarrowType { kFloat16, kBfloat16, kInt8 };

// Numbers in a type narrower than float32, as their bytes come: of int8, each row's scale, a float,
// before its numbers.
struct NarrowTensor {
  std::vector<double> dims;
  NarrowType type = NarrowType::kFloat16;
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

// 0 is not -0; any NaN is any other.
inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
  });
}

inline bool same_bits(const Result& a, const Result& b) {
  return a.dims == b.dims && same_bits(a.numbers, b.numbers);
}

}  // namespace attention::tests
