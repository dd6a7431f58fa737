// attend(): over batch entries, groups of heads that share keys, tiles of keys, blocks of queries.
// A tile is packed when the first block needs it and used by every block of every head in the
// group; what no row of a block sees is skipped. Weights, if asked for, are the exponentials of the
// stream: kept as they are formed, multiplied when the sums are known.
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

// Queries of each head that are taken through all tiles together when their weights are kept. So
// few that the exponentials are still in a cache when they become weights; so many that packing
// every tile anew for them is a small part of the work.
std::size_t span_queries(const Shape& shape, bool average) {
  constexpr std::size_t kSpanRows = 512;
  return std::min(shape.q_len, std::max(kBlockQueries, kSpanRows / heads_together(shape, average)));
}

// At most: the first and the last tile may be cut.
std::size_t tiles_of(const Shape& shape) { return shape.k_len / kTileKeys + 2; }

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
        tile_maxima(workspace.take<float>(std::uint64_t{span_queries(shape, average)} *
                                          heads_together(shape, average) * tiles_of(shape))),
        head_weights(average ? workspace.take<float>(std::uint64_t{shape.q_len} * shape.k_len)
                             : nullptr) {}

  float* keys;             // a packed tile
  float* values;           // a packed tile
  float* inverse_lengths;  // of a tile's keys
  float* queries;          // a packed block
  float* scores;           // kBlockQueries × kTileKeys
  float* carry;            // kBlockQueries
  SoftmaxRow* rows;        // heads of a group × q_len
  float* tile_maxima;   // heads of a group × span_queries × tiles_of: each row's, after each tile
  float* head_weights;  // q_len × k_len of one head, while weights are averaged
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
    const std::size_t q_len = call.shape.q_len;
    for_each_block(q_len, weights(0).data == nullptr ? q_len : span(),
                   [&](std::size_t first, std::size_t count) {
                     attend({first, count});
                   });
  }

 private:
  struct Queries {
    std::size_t first;
    std::size_t count;
  };

  struct Tile {
    std::size_t first_key;
    std::size_t rows;
    KeyTile keys;
    ValueTile values;
    bool packed = false;
  };

  void attend(Queries queries) const {
    for (std::size_t h = 0; h < heads; ++h) begin(h, queries);
    for_each_tile([&](Tile& tile) {
      for (std::size_t h = 0; h < heads; ++h) {
        for_each_block(queries.count, kBlockQueries, [&](std::size_t first, std::size_t count) {
          absorb(h, place(h, {queries.first + first, count}, tile), tile);
        });
      }
    });
    for (std::size_t h = 0; h < heads; ++h) end(h, queries);
  }

  template <class Visit>
  void for_each_tile(Visit visit) const {
    const std::size_t positions = first_key() + call.shape.k_len - first_tile();
    for_each_block(positions, kTileKeys, [&](std::size_t first, std::size_t keys) {
      Tile tile{first_tile() + first, keys, {}, {}};
      visit(tile);
    });
  }

  std::size_t first_key() const { return call.options.visibility.first_key; }

  // Tiles start at multiples of kTileKeys by position, also where the first keys are gone.
  std::size_t first_tile() const { return first_key() / kTileKeys * kTileKeys; }

  std::size_t span() const {
    return span_queries(call.shape, call.results.average_weights != nullptr);
  }

  bool is_exponential() const { return call.options.similarity.is_exponential(); }

  TilePlace place(std::size_t h, Queries queries, const Tile& tile) const {
    return {batch, first_head + h, queries.first, queries.count, tile.first_key, tile.rows};
  }

  Matrix<float> output(std::size_t h) const {
    return call.results.output.at(batch, first_head + h);
  }

  SoftmaxRow* rows(std::size_t h) const { return call.scratch.rows + h * call.shape.q_len; }

  // Where what becomes a head's weights waits, if those are asked for: exponentials, or else biased
  // similarities.
  [[gnu::noinline]] KeptScores weights(std::size_t h) const {
    float* data = call.results.average_weights != nullptr
                      ? call.scratch.head_weights
                      : call.matrix_of_head(call.results.weights, batch, first_head + h);
    return {data, first_key(), call.shape.k_len, Stage::kBiased,
            is_exponential() ? 0 : SoftmaxRow::kMinusInfinity};
  }

  // One for each tile, of a query in the span that is at work.
  float* tile_maxima(std::size_t h, std::size_t query) const {
    return call.scratch.tile_maxima + (h * span() + query % span()) * tiles_of(call.shape);
  }

  [[gnu::noinline]] KeptScores scores(std::size_t h) const {
    return {call.matrix_of_head(call.results.scores, batch, first_head + h), first_key(),
            call.shape.k_len, call.results.scores_stage};
  }

  void begin(std::size_t h, Queries queries) const {
    std::fill_n(rows(h) + queries.first, queries.count,
                SoftmaxRow::begin(call.options.sinks, first_head + h));
    for (std::size_t i = 0; i < queries.count; ++i) {
      std::fill_n(output(h).row(queries.first + i), call.shape.value_dim, 0.0F);
    }
    if (weights(h).data != nullptr) {
      std::fill_n(tile_maxima(h, queries.first), queries.count * tiles_of(call.shape),
                  SoftmaxRow::kMinusInfinity);
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

  Matrix<float> block(const TilePlace& place) const {
    return {call.scratch.scores, place.queries, kTileKeys, kTileKeys};
  }

  void score(const TilePlace& place, const Tile& tile, const BlockView& view,
             const KeptScores& kept) const {
    score_tile(call.kernels, block(place),
               call.query.at(batch, place.head).block(place.first_query, place.queries),
               call.scratch.queries, tile.keys, call.options, place, view, kept);
  }

  // kSpoil: form the scores of one row again, whose weights are not numbers.
  enum class Aim { kAttend, kSpoil };

  // Takes one tile of keys and values into one block of rows.
  void absorb(std::size_t h, const TilePlace& place, Tile& tile, Aim aim = Aim::kAttend) const {
    const BlockView view = view_block(call.options.visibility, place);
    if (view.columns.empty() && !scores(h).keeps_unseen()) {
      for (const KeptScores& kept : {weights(h), scores(h)}) kept.keep(call.kernels, {}, place, {});
      return;
    }
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
    score(place, tile, view, scores(h));
    if (view.columns.empty()) {
      weights(h).keep(call.kernels, {}, place, {});
      return;
    }
    const KeyRange columns = whole_panels(view.columns);
    const Matrix<float> seen{call.scratch.scores + columns.first, place.queries,
                             columns.last - columns.first, kTileKeys};
    SoftmaxRow* row = rows(h) + place.first_query;
    if (aim == Aim::kSpoil) {
      SoftmaxRow::spoil(seen.row(0), seen.cols);
      weights(h).keep(call.kernels, block(place), place, view.columns);
      return;
    }
    for (std::size_t i = 0; i < place.queries; ++i) {
      row[i].sees = row[i].sees || !view.rows[i].empty();
    }
    if (is_exponential()) {
      attention::absorb(call.kernels, row, seen, call.scratch.carry);
      if (weights(h).data != nullptr) keep_exponentials(h, place, view.columns);
    } else {
      weights(h).keep(call.kernels, block(place), place, view.columns);
      for (std::size_t i = 0; i < place.queries; ++i) row[i].add(seen.row(i), seen.cols);
      std::fill_n(call.scratch.carry, place.queries, 1.0F);
    }
    weigh_tile(call.kernels, output(h).block(place.first_query, place.queries), call.scratch.carry,
               block(place), tile.values, view.columns, &call.options.visibility, place);
  }

  void keep_exponentials(std::size_t h, const TilePlace& place, KeyRange columns) const {
    weights(h).keep(call.kernels, block(place), place, columns);
    const std::size_t tile = (place.first_key - first_tile()) / kTileKeys;
    for (std::size_t query = place.first_query; query < place.first_query + place.queries;
         ++query) {
      tile_maxima(h, query)[tile] = rows(h)[query].maximum;
    }
  }

  void end(std::size_t h, Queries queries) const {
    const Shape& shape = call.shape;
    const std::size_t head = first_head + h;
    float* log_sum_exp = call.results.log_sum_exp;
    if (log_sum_exp != nullptr) log_sum_exp += (batch * shape.heads + head) * shape.q_len;
    bool poisoned = false;
    for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
      const SoftmaxRow& row = rows(h)[i];
      float* output_row = output(h).row(i);
      if (row.undefined()) {
        std::fill_n(output_row, shape.value_dim, SoftmaxRow::kNaN);
      } else if (row.sum == 0) {
        std::fill_n(output_row, shape.value_dim, 0.0F);
      } else if (row.sees && is_exponential()) {
        row.weigh(call.kernels, output_row, shape.value_dim, row.maximum);
      } else if (row.sees) {
        for (std::size_t c = 0; c < shape.value_dim; ++c) output_row[c] /= row.sum;
      }
      if (log_sum_exp != nullptr) log_sum_exp[i] = row.log_sum_exp();
      if (weights(h).data != nullptr) end_weights(h, i);
      poisoned = poisoned || row.poisoned();
    }
    if (poisoned && is_exponential() && weights(h).data != nullptr) spoil_weights(h, queries);
    if (call.results.average_weights != nullptr) add_to_average(head, queries);
  }

  void end_weights(std::size_t h, std::size_t query) const {
    const SoftmaxRow& row = rows(h)[query];
    float* row_weights = weights(h).data + query * call.shape.k_len;
    if (!is_exponential()) {
      row.divide(row_weights, call.shape.k_len);
    } else if (row.sees && !row.undefined() && !row.poisoned()) {
      const float* maximum = tile_maxima(h, query);
      for_each_tile([&](const Tile& tile) {
        const std::size_t first = std::max(first_key(), tile.first_key);
        const std::size_t count = tile.first_key + tile.rows - first;
        row.weigh(call.kernels, row_weights, count, *maximum++);
        row_weights += count;
      });
    }
  }

  // The exponentials of a row that is not a number do not tell a key that is not visible from one
  // that is far below the maximum, so its scores are formed again.
  void spoil_weights(std::size_t h, Queries queries) const {
    for_each_tile([&](Tile& tile) {
      for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
        if (rows(h)[i].poisoned()) absorb(h, place(h, {i, 1}, tile), tile, Aim::kSpoil);
      }
    });
  }

  void add_to_average(std::size_t head, Queries queries) const {
    const std::size_t k_len = call.shape.k_len;
    const std::size_t count = queries.count * k_len;
    float* average =
        call.results.average_weights + (batch * call.shape.q_len + queries.first) * k_len;
    const float* weights = call.scratch.head_weights + queries.first * k_len;
    const auto all_heads = static_cast<float>(call.shape.heads);
    const bool is_last = head + 1 == call.shape.heads;
    if (head == 0) std::fill_n(average, count, 0.0F);
    for (std::size_t at = 0; at < count; ++at) average[at] += weights[at];
    if (!is_last) return;
    for (std::size_t at = 0; at < count; ++at) average[at] /= all_heads;
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
