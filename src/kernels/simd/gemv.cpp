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
namespace {

// Keys whose sums are independent, to hide the latency of additions.
constexpr std::size_t kKeys = 2 * kLanes;
// Values per block: all of their columns are summed before the next block.
constexpr std::size_t kValues = 32;
constexpr std::size_t kColumns = 4 * kLanes;

v128_t add_product(v128_t sum, v128_t a, v128_t b) {
  return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b));
}

// sum + query · each of four keys, over four numbers.
v128_t add_four(v128_t sum, const float* query, const float* const* keys, std::size_t c) {
  const Transposed transposed =
      transpose_4x4(wasm_v128_load(keys[0] + c), wasm_v128_load(keys[1] + c),
                    wasm_v128_load(keys[2] + c), wasm_v128_load(keys[3] + c));
  sum = add_product(sum, wasm_v128_load32_splat(query + c), transposed.first);
  sum = add_product(sum, wasm_v128_load32_splat(query + c + 1), transposed.second);
  sum = add_product(sum, wasm_v128_load32_splat(query + c + 2), transposed.third);
  return add_product(sum, wasm_v128_load32_splat(query + c + 3), transposed.fourth);
}

v128_t add_one(v128_t sum, const float* query, const float* const* keys, std::size_t c) {
  return add_product(sum, wasm_v128_load32_splat(query + c),
                     wasm_f32x4_make(keys[0][c], keys[1][c], keys[2][c], keys[3][c]));
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
    s0 = add_product(s0, weight, wasm_v128_load(value));
    s1 = add_product(s1, weight, wasm_v128_load(value + 4));
    s2 = add_product(s2, weight, wasm_v128_load(value + 8));
    s3 = add_product(s3, weight, wasm_v128_load(value + 12));
    value += values.stride;
  }
  wasm_v128_store(sums + c, s0);
  wasm_v128_store(sums + c + 4, s1);
  wasm_v128_store(sums + c + 8, s2);
  wasm_v128_store(sums + c + 12, s3);
}

// The same for one column.
void add_column(float* sums, const float* weights, Matrix<const float> values, std::size_t c) {
  for (std::size_t j = 0; j < values.rows; ++j) sums[c] += weights[j] * values.row(j)[c];
}

}  // namespace

void score_row(float* scores, const float* query, Matrix<const float> keys, float factor) {
  const std::size_t in_fours = keys.cols - keys.cols % kLanes;
  for (std::size_t j = 0; j < keys.rows; j += kKeys) {
    const float* rows[kKeys];
    // Lanes beyond the last key repeat it.
    for (std::size_t k = 0; k < kKeys; ++k) rows[k] = keys.row(std::min(j + k, keys.rows - 1));
    v128_t low = wasm_f32x4_splat(0);
    v128_t high = low;
    std::size_t c = 0;
    for (; c < in_fours; c += kLanes) {
      low = add_four(low, query, rows, c);
      high = add_four(high, query, rows + kLanes, c);
    }
    for (; c < keys.cols; ++c) {
      low = add_one(low, query, rows, c);
      high = add_one(high, query, rows + kLanes, c);
    }
    float eight[kKeys];
    wasm_v128_store(eight, wasm_f32x4_mul(wasm_f32x4_splat(factor), low));
    wasm_v128_store(eight + kLanes, wasm_f32x4_mul(wasm_f32x4_splat(factor), high));
    std::copy_n(eight, std::min(kKeys, keys.rows - j), scores + j);
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

}  // namespace attention::simd
