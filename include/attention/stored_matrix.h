// Weights in the types of files: float32 or low-precision.
#pragma once

#include <cstddef>

namespace attention {

// The value of an int8 number is its product with a scale.
enum class NumberType { kFloat32, kFloat16, kBfloat16, kInt8 };

constexpr std::size_t bytes_each(NumberType type) {
  if (type == NumberType::kFloat32) return 4;
  return type == NumberType::kInt8 ? 1 : 2;
}

// rows × cols numbers of any type, a row every stride bytes. Each int8 row has a scale, a float,
// one every scale_stride bytes. No alignment is required.
struct StoredMatrix {
  const std::byte* data = nullptr;
  NumberType type = NumberType::kFloat32;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;
  const std::byte* scales = nullptr;
  std::size_t scale_stride = 0;

  StoredMatrix() = default;
  // A float32 matrix; numbers_apart: from one row to the next.
  StoredMatrix(const float* numbers, std::size_t row_count, std::size_t col_count,
               std::size_t numbers_apart)
      : data(reinterpret_cast<const std::byte*>(numbers)),
        rows(row_count),
        cols(col_count),
        stride(numbers_apart * sizeof(float)) {}

  StoredMatrix block(std::size_t first_row, std::size_t row_count) const {
    StoredMatrix block = *this;
    block.data += first_row * stride;
    block.rows = row_count;
    if (scales != nullptr) block.scales += first_row * scale_stride;
    return block;
  }
};

}  // namespace attention
