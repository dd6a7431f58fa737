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

// Numbers of a pair of inputs in a panel of weights, and in a panel of rows.
constexpr std::size_t kPairWeights = 2 * kPanel;
constexpr std::size_t kPairNumbers = 2 * kRowPanel;

// Sums of the columns of a panel.
struct Sums {
  v128_t low;
  v128_t high;

  [[gnu::always_inline]] void add(v128_t pair, v128_t low_weights, v128_t high_weights) {
    low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(pair, low_weights));
    high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(pair, high_weights));
  }
};

// Without scales or biases; multiplying with 1 and adding 0 changes no sum, because none is -0.
constexpr float kOnes[kPanel] = {1, 1, 1, 1, 1, 1, 1, 1};
constexpr float kZeros[kPanel] = {};

// Scales and biases of a panel of columns.
struct PanelScales {
  PanelScales(const SumScales& scales, std::size_t first, std::size_t count) {
    load(columns, scales.columns == nullptr ? kOnes : scales.columns + first, count);
    load(bias, scales.bias == nullptr ? kZeros : scales.bias + first, count);
  }

  static void load(v128_t* to, const float* numbers, std::size_t count) {
    float padded[kPanel];
    if (count < kPanel) numbers = std::copy_n(numbers, count, padded) - count;
    to[0] = wasm_v128_load(numbers);
    to[1] = wasm_v128_load(numbers + 4);
  }

  // (sum + before) · (row · column) + bias, for each half of the panel.
  v128_t scaled(std::size_t half, v128_t sum, const float* before, v128_t row) const {
    const v128_t number =
        wasm_f32x4_add(wasm_f32x4_convert_i32x4(sum), wasm_v128_load(before + 4 * half));
    return wasm_f32x4_add(wasm_f32x4_mul(number, wasm_f32x4_mul(row, columns[half])), bias[half]);
  }

  v128_t columns[2];
  v128_t bias[2];
};

// y = the scaled sums of some rows and up to kPanel columns. rows: scales of rows.
void store_sums(Matrix<float> y, const Sums* sums, const float* rows, const PanelScales& scales,
                bool adds) {
  for (std::size_t i = 0; i < y.rows; ++i) {
    float padded[kPanel];
    const bool is_full = y.cols == kPanel;
    float* to = is_full ? y.row(i) : std::copy_n(y.row(i), y.cols, padded) - y.cols;
    const float* before = adds ? to : kZeros;
    const v128_t row = wasm_v128_load32_splat(rows + i);
    const v128_t low = scales.scaled(0, sums[i].low, before, row);
    const v128_t high = scales.scaled(1, sums[i].high, before, row);
    wasm_v128_store(to, low);
    wasm_v128_store(to + 4, high);
    if (!is_full) std::copy_n(padded, y.cols, y.row(i));
  }
}

// Panels that one row is multiplied with together: memory is read twice as fast in four places.
constexpr std::size_t kStreams = 4;

// One row times some panels, whose weights are widened in registers. stride: bytes per panel.
template <std::size_t kPanels>
void multiply_row(Sums* to, const std::int16_t* row, const std::byte* panel, std::size_t stride,
                  std::size_t pairs) {
  Sums sums[kPanels];
  for (Sums& sum : sums) sum = {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
  for (const std::byte* end = panel + pairs * kPairWeights; panel != end;
       row += kPairNumbers, panel += kPairWeights) {
    const v128_t pair = wasm_v128_load32_splat(row);
#pragma clang loop unroll(full)
    for (std::size_t p = 0; p < kPanels; ++p) {
      const std::byte* weights = panel + p * stride;
      sums[p].add(pair, wasm_i16x8_load8x8(weights), wasm_i16x8_load8x8(weights + kPanel));
    }
  }
  std::copy_n(sums, kPanels, to);
}

// A panel of rows times a panel of weights that were widened to int16.
void multiply_tile(Sums* sums, const std::int16_t* rows, const std::int16_t* panel,
                   std::size_t pairs) {
  const v128_t zero = wasm_i32x4_splat(0);
  Sums s[] = {{zero, zero}, {zero, zero}, {zero, zero}, {zero, zero}};
  for (const std::int16_t* end = panel + pairs * kPairWeights; panel != end;
       rows += kPairNumbers, panel += kPairWeights) {
    const v128_t low = wasm_v128_load(panel);
    const v128_t high = wasm_v128_load(panel + kPanel);
    s[0].add(wasm_v128_load32_splat(rows), low, high);
    s[1].add(wasm_v128_load32_splat(rows + 2), low, high);
    s[2].add(wasm_v128_load32_splat(rows + 4), low, high);
    s[3].add(wasm_v128_load32_splat(rows + 6), low, high);
  }
  sums[0] = s[0];
  sums[1] = s[1];
  sums[2] = s[2];
  sums[3] = s[3];
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

void integer_product(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                     const SumScales& scales) {
  alignas(16) std::int16_t widened[kIntegerBlock * kPanel];
  const std::size_t weights = panels.pairs * kPairWeights;
  const std::size_t tiled = y.rows / kRowPanel * kRowPanel;
  const std::byte* panel = panels.data;
  std::size_t c = 0;
  const auto row_at = [&](std::size_t i) {
    return rows + i / kRowPanel * panels.pairs * kPairNumbers + i % kRowPanel * 2;
  };
  const auto store = [&](std::size_t i, std::size_t first, std::size_t count, const Sums* sums,
                         const PanelScales& panel_scales) {
    const std::size_t columns = std::min(kPanel, y.cols - first);
    store_sums({y.row(i) + first, count, columns, y.stride}, sums,
               scales.rows == nullptr ? kOnes : scales.rows + i, panel_scales, panels.adds);
  };
  // Fewer rows than a tile wait for memory.
  for (; tiled == 0 && c + kStreams * kPanel <= y.cols;
       c += kStreams * kPanel, panel += kStreams * panels.stride) {
    for (std::size_t i = 0; i < y.rows; ++i) {
      Sums sums[kStreams];
      multiply_row<kStreams>(sums, row_at(i), panel, panels.stride, panels.pairs);
      for (std::size_t p = 0; p < kStreams; ++p) {
        const std::size_t first = c + p * kPanel;
        store(i, first, 1, sums + p, {scales, first, kPanel});
      }
    }
  }
  // Bytes of the next panel that are fetched during a tile of rows.
  const std::size_t ahead = weights * kRowPanel / std::max(y.rows, kRowPanel);
  for (; c < y.cols; c += kPanel, panel += panels.stride) {
    const std::byte* next = panel + panels.stride;
    const std::byte* last = c + kPanel < y.cols ? next + weights : next;
    if (tiled > 0) {
      for (std::size_t at = 0; at < weights; at += 2 * kPanel) {
        wasm_v128_store(widened + at, wasm_i16x8_load8x8(panel + at));
        wasm_v128_store(widened + at + kPanel, wasm_i16x8_load8x8(panel + at + kPanel));
      }
    }
    const PanelScales panel_scales(scales, c, std::min(kPanel, y.cols - c));
    for (std::size_t i = 0; i < y.rows;) {
      Sums sums[kRowPanel];
      std::size_t count = 1;
      if (i < tiled) {
        for (const std::byte* end = std::min(next + ahead, last); next < end; next += 64) {
          (void)*static_cast<const volatile std::byte*>(next);
        }
        multiply_tile(sums, row_at(i), widened, panels.pairs);
        count = kRowPanel;
      } else {
        multiply_row<1>(sums, row_at(i), panel, 0, panels.pairs);
      }
      store(i, c, count, sums, panel_scales);
      i += count;
    }
  }
}

}  // namespace attention::simd
