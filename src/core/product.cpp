// In blocks: x is copied to where the kernel wants its rows, and used there for all columns of W.
#include "core/product.h"

#include <algorithm>
#include <array>

#include "core/tiles.h"

namespace attention {
namespace {

constexpr std::size_t kBlockRows = 16;

constexpr std::array<float, kBlockRows> kOnes = [] {
  std::array<float, kBlockRows> ones{};
  for (float& one : ones) one = 1;
  return ones;
}();

}  // namespace

void add_product(const Kernels& kernels, Matrix<const float> x, PackedValues w, Matrix<float> y) {
  std::array<float, kBlockRows * kTileKeys> block;
  for_each_block(x.rows, kBlockRows, [&](std::size_t first_row, std::size_t rows) {
    for_each_block(x.cols, kTileKeys, [&](std::size_t first, std::size_t depth) {
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(x.row(first_row + i) + first, depth, block.data() + i * kTileKeys);
      }
      kernels.weigh_values(y.block(first_row, rows), kOnes.data(), {block.data(), depth},
                           {w.data + first * kPanel, w.panel_stride});
    });
  });
}

}  // namespace attention
