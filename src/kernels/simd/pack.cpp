// Keys are transposed into panels, so that lanes run along keys; values are cut into panels of
// columns. Rows may be far apart in memory: a packed tile is read many times, the tensor once.
#include <algorithm>

#include "kernels/simd/each_vector.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/transpose.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

// packed[c · kWidth + lane] = rows[lane][c] for four rows and four columns.
template <std::size_t kWidth>
void transpose(float* packed, const float* const* rows, std::size_t c) {
  const Transposed transposed =
      transpose_4x4(wasm_v128_load(rows[0] + c), wasm_v128_load(rows[1] + c),
                    wasm_v128_load(rows[2] + c), wasm_v128_load(rows[3] + c));
  float* to = packed + c * kWidth;
  wasm_v128_store(to, transposed.first);
  wasm_v128_store(to + kWidth, transposed.second);
  wasm_v128_store(to + 2 * kWidth, transposed.third);
  wasm_v128_store(to + 3 * kWidth, transposed.fourth);
}

// Transposes up to four rows into lanes of panels; lanes without a row are 0.
template <std::size_t kWidth>
void pack_lanes(float* lanes, Matrix<const float> rows) {
  std::size_t c = 0;
  if (rows.rows == kLanes) {
    const float* starts[kLanes] = {rows.row(0), rows.row(1), rows.row(2), rows.row(3)};
    for (; c + kLanes <= rows.cols; c += kLanes) transpose<kWidth>(lanes, starts, c);
  }
  for (; c < rows.cols; ++c) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[c * kWidth + lane] = lane < rows.rows ? rows.row(lane)[c] : 0;
    }
  }
}

}  // namespace

void pack_rows(float* packed, Matrix<const float> rows) {
  static_assert(kRowPanel == kLanes);
  for (std::size_t first = 0; first < rows.rows; first += kLanes) {
    pack_lanes<kRowPanel>(packed + first * rows.cols,
                          rows.block(first, std::min(kLanes, rows.rows - first)));
  }
}

void pack_keys(float* packed, Matrix<const float> keys) {
  for (std::size_t first = 0; first < keys.rows; first += kLanes) {
    float* lanes = packed + first / kPanel * kPanel * keys.cols + first % kPanel;
    pack_lanes<kPanel>(lanes, keys.block(first, std::min(kLanes, keys.rows - first)));
  }
  if (keys.rows % kPanel != 0 && keys.rows % kPanel <= kLanes) {
    float* lanes = packed + keys.rows / kPanel * kPanel * keys.cols + kLanes;
    for (std::size_t c = 0; c < keys.cols; ++c) std::fill_n(lanes + c * kPanel, kLanes, 0.0F);
  }
}

bool pack_values(float* packed, Matrix<const float> values) {
  // 0 · v is 0 for every finite v and NaN for every other.
  const v128_t zero = wasm_f32x4_splat(0);
  v128_t check_low = zero;
  v128_t check_high = zero;
  for (std::size_t first = 0; first < values.cols; first += kPanel) {
    const std::size_t count = std::min(kPanel, values.cols - first);
    for (std::size_t j = 0; j < values.rows; ++j, packed += kPanel) {
      const float* row = values.row(j) + first;
      if (count < kPanel) {
        std::fill_n(std::copy_n(row, count, packed), kPanel - count, 0.0F);
        row = packed;
      }
      const v128_t low = wasm_v128_load(row);
      const v128_t high = wasm_v128_load(row + 4);
      check_low = wasm_f32x4_add(check_low, wasm_f32x4_mul(low, zero));
      check_high = wasm_f32x4_add(check_high, wasm_f32x4_mul(high, zero));
      wasm_v128_store(packed, low);
      wasm_v128_store(packed + 4, high);
    }
  }
  return wasm_i32x4_all_true(wasm_f32x4_eq(wasm_f32x4_add(check_low, check_high), zero));
}

}  // namespace attention::simd
