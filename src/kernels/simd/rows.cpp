// The row operations of the softmax.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/simd/exp.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

constexpr std::size_t kLanes = 4;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

v128_t swap_halves(v128_t x) { return wasm_i32x4_shuffle(x, x, 2, 3, 0, 1); }
v128_t swap_neighbours(v128_t x) { return wasm_i32x4_shuffle(x, x, 1, 0, 3, 2); }

// row = change(row), vector by vector; the rest goes through a vector of its own.
template <class Change>
void for_each_vector(float* row, std::size_t count, Change change) {
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    wasm_v128_store(row + j, change(wasm_v128_load(row + j)));
  }
  if (j == count) return;
  float padded[kLanes] = {};
  std::copy(row + j, row + count, padded);
  wasm_v128_store(padded, change(wasm_v128_load(padded)));
  std::copy_n(padded, count - j, row + j);
}

// tanh x. Near 0 an odd polynomial (Cephes, tanhf: S. Moshier), which keeps the relative error
// small; elsewhere 1 - 2 / (e^2|x| + 1), written with e^-2|x| so that nothing overflows.
v128_t tanh(v128_t x) {
  const v128_t one = wasm_f32x4_splat(1);
  const v128_t size = wasm_f32x4_abs(x);

  const v128_t square = wasm_f32x4_mul(x, x);
  v128_t p = wasm_f32x4_splat(-5.70498872745E-3F);
  p = wasm_f32x4_add(wasm_f32x4_mul(p, square), wasm_f32x4_splat(2.06390887954E-2F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, square), wasm_f32x4_splat(-5.37397155531E-2F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, square), wasm_f32x4_splat(1.33314422036E-1F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, square), wasm_f32x4_splat(-3.33332819422E-1F));
  const v128_t near_zero = wasm_f32x4_add(x, wasm_f32x4_mul(wasm_f32x4_mul(p, square), x));

  const v128_t e = exp(wasm_f32x4_mul(size, wasm_f32x4_splat(-2)));
  const v128_t ratio = wasm_f32x4_div(wasm_f32x4_sub(one, e), wasm_f32x4_add(one, e));
  const v128_t sign = wasm_v128_and(x, wasm_f32x4_splat(-0.0F));
  const v128_t elsewhere = wasm_v128_or(ratio, sign);

  return wasm_v128_bitselect(near_zero, elsewhere, wasm_f32x4_lt(size, wasm_f32x4_splat(0.625F)));
}

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
