// The matrix products of attention, in register tiles of up to four rows by one panel: eight
// accumulators, one splat per row and step. Wider or taller tiles run out of
// registers in today's engines, and an address that is not a pointer and a constant costs as much
// as a multiplication: so rows lie at constant distances, and two pointers walk. A product is one
// call per block and tile, through the list of kernels, so an engine that starts in its baseline
// compiler can replace it while a long attention call is still running.
#include <algorithm>
#include <cstddef>

#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

struct Accumulators {
  v128_t low;
  v128_t high;
};

// The sums of a row and a panel after one more step.
struct AddProduct {
  v128_t operator()(v128_t sum, v128_t a, v128_t b) const { return multiply_add(a, b, sum); }
};

struct AddSquaredDifference {
  v128_t operator()(v128_t sum, v128_t a, v128_t b) const {
    const v128_t difference = wasm_f32x4_sub(a, b);
    return multiply_add(difference, difference, sum);
  }
};

struct AddAbsoluteDifference {
  v128_t operator()(v128_t sum, v128_t a, v128_t b) const {
    return wasm_f32x4_add(sum, wasm_f32x4_abs(wasm_f32x4_sub(a, b)));
  }
};

// Layout of rows: number k of row i at i · row + k · step.
struct Packed {
  static constexpr std::size_t kRow = 1;
  static constexpr std::size_t kStep = kRowPanel;
};

struct TileRows {
  static constexpr std::size_t kRow = kTileKeys;
  static constexpr std::size_t kStep = 1;
};

// sums[i] = the sum over depth steps of terms of a (i, k) and panel_k; a panel has kPanel numbers
// per step.
template <class AddTerm, class Rows, std::size_t kRows>
inline void add_up(Accumulators (&sums)[kRows], const float* a, std::size_t depth,
                   const float* panel) {
  const AddTerm add;
  for (std::size_t i = 0; i < kRows; ++i) sums[i] = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  for (const float* end = panel + depth * kPanel; panel != end; panel += kPanel, a += Rows::kStep) {
    const v128_t low = wasm_v128_load(panel);
    const v128_t high = wasm_v128_load(panel + 4);
    for (std::size_t i = 0; i < kRows; ++i) {
      const v128_t number = wasm_v128_load32_splat(a + i * Rows::kRow);
      sums[i].low = add(sums[i].low, number, low);
      sums[i].high = add(sums[i].high, number, high);
    }
  }
}

template <class AddTerm, std::size_t kRows>
void score_panel(float* scores, std::size_t scores_stride, const float* queries,
                 std::size_t key_dim, const float* panel, float factor) {
  Accumulators sums[kRows];
  add_up<AddTerm, Packed>(sums, queries, key_dim, panel);
  const v128_t factors = wasm_f32x4_splat(factor);
  for (std::size_t i = 0; i < kRows; ++i) {
    wasm_v128_store(scores + i * scores_stride, wasm_f32x4_mul(factors, sums[i].low));
    wasm_v128_store(scores + i * scores_stride + 4, wasm_f32x4_mul(factors, sums[i].high));
  }
}

// accumulate_panel() for a panel that is not full. Rare, so kept out of line.
[[gnu::noinline]] void add_partial_panel(float* row, float carry, Accumulators sums,
                                         std::size_t columns) {
  float padded[kPanel];
  wasm_v128_store(padded, sums.low);
  wasm_v128_store(padded + 4, sums.high);
  for (std::size_t c = 0; c < columns; ++c) row[c] = carry * row[c] + padded[c];
}

template <std::size_t kRows>
void accumulate_panel(float* output, std::size_t output_stride, std::size_t columns,
                      const float* carry, const float* weights, std::size_t keys,
                      const float* panel) {
  Accumulators sums[kRows];
  add_up<AddProduct, TileRows>(sums, weights, keys, panel);
  for (std::size_t i = 0; i < kRows; ++i) {
    float* row = output + i * output_stride;
    const v128_t factor = wasm_f32x4_splat(carry[i]);
    if (columns == kPanel) {
      wasm_v128_store(row,
                      wasm_f32x4_add(wasm_f32x4_mul(factor, wasm_v128_load(row)), sums[i].low));
      wasm_v128_store(
          row + 4, wasm_f32x4_add(wasm_f32x4_mul(factor, wasm_v128_load(row + 4)), sums[i].high));
    } else {
      add_partial_panel(row, carry[i], sums[i], columns);
    }
  }
}

// Calls visit.operator()<rows>(first row) for all rows, four at a time and the rest at once.
template <class Visit>
void for_each_row_group(std::size_t rows, Visit visit) {
  std::size_t i = 0;
  for (; i + kRowPanel <= rows; i += kRowPanel) visit.template operator()<kRowPanel>(i);
  switch (rows - i) {
    case 1:
      visit.template operator()<1>(i);
      break;
    case 2:
      visit.template operator()<2>(i);
      break;
    case 3:
      visit.template operator()<3>(i);
      break;
    default:
      break;
  }
}

template <class AddTerm>
void score_all(Matrix<float> scores, PackedRows queries, const float* packed_keys, float factor) {
  for (std::size_t j = 0; j < scores.cols; j += kPanel) {
    const float* panel = packed_keys + j * queries.cols;
    for_each_row_group(scores.rows, [&]<std::size_t kRows>(std::size_t i) {
      score_panel<AddTerm, kRows>(scores.row(i) + j, scores.stride, queries.data + i * queries.cols,
                                  queries.cols, panel, factor);
    });
  }
}

}  // namespace

void dot_products(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                  float factor) {
  score_all<AddProduct>(scores, queries, packed_keys, factor);
}

void distances(Matrix<float> scores, PackedRows queries, const float* packed_keys,
               Distance distance, float factor) {
  if (distance == Distance::kSquared) {
    score_all<AddSquaredDifference>(scores, queries, packed_keys, factor);
  } else {
    score_all<AddAbsoluteDifference>(scores, queries, packed_keys, factor);
  }
}

void accumulate_values(Matrix<float> output, const float* carry, TileWeights weights,
                       PackedValues values) {
  const float* panel = values.data;
  for (std::size_t c = 0; c < output.cols; c += kPanel, panel += values.panel_stride) {
    const std::size_t columns = std::min(kPanel, output.cols - c);
    for_each_row_group(output.rows, [&]<std::size_t kRows>(std::size_t i) {
      accumulate_panel<kRows>(output.row(i) + c, output.stride, columns, carry + i,
                              weights.data + i * kTileKeys, weights.cols, panel);
    });
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
