// Quantization: rows to integers of 14 bits, weights to int8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

// Numbers of a pair of inputs in a panel of rows.
constexpr std::size_t kPairNumbers = 2 * kRowPanel;

constexpr std::int32_t kWithoutSign = 0x7FFFFFFF;

// x · factor as the low bits of 1.5 · 2^23 + x · factor: the addition rounds to the nearest
// integer.
constexpr float kRounding = 0x1.8p23F;

[[gnu::always_inline]] inline v128_t quantized(const float* x, v128_t factor) {
  return wasm_f32x4_add(wasm_f32x4_mul(wasm_v128_load(x), factor), wasm_f32x4_splat(kRounding));
}

template <class To, class From>
To bits_of(From from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

std::uint32_t largest_bits(const float* x, std::size_t count) {
  v128_t four = wasm_i32x4_splat(0);
  for (; count >= 4; count -= 4, x += 4) {
    const v128_t bits = wasm_v128_and(wasm_v128_load(x), wasm_i32x4_splat(kWithoutSign));
    four = wasm_i32x4_max(four, bits);
  }
  four = wasm_i32x4_max(four, wasm_i32x4_shuffle(four, four, 2, 3, 0, 1));
  std::int32_t largest =
      std::max(wasm_i32x4_extract_lane(four, 0), wasm_i32x4_extract_lane(four, 1));
  for (; count > 0; --count, ++x) {
    largest = std::max(largest, bits_of<std::int32_t>(*x) & kWithoutSign);
  }
  return static_cast<std::uint32_t>(largest);
}

void quantize(std::int16_t* to, const float* x, std::size_t count, float factor) {
  const v128_t factors = wasm_f32x4_splat(factor);
  for (; count >= 8; count -= 8, x += 8, to += 4 * kPairNumbers) {
    const v128_t pairs = wasm_i16x8_shuffle(quantized(x, factors), quantized(x + 4, factors), 0, 2,
                                            4, 6, 8, 10, 12, 14);
    wasm_v128_store32_lane(to, pairs, 0);
    wasm_v128_store32_lane(to + kPairNumbers, pairs, 1);
    wasm_v128_store32_lane(to + 2 * kPairNumbers, pairs, 2);
    wasm_v128_store32_lane(to + 3 * kPairNumbers, pairs, 3);
  }
  for (std::size_t k = 0; k < count; ++k) {
    to[k / 2 * kPairNumbers + k % 2] =
        static_cast<std::int16_t>(bits_of<std::int32_t>(x[k] * factor + kRounding));
  }
}

void quantize_weights(std::int8_t* to, const float* x, std::size_t count, float factor) {
  const v128_t factors = wasm_f32x4_splat(factor);
  for (; count >= 8; count -= 8, x += 8, to += 8) {
    // The low bytes of eight numbers.
    const v128_t bytes = wasm_i8x16_shuffle(quantized(x, factors), quantized(x + 4, factors), 0, 4,
                                            8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    wasm_v128_store64_lane(to, bytes, 0);
  }
  for (std::size_t k = 0; k < count; ++k) {
    to[k] = static_cast<std::int8_t>(bits_of<std::int32_t>(x[k] * factor + kRounding));
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
