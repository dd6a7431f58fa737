// The only file that includes the header of the wasm SIMD128 intrinsics. Native builds compile the
// same source through SIMDe, so the shipped kernels also run under the sanitizers.
#pragma once

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

#include <cmath>

// The kernels are two sets, compiled from the same text into namespaces of their own.
#ifdef ATTENTION_FUSED
#define KERNEL_SET fused
#else
#define KERNEL_SET unfused
#endif

namespace attention::simd {
inline namespace KERNEL_SET {

#ifdef ATTENTION_FUSED
inline constexpr bool kIsFused = true;
#else
inline constexpr bool kIsFused = false;
#endif

// a · b + c. The fused set rounds it once, by the instruction of relaxed SIMD where it is compiled
// for that, elsewhere lane by lane; the other set rounds the product and then the sum.
inline v128_t multiply_add(v128_t a, v128_t b, v128_t c) {
#if !defined(ATTENTION_FUSED)
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#elif defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_make(std::fma(wasm_f32x4_extract_lane(a, 0), wasm_f32x4_extract_lane(b, 0),
                                  wasm_f32x4_extract_lane(c, 0)),
                         std::fma(wasm_f32x4_extract_lane(a, 1), wasm_f32x4_extract_lane(b, 1),
                                  wasm_f32x4_extract_lane(c, 1)),
                         std::fma(wasm_f32x4_extract_lane(a, 2), wasm_f32x4_extract_lane(b, 2),
                                  wasm_f32x4_extract_lane(c, 2)),
                         std::fma(wasm_f32x4_extract_lane(a, 3), wasm_f32x4_extract_lane(b, 3),
                                  wasm_f32x4_extract_lane(c, 3)));
#endif
}

#ifdef ATTENTION_FUSED
// c + the sums of four products each, of signed bytes of a and unsigned bytes of b. In wasm it is
// defined for bytes of b up to 127; above them the engine decides whether they are signed and
// whether the sum of two products saturates.
inline v128_t add_dots(v128_t a, v128_t b, v128_t c) {
#ifdef __wasm_relaxed_simd__
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, c);
#else
  const v128_t low =
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(a), wasm_u16x8_extend_low_u8x16(b));
  const v128_t high =
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(a), wasm_u16x8_extend_high_u8x16(b));
  const v128_t even = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
  const v128_t odd = wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
  return wasm_i32x4_add(c, wasm_i32x4_add(even, odd));
#endif
}
#endif

}  // namespace KERNEL_SET
}  // namespace attention::simd
