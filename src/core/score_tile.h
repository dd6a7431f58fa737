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
  KeyRange existing;      // all keys that there are
};

// The keys of a tile that the rows of a block see. Key indices count from the tile's first key.
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

// A matrix of a head that is filled tile by tile: its scores at one stage, or what they become.
struct KeptMatrix {
  float* data = nullptr;                                   // q_len × k_len; null: nothing is kept
  float unseen = -std::numeric_limits<float>::infinity();  // is kept where nothing is visible

  // Keeps what the tile holds in columns, and `unseen` in its other columns. Out of line: for each
  // stage score_tile() would hold a copy.
  [[gnu::noinline]] void keep(const Kernels& kernels, Matrix<const float> tile,
                              const TilePlace& place, KeyRange columns) const;
};

// The scores of a head that are kept, by Stage.
struct KeptScores {
  std::array<KeptMatrix, kStages> stages;

  const KeptMatrix& at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
  // Raw and capped scores are kept of every key, seen or not.
  bool keeps_unseen() const {
    return at(Stage::kRaw).data != nullptr || at(Stage::kCapped).data != nullptr;
  }
};

// A tile of keys, packed once and used by every block of queries.
struct KeyTile {
  const float* packed = nullptr;
  const float* inverse_lengths = nullptr;  // of packed: set where the similarity needs them
  // Instead, for few queries that compare by dot products alone: the keys where they lie.
  Matrix<const float> in_place = {};
};

// 1 / |row_i| for every row, 0 for a row of zeros, of rows packed in panels of so many. Rows whose
// dot products could underflow or overflow are multiplied by a power of two where they are packed:
// the lengths are those of the products, and a cosine stays what it is.
void inverse_lengths(Matrix<const float> rows, float* packed, std::size_t panel, float* result);

// Packs the queries into packed_queries, room for kBlockQueries · key_dim. Fills tile (queries ×
// kTileKeys) in the columns of whole_panels(view.columns): the biased score where the row sees the
// key, -inf everywhere else. Keeps them at the stages asked for on the way. options: with a scale
// and, where the similarity takes one, a bandwidth.
void score_tile(const Kernels& kernels, Matrix<float> tile, Matrix<const float> queries,
                float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
                const TilePlace& place, const BlockView& view, const KeptScores& kept);

// The options with the scale and the bandwidth that are meant where none is given.
AttentionOptions with_defaults(AttentionOptions options, std::size_t key_dim);

}  // namespace attention
