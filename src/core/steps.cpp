// The three steps of attention one at a time: what attend() does tile by tile, over whole matrices
// that the caller may look into and change in between.
#include <algorithm>
#include <array>
#include <cassert>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"
#include "core/tiles.h"
#include "core/weigh_tile.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

struct ScoresScratch {
  ScoresScratch(Workspace& workspace, const Shape& shape)
      : keys(workspace.take<float>(packed_tile_floats(shape.k_len, shape.key_dim))),
        queries(workspace.take<float>(std::uint64_t{kBlockQueries} * shape.key_dim)),
        scores(take_score_tile(workspace)) {}

  float* keys;     // a packed tile
  float* queries;  // a packed block
  float* scores;   // kBlockQueries × kTileKeys
};

// -inf where the query does not see the key.
void hide(float* row, const Visibility& visibility, std::size_t batch, std::size_t head,
          std::size_t query, std::size_t k_len) {
  const KeyRange range = visibility.keys({0, k_len}, batch, query);
  std::fill(row, row + range.first, SoftmaxRow::kMinusInfinity);
  std::fill(row + range.last, row + k_len, SoftmaxRow::kMinusInfinity);
  if (!visibility.mask.given()) return;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (visibility.mask.hides(visibility.mask.index(batch, head, query, j))) {
      row[j] = SoftmaxRow::kMinusInfinity;
    }
  }
}

// Takes a row of scores into a softmax, tile by tile as attend() does; if the result is known
// already, turns them into weights. Both walks over a row share the one copy.
[[gnu::noinline]] SoftmaxRow absorb_row(const Kernels& kernels, SoftmaxRow row, float* scores,
                                        std::size_t k_len, const SoftmaxRow* result) {
  for_each_block(k_len, kTileKeys, [&](std::size_t first, std::size_t keys) {
    std::array<float, kTileKeys> tile;
    const std::size_t width = round_up_to_panel(keys);
    std::fill(std::copy_n(scores + first, keys, tile.data()), tile.data() + width,
              SoftmaxRow::kMinusInfinity);
    for (std::size_t j = 0; j < keys; ++j) {
      row.sees = row.sees || tile[j] != SoftmaxRow::kMinusInfinity;
    }
    float carry = 1;
    absorb(kernels, &row, {tile.data(), 1, width, width}, &carry);
    if (result == nullptr) return;
    result->weigh(kernels, tile.data(), keys, row.maximum);
    std::copy_n(tile.data(), keys, scores + first);
  });
  return row;
}

// Twice over the row, so that no tile has to remember what its exponentials are relative to.
void softmax_row(const Kernels& kernels, SoftmaxRow row, float* scores, std::size_t k_len) {
  const SoftmaxRow result = absorb_row(kernels, row, scores, k_len, nullptr);
  if (!result.sees || result.undefined() || result.poisoned()) {
    SoftmaxRow::spoil(scores, k_len);
  } else {
    absorb_row(kernels, row, scores, k_len, &result);
  }
}

}  // namespace

void scores(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            const AttentionOptions& options, Stage stage, float* scores, Workspace& workspace) {
  assert(query.cols == key.cols && query.cols > 0 && query.batch == key.batch);
  const Shape shape{query.batch, query.heads, key.heads, query.rows, key.rows, query.cols, 0};
  const ScoresScratch scratch(workspace, shape);
  if (workspace.counts()) return;
  const AttentionOptions meant = with_defaults(options, shape.key_dim);
  KeptScores kept;
  KeptMatrix& matrix = kept.stages[static_cast<std::size_t>(stage)];
  matrix.data = scores;
  // Billions of empty entries are no work.
  if (shape.q_len == 0 || shape.k_len == 0) return;
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t head = 0; head < shape.heads; ++head) {
      const Matrix<const float> keys = key.at(batch, head / (shape.heads / shape.kv_heads));
      for_each_block(shape.k_len, kTileKeys, [&](std::size_t first_key, std::size_t key_count) {
        kernels.pack_keys(scratch.keys, keys.block(first_key, key_count));
        for_each_block(shape.q_len, kBlockQueries, [&](std::size_t first, std::size_t queries) {
          const TilePlace place{batch,     head,      first,           queries,
                                first_key, key_count, {0, shape.k_len}};
          const BlockView view = view_block(meant.visibility, place);
          if (view.columns.empty() && !kept.keeps_unseen()) {
            matrix.keep(kernels, {}, place, {});
            return;
          }
          score_tile(kernels, {scratch.scores, queries, kTileKeys, kTileKeys},
                     query.at(batch, head).block(first, queries), scratch.queries, {scratch.keys},
                     meant, place, view, kept);
        });
      });
      matrix.data += shape.q_len * shape.k_len;
    }
  }
}

void softmax(const Kernels& kernels, Heads<const float> scores, const AttentionOptions& options,
             float* weights) {
  const std::size_t k_len = scores.cols;
  if (scores.rows == 0 || k_len == 0) return;
  for (std::size_t batch = 0; batch < scores.batch; ++batch) {
    for (std::size_t head = 0; head < scores.heads; ++head) {
      for (std::size_t query = 0; query < scores.rows; ++query, weights += k_len) {
        std::copy_n(scores.at(batch, head).row(query), k_len, weights);
        hide(weights, options.visibility, batch, head, query, k_len);
        softmax_row(kernels, SoftmaxRow::begin(options.sinks, head), weights, k_len);
      }
    }
  }
}

void weighted_sum(const Kernels& kernels, Heads<const float> weights, Heads<const float> value,
                  Heads<float> output, Workspace& workspace) {
  assert(weights.cols == value.rows && weights.batch == value.batch);
  // Without heads nothing says how wide a head is.
  assert(output.cols == value.cols || weights.heads == 0);
  auto* packed = workspace.take<float>(packed_tile_floats(value.rows, value.cols));
  float* tile_weights = take_score_tile(workspace);
  if (workspace.counts() || output.rows == 0 || output.cols == 0) return;
  std::array<float, kBlockQueries> carry;
  carry.fill(1);
  for (std::size_t batch = 0; batch < weights.batch; ++batch) {
    for (std::size_t head = 0; head < weights.heads; ++head) {
      const Matrix<const float> rows = weights.at(batch, head);
      const Matrix<const float> values = value.at(batch, head / (weights.heads / value.heads));
      const Matrix<float> sums = output.at(batch, head);
      for (std::size_t i = 0; i < sums.rows; ++i) std::fill_n(sums.row(i), sums.cols, 0.0F);
      for_each_block(values.rows, kTileKeys, [&](std::size_t first_key, std::size_t keys) {
        const ValueTile tile = ValueTile::pack(kernels, values.block(first_key, keys), packed);
        for_each_block(sums.rows, kBlockQueries, [&](std::size_t first, std::size_t queries) {
          const TilePlace place{batch, head, first, queries, first_key, keys, {0, values.rows}};
          for (std::size_t i = 0; i < queries; ++i) {
            std::copy_n(rows.row(first + i) + first_key, keys, tile_weights + i * kTileKeys);
          }
          weigh_tile(kernels, sums.block(first, queries), carry.data(),
                     {tile_weights, queries, keys, kTileKeys}, tile, {0, keys}, nullptr, place);
        });
      });
    }
  }
}

}  // namespace attention
