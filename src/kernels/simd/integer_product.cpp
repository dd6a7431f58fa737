// Products of quantized activations (int16) and int8 weights: i32x4.dot_i16x8_s multiplies a pair
// of activations with the pairs of weights of four columns. Sums of int32 are exact in any order,
// so tiles of rows and single rows have the same bits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/simd/integer_sums.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

// to[p · kRows + r] = the products of a few rows and kPanels panels that are `apart` bytes apart,
// whose weights are widened in registers.
template <std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void multiply_rows(Sums* to, const std::int16_t* row, const std::byte* panel,
                                     std::size_t apart, std::size_t pairs) {
  Sums sums[kRows * kPanels];
#pragma clang loop unroll(full)
  for (Sums& sum : sums) sum = {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
  for (const std::byte* end = panel + pairs * kPairWeights; panel != end;
       row += kPairNumbers, panel += kPairWeights) {
#pragma clang loop unroll(full)
    for (std::size_t p = 0; p < kPanels; ++p) {
      const std::byte* weights = panel + p * apart;
      const v128_t low = wasm_i16x8_load8x8(weights);
      const v128_t high = wasm_i16x8_load8x8(weights + kPanel);
#pragma clang loop unroll(full)
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[p * kRows + r].add(wasm_v128_load32_splat(row + 2 * r), low, high);
      }
    }
  }
#pragma clang loop unroll(full)
  for (std::size_t n = 0; n < kRows * kPanels; ++n) to[n] = sums[n];
}

// Panels that are multiplied together, one of each part of W, so that W is read in as many places,
// each in the order of memory.
struct Group {
  void (*multiply_rows)(Sums* to, const std::int16_t* row, const std::byte* panel,
                        std::size_t apart, std::size_t pairs);
  std::size_t panels;
};

Group group_of(std::size_t rows) {
  static_assert(kRowPanel == 4);
  switch (rows) {
    case 1:
      return {multiply_rows<1, 4>, 4};
    case 2:
      return {multiply_rows<2, 2>, 2};
    case 3:
      return {multiply_rows<3, 1>, 1};
    default:
      return {multiply_rows<4, 1>, 1};
  }
}

// to = from + the products of panels of rows with a panel of weights that were widened to int16.
struct TileProduct {
  Sums* to;
  const Sums* from;
  const std::int16_t* rows;
  const std::int16_t* panel;
};

// Some products in turn. step: numbers from a panel of rows to the next. The innermost loop stays
// as it is: V8 unrolls it, the more the deeper it is, and spills registers if it was unrolled here.
[[gnu::noinline]] void multiply_tiles(std::span<const TileProduct> products, std::size_t tiles,
                                      std::size_t step, std::size_t pairs) {
  for (const TileProduct& product : products) {
    const std::int16_t* rows = product.rows;
    for (std::size_t n = 0; n < tiles * kRowPanel; n += kRowPanel, rows += step) {
      const Sums* from = product.from + n;
      Sums s[] = {from[0], from[1], from[2], from[3]};
      const std::int16_t* row = rows;
      const std::int16_t* end = product.panel + pairs * kPairWeights;
      for (const std::int16_t* at = product.panel; at != end;
           row += kPairNumbers, at += kPairWeights) {
        const v128_t low = wasm_v128_load(at);
        const v128_t high = wasm_v128_load(at + kPanel);
        s[0].add(wasm_v128_load32_splat(row), low, high);
        s[1].add(wasm_v128_load32_splat(row + 2), low, high);
        s[2].add(wasm_v128_load32_splat(row + 4), low, high);
        s[3].add(wasm_v128_load32_splat(row + 6), low, high);
      }
      Sums* to = product.to + n;
      to[0] = s[0];
      to[1] = s[1];
      to[2] = s[2];
      to[3] = s[3];
    }
  }
}

// The arguments of integer_product().
struct IntegerProduct {
  Matrix<float> y;
  const std::int16_t* rows;
  const IntegerPanels& panels;
  const SumScales& scales;

  const std::int16_t* row(std::size_t i) const {
    return rows + i / kRowPanel * panels.pairs * kPairNumbers + i % kRowPanel * 2;
  }
  const std::byte* panel(std::size_t column) const {
    return panels.data + column / kPanel * panels.stride;
  }

  [[gnu::noinline]] PanelColumns columns(std::size_t first) const {
    return {scales, first, y.cols};
  }
  // The sums of some columns and `count` rows from row i on.
  [[gnu::noinline]] void store(std::size_t i, std::size_t count, const PanelColumns& panel_columns,
                               const Sums* sums) const {
    store_sums({y.row(i) + panel_columns.first, count, panel_columns.count, y.stride}, sums,
               scales.rows == nullptr ? kOnes : scales.rows + i, panel_columns, panels.adds);
  }

  std::size_t multiply_in_place(std::size_t first, std::size_t last, std::size_t column,
                                std::size_t end) const;
  void multiply(std::size_t first, std::size_t last, std::size_t column, std::size_t end) const;
  void multiply_quarters(std::size_t row_count, std::size_t column_count) const;
};

// Rows first to last, of one panel, and the columns from `column` on. Returns the first column that
// is left over.
std::size_t IntegerProduct::multiply_in_place(std::size_t first, std::size_t last,
                                              std::size_t column, std::size_t end) const {
  const std::size_t count = last - first;
  if (count == 0) return end;
  const Group group = group_of(count);
  const std::size_t apart = (end - column) / kPanel / group.panels;
  for (std::size_t panel_number = 0; panel_number < apart; ++panel_number) {
    Sums sums[kRowPanel];
    const std::size_t begin = column + panel_number * kPanel;
    group.multiply_rows(sums, row(first), panel(begin), apart * panels.stride, panels.pairs);
    for (std::size_t p = 0; p < group.panels; ++p) {
      store(first, count, columns(begin + p * apart * kPanel), sums + p * count);
    }
  }
  return column + group.panels * apart * kPanel;
}

// Rows first to last and columns `column` to `end`, each panel of weights after the other.
void IntegerProduct::multiply(std::size_t first, std::size_t last, std::size_t column,
                              std::size_t end) const {
  // A tile of rows, or fewer, waits for memory.
  if (last - first <= kRowPanel) column = multiply_in_place(first, last, column, end);
  for (; column < end; column += kPanel) {
    const std::byte* from = panel(column);
    alignas(16) std::int16_t widened[kIntegerBlock * kPanel];
    for (std::size_t at = 0; at < panels.pairs * kPairWeights; at += kPanel) {
      wasm_v128_store(widened + at, wasm_i16x8_load8x8(from + at));
    }
    const PanelColumns to = columns(column);
    Sums sums[kIntegerRows] = {};
    const TileProduct product{sums, sums, row(first), widened};
    multiply_tiles({&product, 1}, (last - first + kRowPanel - 1) / kRowPanel,
                   panels.pairs * kPairNumbers, panels.pairs);
    for (std::size_t i = first; i < last; i += kRowPanel) {
      store(i, std::min(kRowPanel, last - i), to, sums + (i - first));
    }
  }
}

// Strassen's algorithm (1969) in Winograd's form: two panels of rows, each cut into halves of their
// inputs, a11 a12 and a21 a22, times two panels of weights, b11 b21 and b12 b22, with seven
// products instead of eight:
//
//   s1 = a21 + a22   s2 = s1 - a11   s3 = a11 - a21   s4 = a12 - s2
//   t1 = b12 - b11   t2 = b22 - t1   t3 = b22 - b12   t4 = b21 - t2
//
//   sums 1 = a11 b11       2 = 1 + a12 b21   3 = 1 + s2 t2       4 = 3 + s1 t1
//        5 = 4 + s4 b22    6 = 3 + s3 t3     7 = 6 + a22 t4
//
//   y11 = 2   y12 = 5   y21 = 7   y22 = 6 + 4 - 3
//
// It is exact: sums of four activations fit into int16, int32 wraps around, and the results fit.

// s1 to s4 of all pairs of panels of rows, `half` numbers each.
void add_rows(std::int16_t* s, const std::int16_t* a, std::size_t blocks, std::size_t half) {
  for (; blocks > 0; --blocks, a += 3 * half, s += 3 * half) {
    for (const std::int16_t* end = a + half; a != end; a += kPairNumbers, s += kPairNumbers) {
      const v128_t a11 = wasm_v128_load(a);
      const v128_t a21 = wasm_v128_load(a + 2 * half);
      const v128_t s1 = wasm_i16x8_add(a21, wasm_v128_load(a + 3 * half));
      const v128_t s2 = wasm_i16x8_sub(s1, a11);
      wasm_v128_store(s, s1);
      wasm_v128_store(s + half, s2);
      wasm_v128_store(s + 2 * half, wasm_i16x8_sub(a11, a21));
      wasm_v128_store(s + 3 * half, wasm_i16x8_sub(wasm_v128_load(a + half), s2));
    }
  }
}

// The weights of the seven products. A little longer than necessary: lengths of a power of 2 would
// share lines of the cache.
using QuarterWeights = std::int16_t[7][kIntegerBlock / 2 * kPanel + 32];

// From halves of `half` numbers of two panels.
void add_weights(QuarterWeights& to, const std::byte* left, const std::byte* right,
                 std::size_t half) {
  for (std::size_t at = 0; at < half; at += kPanel) {
    const v128_t b11 = wasm_i16x8_load8x8(left + at);
    const v128_t b12 = wasm_i16x8_load8x8(right + at);
    const v128_t b21 = wasm_i16x8_load8x8(left + half + at);
    const v128_t b22 = wasm_i16x8_load8x8(right + half + at);
    const v128_t t1 = wasm_i16x8_sub(b12, b11);
    const v128_t t2 = wasm_i16x8_sub(b22, t1);
    wasm_v128_store(to[0] + at, b11);
    wasm_v128_store(to[1] + at, b21);
    wasm_v128_store(to[2] + at, t2);
    wasm_v128_store(to[3] + at, t1);
    wasm_v128_store(to[4] + at, b22);
    wasm_v128_store(to[5] + at, wasm_i16x8_sub(b22, b12));
    wasm_v128_store(to[6] + at, wasm_i16x8_sub(b21, t2));
  }
}

// The first rows and columns, both in pairs of panels.
void IntegerProduct::multiply_quarters(std::size_t row_count, std::size_t column_count) const {
  const std::size_t pairs = panels.pairs / 2;
  const std::size_t half = pairs * kPairNumbers;
  const std::size_t blocks = row_count / (2 * kRowPanel);
  alignas(16) std::int16_t s[kIntegers];
  add_rows(s, rows, blocks, half);
  alignas(16) QuarterWeights b;
  Sums sums[8][kIntegerRows / 2];
  std::fill_n(sums[0], blocks * kRowPanel, Sums{});
  const TileProduct products[] = {
      {sums[1], sums[0], rows, b[0]},           {sums[2], sums[1], rows + half, b[1]},
      {sums[3], sums[1], s + half, b[2]},       {sums[4], sums[3], s, b[3]},
      {sums[5], sums[4], s + 3 * half, b[4]},   {sums[6], sums[3], s + 2 * half, b[5]},
      {sums[7], sums[6], rows + 3 * half, b[6]}};
  for (std::size_t column = 0; column < column_count; column += 2 * kPanel) {
    add_weights(b, panel(column), panel(column + kPanel), pairs * kPairWeights);
    multiply_tiles(products, blocks, 4 * half, pairs);
    const PanelColumns left = columns(column);
    const PanelColumns right = columns(column + kPanel);
    for (std::size_t n = 0; n < blocks * kRowPanel; n += kRowPanel) {
      for (std::size_t i = n; i < n + kRowPanel; ++i) {
        sums[4][i] = sums[6][i].plus(sums[4][i].minus(sums[3][i]));
      }
      store(2 * n, kRowPanel, left, sums[2] + n);
      store(2 * n, kRowPanel, right, sums[5] + n);
      store(2 * n + kRowPanel, kRowPanel, left, sums[7] + n);
      store(2 * n + kRowPanel, kRowPanel, right, sums[4] + n);
    }
  }
}

// Rows from which on seven products are faster than eight, in spite of the sums.
constexpr std::size_t kQuarteredRows = 16;

}  // namespace

void integer_product(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                     const SumScales& scales) {
  const IntegerProduct product{y, rows, panels, scales};
  std::size_t row_count = 0, column_count = 0;
  if (y.rows >= kQuarteredRows && panels.pairs % 2 == 0) {
    row_count = y.rows / (2 * kRowPanel) * 2 * kRowPanel;
    column_count = y.cols / (2 * kPanel) * 2 * kPanel;
    product.multiply_quarters(row_count, column_count);
  }
  product.multiply(row_count, y.rows, 0, column_count);
  product.multiply(0, y.rows, column_count, y.cols);
}

}  // namespace attention::simd
