// The gradient kernels. The product is in register tiles as those of products.cpp: four rows of the
// output by one panel, four neighboring weights at each step.
#include "kernels/simd/simd_gradients.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/simd/exp.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

constexpr std::size_t kLanes = 4;

struct Accumulators {
  v128_t low;
  v128_t high;
};

// Rare, so kept out of line.
[[gnu::noinline]] void add_partial_panel(float* row, Accumulators sums, std::size_t columns) {
  float padded[kPanel];
  wasm_v128_store(padded, sums.low);
  wasm_v128_store(padded + kLanes, sums.high);
  for (std::size_t c = 0; c < columns; ++c) row[c] += padded[c];
}

// Rows j to j + kRows of one panel of columns; weights: at (0, j).
template <std::size_t kRows>
void add_transposed_panel(float* output, std::size_t output_stride, std::size_t columns,
                          const float* weights, std::size_t weights_stride, std::size_t depth,
                          const float* panel) {
  Accumulators sums[kRows];
  for (Accumulators& sum : sums) sum = {wasm_f32x4_splat(0), wasm_f32x4_splat(0)};
  for (const float* end = panel + depth * kPanel; panel != end;
       panel += kPanel, weights += weights_stride) {
    const v128_t low = wasm_v128_load(panel);
    const v128_t high = wasm_v128_load(panel + kLanes);
    for (std::size_t j = 0; j < kRows; ++j) {
      const v128_t weight = wasm_v128_load32_splat(weights + j);
      sums[j].low = wasm_f32x4_add(sums[j].low, wasm_f32x4_mul(weight, low));
      sums[j].high = wasm_f32x4_add(sums[j].high, wasm_f32x4_mul(weight, high));
    }
  }
  for (std::size_t j = 0; j < kRows; ++j) {
    float* row = output + j * output_stride;
    if (columns < kPanel) {
      add_partial_panel(row, sums[j], columns);
    } else {
      wasm_v128_store(row, wasm_f32x4_add(wasm_v128_load(row), sums[j].low));
      wasm_v128_store(row + kLanes, wasm_f32x4_add(wasm_v128_load(row + kLanes), sums[j].high));
    }
  }
}

v128_t where(v128_t condition, v128_t number) { return wasm_v128_and(condition, number); }

}  // namespace

void add_transposed_product(Matrix<float> output, Matrix<const float> weights,
                            PackedValues values) {
  for (std::size_t c = 0; c < output.cols; c += kPanel) {
    const std::size_t columns = std::min(kPanel, output.cols - c);
    const float* panel = values.data + c / kPanel * values.panel_stride;
    std::size_t j = 0;
    for (; j + kRowPanel <= output.rows; j += kRowPanel) {
      add_transposed_panel<kRowPanel>(output.row(j) + c, output.stride, columns, weights.data + j,
                                      weights.stride, weights.rows, panel);
    }
    for (; j < output.rows; ++j) {
      add_transposed_panel<1>(output.row(j) + c, output.stride, columns, weights.data + j,
                              weights.stride, weights.rows, panel);
    }
  }
}

void softmax_gradient(Matrix<float> scores, Matrix<float> gradients, const float* shifts,
                      const float* deltas, float factor) {
  const v128_t minus_infinity = wasm_f32x4_splat(-std::numeric_limits<float>::infinity());
  const v128_t factors = wasm_f32x4_splat(factor);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const v128_t shift = wasm_v128_load32_splat(shifts + i);
    const v128_t delta = wasm_v128_load32_splat(deltas + i);
    float* score = scores.row(i);
    float* gradient = gradients.row(i);
    for (const float* end = score + scores.cols; score != end;
         score += kLanes, gradient += kLanes) {
      const v128_t s = wasm_v128_load(score);
      const v128_t is_visible = wasm_f32x4_ne(s, minus_infinity);
      const v128_t p = where(is_visible, exp(wasm_f32x4_sub(s, shift)));
      const v128_t difference = wasm_f32x4_sub(wasm_v128_load(gradient), delta);
      wasm_v128_store(score, p);
      wasm_v128_store(gradient,
                      where(is_visible, wasm_f32x4_mul(factors, wasm_f32x4_mul(p, difference))));
    }
  }
}

}  // namespace attention::simd
