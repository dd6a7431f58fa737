// The products of attention for one query, with keys and values read in place: blocks of 4 × 4 keys
// are transposed in registers, so that lanes run along keys. Sums have the order of the tile
// kernels', and so the same bits.
#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels/simd/each_vector.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/transpose.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

// Keys whose sums are independent, four to a vector, to hide the latency of additions.
constexpr std::size_t kFours = 4;
constexpr std::size_t kKeys = kFours * kLanes;
// Values per block: all of their columns are summed before the next block.
constexpr std::size_t kValues = 32;
constexpr std::size_t kColumns = 4 * kLanes;

// sum + query · each of four keys, over four numbers.
v128_t add_four(v128_t sum, const float* query, const float* const* keys, std::size_t c) {
  const Transposed transposed =
      transpose_4x4(wasm_v128_load(keys[0] + c), wasm_v128_load(keys[1] + c),
                    wasm_v128_load(keys[2] + c), wasm_v128_load(keys[3] + c));
  sum = multiply_add(wasm_v128_load32_splat(query + c), transposed.first, sum);
  sum = multiply_add(wasm_v128_load32_splat(query + c + 1), transposed.second, sum);
  sum = multiply_add(wasm_v128_load32_splat(query + c + 2), transposed.third, sum);
  return multiply_add(wasm_v128_load32_splat(query + c + 3), transposed.fourth, sum);
}

v128_t add_one(v128_t sum, const float* query, const float* const* keys, std::size_t c) {
  return multiply_add(wasm_v128_load32_splat(query + c),
                      wasm_f32x4_make(keys[0][c], keys[1][c], keys[2][c], keys[3][c]), sum);
}

// sums + Σ_j weights_j · values (j, c) for some columns.
void add_columns(float* sums, const float* weights, Matrix<const float> values, std::size_t c) {
  v128_t s0 = wasm_v128_load(sums + c);
  v128_t s1 = wasm_v128_load(sums + c + 4);
  v128_t s2 = wasm_v128_load(sums + c + 8);
  v128_t s3 = wasm_v128_load(sums + c + 12);
  const float* value = values.data + c;
  for (const float* end = weights + values.rows; weights != end; ++weights) {
    const v128_t weight = wasm_v128_load32_splat(weights);
    s0 = multiply_add(weight, wasm_v128_load(value), s0);
    s1 = multiply_add(weight, wasm_v128_load(value + 4), s1);
    s2 = multiply_add(weight, wasm_v128_load(value + 8), s2);
    s3 = multiply_add(weight, wasm_v128_load(value + 12), s3);
    value += values.stride;
  }
  wasm_v128_store(sums + c, s0);
  wasm_v128_store(sums + c + 4, s1);
  wasm_v128_store(sums + c + 8, s2);
  wasm_v128_store(sums + c + 12, s3);
}

// The same for one column, in one lane of a vector: wasm fuses no scalars.
void add_column(float* sums, const float* weights, Matrix<const float> values, std::size_t c) {
  v128_t sum = wasm_v128_load32_zero(sums + c);
  for (std::size_t j = 0; j < values.rows; ++j) {
    sum = multiply_add(wasm_v128_load32_zero(weights + j), wasm_v128_load32_zero(values.row(j) + c),
                       sum);
  }
  wasm_v128_store32_lane(sums + c, sum, 0);
}

}  // namespace

void score_row(float* scores, const float* query, Matrix<const float> keys, float factor) {
  const std::size_t in_fours = keys.cols - keys.cols % kLanes;
  const v128_t zero = wasm_f32x4_splat(0);
  for (std::size_t j = 0; j < keys.rows; j += kKeys) {
    const float* rows[kKeys];
    // Lanes beyond the last key repeat it.
    for (std::size_t k = 0; k < kKeys; ++k) rows[k] = keys.row(std::min(j + k, keys.rows - 1));
    v128_t sums[kFours] = {zero, zero, zero, zero};
    std::size_t c = 0;
    for (; c < in_fours; c += kLanes) {
#pragma clang loop unroll(full)
      for (std::size_t four = 0; four < kFours; ++four) {
        sums[four] = add_four(sums[four], query, rows + four * kLanes, c);
      }
    }
    for (; c < keys.cols; ++c) {
#pragma clang loop unroll(full)
      for (std::size_t four = 0; four < kFours; ++four) {
        sums[four] = add_one(sums[four], query, rows + four * kLanes, c);
      }
    }
    float found[kKeys];
#pragma clang loop unroll(full)
    for (std::size_t four = 0; four < kFours; ++four) {
      wasm_v128_store(found + four * kLanes, wasm_f32x4_mul(wasm_f32x4_splat(factor), sums[four]));
    }
    std::copy_n(found, std::min(kKeys, keys.rows - j), scores + j);
  }
}

void accumulate_row(float* output, float carry, const float* weights, Matrix<const float> values) {
  constexpr std::size_t kMaxColumns = 256;
  for (std::size_t first = 0; first < values.cols; first += kMaxColumns) {
    const std::size_t columns = std::min(kMaxColumns, values.cols - first);
    std::array<float, kMaxColumns> sums{};
    for (std::size_t j = 0; j < values.rows; j += kValues) {
      const Matrix<const float> some{values.row(j) + first, std::min(kValues, values.rows - j),
                                     columns, values.stride};
      std::size_t c = 0;
      for (; c + kColumns <= columns; c += kColumns) {
        add_columns(sums.data(), weights + j, some, c);
      }
      for (; c < columns; ++c) add_column(sums.data(), weights + j, some, c);
    }
    for (std::size_t c = 0; c < columns; ++c) {
      output[first + c] = carry * output[first + c] + sums[c];
    }
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
