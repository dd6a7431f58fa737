// Sums of products of integers, and how they become results.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/kernels.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {

// Numbers of a pair of inputs in a panel of weights, and in a panel of rows.
inline constexpr std::size_t kPairWeights = 2 * kPanel;
inline constexpr std::size_t kPairNumbers = 2 * kRowPanel;

// Sums of the columns of a panel.
struct Sums {
  v128_t low;
  v128_t high;

  [[gnu::always_inline]] void add(v128_t pair, v128_t low_weights, v128_t high_weights) {
    low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(pair, low_weights));
    high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(pair, high_weights));
  }
  Sums plus(const Sums& other) const {
    return {wasm_i32x4_add(low, other.low), wasm_i32x4_add(high, other.high)};
  }
  Sums minus(const Sums& other) const {
    return {wasm_i32x4_sub(low, other.low), wasm_i32x4_sub(high, other.high)};
  }
};

// Without scales or biases; multiplying with 1 and adding 0 changes no sum, because none is -0.
inline constexpr float kOnes[kPanel] = {1, 1, 1, 1, 1, 1, 1, 1};
inline constexpr float kZeros[kPanel] = {};

// Up to kPanel columns of `all`, with their scales and biases.
struct PanelColumns {
  PanelColumns(const SumScales& scales, std::size_t first_column, std::size_t all)
      : first(first_column), count(std::min(kPanel, all - first_column)) {
    load(columns, scales.columns == nullptr ? kOnes : scales.columns + first, count);
    load(bias, scales.bias == nullptr ? kZeros : scales.bias + first, count);
  }

  static void load(v128_t* to, const float* numbers, std::size_t count) {
    float padded[kPanel];
    if (count < kPanel) numbers = std::copy_n(numbers, count, padded) - count;
    to[0] = wasm_v128_load(numbers);
    to[1] = wasm_v128_load(numbers + 4);
  }

  // (sum + before) · (row · column) + bias, for each half of the panel.
  v128_t scaled(std::size_t half, v128_t sum, const float* before, v128_t row) const {
    const v128_t number =
        wasm_f32x4_add(wasm_f32x4_convert_i32x4(sum), wasm_v128_load(before + 4 * half));
    return wasm_f32x4_add(wasm_f32x4_mul(number, wasm_f32x4_mul(row, columns[half])), bias[half]);
  }

  std::size_t first;
  std::size_t count;
  v128_t columns[2];
  v128_t bias[2];
};

// y = the scaled sums of some rows and up to kPanel columns. rows: scales of rows.
inline void store_sums(Matrix<float> y, const Sums* sums, const float* rows,
                       const PanelColumns& scales, bool adds) {
  for (std::size_t i = 0; i < y.rows; ++i) {
    float padded[kPanel];
    const bool is_full = y.cols == kPanel;
    float* to = is_full ? y.row(i) : std::copy_n(y.row(i), y.cols, padded) - y.cols;
    const float* before = adds ? to : kZeros;
    const v128_t row = wasm_v128_load32_splat(rows + i);
    const v128_t low = scales.scaled(0, sums[i].low, before, row);
    const v128_t high = scales.scaled(1, sums[i].high, before, row);
    wasm_v128_store(to, low);
    wasm_v128_store(to + 4, high);
    if (!is_full) std::copy_n(padded, y.cols, y.row(i));
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
