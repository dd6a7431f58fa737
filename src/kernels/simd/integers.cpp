// Products of quantized activations (int16) and int8 weights: i32x4.dot_i16x8_s multiplies a pair
// of activations with the pairs of weights of four columns. Sums of int32 are exact in any order,
// so tiles of rows and single rows have the same bits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

// Bytes of a pair of rows of a panel.
constexpr std::size_t kPairBytes = 2 * kPanel;
// Pairs of a panel that are widened to int16 at once: 8 kB, which stay in the first-level cache.
constexpr std::size_t kWidenedPairs = 256;

// Sums of the columns of a panel.
struct Sums {
  v128_t low = wasm_i32x4_splat(0);
  v128_t high = wasm_i32x4_splat(0);

  [[gnu::always_inline]] void add(v128_t pair, v128_t low_weights, v128_t high_weights) {
    low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(pair, low_weights));
    high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(pair, high_weights));
  }
};

// Stores the sums in y or adds them; columns: at most kPanel.
[[gnu::noinline]] void store_sums(float* y, std::size_t columns, v128_t low, v128_t high,
                                  bool adds) {
  float padded[kPanel] = {};
  float* to = columns < kPanel ? padded : y;
  v128_t first = wasm_f32x4_convert_i32x4(low);
  v128_t second = wasm_f32x4_convert_i32x4(high);
  if (adds) {
    if (to == padded) std::copy_n(y, columns, to);
    first = wasm_f32x4_add(wasm_v128_load(to), first);
    second = wasm_f32x4_add(wasm_v128_load(to + 4), second);
  }
  wasm_v128_store(to, first);
  wasm_v128_store(to + 4, second);
  if (to == padded) std::copy_n(to, columns, y);
}

// One row and four panels, as many streams as the memory bandwidth needs; weights are widened in
// registers. If fewer panels remain, the last one is repeated.
void multiply_row(float* y, std::size_t columns, const std::int16_t* row, const std::byte* panel,
                  const IntegerPanels& panels) {
  const std::size_t stride = panels.stride;
  const std::size_t last = (columns - 1) / kPanel;
  const std::size_t second = std::min<std::size_t>(1, last) * stride;
  const std::size_t third = std::min<std::size_t>(2, last) * stride;
  const std::size_t fourth = std::min<std::size_t>(3, last) * stride;
  Sums sums[4];
  for (const std::int16_t* end = row + 2 * panels.pairs; row != end;
       row += 2, panel += kPairBytes) {
    const v128_t pair = wasm_v128_load32_splat(row);
    const auto add = [&](std::size_t p, std::size_t offset) {
      const std::byte* weights = panel + offset;
      sums[p].add(pair, wasm_i16x8_load8x8(weights), wasm_i16x8_load8x8(weights + 8));
    };
    add(0, 0);
    add(1, second);
    add(2, third);
    add(3, fourth);
  }
  const Sums found[] = {sums[0], sums[1], sums[2], sums[3]};
  for (std::size_t p = 0; p <= last; ++p) {
    store_sums(y + p * kPanel, std::min(kPanel, columns - p * kPanel), found[p].low, found[p].high,
               panels.adds);
  }
}

// Adds four rows times some pairs of a panel, widened to int16.
void add_tile(Sums* sums, const std::int16_t* rows, const std::int16_t* panel, std::size_t pairs) {
  Sums s[kRowPanel] = {sums[0], sums[1], sums[2], sums[3]};
  for (const std::int16_t* end = rows + 2 * pairs; rows != end; rows += 2, panel += kPairBytes) {
    const v128_t low = wasm_v128_load(panel);
    const v128_t high = wasm_v128_load(panel + kPanel);
    const auto add = [&](std::size_t i) {
      s[i].add(wasm_v128_load32_splat(rows + i * kIntegerStride), low, high);
    };
    add(0);
    add(1);
    add(2);
    add(3);
  }
  sums[0] = s[0];
  sums[1] = s[1];
  sums[2] = s[2];
  sums[3] = s[3];
}

// Multiplies all rows (a multiple of kRowPanel) with a panel.
void multiply_tiles(Matrix<float> y, const std::int16_t* rows, const std::byte* panel,
                    std::size_t pairs, bool adds) {
  alignas(16) std::int16_t widened[kWidenedPairs * kPairBytes];
  Sums sums[kIntegerRows];
  for (std::size_t first = 0; first < pairs; first += kWidenedPairs) {
    const std::size_t count = std::min(kWidenedPairs, pairs - first);
    for (std::int16_t* to = widened; to != widened + count * kPairBytes;
         to += kPanel, panel += kPanel) {
      wasm_v128_store(to, wasm_i16x8_load8x8(panel));
    }
    for (std::size_t i = 0; i < y.rows; i += kRowPanel) {
      add_tile(sums + i, rows + i * kIntegerStride + 2 * first, widened, count);
    }
  }
  for (std::size_t i = 0; i < y.rows; ++i) {
    store_sums(y.row(i), y.cols, sums[i].low, sums[i].high, adds);
  }
}

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
  for (; count >= 8; count -= 8, x += 8, to += 8) {
    wasm_v128_store(to, wasm_i16x8_shuffle(quantized(x, factors), quantized(x + 4, factors), 0, 2,
                                           4, 6, 8, 10, 12, 14));
  }
  for (; count > 0; --count, ++x, ++to) {
    *to = static_cast<std::int16_t>(bits_of<std::int32_t>(*x * factor + kRounding));
  }
}

void integer_product(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels) {
  const std::size_t tiled = y.rows / kRowPanel * kRowPanel;
  const std::byte* panel = panels.data;
  for (std::size_t c = 0; c < y.cols; c += kPanel, panel += panels.stride) {
    const std::size_t left = y.cols - c;
    if (tiled > 0) {
      const Matrix<float> columns{y.data + c, tiled, std::min(kPanel, left), y.stride};
      multiply_tiles(columns, rows, panel, panels.pairs, panels.adds);
    }
    // Each remaining row is multiplied with several panels at once.
    for (std::size_t i = tiled; i < y.rows && c % kStreamedColumns == 0; ++i) {
      multiply_row(y.row(i) + c, std::min(kStreamedColumns, left), rows + i * kIntegerStride, panel,
                   panels);
    }
  }
}

void scale_sums(float* y, std::size_t count, float factor, const float* scales, const float* bias) {
  const v128_t factors = wasm_f32x4_splat(factor);
  std::size_t c = 0;
  for (; c + 4 <= count; c += 4) {
    v128_t scale = factors;
    if (scales != nullptr) scale = wasm_f32x4_mul(scale, wasm_v128_load(scales + c));
    const v128_t scaled = wasm_f32x4_mul(wasm_v128_load(y + c), scale);
    const v128_t term = bias == nullptr ? wasm_f32x4_splat(0) : wasm_v128_load(bias + c);
    wasm_v128_store(y + c, wasm_f32x4_add(scaled, term));
  }
  for (; c < count; ++c) {
    const float scale = scales == nullptr ? factor : factor * scales[c];
    y[c] = y[c] * scale + (bias == nullptr ? 0 : bias[c]);
  }
}

}  // namespace attention::simd
