// The row operations of the softmax.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/simd/each_vector.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/tanh.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

v128_t swap_halves(v128_t x) { return wasm_i32x4_shuffle(x, x, 2, 3, 0, 1); }
v128_t swap_neighbors(v128_t x) { return wasm_i32x4_shuffle(x, x, 1, 0, 3, 2); }

}  // namespace

void soft_cap(float* row, std::size_t count, float cap) {
  const v128_t caps = wasm_f32x4_splat(cap);
  for_each_vector(row, count,
                  [caps](v128_t x) { return wasm_f32x4_mul(caps, tanh(wasm_f32x4_div(x, caps))); });
}

void maximum(float* maxima, Matrix<const float> rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    // pmax (a, b) is b only if b > a, so NaN in b is ignored.
    v128_t low = wasm_f32x4_splat(kMinusInfinity);
    v128_t high = low;
    const float* row = rows.row(i);
    for (const float* end = row + rows.cols; row != end; row += kPanel) {
      low = wasm_f32x4_pmax(low, wasm_v128_load(row));
      high = wasm_f32x4_pmax(high, wasm_v128_load(row + kLanes));
    }
    low = wasm_f32x4_pmax(low, high);
    low = wasm_f32x4_pmax(low, swap_halves(low));
    low = wasm_f32x4_pmax(low, swap_neighbors(low));
    maxima[i] = wasm_f32x4_extract_lane(low, 0);
  }
}

void exponentiate(float* sums, Matrix<float> rows, const float* shifts) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const v128_t shift = wasm_v128_load32_splat(shifts + i);
    v128_t low_sum = wasm_f32x4_splat(0);
    v128_t high_sum = low_sum;
    float* row = rows.row(i);
    for (const float* end = row + rows.cols; row != end; row += kPanel) {
      const v128_t low = exp(wasm_f32x4_sub(wasm_v128_load(row), shift));
      const v128_t high = exp(wasm_f32x4_sub(wasm_v128_load(row + kLanes), shift));
      wasm_v128_store(row, low);
      wasm_v128_store(row + kLanes, high);
      low_sum = wasm_f32x4_add(low_sum, low);
      high_sum = wasm_f32x4_add(high_sum, high);
    }
    low_sum = wasm_f32x4_add(low_sum, high_sum);
    low_sum = wasm_f32x4_add(low_sum, swap_halves(low_sum));
    low_sum = wasm_f32x4_add(low_sum, swap_neighbors(low_sum));
    sums[i] = wasm_f32x4_extract_lane(low_sum, 0);
  }
}

void scale(float* to, const float* from, std::size_t count, float factor) {
  const v128_t factors = wasm_f32x4_splat(factor);
  for (; count >= kPanel; count -= kPanel, from += kPanel, to += kPanel) {
    wasm_v128_store(to, wasm_f32x4_mul(factors, wasm_v128_load(from)));
    wasm_v128_store(to + kLanes, wasm_f32x4_mul(factors, wasm_v128_load(from + kLanes)));
  }
  for (; count > 0; --count, ++from, ++to) *to = factor * *from;
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
