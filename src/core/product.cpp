// Gemm copies blocks of x to scratch memory and multiplies each with a group of columns of W;
// low-precision weights are converted to float32 panel by panel. Few rows are limited by memory
// bandwidth: W is read once, in place, and its 16-bit weights are converted in registers.
#include "core/product.h"

#include <algorithm>
#include <array>

#include "core/tiles.h"
#include "kernels/fetch_ahead.h"

namespace attention {
namespace {

// Columns of W per group: all rows of x are multiplied with a group before the next one, so that a
// tile of it stays in the second-level cache, and its pages in the TLB.
constexpr std::size_t kGroupColumns = 512;
// Columns of a group that is converted to float32, 128 kB.
constexpr std::size_t kWidenedColumns = 128;

constexpr std::array<float, kProductRows> kOnes = [] {
  std::array<float, kProductRows> ones{};
  for (float& one : ones) one = 1;
  return ones;
}();

Matrix<float> columns(Matrix<float> y, std::size_t first, std::size_t count) {
  return {y.data + first, y.rows, count, y.stride};
}

// Copies depth numbers of each row of x from `first` on, tile by tile; a tile has all rows.
void copy_rows(const Kernels& kernels, const Matrix<const float>& x, std::size_t first,
               std::size_t depth, float* to) {
  for_each_block(depth, kTileKeys, [&](std::size_t begin, std::size_t keys) {
    for (std::size_t i = 0; i < x.rows; ++i, to += kTileKeys) {
      kernels.scale(to, x.row(i) + first + begin, keys, 1);
    }
  });
}

// Unpacks the pairs of rows of an int8 panel to separate rows.
void separate_pairs(const std::byte* from, std::size_t rows, std::byte* to) {
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t c = 0; c < kPanel; ++c) {
      to[k * kPanel + c] = from[(k / 2 * kPanel + c) * 2 + k % 2];
    }
  }
}

// Multiplies a block of x with one panel of columns after another. block: for each tile of up to
// kTileKeys inputs, the numbers of all rows. group: the weights as float32, or null.
void add_panels(const Kernels& kernels, const float* block, std::size_t first, std::size_t depth,
                const PackedMatrix& w, const float* group, std::size_t first_column,
                std::size_t count, Matrix<float> y) {
  std::array<float, kTileKeys * kPanel> widened;
  const std::byte* end = w.panel(round_up_to_panel(y.cols) / kPanel, 0).data;
  for (std::size_t c = first_column; c < first_column + count; c += kPanel) {
    const Matrix<float> to = columns(y, c, std::min(kPanel, y.cols - c));
    for_each_block(depth, kTileKeys, [&](std::size_t begin, std::size_t keys) {
      const PackedNumbers panel = w.panel(c / kPanel, first + begin);
      const auto* numbers = reinterpret_cast<const float*>(panel.data);
      fetch_ahead(panel.data + keys * kPanel * bytes_each(w.type), end);
      if (group != nullptr) {
        numbers = group;
        group += keys * kPanel;
      } else if (w.type != NumberType::kFloat32) {
        widen(kernels, panel, keys, widened.data());
        numbers = widened.data();
      }
      kernels.accumulate_values(to, kOnes.data(), {block + begin * y.rows, keys}, {numbers, 0});
    });
  }
}

}  // namespace

void widen(const Kernels& kernels, PackedNumbers panel, std::size_t rows, float* to) {
  std::array<std::byte, kTileKeys * kPanel> separated;
  if (panel.type == NumberType::kInt8) {
    separate_pairs(panel.data, rows, separated.data());
    panel.data = separated.data();
  }
  kernels.widen(to, panel, rows * kPanel);
}

void add_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                 Matrix<float> y) {
  std::array<float, kProductRows * kTileKeys> block;
  std::array<float, kWidenedColumns * kTileKeys> widened;
  std::size_t done = 0;
  if (x.rows > 0 && x.rows <= kRowPanel && w.type != NumberType::kInt8) {
    static_assert(kFewRowsScratch <= widened.size());
    done = y.cols / kPanel * kPanel;
    kernels.add_few_rows(columns(y, 0, done), x, w, widened.data());
  }
  // For several blocks of rows, a group of low-precision weights is converted to float32 once.
  const bool widens = x.rows > kProductRows && w.type != NumberType::kFloat32;
  // With few rows the block holds more inputs, and W is read in the order of memory.
  const std::size_t tiles =
      std::max<std::size_t>(kProductRows / std::max<std::size_t>(x.rows, 1), 1);
  const auto for_columns = [&](std::size_t column, std::size_t count) {
    const auto for_depth = [&](std::size_t first, std::size_t depth) {
      for (std::size_t c = 0; widens && c < count; c += kPanel) {
        widen(kernels, w.panel((column + c) / kPanel, first), depth, widened.data() + c * depth);
      }
      const auto for_rows = [&](std::size_t first_row, std::size_t rows) {
        copy_rows(kernels, x.block(first_row, rows), first, depth, block.data());
        add_panels(kernels, block.data(), first, depth, w, widens ? widened.data() : nullptr,
                   done + column, count, y.block(first_row, rows));
      };
      for_each_block(x.rows, kProductRows, for_rows);
    };
    for_each_block(x.cols, tiles * kTileKeys, for_depth);
  };
  for_each_block(y.cols - done, widens ? kWidenedColumns : kGroupColumns, for_columns);
}

void product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
             const float* bias, Matrix<float> y) {
  for (std::size_t i = 0; i < y.rows; ++i) {
    if (bias != nullptr) {
      std::copy_n(bias, y.cols, y.row(i));
    } else {
      std::fill_n(y.row(i), y.cols, 0.0F);
    }
  }
  add_product(kernels, x, w, y);
}

}  // namespace attention
