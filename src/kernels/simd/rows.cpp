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
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

v128_t swap_halves(v128_t x) { return wasm_i32x4_shuffle(x, x, 2, 3, 0, 1); }
v128_t swap_neighbours(v128_t x) { return wasm_i32x4_shuffle(x, x, 1, 0, 3, 2); }

}  // namespace

void soft_cap(float* row, std::size_t count, float cap) {
  const v128_t caps = wasm_f32x4_splat(cap);
  for_each_vector(row, count,
                  [caps](v128_t x) { return wasm_f32x4_mul(caps, tanh(wasm_f32x4_div(x, caps))); });
}

float maximum(const float* row, std::size_t count) {
  // pmax (a, b) is b only where b > a: a NaN never enters.
  v128_t low = wasm_f32x4_splat(kMinusInfinity);
  v128_t high = low;
  for (std::size_t j = 0; j < count; j += kPanel) {
    low = wasm_f32x4_pmax(low, wasm_v128_load(row + j));
    high = wasm_f32x4_pmax(high, wasm_v128_load(row + j + kLanes));
  }
  low = wasm_f32x4_pmax(low, high);
  low = wasm_f32x4_pmax(low, swap_halves(low));
  low = wasm_f32x4_pmax(low, swap_neighbours(low));
  return wasm_f32x4_extract_lane(low, 0);
}

float exponentiate(float* row, std::size_t count, float shift) {
  const v128_t shifts = wasm_f32x4_splat(shift);
  v128_t low_sum = wasm_f32x4_splat(0);
  v128_t high_sum = low_sum;
  for (std::size_t j = 0; j < count; j += kPanel) {
    const v128_t low = exp(wasm_f32x4_sub(wasm_v128_load(row + j), shifts));
    const v128_t high = exp(wasm_f32x4_sub(wasm_v128_load(row + j + kLanes), shifts));
    wasm_v128_store(row + j, low);
    wasm_v128_store(row + j + kLanes, high);
    low_sum = wasm_f32x4_add(low_sum, low);
    high_sum = wasm_f32x4_add(high_sum, high);
  }
  low_sum = wasm_f32x4_add(low_sum, high_sum);
  low_sum = wasm_f32x4_add(low_sum, swap_halves(low_sum));
  low_sum = wasm_f32x4_add(low_sum, swap_neighbours(low_sum));
  return wasm_f32x4_extract_lane(low_sum, 0);
}

void normalise(float* row, std::size_t count, float shift, float factor) {
  const v128_t shifts = wasm_f32x4_splat(shift);
  const v128_t factors = wasm_f32x4_splat(factor);
  const v128_t hidden = wasm_f32x4_splat(kMinusInfinity);
  for_each_vector(row, count, [=](v128_t x) {
    const v128_t weight = wasm_f32x4_mul(factors, exp(wasm_f32x4_sub(x, shifts)));
    return wasm_v128_andnot(weight, wasm_f32x4_eq(x, hidden));
  });
}

}  // namespace attention::simd
