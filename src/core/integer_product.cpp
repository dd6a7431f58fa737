// For a row x, weights w, scales t and blocks b of kIntegerBlock inputs:
//
//   m = max |x_k|   a_k = round(x_k · (8191 / m))   S_ob = Σ_{k in b} a_k · w_ok   s_o = Σ_b S_ob
//   y_o = s_o · (m / 8191 · t_o) + bias_o
//
// Sums of a block are exact; every other operation is rounded to float32 once. With scales of
// inputs, x_k · t_k takes the place of x_k, and t_o is 1.
#include "core/integer_product.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/product.h"
#include "core/tiles.h"

namespace attention {
namespace {

using Scaled = std::array<float, kTileKeys>;

// Up to kTileKeys inputs of a row, multiplied with their scales if W is scaled by input.
const float* inputs_of(const PackedMatrix& w, const float* x, std::size_t first, std::size_t count,
                       Scaled& scaled) {
  x += first;
  if (!w.scales_of_rows) return x;
  for (std::size_t k = 0; k < count; ++k) scaled[k] = x[k] * w.scales[(first + k) * kPanel];
  return scaled.data();
}

// The largest absolute value of a row's inputs, or 0 for a row that is not quantized.
float range_of(const Kernels& kernels, const PackedMatrix& w, const float* x, std::size_t count) {
  Scaled scaled;
  std::uint32_t bits = 0;
  for_each_block(count, kTileKeys, [&](std::size_t first, std::size_t size) {
    bits = std::max(bits, kernels.largest_bits(inputs_of(w, x, first, size, scaled), size));
  });
  constexpr std::uint32_t kSmallest = (127 - 100) << 23;
  constexpr std::uint32_t kInfinity = 0xFF << 23;
  if (bits < kSmallest || bits >= kInfinity) return 0;
  float range;
  std::memcpy(&range, &bits, sizeof range);
  return range;
}

// Up to kIntegerRows rows, of which a block of inputs has at most kIntegers numbers. ranges: of
// rows; the result of a row with 0 is undefined.
void multiply_rows(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                   const float* ranges, const float* bias, Matrix<float> y) {
  alignas(16) std::array<std::int16_t, kIntegers> rows;
  std::array<float, kIntegerRows> factors;
  for (std::size_t i = 0; i < x.rows; ++i) factors[i] = ranges[i] / kLargestInteger;
  for_each_block(x.cols, kIntegerBlock, [&](std::size_t first, std::size_t count) {
    const std::size_t pairs = (count + 1) / 2;
    const auto row = [&](std::size_t i) {
      return rows.data() + i / kRowPanel * pairs * 2 * kRowPanel + i % kRowPanel * 2;
    };
    // Zeros for the padding of the last pair, and for a row that is not quantized.
    if (count % 2 != 0 || std::count(ranges, ranges + x.rows, 0.0F) != 0) {
      std::fill(rows.data(), row((x.rows + kRowPanel - 1) / kRowPanel * kRowPanel),
                std::int16_t{0});
    }
    for (std::size_t i = 0; i < x.rows; ++i) {
      if (ranges[i] == 0) continue;
      for_each_block(count, kTileKeys, [&](std::size_t begin, std::size_t size) {
        Scaled scaled;
        kernels.quantize(row(i) + begin * kRowPanel,
                         inputs_of(w, x.row(i), first + begin, size, scaled), size,
                         kLargestInteger / ranges[i]);
      });
    }
    SumScales scales;
    if (first + count == x.cols) {
      scales = {factors.data(), w.scales_of_rows ? nullptr : w.scales, bias};
    }
    const auto multiply = x.rows <= kRowPanel ? kernels.integer_rows : kernels.integer_product;
    multiply(y, rows.data(), {w.panel(0, first).data, w.depth * kPanel, pairs, first > 0}, scales);
  });
}

}  // namespace

void integer_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                     const float* bias, Matrix<float> y) {
  // Rows that are not quantized have the same bits with every set of kernels, too.
  Kernels rounding = kernels;
  rounding.accumulate_values = kernels.accumulate_rounded;
  const std::size_t inputs = std::min(w.depth, kIntegerBlock);
  const std::size_t rows =
      std::min(kIntegers / std::max(inputs, std::size_t{1}) / kRowPanel * kRowPanel, kIntegerRows);
  for_each_block(x.rows, rows, [&](std::size_t first, std::size_t count) {
    std::array<float, kIntegerRows> ranges;
    for (std::size_t i = 0; i < count; ++i) {
      ranges[i] = range_of(kernels, w, x.row(first + i), x.cols);
    }
    multiply_rows(kernels, x.block(first, count), w, ranges.data(), bias, y.block(first, count));
    for (std::size_t i = 0; i < count; ++i) {
      if (ranges[i] != 0) continue;
      product(rounding, x.block(first + i, 1), w, bias, y.block(first + i, 1));
    }
  });
}

}  // namespace attention
