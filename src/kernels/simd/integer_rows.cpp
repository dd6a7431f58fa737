// Products of few quantized rows and int8 weights by the dot product of relaxed SIMD, which adds
// four products of bytes. An activation is two digits, a = 128 · high + low with |high| and |low|
// <= 64. Weights are made unsigned, because that operand is where the product is fastest:
//
//   Σ a · w = 128 · Σ high · (w + 128) + Σ low · (w + 128) - 128 · Σ a
//
// modulo 2^32, and the sum fits into int32: these are the integers of integer_product(). A sum of
// two products is at most 2 · 64 · 255 and saturates nowhere.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/simd/integer_sums.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

constexpr std::size_t kQuadDigits = 8;
constexpr int kDigitBits = 7;

// The digits of a row: of four inputs each, four high ones, then four low ones. The last are
// followed by zeros.
struct Digits {
  alignas(16) std::array<std::int8_t, 2 * kIntegerBlock> numbers;
  v128_t offset;
};

// Up to four pairs of a row; the others are 0.
v128_t load_pairs(const std::int16_t* row, std::size_t count) {
  if (count >= 4) {
    v128_t four = wasm_v128_load32_zero(row);
    four = wasm_v128_load32_lane(row + kPairNumbers, four, 1);
    four = wasm_v128_load32_lane(row + 2 * kPairNumbers, four, 2);
    return wasm_v128_load32_lane(row + 3 * kPairNumbers, four, 3);
  }
  std::int16_t numbers[8] = {};
  for (std::size_t pair = 0; pair < count; ++pair) {
    std::memcpy(numbers + 2 * pair, row + pair * kPairNumbers, 2 * sizeof *row);
  }
  return wasm_v128_load(numbers);
}

void split(Digits& digits, const std::int16_t* row, std::size_t pairs) {
  v128_t sums = wasm_i32x4_splat(0);
  std::int8_t* to = digits.numbers.data();
  for (std::size_t pair = 0; pair < pairs; pair += 4, row += 4 * kPairNumbers) {
    const v128_t numbers = load_pairs(row, pairs - pair);
    const v128_t rounded = wasm_i16x8_add(numbers, wasm_i16x8_splat(1 << (kDigitBits - 1)));
    const v128_t high = wasm_i16x8_shr(rounded, kDigitBits);
    const v128_t low = wasm_i16x8_sub(numbers, wasm_i16x8_shl(high, kDigitBits));
    // The low bytes.
    wasm_v128_store(to, wasm_i8x16_shuffle(high, low, 0, 2, 4, 6, 16, 18, 20, 22, 8, 10, 12, 14, 24,
                                           26, 28, 30));
    to += 2 * kQuadDigits;
    sums = wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(numbers, wasm_i16x8_splat(1)));
  }
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 1, 0, 3, 2));
  digits.offset = wasm_i32x4_shl(sums, kDigitBits);
}

// Sums of the digits of a row with a panel of weights.
struct DigitSums {
  Sums high = {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
  Sums low = high;

  // Adds the products of four inputs, as digits to base 128, with their weights in every column.
  [[gnu::always_inline]] void add(v128_t high_digits, v128_t low_digits, v128_t first,
                                  v128_t second) {
    const v128_t sign = wasm_i8x16_splat(-128);
    first = wasm_v128_xor(first, sign);
    second = wasm_v128_xor(second, sign);
    const v128_t left = wasm_i16x8_shuffle(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
    const v128_t right = wasm_i16x8_shuffle(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
    high.low = add_dots(high_digits, left, high.low);
    low.low = add_dots(low_digits, left, low.low);
    high.high = add_dots(high_digits, right, high.high);
    low.high = add_dots(low_digits, right, low.high);
  }
  Sums minus(v128_t offset) const {
    const Sums all =
        low.plus({wasm_i32x4_shl(high.low, kDigitBits), wasm_i32x4_shl(high.high, kDigitBits)});
    return all.minus({offset, offset});
  }
};

// The sums of one row with kCount panels. stride: bytes per panel. Two panels have all registers.
template <std::size_t kCount>
[[gnu::noinline]] void multiply(Sums* to, const Digits& digits, const std::byte* panel,
                                std::size_t stride, std::size_t pairs) {
  DigitSums sums[kCount];
  const std::int8_t* row = digits.numbers.data();
  for (const std::byte* end = panel + pairs / 2 * 2 * kPairWeights; panel != end;
       row += kQuadDigits, panel += 2 * kPairWeights) {
    const v128_t high = wasm_v128_load32_splat(row);
    const v128_t low = wasm_v128_load32_splat(row + 4);
#pragma clang loop unroll(full)
    for (std::size_t p = 0; p < kCount; ++p) {
      const std::byte* weights = panel + p * stride;
      sums[p].add(high, low, wasm_v128_load(weights), wasm_v128_load(weights + kPairWeights));
    }
  }
  if (pairs % 2 != 0) {
    // The digits of the second pair are 0.
    for (std::size_t p = 0; p < kCount; ++p) {
      const v128_t weights = wasm_v128_load(panel + p * stride);
      sums[p].add(wasm_v128_load32_splat(row), wasm_v128_load32_splat(row + 4), weights, weights);
    }
  }
  for (std::size_t p = 0; p < kCount; ++p) to[p] = sums[p].minus(digits.offset);
}

}  // namespace

bool multiplies_unsigned_bytes() {
  const v128_t sums = add_dots(wasm_i8x16_splat(-128), wasm_i8x16_splat(-1), wasm_i32x4_splat(0));
  return wasm_i32x4_extract_lane(sums, 0) == 4 * -128 * 255;
}

void integer_rows(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                  const SumScales& scales) {
  std::array<Digits, kRowPanel> digits;
  for (std::size_t i = 0; i < y.rows; ++i) split(digits[i], rows + 2 * i, panels.pairs);
  constexpr std::size_t kCount = 2;
  const std::size_t all = (y.cols + kPanel - 1) / kPanel;
  for (std::size_t first = 0; first < all; first += kCount) {
    const std::size_t count = std::min(kCount, all - first);
    const auto run = count == kCount ? multiply<kCount> : multiply<1>;
    for (std::size_t i = 0; i < y.rows; ++i) {
      Sums sums[kCount];
      run(sums, digits[i], panels.data + first * panels.stride, panels.stride, panels.pairs);
      for (std::size_t p = 0; p < count; ++p) {
        const PanelColumns columns(scales, (first + p) * kPanel, y.cols);
        store_sums({y.row(i) + columns.first, 1, columns.count, y.stride}, sums + p,
                   scales.rows == nullptr ? kOnes : scales.rows + i, columns, panels.adds);
      }
    }
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
