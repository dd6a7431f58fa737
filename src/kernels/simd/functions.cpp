// Functions of one number, applied to rows: feature maps of linear attention and activations of
// feed-forward layers.
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

v128_t is_positive(v128_t x) { return wasm_f32x4_gt(x, wasm_f32x4_splat(0)); }

// NaN is not below 0, so it is returned.
v128_t relu(v128_t x) { return wasm_v128_andnot(x, wasm_f32x4_lt(x, wasm_f32x4_splat(0))); }

v128_t elu_plus_one(v128_t x) {
  return wasm_v128_bitselect(wasm_f32x4_add(x, wasm_f32x4_splat(1)), exp(x), is_positive(x));
}

// x·Φ(x). Φ(-|x|) = e^(-x²/2) · R(t) with t = 1 / (1 + 0.305|x|), R the polynomial without a
// constant term, of degree 8, that has the smallest relative error for |x| <= 13.2 (9.4e-8, by
// Remez exchange); beyond, e^(-x²/2) is 0.
v128_t gelu(v128_t x) {
  const v128_t one = wasm_f32x4_splat(1);
  const v128_t slope = wasm_f32x4_mul(wasm_f32x4_abs(x), wasm_f32x4_splat(0.305F));
  const v128_t t = wasm_f32x4_div(one, wasm_f32x4_add(one, slope));
  v128_t r = wasm_f32x4_splat(0.03669919051191487F);
#pragma clang loop unroll(full)
  for (const float coefficient :
       {-0.1529883108305579F, 0.1857168970719277F, -0.0379768206569904F, 0.12102167367152368F,
        0.10342086776351486F, 0.12246681680619802F, 0.12163973265460176F}) {
    r = multiply_add(r, t, wasm_f32x4_splat(coefficient));
  }
  r = wasm_f32x4_mul(r, t);
  const v128_t half_square = wasm_f32x4_mul(wasm_f32x4_mul(x, x), wasm_f32x4_splat(-0.5F));
  const v128_t tail = wasm_f32x4_mul(exp(half_square), r);
  // x·Φ(x) is x·tail below 0 and x·(1 - tail) above. An infinity would meet a tail of 0.
  const v128_t below =
      wasm_v128_and(wasm_f32x4_mul(x, tail), wasm_f32x4_ne(x, wasm_f32x4_splat(kMinusInfinity)));
  const v128_t above = wasm_f32x4_mul(x, wasm_f32x4_sub(one, tail));
  return wasm_v128_bitselect(above, below, is_positive(x));
}

v128_t gelu_tanh(v128_t x) {
  const v128_t cube = wasm_f32x4_mul(wasm_f32x4_mul(x, x), wasm_f32x4_splat(0.044715F));
  const v128_t inner = wasm_f32x4_mul(wasm_f32x4_splat(0.7978845608028654F),  // √(2/π)
                                      wasm_f32x4_mul(x, wasm_f32x4_add(wasm_f32x4_splat(1), cube)));
  const v128_t half = wasm_f32x4_mul(x, wasm_f32x4_splat(0.5F));
  const v128_t result = wasm_f32x4_mul(half, wasm_f32x4_add(wasm_f32x4_splat(1), tanh(inner)));
  return wasm_v128_and(result, wasm_f32x4_ne(x, wasm_f32x4_splat(kMinusInfinity)));
}

// x·σ(slope·x), σ being 1 / (1 + e) above 0 and e / (1 + e) below, with e = e^-slope|x|. An
// infinity would meet a 0.
v128_t gated(v128_t x, float slope) {
  const v128_t one = wasm_f32x4_splat(1);
  const v128_t e = exp(wasm_f32x4_mul(wasm_f32x4_abs(x), wasm_f32x4_splat(-slope)));
  const v128_t numerator = wasm_v128_bitselect(one, e, is_positive(x));
  const v128_t result = wasm_f32x4_mul(x, wasm_f32x4_div(numerator, wasm_f32x4_add(one, e)));
  return wasm_v128_and(result, wasm_f32x4_ne(x, wasm_f32x4_splat(kMinusInfinity)));
}

}  // namespace

void apply(float* row, std::size_t count, Function function) {
  switch (function) {
    case Function::kRelu:
      return for_each_vector(row, count, relu);
    case Function::kEluPlusOne:
      return for_each_vector(row, count, elu_plus_one);
    case Function::kExp:
      return for_each_vector(row, count, exp_of_any);
    case Function::kGelu:
      return for_each_vector(row, count, gelu);
    case Function::kGeluTanh:
      return for_each_vector(row, count, gelu_tanh);
    case Function::kQuickGelu:
    case Function::kSilu: {
      const float slope = function == Function::kSilu ? 1.0F : 1.702F;
      return for_each_vector(row, count, [slope](v128_t x) { return gated(x, slope); });
    }
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
