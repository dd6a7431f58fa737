// A tile of weights times a tile of values, added to the output.
#pragma once

#include <cstddef>

#include "attention/matrix.h"
#include "attention/visibility.h"
#include "core/score_tile.h"
#include "kernels/kernels.h"

namespace attention {

// A tile of values, packed once and used by every block of queries.
struct ValueTile {
  PackedValues packed;
  bool finite = true;
  // Instead, for few rows that see every key they are given: the values where they lie.
  Matrix<const float> in_place = {};

  // memory: room for kTileKeys · round_up_to_panel(value_dim).
  static ValueTile pack(const Kernels& kernels, Matrix<const float> values, float* memory) {
    const bool finite = kernels.pack_values(memory, values);
    return {{memory, values.rows * kPanel}, finite, {}};
  }
};

// output_i = carry_i · output_i + Σ_j weights (i, j) · value_j over the tile's keys in columns.
// weights: queries × kTileKeys, kTileKeys apart. Visibility decides what is left out of a tile that
// holds numbers which are not finite (0 · NaN must not happen); without it, weights of exactly 0
// are left out.
void weigh_tile(const Kernels& kernels, Matrix<float> output, const float* carry,
                Matrix<const float> weights, const ValueTile& values, KeyRange columns,
                const Visibility* visibility, const TilePlace& place);

}  // namespace attention
