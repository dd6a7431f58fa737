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

// Reads a byte of each of the next two pages, so that they are on their way when they are wanted:
// what a processor fetches ahead of itself ends with a page.
void fetch_ahead(const std::byte* next, const std::byte* end) {
  constexpr std::ptrdiff_t kPageBytes = 4096;
  for (int page = 0; page < 2 && next < end; ++page, next += kPageBytes) {
    (void)*static_cast<const volatile std::byte*>(next);
  }
}

// Rows of x against a panel of columns after another. depth numbers of each, a tile's after
// another's: those of the first row, of the second, and so on.
void add_panels(const Kernels& kernels, const float* block, std::size_t first, std::size_t depth,
                const PackedMatrix& w, std::size_t first_column, std::size_t count,
                Matrix<float> y) {
  std::array<float, kTileKeys * kPanel> widened;
  const std::byte* end = w.panel(round_up_to_panel(y.cols) / kPanel, 0).data;
  for (std::size_t c = first_column; c < first_column + count; c += kPanel) {
    const Matrix<float> to = columns(y, c, std::min(kPanel, y.cols - c));
    for_each_block(depth, kTileKeys, [&](std::size_t begin, std::size_t keys) {
      const PackedNumbers panel = w.panel(c / kPanel, first + begin);
      const auto* numbers = reinterpret_cast<const float*>(panel.data);
      fetch_ahead(panel.data + keys * kPanel * bytes_each(w.type), end);
      if (w.type != NumberType::kFloat32) {
        kernels.widen(widened.data(), panel, keys * kPanel);
        numbers = widened.data();
      }
      kernels.weigh_values(to, kOnes.data(), {block + begin * y.rows, keys}, {numbers, 0});
    });
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
  // Of few rows more numbers fit, and W is read as it lies in memory.
  const std::size_t tiles = std::max<std::size_t>(kBlockRows / std::max<std::size_t>(x.rows, 1), 1);
  for_each_block(y.cols - done, kGroupColumns, [&](std::size_t column, std::size_t count) {
    for_each_block(x.cols, tiles * kTileKeys, [&](std::size_t first, std::size_t depth) {
      for_each_block(x.rows, kBlockRows, [&](std::size_t first_row, std::size_t rows) {
        float* to = block.data();
        for_each_block(depth, kTileKeys, [&](std::size_t begin, std::size_t keys) {
          for (std::size_t i = 0; i < rows; ++i, to += kTileKeys) {
            kernels.scale(to, x.row(first_row + i) + first + begin, keys, 1);
          }
        });
        add_panels(kernels, block.data(), first, depth, w, done + column, count,
                   y.block(first_row, rows));
      });
    });
  });
}

}  // namespace attention
