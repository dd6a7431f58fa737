// e^x for x <= 0, four at a time, good to 2 ulp; below -87.33, where e^x < 2^-126, exactly 0.
//
// x = n·ln 2 + r with |r| <= ln(2)/2, so e^x = 2^n · e^r. Adding kShifter = 1.5·2^23 + 127 rounds
// x / ln 2 to the whole number n and leaves n, biased as an exponent is, in the low bits of the
// sum. e^r = 1 + r·(c1 + c2 r + c3 r² + c4 r³ + c5 r⁴), of its kind the polynomial with the
// smallest relative error (9.4e-8, by Remez exchange). NaN stays NaN.
#pragma once

#include <limits>

#include "kernels/simd/v128.h"

namespace attention::simd {

inline v128_t exp(v128_t x) {
  constexpr float kShifter = 0x1.8000FEp23F;
  constexpr float kInverseLn2 = 0x1.715476p0F;
  constexpr float kLn2High = 0x1.62E400p-1F;  // ends in zeros: n · kLn2High is exact
  constexpr float kLn2Low = 0x1.7F7D1Cp-20F;
  constexpr float kSmallest = -87.33654F;

  const v128_t shifter = wasm_f32x4_splat(kShifter);
  const v128_t shifted = wasm_f32x4_add(wasm_f32x4_mul(x, wasm_f32x4_splat(kInverseLn2)), shifter);
  const v128_t power = wasm_i32x4_shl(shifted, 23);
  const v128_t n = wasm_f32x4_sub(shifted, shifter);
  v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(n, wasm_f32x4_splat(kLn2High)));
  r = wasm_f32x4_sub(r, wasm_f32x4_mul(n, wasm_f32x4_splat(kLn2Low)));

  v128_t p = wasm_f32x4_splat(0x1.6AE718p-10F);
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(0x1.12679Cp-7F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(0x1.555822p-5F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(0x1.55541Ap-3F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(0x1.FFFFFCp-2F));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(1));
  const v128_t result = wasm_f32x4_add(power, wasm_f32x4_mul(wasm_f32x4_mul(power, r), p));
  return wasm_v128_andnot(result, wasm_f32x4_lt(x, wasm_f32x4_splat(kSmallest)));
}

// e^x for any x; from 88.3762 on, where the result has no room in the steps above, +infinity.
inline v128_t exp_of_any(v128_t x) {
  const v128_t infinity = wasm_f32x4_splat(std::numeric_limits<float>::infinity());
  return wasm_v128_bitselect(infinity, exp(x), wasm_f32x4_gt(x, wasm_f32x4_splat(88.3762F)));
}

}  // namespace attention::simd
