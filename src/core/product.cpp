// In blocks: x is copied to where the kernel wants its rows, and used there for a group of columns
// of W; narrow numbers are widened panel by panel. A row alone goes through W as it lies in memory:
// what takes time then is reading it.
#include "core/product.h"

#include <algorithm>
#include <array>

#include "core/tiles.h"

namespace attention {
namespace {

constexpr std::size_t kBlockRows = 16;

// Columns of W that all rows of x go through before the next ones: a tile of them stays in the
// second-level cache, and its pages among those that the processor finds quickly.
constexpr std::size_t kGroupColumns = 512;

constexpr std::array<float, kBlockRows> kOnes = [] {
  std::array<float, kBlockRows> ones{};
  for (float& one : ones) one = 1;
  return ones;
}();

Matrix<float> columns(Matrix<float> y, std::size_t first, std::size_t count) {
  return {y.data + first, y.rows, count, y.stride};
}

// A block of x against a panel of columns after another.
void add_panels(const Kernels& kernels, TileWeights x, std::size_t first, const PackedMatrix& w,
                std::size_t first_column, std::size_t count, Matrix<float> y) {
  std::array<float, kTileKeys * kPanel> widened;
  for (std::size_t c = first_column; c < first_column + count; c += kPanel) {
    const PackedNumbers panel = w.panel(c / kPanel, first);
    const auto* numbers = reinterpret_cast<const float*>(panel.data);
    if (w.type != NumberType::kFloat32) {
      kernels.widen(widened.data(), panel, x.cols * kPanel);
      numbers = widened.data();
    }
    kernels.weigh_values(columns(y, c, std::min(kPanel, y.cols - c)), kOnes.data(), x,
                         {numbers, 0});
  }
}

}  // namespace

void add_product(const Kernels& kernels, Matrix<const float> x, const PackedMatrix& w,
                 Matrix<float> y) {
  std::size_t done = 0;
  if (x.rows == 1) {
    done = y.cols / kStreamedColumns * kStreamedColumns;
    kernels.add_row_product(y.data, x.data, w, done);
  }
  std::array<float, kBlockRows * kTileKeys> block;
  for_each_block(y.cols - done, kGroupColumns, [&](std::size_t column, std::size_t count) {
    for_each_block(x.cols, kTileKeys, [&](std::size_t first, std::size_t depth) {
      for_each_block(x.rows, kBlockRows, [&](std::size_t first_row, std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) {
          kernels.scale(block.data() + i * kTileKeys, x.row(first_row + i) + first, depth, 1);
        }
        add_panels(kernels, {block.data(), depth}, first, w, done + column, count,
                   y.block(first_row, rows));
      });
    });
  });
}

}  // namespace attention
