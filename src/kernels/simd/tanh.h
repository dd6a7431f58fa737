// tanh x. Near 0 an odd polynomial (Cephes, tanhf: S. Moshier), which keeps the relative error
// small; elsewhere 1 - 2 / (e^2|x| + 1), written with e^-2|x| so that nothing overflows.
#pragma once

#include "kernels/simd/exp.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {

inline v128_t tanh(v128_t x) {
  const v128_t one = wasm_f32x4_splat(1);
  const v128_t size = wasm_f32x4_abs(x);

  const v128_t square = wasm_f32x4_mul(x, x);
  v128_t p = wasm_f32x4_splat(-5.70498872745E-3F);
  p = multiply_add(p, square, wasm_f32x4_splat(2.06390887954E-2F));
  p = multiply_add(p, square, wasm_f32x4_splat(-5.37397155531E-2F));
  p = multiply_add(p, square, wasm_f32x4_splat(1.33314422036E-1F));
  p = multiply_add(p, square, wasm_f32x4_splat(-3.33332819422E-1F));
  const v128_t near_zero = multiply_add(wasm_f32x4_mul(p, square), x, x);

  const v128_t e = exp(wasm_f32x4_mul(size, wasm_f32x4_splat(-2)));
  const v128_t ratio = wasm_f32x4_div(wasm_f32x4_sub(one, e), wasm_f32x4_add(one, e));
  const v128_t sign = wasm_v128_and(x, wasm_f32x4_splat(-0.0F));
  const v128_t elsewhere = wasm_v128_or(ratio, sign);

  return wasm_v128_bitselect(near_zero, elsewhere, wasm_f32x4_lt(size, wasm_f32x4_splat(0.625F)));
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
