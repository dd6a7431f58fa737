// attend(): over batch entries, groups of heads that share keys, tiles of keys, blocks of queries.
// A tile is packed when the first block needs it and used by every block of every head in the
// group; what no row of a block sees is skipped.
#include <algorithm>
#include <limits>

#include "attention/scaled_dot_product.h"
#include "attention/score_tile.h"
#include "attention/softmax_row.h"
#include "attention/tiles.h"
#include "attention/weigh_tile.h"
#include "attention/workspace.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Averaging keeps the scores of one head at a time, so heads then go one by one.
std::size_t heads_together(const Shape& shape, bool average) {
  return average || shape.kv_heads == 0 ? 1 : shape.heads / shape.kv_heads;
}

// Scratch memory of a call, used again by every group.
struct Scratch {
  Scratch(Workspace& workspace, const Shape& shape, bool average)
      : keys(workspace.take<float>(packed_tile_floats(shape.k_len, shape.key_dim))),
        values(workspace.take<float>(packed_tile_floats(shape.k_len, shape.value_dim))),
        inverse_lengths(workspace.take<float>(kTileKeys)),
        queries(workspace.take<float>(std::uint64_t{kBlockQueries} * shape.key_dim)),
        scores(take_score_tile(workspace)),
        carry(workspace.take<float>(kBlockQueries)),
        rows(workspace.take<SoftmaxRow>(std::uint64_t{shape.q_len} *
                                        heads_together(shape, average))),
        head_scores(average ? workspace.take<float>(std::uint64_t{shape.q_len} * shape.k_len)
                            : nullptr) {}

  float* keys;             // a packed tile
  float* values;           // a packed tile
  float* inverse_lengths;  // of a tile's keys
  float* queries;          // a packed block
  float* scores;           // kBlockQueries × kTileKeys
  float* carry;            // kBlockQueries
  SoftmaxRow* rows;        // heads of a group × q_len
  float* head_scores;      // q_len × k_len of one head, while weights are averaged
};

struct Call {
  const Kernels& kernels;
  const Shape& shape;
  const Heads<const float>& query;
  const Heads<const float>& key;
  const Heads<const float>& value;
  const KeyValueCache* cache;  // instead of key and value
  const AttentionOptions& options;
  const AttentionResults& results;
  const Scratch& scratch;

  // The matrix of one head in a gapless batch × heads × q_len × k_len; null stays null.
  float* matrix_of_head(float* data, std::size_t batch, std::size_t head) const {
    if (data == nullptr) return nullptr;
    return data + (batch * shape.heads + head) * shape.q_len * shape.k_len;
  }
};

// The query heads of one batch entry that read the same keys and values.
struct HeadGroup {
  const Call& call;
  std::size_t batch;
  std::size_t first_head;
  std::size_t heads;

  void attend() const {
    const Shape& shape = call.shape;
    for (std::size_t h = 0; h < heads; ++h) begin(h);
    // Tiles start at multiples of kTileKeys by position, also where the first keys are gone.
    const std::size_t first_tile = first_key() / kTileKeys * kTileKeys;
    const std::size_t positions = first_key() + shape.k_len - first_tile;
    for_each_block(positions, kTileKeys, [&](std::size_t first, std::size_t keys) {
      const std::size_t tile_key = first_tile + first;
      Tile tile{tile_key, keys, {}, {}};
      for (std::size_t h = 0; h < heads; ++h) {
        for_each_block(
            shape.q_len, kBlockQueries, [&](std::size_t first_query, std::size_t queries) {
              absorb(h, {batch, first_head + h, first_query, queries, tile_key, keys}, tile);
            });
      }
    });
    for (std::size_t h = 0; h < heads; ++h) end(h);
  }

 private:
  struct Tile {
    std::size_t first_key;
    std::size_t rows;
    KeyTile keys;
    ValueTile values;
    bool packed = false;
  };

  std::size_t first_key() const { return call.options.visibility.first_key; }

  Matrix<float> output(std::size_t h) const {
    return call.results.output.at(batch, first_head + h);
  }

  SoftmaxRow* rows(std::size_t h) const { return call.scratch.rows + h * call.shape.q_len; }

  // Where a head's biased scores wait to become weights, if those are asked for.
  KeptScores weights(std::size_t h) const {
    float* data = call.results.average_weights != nullptr
                      ? call.scratch.head_scores
                      : call.matrix_of_head(call.results.weights, batch, first_head + h);
    return {data, first_key(), call.shape.k_len, Stage::kBiased};
  }

  KeptScores scores(std::size_t h) const {
    return {call.matrix_of_head(call.results.scores, batch, first_head + h), first_key(),
            call.shape.k_len, call.results.scores_stage};
  }

  void begin(std::size_t h) const {
    const Shape& shape = call.shape;
    std::fill_n(rows(h), shape.q_len, SoftmaxRow::begin(call.options.sinks, first_head + h));
    for (std::size_t i = 0; i < shape.q_len; ++i) {
      std::fill_n(output(h).row(i), shape.value_dim, 0.0F);
    }
    for (const KeptScores& kept : {weights(h), scores(h)}) {
      if (kept.keeps(Stage::kBiased)) {
        std::fill_n(kept.data, shape.q_len * shape.k_len, SoftmaxRow::kMinusInfinity);
      }
    }
  }

  void pack(Tile& tile) const {
    const std::size_t kv_head = first_head / (call.shape.heads / call.shape.kv_heads);
    if (call.cache != nullptr) {
      const KeyValueCache::Tile cached = call.cache->tile(batch, kv_head, tile.first_key);
      tile.keys.packed = cached.keys;
      tile.values = {{cached.values, kTileKeys * kPanel}, *cached.finite != 0};
    } else {
      const Matrix<const float> keys = call.key.at(batch, kv_head).block(tile.first_key, tile.rows);
      call.kernels.pack_keys(call.scratch.keys, keys);
      tile.keys.packed = call.scratch.keys;
      if (call.options.similarity.kind == Similarity::Kind::kCosine) {
        inverse_lengths(keys, call.scratch.inverse_lengths);
        tile.keys.inverse_lengths = call.scratch.inverse_lengths;
      }
      tile.values = ValueTile::pack(call.kernels,
                                    call.value.at(batch, kv_head).block(tile.first_key, tile.rows),
                                    call.scratch.values);
    }
    tile.packed = true;
  }

  // Takes one tile of keys and values into one block of rows.
  void absorb(std::size_t h, const TilePlace& place, Tile& tile) const {
    const BlockView view = view_block(call.options.visibility, place);
    if (view.columns.empty() && !scores(h).keeps_unseen()) return;
    if (place.queries > kBlockSplit && view.is_ragged()) {
      // On a diagonal: fewer rows at a time leave out more of what they do not see.
      for_each_block(place.queries, kBlockSplit, [&](std::size_t first, std::size_t queries) {
        TilePlace part = place;
        part.first_query += first;
        part.queries = queries;
        absorb(h, part, tile);
      });
      return;
    }
    if (!tile.packed) pack(tile);
    const Matrix<float> block{call.scratch.scores, place.queries, kTileKeys, kTileKeys};
    score_tile(call.kernels, block,
               call.query.at(batch, place.head).block(place.first_query, place.queries),
               call.scratch.queries, tile.keys, call.options, place, view, scores(h));
    if (view.columns.empty()) return;
    if (weights(h).keeps(Stage::kBiased)) weights(h).keep(block, place, view.columns);

    const KeyRange columns = whole_panels(view.columns);
    SoftmaxRow* row = rows(h) + place.first_query;
    for (std::size_t i = 0; i < place.queries; ++i) {
      float* row_scores = block.row(i) + columns.first;
      const std::size_t width = columns.last - columns.first;
      if (view.rows[i].empty()) {
        std::fill_n(row_scores, width, 0.0F);
        call.scratch.carry[i] = 1;
      } else if (call.options.similarity.is_exponential()) {
        call.scratch.carry[i] = row[i].absorb(call.kernels, row_scores, width);
      } else {
        row[i].add(row_scores, width);
        call.scratch.carry[i] = 1;
      }
    }
    weigh_tile(call.kernels, output(h).block(place.first_query, place.queries), call.scratch.carry,
               block, tile.values, view.columns, &call.options.visibility, place);
  }

  void end(std::size_t h) const {
    const Shape& shape = call.shape;
    const std::size_t head = first_head + h;
    float* log_sum_exp = call.results.log_sum_exp;
    if (log_sum_exp != nullptr) log_sum_exp += (batch * shape.heads + head) * shape.q_len;
    for (std::size_t i = 0; i < shape.q_len; ++i) {
      const SoftmaxRow& row = rows(h)[i];
      float* output_row = output(h).row(i);
      if (row.undefined()) {
        std::fill_n(output_row, shape.value_dim, SoftmaxRow::kNaN);
      } else if (row.sum == 0) {
        std::fill_n(output_row, shape.value_dim, 0.0F);
      } else if (row.sees) {
        for (std::size_t c = 0; c < shape.value_dim; ++c) output_row[c] /= row.sum;
      }
      if (log_sum_exp != nullptr) log_sum_exp[i] = row.log_sum_exp();
      if (weights(h).data != nullptr) {
        float* row_weights = weights(h).data + i * shape.k_len;
        if (call.options.similarity.is_exponential()) {
          row.normalise(call.kernels, row_weights, shape.k_len);
        } else {
          row.divide(row_weights, shape.k_len);
        }
      }
    }
    if (call.results.average_weights != nullptr) add_to_average(head);
  }

  void add_to_average(std::size_t head) const {
    const std::size_t count = call.shape.q_len * call.shape.k_len;
    float* average = call.results.average_weights + batch * count;
    const float* weights = call.scratch.head_scores;
    const auto all_heads = static_cast<float>(call.shape.heads);
    const bool is_last = head + 1 == call.shape.heads;
    for (std::size_t at = 0; at < count; ++at) {
      const float sum = head == 0 ? weights[at] : average[at] + weights[at];
      average[at] = is_last ? sum / all_heads : sum;
    }
  }
};

}  // namespace

std::uint64_t attend_workspace_bytes(const Shape& shape, bool average_weights) {
  Workspace counting;
  const Scratch scratch(counting, shape, average_weights);
  return counting.used();
}

namespace {

void attend(const Kernels& kernels, const Shape& shape, Heads<const float> query,
            Heads<const float> key, Heads<const float> value, const KeyValueCache* cache,
            const AttentionOptions& options, const AttentionResults& results, void* workspace) {
  const bool average = results.average_weights != nullptr;
  Workspace carving(workspace);
  const Scratch scratch(carving, shape, average);
  const Call call{kernels, shape, query, key, value, cache, options, results, scratch};
  const std::size_t together = heads_together(shape, average);
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t head = 0; head < shape.heads; head += together) {
      HeadGroup{call, batch, head, together}.attend();
    }
  }
}

}  // namespace

void attend(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            Heads<const float> value, const AttentionOptions& options,
            const AttentionResults& results, void* workspace) {
  const Shape shape{query.batch, query.heads, key.heads, query.rows,
                    key.rows,    query.cols,  value.cols};
  attend(kernels, shape, query, key, value, nullptr, options, results, workspace);
}

void attend(const Kernels& kernels, Heads<const float> query, const KeyValueCache& cache,
            const AttentionOptions& options, const AttentionResults& results, void* workspace) {
  const Shape shape{query.batch,  query.heads,   cache.kv_heads, query.rows,
                    cache.kept(), cache.key_dim, cache.value_dim};
  attend(kernels, shape, query, {}, {}, &cache, options, results, workspace);
}

}  // namespace attention
