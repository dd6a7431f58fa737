// Transposes a 4 × 4 matrix in four vectors.
#pragma once

#include "kernels/simd/v128.h"

namespace attention::simd {

struct Transposed {
  v128_t first, second, third, fourth;
};

[[gnu::always_inline]] inline Transposed transpose_4x4(v128_t r0, v128_t r1, v128_t r2, v128_t r3) {
  const v128_t low01 = wasm_i32x4_shuffle(r0, r1, 0, 4, 1, 5);
  const v128_t high01 = wasm_i32x4_shuffle(r0, r1, 2, 6, 3, 7);
  const v128_t low23 = wasm_i32x4_shuffle(r2, r3, 0, 4, 1, 5);
  const v128_t high23 = wasm_i32x4_shuffle(r2, r3, 2, 6, 3, 7);
  return {wasm_i32x4_shuffle(low01, low23, 0, 1, 4, 5),
          wasm_i32x4_shuffle(low01, low23, 2, 3, 6, 7),
          wasm_i32x4_shuffle(high01, high23, 0, 1, 4, 5),
          wasm_i32x4_shuffle(high01, high23, 2, 3, 6, 7)};
}

}  // namespace attention::simd
