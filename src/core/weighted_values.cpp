// Tiles of finite values use the kernel that multiplies invisible keys by weight 0. From other
// tiles visible values are copied, row by row. Both sum in the same order and give the same bits.
#include "core/weighted_values.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using VisibleKeys = std::array<bool, kTileKeys>;

VisibleKeys visible_keys(const float* weights, KeyRange columns, const Visibility* visibility,
                         const TileExtent& extent, std::size_t query) {
  VisibleKeys visible{};
  for (std::size_t j = columns.first; j < columns.last; ++j) {
    visible[j] = visibility == nullptr
                     ? weights[j] != 0
                     : visibility->is_visible(extent.existing, extent.batch, extent.head, query,
                                              extent.first_key + j);
  }
  return visible;
}

void add_visible_values(const Kernels& kernels, float* output, std::size_t value_dim, float rescale,
                        const float* weights, const ValueTile& values, KeyRange columns,
                        const VisibleKeys& visible) {
  std::array<float, kTileKeys> visible_weights;
  std::array<float, kTileKeys * kPanel> visible_values;
  for (std::size_t c = 0; c < value_dim; c += kPanel) {
    const float* panel = values.packed.data + c / kPanel * values.packed.panel_stride;
    std::size_t count = 0;
    for (std::size_t j = columns.first; j < columns.last; ++j) {
      if (!visible[j]) continue;
      visible_weights[count] = weights[j];
      std::copy_n(panel + j * kPanel, kPanel, visible_values.data() + count * kPanel);
      ++count;
    }
    kernels.accumulate_row(output + c, rescale, visible_weights.data(),
                           {visible_values.data(), count, std::min(kPanel, value_dim - c), kPanel});
  }
}

}  // namespace

void add_weighted_values(const Kernels& kernels, Matrix<float> output, const float* rescale,
                         Matrix<const float> weights, const ValueTile& values, KeyRange columns,
                         const Visibility* visibility, const TileExtent& extent) {
  // The data pointer may be null if value_dim is 0.
  if (output.cols == 0) return;
  if (values.in_place.data != nullptr) {
    for (std::size_t i = 0; i < output.rows; ++i) {
      kernels.accumulate_row(output.row(i), rescale[i], weights.row(i) + columns.first,
                             values.in_place.block(columns.first, columns.last - columns.first));
    }
    return;
  }
  if (values.finite) {
    kernels.accumulate_values(
        output, rescale, {weights.data + columns.first, columns.last - columns.first},
        {values.packed.data + columns.first * kPanel, values.packed.panel_stride});
    return;
  }
  for (std::size_t i = 0; i < output.rows; ++i) {
    const VisibleKeys visible =
        visible_keys(weights.row(i), columns, visibility, extent, extent.first_query + i);
    add_visible_values(kernels, output.row(i), output.cols, rescale[i], weights.row(i), values,
                       columns, visible);
  }
}

}  // namespace attention
