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

// Bytes of a group of columns of W: it stays in the second-level cache.
constexpr std::size_t kGroupBytes = std::size_t{384} << 10;

// Rows of x that are multiplied with one group of columns before the next group.
constexpr std::size_t kGroupRows = 128;

using Scaled = std::array<float, kTileKeys>;

// Up to kTileKeys inputs of a row, multiplied with their scales if W is scaled by input.
[[gnu::noinline]] const float* inputs_of(const PackedMatrix& w, const float* x, std::size_t first,
                                         std::size_t count, Scaled& scaled) {
  x += first;
  if (!w.scales_of_rows) return x;
  for (std::size_t k = 0; k < count; ++k) scaled[k] = x[k] * w.scales[(first + k) * kPanel];
  return scaled.data();
}

// The largest absolute value of a row's inputs, or 0 for a row that is not quantized.
[[gnu::noinline]] float range_of(const Kernels& kernels, const PackedMatrix& w, const float* x,
                                 std::size_t count) {
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

// Up to kIntegerRows rows and some columns of W.
void multiply_rows(const Kernels& kernels, Matrix<const float> x, const float* ranges,
                   const PackedMatrix& w, std::size_t first_column, const float* bias,
                   Matrix<float> y) {
  std::array<std::int16_t, kIntegerRows * kIntegerStride> rows;
  Scaled scaled;
  for_each_block(x.cols, kIntegerBlock, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      std::int16_t* to = &rows[i * kIntegerStride];
      // Zeros for the padding of the last pair, and for a row that is not quantized.
      std::fill(to + (ranges[i] == 0 ? 0 : count), to + count + 1, std::int16_t{0});
      if (ranges[i] == 0) continue;
      for_each_block(count, kTileKeys, [&](std::size_t begin, std::size_t size) {
        kernels.quantize(to + begin, inputs_of(w, x.row(i), first + begin, size, scaled), size,
                         kLargestInteger / ranges[i]);
      });
    }
    const std::byte* panels = w.panel(first_column / kPanel, first).data;
    kernels.integer_product(y, rows.data(), {panels, w.depth * kPanel, (count + 1) / 2, first > 0});
  });
  const float* scales = w.scales_of_rows ? nullptr : w.scales + first_column;
  for (std::size_t i = 0; i < x.rows; ++i) {
    kernels.scale_sums(y.row(i), y.cols, ranges[i] / kLargestInteger, scales,
                       bias == nullptr ? nullptr : bias + first_column);
  }
}

}  // namespace

void integer_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                     const float* bias, Matrix<float> y) {
  std::size_t group = y.cols;
  if (x.rows > kIntegerRows) {
    group = std::max(kGroupBytes / std::max(w.depth, kPanel) / kPanel, std::size_t{1}) * kPanel;
  }
  for_each_block(x.rows, kGroupRows, [&](std::size_t first, std::size_t count) {
    std::array<float, kGroupRows> ranges;
    for (std::size_t i = 0; i < count; ++i) {
      ranges[i] = range_of(kernels, w, x.row(first + i), x.cols);
    }
    for_each_block(y.cols, group, [&](std::size_t column, std::size_t columns) {
      for_each_block(count, kIntegerRows, [&](std::size_t row, std::size_t rows) {
        multiply_rows(kernels, x.block(first + row, rows), &ranges[row], w, column, bias,
                      {y.row(first + row) + column, rows, columns, y.stride});
      });
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (ranges[i] != 0) continue;
      product(kernels, x.block(first + i, 1), w, bias, y.block(first + i, 1));
    }
  });
}

}  // namespace attention
