// A tile of weights times a tile of values, added to the output.
#pragma once

#include <cstddef>

#include "attention/matrix.h"
#include "attention/visibility.h"
#include "core/score_tile.h"
#include "kernels/kernels.h"

namespace attention {

// A tile of values in packed form.
struct ValueTile {
  PackedValues packed;
  bool finite = true;
  // Instead of packed, if data is not null: unpacked values, for a few rows to which all keys of
  // the range are visible.
  Matrix<const float> in_place = {};

  // memory: kTileKeys · round_up_to_panel(value_dim) floats.
  static ValueTile pack(const Kernels& kernels, Matrix<const float> values, float* memory) {
    const bool finite = kernels.pack_values(memory, values);
    return {{memory, values.rows * kPanel}, finite, {}};
  }
};

// output_i = carry_i · output_i + Σ_j weights (i, j) · value_j over the tile's keys in columns.
// weights: queries × kTileKeys, row stride kTileKeys. If the tile has NaN or infinite values,
// invisible keys are skipped, because 0 · NaN is NaN; with visibility null, weights of exactly 0
// are skipped instead.
void add_weighted_values(const Kernels& kernels, Matrix<float> output, const float* rescale,
                         Matrix<const float> weights, const ValueTile& values, KeyRange columns,
                         const Visibility* visibility, const TileExtent& extent);

}  // namespace attention
