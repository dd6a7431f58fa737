// e^x for x <= 0, four at a time, good to 2 ulp; where e^x < 2^-126 a smaller number or exactly 0.
//
// x = n·ln 2 + r with |r| <= ln(2)/2, so e^x = 2^n · e^r. Adding kShifter = 1.5·2^23 + 127 rounds
// x / ln 2 to the whole number n and leaves n, biased as an exponent is, in the low bits of the
// sum. e^r = 1 + r·(c1 + c2 r + c3 r² + c4 r³ + c5 r⁴ + c6 r⁵), of its kind the polynomial with the
// smallest relative error (9.4e-8, by Remez exchange), summed in pairs, which wait less for each
// other. NaN stays NaN.
#pragma once

#include <limits>

#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {

inline v128_t exp(v128_t x) {
  constexpr float kShifter = 0x1.8000FEp23F;
  constexpr float kInverseLn2 = 0x1.715476p0F;
  constexpr float kLn2High = 0x1.62E400p-1F;  // ends in zeros: n · kLn2High is exact
  constexpr float kLn2Low = 0x1.7F7D1Cp-20F;
  constexpr float kSmallest = -88.03F;  // here n is -127, and biased it is 0: 2^n becomes 0

  x = wasm_f32x4_pmax(x, wasm_f32x4_splat(kSmallest));
  const v128_t shifter = wasm_f32x4_splat(kShifter);
  const v128_t shifted = multiply_add(x, wasm_f32x4_splat(kInverseLn2), shifter);
  const v128_t power = wasm_i32x4_shl(shifted, 23);
  const v128_t n = wasm_f32x4_sub(shifted, shifter);
  v128_t r = multiply_add(n, wasm_f32x4_splat(-kLn2High), x);
  r = multiply_add(n, wasm_f32x4_splat(-kLn2Low), r);

  const v128_t square = wasm_f32x4_mul(r, r);
  const v128_t c12 = multiply_add(wasm_f32x4_splat(0x1.FFFFFCp-2F), r, wasm_f32x4_splat(1));
  const v128_t c34 =
      multiply_add(wasm_f32x4_splat(0x1.555822p-5F), r, wasm_f32x4_splat(0x1.55541Ap-3F));
  const v128_t c56 =
      multiply_add(wasm_f32x4_splat(0x1.6AE718p-10F), r, wasm_f32x4_splat(0x1.12679Cp-7F));
  const v128_t p = multiply_add(multiply_add(c56, square, c34), square, c12);
  return multiply_add(wasm_f32x4_mul(power, r), p, power);
}

// e^x for any x; from 88.3762 on, where the result has no room in the steps above, +infinity.
inline v128_t exp_of_any(v128_t x) {
  const v128_t infinity = wasm_f32x4_splat(std::numeric_limits<float>::infinity());
  return wasm_v128_bitselect(infinity, exp(x), wasm_f32x4_gt(x, wasm_f32x4_splat(88.3762F)));
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
