// The product is the one that weighs values: x are the weights, the rows of W the values. It goes
// through W in blocks whose panels stay in the first-level cache for a whole block of rows.
#include "attention/linear_map.h"

#include <algorithm>
#include <array>

#include "attention/tiles.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

constexpr std::size_t kBlockRows = 128;
constexpr std::size_t kBlockDepth = 512;

constexpr std::array<float, kBlockRows> kOnes = [] {
  std::array<float, kBlockRows> ones{};
  ones.fill(1);
  return ones;
}();

}  // namespace

void LinearMap::apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const {
  for_each_block(x.rows, kBlockRows, [&](std::size_t first_row, std::size_t rows) {
    const Matrix<float> to = y.block(first_row, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      if (bias != nullptr) {
        std::copy_n(bias, out, to.row(i));
      } else {
        std::fill_n(to.row(i), out, 0.0F);
      }
    }
    for_each_block(in, kBlockDepth, [&](std::size_t first, std::size_t depth) {
      kernels.weigh_values(to, kOnes.data(), {x.row(first_row) + first, rows, depth, x.stride},
                           {packed + first * kPanel, in * kPanel});
    });
  });
}

}  // namespace attention
