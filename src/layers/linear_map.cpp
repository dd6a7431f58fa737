// The bias, and the product added to it. A matrix of float32 that is out × in is packed as keys
// are, which puts number (o, i) where pack_values() puts number (i, o) of its transpose; of narrow
// numbers the bytes are moved to the same places.
#include "attention/linear_map.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "core/integer_product.h"
#include "core/product.h"
#include "core/tiles.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Rows of the packed matrix: int8 has pairs of them.
std::uint64_t depth_of(const LinearMap& map) {
  return std::uint64_t{map.in} + (map.type == NumberType::kInt8 ? map.in % 2 : 0);
}

std::uint64_t numbers_of(const LinearMap& map) {
  return depth_of(map) * round_up_to_panel<std::uint64_t>(map.out);
}

std::uint64_t scales_of(const LinearMap& map) {
  if (map.type != NumberType::kInt8) return 0;
  return map.scaled_by_input ? std::uint64_t{map.in} * kPanel
                             : round_up_to_panel<std::uint64_t>(map.out);
}

PackedMatrix view(const LinearMap& map) {
  return {map.packed,          map.type,      static_cast<std::size_t>(depth_of(map)), map.scales,
          map.scaled_by_input, map.exceptions};
}

std::uint64_t exception_words_of(const LinearMap& map) {
  if (map.type != NumberType::kFloat16) return 0;
  return (std::uint64_t{map.in} + 31) / 32 * (round_up_to_panel<std::uint64_t>(map.out) / kPanel);
}

bool is_exception(std::uint16_t float16) {
  const unsigned size = float16 & 0x7FFFU;
  return size >= 0x7C00 || (size != 0 && size < 0x0400);
}

// Copies a column of int8 numbers into pairs, the first at `to`.
void move_pairs(std::byte* to, std::size_t count, const std::byte* from, std::size_t step) {
  for (std::size_t k = 0; k < count; ++k, from += step) to[k / 2 * 2 * kPanel + k % 2] = *from;
}

// Copies a column of 16-bit numbers to its positions in a panel. exceptions: the panel's, or null.
void move_halves(std::byte* to, std::size_t count, const std::byte* from, std::size_t step,
                 std::uint32_t* exceptions) {
  for (std::size_t k = 0; k < count; ++k, from += step, to += kPanel * sizeof(std::uint16_t)) {
    std::uint16_t number;
    std::memcpy(&number, from, sizeof number);
    std::memcpy(to, &number, sizeof number);
    if (exceptions != nullptr && is_exception(number)) {
      exceptions[k / 32] |= std::uint32_t{1} << (k % 32);
    }
  }
}

// Packs columns of W from `first` on; number (i, first + o) is at from + i · step_in + o ·
// step_out.
void move_columns(const LinearMap& map, std::size_t first, std::size_t count, const std::byte* from,
                  std::size_t step_in, std::size_t step_out) {
  const std::size_t bytes = bytes_each(map.type);
  for (std::size_t column = first; column < first + count; ++column, from += step_out) {
    std::byte* panel = map.packed + column / kPanel * kPanel * view(map).depth * bytes;
    if (map.type == NumberType::kInt8) {
      move_pairs(panel + column % kPanel * 2, map.in, from, step_in);
      continue;
    }
    if (bytes == 2) {
      std::uint32_t* exceptions = map.exceptions;
      if (exceptions != nullptr) exceptions += column / kPanel * view(map).panel_words();
      move_halves(panel + paired_position(column % kPanel) * bytes, map.in, from, step_in,
                  exceptions);
      continue;
    }
    std::byte* to = panel + column % kPanel * bytes;
    const std::byte* number = from;
    for (std::size_t i = 0; i < map.in; ++i, number += step_in, to += kPanel * bytes) {
      // With a constant size, memcpy is inlined.
      std::memcpy(to, number, sizeof(float));
    }
  }
}

Matrix<const float> as_floats(const StoredMatrix& matrix) {
  return {reinterpret_cast<const float*>(matrix.data), matrix.rows, matrix.cols,
          matrix.stride / sizeof(float)};
}

}  // namespace

LinearMap LinearMap::reserve(Workspace& memory, const LinearShape& shape) {
  LinearMap map;
  map.in = shape.in;
  map.out = shape.out;
  map.type = shape.type;
  map.scaled_by_input = shape.scaled_by_input;
  // Clamped, so that sizes beyond any memory do not overflow.
  constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 56;
  map.packed =
      memory.take<std::byte>(std::min(numbers_of(map), kLargestCount) * bytes_each(map.type));
  map.scales = memory.take<float>(scales_of(map));
  if (map.type == NumberType::kFloat16) {
    map.exceptions = memory.take<std::uint32_t>(std::min(exception_words_of(map), kLargestCount));
  }
  if (shape.bias) map.bias = memory.take<float>(shape.out);
  return map;
}

void LinearMap::clear() {
  std::memset(packed, 0, static_cast<std::size_t>(numbers_of(*this)) * bytes_each(type));
  std::fill_n(scales, scales_of(*this), 0.0F);
  std::fill_n(exceptions, exception_words_of(*this), 0U);
  take_bias(nullptr);
}

void LinearMap::pack(const Kernels& kernels, const StoredMatrix& weight,
                     const float* bias_numbers) {
  assert(weight.rows == in && weight.cols == out && weight.type == type);
  if (type == NumberType::kFloat32) {
    kernels.pack_values(reinterpret_cast<float*>(packed), as_floats(weight));
  } else {
    clear();
    move_columns(*this, 0, out, weight.data, weight.stride, bytes_each(type));
  }
  if (type == NumberType::kInt8) {
    assert(scaled_by_input);
    for (std::size_t at = 0; at < in * kPanel; ++at) {
      std::memcpy(scales + at, weight.scales + at / kPanel * weight.scale_stride, sizeof(float));
    }
  }
  take_bias(bias_numbers);
}

void LinearMap::pack_transposed(const Kernels& kernels, const StoredMatrix& weight,
                                const float* bias_numbers) {
  assert(weight.rows == out && weight.cols == in && weight.type == type);
  if (type == NumberType::kFloat32) {
    kernels.pack_keys(reinterpret_cast<float*>(packed), as_floats(weight));
    take_bias(bias_numbers);
  } else {
    clear();
    fill(0, weight, bias_numbers);
  }
}

void LinearMap::fill(std::size_t first_row, const StoredMatrix& rows, const float* bias_numbers) {
  assert(rows.cols == in && first_row + rows.rows <= out && rows.type == type);
  move_columns(*this, first_row, rows.rows, rows.data, bytes_each(type), rows.stride);
  if (type == NumberType::kInt8) {
    assert(!scaled_by_input);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      std::memcpy(scales + first_row + row, rows.scales + row * rows.scale_stride, sizeof(float));
    }
  }
  if (bias_numbers != nullptr) std::copy_n(bias_numbers, rows.rows, bias + first_row);
}

void LinearMap::take_bias(const float* numbers) {
  if (bias == nullptr) return;
  if (numbers != nullptr) {
    std::copy_n(numbers, out, bias);
  } else {
    std::fill_n(bias, out, 0.0F);
  }
}

void LinearMap::apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const {
  apply(kernels, x, y, bias);
}

void LinearMap::apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y,
                      const float* biases) const {
  assert(x.cols == in && y.cols == out && x.rows == y.rows);
  if (type == NumberType::kInt8) return integer_product(kernels, x, view(*this), biases, y);
  product(kernels, x, view(*this), biases, y);
}

void LinearMap::copy_rows(const Kernels& kernels, std::span<const double> ids,
                          Matrix<float> to) const {
  std::array<float, kTileKeys * kPanel> panel;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const auto column = static_cast<std::size_t>(ids[row]);
    for_each_block(in, kTileKeys, [&](std::size_t first, std::size_t count) {
      widen(kernels, view(*this).panel(column / kPanel, first), count, panel.data());
      for (std::size_t i = 0; i < count; ++i) {
        to.row(row)[first + i] = panel[i * kPanel + column % kPanel];
      }
    });
  }
}

}  // namespace attention
