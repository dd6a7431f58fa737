// Converts from the front, so that no unread number is overwritten. 16 bits: number i is written at
// byte 4i, and the unread numbers start at byte 2n + 2(i + 1), which is not before its end. int8:
// row r of width w is written at byte 4wr; each unread row takes 4 + w bytes at the end, at most
// the 4w that its floats need. Rows of width 1 take more bytes than their floats, and start at byte
// 0.
#include "calls/widen.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace attention::calls {
namespace {

// Dims of tensors without rules are unchecked.
double rows_of(const Tensor& tensor) {
  const bool has_rows = tensor.rank >= 1 && tensor.rank <= kMaximumRank && tensor.last() > 0;
  return has_rows ? tensor.count / tensor.last() : 0;
}

// from: for each row a float, then width int8 numbers.
void rows_to_float32(const Kernels& kernels, float* to, const std::byte* from, std::size_t rows,
                     std::size_t width) {
  for (std::size_t r = 0; r < rows; ++r, to += width, from += width) {
    std::array<float, kPanel> scales;
    std::memcpy(scales.data(), from, sizeof(float));
    scales.fill(scales[0]);
    from += sizeof(float);
    kernels.widen(to, {from, NumberType::kInt8, scales.data(), 0}, width);
  }
}

}  // namespace

NumberType type_of(const Tensor& tensor) {
  for (const NumberType type : {NumberType::kFloat16, NumberType::kBfloat16, NumberType::kInt8}) {
    if (tensor.type == static_cast<double>(static_cast<int>(type))) return type;
  }
  return NumberType::kFloat32;
}

double bytes_as_stored(const Tensor& tensor) {
  const NumberType type = type_of(tensor);
  const double scales = type == NumberType::kInt8 ? rows_of(tensor) * sizeof(float) : 0;
  return tensor.count * static_cast<double>(bytes_each(type)) + scales;
}

void widen(const Kernels& kernels, Tensor& tensor, void* block) {
  const NumberType type = type_of(tensor);
  if (!tensor.is_present() || type == NumberType::kFloat32) return;
  const std::byte* from =
      static_cast<std::byte*>(block) + static_cast<std::size_t>(tensor.byte_offset);
  tensor.byte_offset -= bytes_as_float32(tensor) - tensor.bytes;
  tensor.type = 0;
  auto* to = reinterpret_cast<float*>(static_cast<std::byte*>(block) +
                                      static_cast<std::size_t>(tensor.byte_offset));
  if (type == NumberType::kInt8) {
    const auto rows = static_cast<std::size_t>(rows_of(tensor));
    rows_to_float32(kernels, to, from, rows, static_cast<std::size_t>(tensor.last()));
  } else {
    kernels.widen(to, {from, type}, static_cast<std::size_t>(tensor.count));
  }
}

}  // namespace attention::calls
