// Computed bit by bit and in float64, independent of the library's code.
#include "support/cpp/low_precision.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace attention::tests {
namespace {

std::uint16_t bfloat16_of(double number) {
  const auto single = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

// Rounds towards 0.
std::uint16_t float16_of(double number) {
  const int sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::abs(number);
  const auto with_sign = [&](int bits) { return static_cast<std::uint16_t>(sign | bits); };
  if (std::isnan(size)) return with_sign(0x7E00);
  if (size >= 65536) return with_sign(0x7C00);
  if (size == 0) return with_sign(0);
  const int exponent = std::max(std::ilogb(size), -14);
  const auto fraction = static_cast<int>(std::ldexp(size, 10 - exponent));
  return with_sign(fraction < 1024 ? fraction : (exponent + 15) << 10 | (fraction - 1024));
}

std::size_t width_of(const std::vector<double>& dims) {
  return static_cast<std::size_t>(dims.back());
}

template <class T>
void append(std::vector<std::byte>& bytes, T number) {
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof number);
  std::memcpy(bytes.data() + end, &number, sizeof number);
}

template <class T>
T read(const std::vector<std::byte>& bytes, std::size_t& at) {
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  at += sizeof number;
  return number;
}

LowPrecisionTensor quantize_to_int8(const VectorTensor& tensor) {
  const std::size_t width = width_of(tensor.dims);
  std::vector<std::int8_t> numbers;
  std::vector<float> scales;
  for (std::size_t start = 0; start < tensor.numbers.size(); start += width) {
    double largest = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const double number = tensor.numbers[start + c];
      if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    }
    scales.push_back(static_cast<float>(largest / 127));
    for (std::size_t c = 0; c < width; ++c) {
      const double number = tensor.numbers[start + c];
      const bool counts = std::isfinite(number) && largest > 0;
      numbers.push_back(static_cast<std::int8_t>(counts ? number / largest * 127 : 0));
    }
  }
  return tensor_of_int8(tensor.dims, numbers, scales);
}

}  // namespace

double number_of(std::uint16_t bits, LowPrecisionType type) {
  const int fraction_bits = type == LowPrecisionType::kFloat16 ? 10 : 7;
  const int exponent_bits = 15 - fraction_bits;
  const int largest = (1 << exponent_bits) - 1;
  const int bias = largest / 2;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = bits >> fraction_bits & largest;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == largest) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const int implied = exponent == 0 ? 0 : 1 << fraction_bits;
  return sign * std::ldexp(fraction + implied, std::max(exponent, 1) - bias - fraction_bits);
}

LowPrecisionTensor tensor_of_bits(std::vector<double> dims, LowPrecisionType type,
                                  const std::vector<std::uint16_t>& bits) {
  LowPrecisionTensor tensor{std::move(dims), type, {}};
  for (const std::uint16_t number : bits) append(tensor.bytes, number);
  return tensor;
}

LowPrecisionTensor tensor_of_int8(std::vector<double> dims, const std::vector<std::int8_t>& numbers,
                                  const std::vector<float>& scales) {
  LowPrecisionTensor tensor{std::move(dims), LowPrecisionType::kInt8, {}};
  const std::size_t width = width_of(tensor.dims);
  for (std::size_t row = 0; row < scales.size(); ++row) {
    append(tensor.bytes, scales[row]);
    for (std::size_t c = 0; c < width; ++c) append(tensor.bytes, numbers[row * width + c]);
  }
  return tensor;
}

LowPrecisionTensor to_low_precision(const VectorTensor& tensor, LowPrecisionType type) {
  if (type == LowPrecisionType::kInt8) return quantize_to_int8(tensor);
  std::vector<std::uint16_t> bits;
  for (const double number : tensor.numbers) {
    bits.push_back(type == LowPrecisionType::kFloat16 ? float16_of(number) : bfloat16_of(number));
  }
  return tensor_of_bits(tensor.dims, type, bits);
}

VectorTensor to_float32(const LowPrecisionTensor& tensor) {
  VectorTensor wide{tensor.dims, {}};
  std::size_t at = 0;
  while (at < tensor.bytes.size()) {
    if (tensor.type != LowPrecisionType::kInt8) {
      wide.numbers.push_back(number_of(read<std::uint16_t>(tensor.bytes, at), tensor.type));
      continue;
    }
    const auto scale = read<float>(tensor.bytes, at);
    for (std::size_t c = 0; c < width_of(tensor.dims); ++c) {
      const auto number = static_cast<float>(read<std::int8_t>(tensor.bytes, at)) * scale;
      wide.numbers.push_back(double{number});
    }
  }
  return wide;
}

}  // namespace attention::tests
