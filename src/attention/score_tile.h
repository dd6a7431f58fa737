// One block of query rows against one tile of keys: from dot products to biased scores.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/visibility.h"
#include "kernels/kernels.h"

namespace attention {

// Where in the tensors a block of rows and a tile of keys lie.
struct TilePlace {
  std::size_t batch;
  std::size_t head;
  std::size_t first_query;
  std::size_t queries;    // at most kBlockQueries
  std::size_t first_key;  // a multiple of kTileKeys
  std::size_t keys;       // at most kTileKeys
};

// What the rows of a block see of a tile. Key indices count from the tile's first key.
struct BlockView {
  std::array<KeyRange, kBlockQueries> rows;  // empty: the row sees nothing here
  KeyRange columns;                          // all that any row sees; empty: skip the tile
  KeyRange seen_by_all;                      // what lies in every row's range, perhaps nothing

  // Whether some rows see much less than others.
  bool is_ragged() const {
    return seen_by_all.first >= columns.first + kPanel || seen_by_all.last + kPanel <= columns.last;
  }
};

BlockView view_block(const Visibility& visibility, const TilePlace& place);

// A whole number of panels that holds the range.
inline KeyRange whole_panels(KeyRange range) {
  return {range.first / kPanel * kPanel, round_up_to_panel(range.last)};
}

// Keeps the scores of a head at one stage, or what became of them. data: q_len × k_len, or null to
// keep nothing.
struct KeptScores {
  float* data = nullptr;
  std::size_t first_key = 0;  // of the first column
  std::size_t k_len = 0;
  Stage stage = Stage::kBiased;
  float unseen = -std::numeric_limits<float>::infinity();  // is kept where nothing is visible

  bool keeps(Stage at) const { return data != nullptr && stage == at; }
  // Raw and capped scores are kept of every key, seen or not.
  bool keeps_unseen() const { return keeps(Stage::kRaw) || keeps(Stage::kCapped); }

  // Keeps what the tile holds in columns, and `unseen` in its other columns.
  [[gnu::noinline]] void keep(const Kernels& kernels, Matrix<const float> tile,
                              const TilePlace& place, KeyRange columns) const;
};

// A tile of keys, packed once and used by every block of queries.
struct KeyTile {
  const float* packed = nullptr;
  const float* inverse_lengths = nullptr;  // 1 / |k_j|, 0 for 0: set where the similarity needs it
};

// 1 / |row_i| for every row, 0 for a row of zeros.
void inverse_lengths(Matrix<const float> rows, float* result);

// Packs the queries into packed_queries, room for kBlockQueries · key_dim. Fills tile (queries ×
// kTileKeys) in the columns of whole_panels(view.columns): the biased score where the row sees the
// key, -inf everywhere else. Keeps them at the stage asked for on the way.
void score_tile(const Kernels& kernels, Matrix<float> tile, Matrix<const float> queries,
                float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
                const TilePlace& place, const BlockView& view, const KeptScores& kept);

}  // namespace attention
