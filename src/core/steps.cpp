// The three steps of attend() as separate functions over whole matrices, which the caller can
// inspect and change between the steps.
#include <algorithm>
#include <array>
#include <cassert>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"
#include "core/tiles.h"
#include "core/weighted_values.h"
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

// Replaces the scores of invisible keys by -inf.
void mask_row(float* row, const Visibility& visibility, std::size_t batch, std::size_t head,
              std::size_t query, std::size_t k_len) {
  const KeyRange range = visibility.keys({0, k_len}, batch, query);
  std::fill(row, row + range.first, SoftmaxRow::kMinusInfinity);
  std::fill(row + range.last, row + k_len, SoftmaxRow::kMinusInfinity);
  if (!visibility.mask.is_set()) return;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (visibility.mask.hides(visibility.mask.index(batch, head, query, j))) {
      row[j] = SoftmaxRow::kMinusInfinity;
    }
  }
}

// Runs the online softmax over a row of scores, tile by tile like attend(). If result is not null,
// it is the state of the whole row, and the scores are replaced by weights.
SoftmaxRow accumulate_row(const Kernels& kernels, SoftmaxRow row, float* scores, std::size_t k_len,
                          const SoftmaxRow* result) {
  for_each_block(k_len, kTileKeys, [&](std::size_t first, std::size_t keys) {
    std::array<float, kTileKeys> tile;
    const std::size_t width = round_up_to_panel(keys);
    std::fill(std::copy_n(scores + first, keys, tile.data()), tile.data() + width,
              SoftmaxRow::kMinusInfinity);
    for (std::size_t j = 0; j < keys; ++j) {
      row.any_visible = row.any_visible || tile[j] != SoftmaxRow::kMinusInfinity;
    }
    float rescale = 1;
    accumulate(kernels, &row, {tile.data(), 1, width, width}, &rescale);
    if (result == nullptr) return;
    result->normalize(kernels, tile.data(), keys, row.maximum);
    std::copy_n(tile.data(), keys, scores + first);
  });
  return row;
}

// Two passes over the row: the first computes maximum and sum, which are returned, the second the
// weights.
SoftmaxRow softmax_row(const Kernels& kernels, SoftmaxRow row, float* scores, std::size_t k_len) {
  const SoftmaxRow result = accumulate_row(kernels, row, scores, k_len, nullptr);
  if (!result.any_visible || result.is_undefined() || result.has_nan()) {
    SoftmaxRow::propagate_nan(scores, k_len);
  } else {
    accumulate_row(kernels, row, scores, k_len, &result);
  }
  return result;
}

// Computes the scores of one head at one stage, tile by tile like attend().
struct HeadScores {
  const Kernels& kernels;
  const ScoresScratch& scratch;
  const AttentionOptions& options;
  const ReturnedMatrix& matrix;  // the one requested element of `returned`
  const ReturnedScores& returned;

  void write(std::size_t batch, std::size_t head, const Matrix<const float>& queries,
             const Matrix<const float>& keys) const {
    for_each_block(keys.rows, kTileKeys, [&](std::size_t first_key, std::size_t key_count) {
      kernels.pack_keys(scratch.keys, keys.block(first_key, key_count));
      for_each_block(queries.rows, kBlockQueries, [&](std::size_t first, std::size_t count) {
        write_block(queries.block(first, count),
                    {batch, head, first, count, first_key, key_count, {0, keys.rows}});
      });
    });
  }

  // Scores of one block of queries against the packed tile of keys.
  void write_block(const Matrix<const float>& queries, const TileExtent& extent) const {
    const BlockView view = view_block(options.visibility, extent);
    if (view.columns.empty() && !returned.includes_invisible()) {
      matrix.store(kernels, {}, extent, {});
      return;
    }
    score_tile(kernels, {scratch.scores, extent.queries, kTileKeys, kTileKeys}, queries,
               scratch.queries, {scratch.keys}, options, extent, view, returned);
  }
};

}  // namespace

void scores(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            const AttentionOptions& options, Stage stage, float* scores, Workspace& workspace) {
  assert(query.cols == key.cols && query.cols > 0 && query.batch == key.batch);
  const Shape shape{query.batch, query.heads, key.heads, query.rows, key.rows, query.cols, 0};
  const ScoresScratch scratch(workspace, shape);
  if (workspace.counts()) return;
  // batch can be in the billions when q_len or k_len is 0.
  if (shape.q_len == 0 || shape.k_len == 0) return;
  const AttentionOptions resolved = with_defaults(options, shape.key_dim);
  ReturnedScores returned;
  ReturnedMatrix& matrix = returned.stages[static_cast<std::size_t>(stage)];
  matrix.data = scores;
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t head = 0; head < shape.heads; ++head) {
      HeadScores{kernels, scratch, resolved, matrix, returned}.write(
          batch, head, query.at(batch, head), key.at(batch, head / (shape.heads / shape.kv_heads)));
      matrix.data += shape.q_len * shape.k_len;
    }
  }
}

void softmax(const Kernels& kernels, Heads<const float> scores, const AttentionOptions& options,
             float* weights, float* log_sum_exp) {
  const std::size_t k_len = scores.cols;
  if (scores.rows == 0 || (k_len == 0 && log_sum_exp == nullptr)) return;
  for (std::size_t batch = 0; batch < scores.batch; ++batch) {
    for (std::size_t head = 0; head < scores.heads; ++head) {
      for (std::size_t query = 0; query < scores.rows; ++query, weights += k_len) {
        std::copy_n(scores.at(batch, head).row(query), k_len, weights);
        mask_row(weights, options.visibility, batch, head, query, k_len);
        const SoftmaxRow start = SoftmaxRow::begin(options.sinks, head);
        const SoftmaxRow row = softmax_row(kernels, start, weights, k_len);
        if (log_sum_exp != nullptr) *log_sum_exp++ = row.log_sum_exp();
      }
    }
  }
}

void weighted_sum(const Kernels& kernels, Heads<const float> weights, Heads<const float> value,
                  Heads<float> output, Workspace& workspace) {
  assert(weights.cols == value.rows && weights.batch == value.batch);
  // Without heads the width of the output is undefined.
  assert(output.cols == value.cols || weights.heads == 0);
  auto* packed = workspace.take<float>(packed_tile_floats(value.rows, value.cols));
  float* tile_weights = take_score_tile(workspace);
  if (workspace.counts() || output.rows == 0 || output.cols == 0) return;
  std::array<float, kBlockQueries> rescale;
  rescale.fill(1);
  for (std::size_t batch = 0; batch < weights.batch; ++batch) {
    for (std::size_t head = 0; head < weights.heads; ++head) {
      const Matrix<const float> rows = weights.at(batch, head);
      const Matrix<const float> values = value.at(batch, head / (weights.heads / value.heads));
      const Matrix<float> sums = output.at(batch, head);
      for (std::size_t i = 0; i < sums.rows; ++i) std::fill_n(sums.row(i), sums.cols, 0.0F);
      for_each_block(values.rows, kTileKeys, [&](std::size_t first_key, std::size_t keys) {
        const ValueTile tile = ValueTile::pack(kernels, values.block(first_key, keys), packed);
        for_each_block(sums.rows, kBlockQueries, [&](std::size_t first, std::size_t queries) {
          const TileExtent extent{batch, head, first, queries, first_key, keys, {0, values.rows}};
          for (std::size_t i = 0; i < queries; ++i) {
            std::copy_n(rows.row(first + i) + first_key, keys, tile_weights + i * kTileKeys);
          }
          add_weighted_values(kernels, sums.block(first, queries), rescale.data(),
                              {tile_weights, queries, keys, kTileKeys}, tile, {0, keys}, nullptr,
                              extent);
        });
      });
    }
  }
}

}  // namespace attention
