// Scores of one block of queries against one tile of keys: dot products, cap, biases, mask.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/visibility.h"
#include "kernels/kernels.h"

namespace attention {

// The position and size of a block of queries and a tile of keys in the tensors.
struct TileExtent {
  std::size_t batch;
  std::size_t head;
  std::size_t first_query;
  std::size_t queries;    // at most kBlockQueries
  std::size_t first_key;  // a multiple of kTileKeys
  std::size_t keys;       // at most kTileKeys
  KeyRange existing;      // existing keys, by position
};

// The visible keys of a tile for the rows of a block. Key indices are relative to the tile.
struct BlockView {
  std::array<KeyRange, kBlockQueries> rows;  // empty: no visible key in this tile
  KeyRange columns;                          // hull of all rows' ranges; empty: skip the tile
  KeyRange visible_to_all;                   // intersection of all rows' ranges, may be empty

  // True if the ranges of the rows differ by at least a panel.
  bool is_ragged() const {
    return visible_to_all.first >= columns.first + kPanel ||
           visible_to_all.last + kPanel <= columns.last;
  }
};

BlockView view_block(const Visibility& visibility, const TileExtent& extent);

// The range, extended to whole panels.
inline KeyRange whole_panels(KeyRange range) {
  return {range.first / kPanel * kPanel, round_up_to_panel(range.last)};
}

// A q_len × k_len result of one head that is stored tile by tile: scores at one stage, or weights.
struct ReturnedMatrix {
  float* data = nullptr;  // q_len × k_len; null: not requested
  float invisible_value = -std::numeric_limits<float>::infinity();  // stored at invisible keys

  // Stores the columns of the tile, and invisible_value in its other columns.
  void store(const Kernels& kernels, Matrix<const float> tile, const TileExtent& extent,
             KeyRange columns) const;
};

// The requested scores of a head, by Stage.
struct ReturnedScores {
  std::array<ReturnedMatrix, kStages> stages;

  const ReturnedMatrix& at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
  // True if raw or capped scores are requested; these include invisible keys.
  bool includes_invisible() const {
    return at(Stage::kRaw).data != nullptr || at(Stage::kCapped).data != nullptr;
  }
};

// A tile of keys in packed form.
struct KeyTile {
  const float* packed = nullptr;
  const float* inverse_lengths = nullptr;  // of the packed keys; only for cosine similarity
  // Instead of packed, if data is not null: unpacked keys, for dot products with a few queries.
  Matrix<const float> in_place = {};
};

// result_i = 1 / |row_i|, or 0 for a row of zeros. packed: the same rows, packed in panels of
// `panel` rows. Packed rows whose dot products could underflow or overflow are scaled by a power of
// two, and result_i is the inverse length of the scaled row, so that cosines do not change.
void inverse_lengths(Matrix<const float> rows, float* packed, std::size_t panel, float* result);

// Packs the queries into packed_queries (kBlockQueries · key_dim floats). Writes the columns
// whole_panels(view.columns) of tile (queries × kTileKeys): the biased score where the key is
// visible, -inf elsewhere. Stores the requested stages in `returned`. options: from
// with_defaults().
void score_tile(const Kernels& kernels, Matrix<float> tile, Matrix<const float> queries,
                float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
                const TileExtent& extent, const BlockView& view, const ReturnedScores& returned);

}  // namespace attention
