// Finite values take the kernel's way, where an invisible key is carried along with weight 0.
// Others take a slow one that steps over it; both sum in the same order, so both give the same
// bits.
#include "core/weigh_tile.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using VisibleKeys = std::array<bool, kTileKeys>;

VisibleKeys visible_keys(const float* weights, KeyRange columns, const Visibility* visibility,
                         const TilePlace& place, std::size_t query) {
  VisibleKeys visible{};
  for (std::size_t j = columns.first; j < columns.last; ++j) {
    visible[j] = visibility == nullptr ? weights[j] != 0
                                       : visibility->sees(place.existing, place.batch, place.head,
                                                          query, place.first_key + j);
  }
  return visible;
}

void weigh_visible(float* output, std::size_t value_dim, float carry, const float* weights,
                   const ValueTile& values, KeyRange columns, const VisibleKeys& visible) {
  for (std::size_t c = 0; c < value_dim; ++c) {
    const float* column = values.packed.data + c / kPanel * values.packed.panel_stride + c % kPanel;
    float sum = 0;
    for (std::size_t j = columns.first; j < columns.last; ++j) {
      if (visible[j]) sum += weights[j] * column[j * kPanel];
    }
    output[c] = carry * output[c] + sum;
  }
}

}  // namespace

void weigh_tile(const Kernels& kernels, Matrix<float> output, const float* carry,
                Matrix<const float> weights, const ValueTile& values, KeyRange columns,
                const Visibility* visibility, const TilePlace& place) {
  // Values of no numbers may lie nowhere.
  if (output.cols == 0) return;
  if (values.in_place.data != nullptr) {
    for (std::size_t i = 0; i < output.rows; ++i) {
      kernels.weigh_row(output.row(i), carry[i], weights.row(i) + columns.first,
                        values.in_place.block(columns.first, columns.last - columns.first));
    }
    return;
  }
  if (values.finite) {
    kernels.weigh_values(output, carry,
                         {weights.data + columns.first, columns.last - columns.first},
                         {values.packed.data + columns.first * kPanel, values.packed.panel_stride});
    return;
  }
  for (std::size_t i = 0; i < output.rows; ++i) {
    const VisibleKeys visible =
        visible_keys(weights.row(i), columns, visibility, place, place.first_query + i);
    weigh_visible(output.row(i), output.cols, carry[i], weights.row(i), values, columns, visible);
  }
}

}  // namespace attention
