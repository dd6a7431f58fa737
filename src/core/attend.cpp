// attend(): loops over batch entries, groups of query heads that share a KV head, tiles of keys,
// and blocks of queries. A tile is packed when the first block needs it and used by all blocks of
// all heads of the group. Tiles without visible keys are skipped.
#include <algorithm>
#include <cassert>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/returned_weights.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"
#include "core/tiles.h"
#include "core/weighted_values.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Up to this many query rows, reading keys and values in place is faster than packing them.
constexpr std::size_t kMaxInPlaceRows = 2;

// Scratch memory, reused by every group of heads.
struct AttendScratch {
  AttendScratch(Workspace& workspace, const Shape& shape, bool average)
      : keys(workspace.take<float>(packed_tile_floats(shape.k_len, shape.key_dim))),
        values(workspace.take<float>(packed_tile_floats(shape.k_len, shape.value_dim))),
        inverse_lengths(workspace.take<float>(kTileKeys)),
        queries(workspace.take<float>(std::uint64_t{kBlockQueries} * shape.key_dim)),
        scores(take_score_tile(workspace)),
        rescale(workspace.take<float>(kBlockQueries)),
        rows(workspace.take<SoftmaxRow>(std::uint64_t{shape.q_len} *
                                        heads_per_group(shape, average))),
        weights(workspace, shape, average) {}

  float* keys;             // a packed tile
  float* values;           // a packed tile
  float* inverse_lengths;  // of a tile's keys
  float* queries;          // a packed block
  float* scores;           // kBlockQueries × kTileKeys
  float* rescale;          // kBlockQueries: per row, exp(old maximum - new maximum)
  SoftmaxRow* rows;        // heads of a group × q_len
  ReturnedWeights::Scratch weights;
};

// The state shared by all groups of heads.
struct AttendContext {
  const Kernels& kernels;
  const Shape& shape;
  const Heads<const float>& query;
  const Heads<const float>& key;
  const Heads<const float>& value;
  const KeyValueCache* cache;  // null: use key and value
  KeyRange existing;           // existing keys, by position
  const AttentionOptions& options;
  const AttentionResults& results;
  const AttendScratch& scratch;
  const ReturnedWeights& weights;
};

// The query heads of one batch entry that share a KV head.
class HeadGroup {
 public:
  HeadGroup(const AttendContext& context, std::size_t batch, std::size_t first_head,
            std::size_t heads)
      : context_(context), batch_(batch), first_head_(first_head), heads_(heads) {}

  void run() const {
    const std::size_t q_len = context_.shape.q_len;
    for_each_block(q_len, context_.weights.requested() ? context_.weights.span() : q_len,
                   [&](std::size_t first, std::size_t count) {
                     process_queries({first, count});
                   });
  }

 private:
  using Head = ReturnedWeights::Head;
  using Queries = ReturnedWeights::Queries;

  struct Tile {
    std::size_t first_key;
    std::size_t rows;
    KeyTile keys;
    ValueTile values;
    bool packed = false;
  };

  void process_queries(Queries queries) const {
    for (std::size_t h = 0; h < heads_; ++h) begin(head(h), queries);
    for_each_key_tile([&](Tile& tile) {
      for (std::size_t h = 0; h < heads_; ++h) {
        for_each_block(queries.count, kBlockQueries, [&](std::size_t first, std::size_t count) {
          process_tile(head(h), extent(head(h), {queries.first + first, count}, tile), tile);
        });
      }
    });
    for (std::size_t h = 0; h < heads_; ++h) end(head(h), queries);
  }

  // Tiles start at multiples of kTileKeys, even if a sliding cache has evicted the first keys.
  template <class Visit>
  void for_each_key_tile(Visit visit) const {
    const std::size_t start = context_.existing.first / kTileKeys * kTileKeys;
    for_each_block(context_.existing.last - start, kTileKeys,
                   [&](std::size_t first, std::size_t keys) {
                     Tile tile{start + first, keys, {}, {}};
                     visit(tile);
                   });
  }

  Head head(std::size_t h) const { return {batch_, first_head_ + h, h}; }

  TileExtent extent(const Head& head, Queries queries, const Tile& tile) const {
    return {batch_,         head.head, queries.first,    queries.count,
            tile.first_key, tile.rows, context_.existing};
  }

  bool is_exponential() const { return context_.options.similarity.is_exponential(); }

  Matrix<float> output(const Head& head) const {
    return context_.results.output.at(batch_, head.head);
  }

  SoftmaxRow* rows(const Head& head) const {
    return context_.scratch.rows + head.index_in_group * context_.shape.q_len;
  }

  ReturnedScores scores(const Head& head) const {
    const Shape& shape = context_.shape;
    ReturnedScores returned;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      float* data = context_.results.scores[stage];
      if (data == nullptr) continue;
      returned.stages[stage].data =
          data + (batch_ * shape.heads + head.head) * shape.q_len * shape.k_len;
    }
    return returned;
  }

  void begin(const Head& head, Queries queries) const {
    std::fill_n(rows(head) + queries.first, queries.count,
                SoftmaxRow::begin(context_.options.sinks, head.head));
    for (std::size_t i = 0; i < queries.count; ++i) {
      std::fill_n(output(head).row(queries.first + i), context_.shape.value_dim, 0.0F);
    }
    context_.weights.begin(head, queries);
  }

  // Packing does not pay off for a few rows. In-place reads need the same contiguous range of
  // visible keys for all rows, so there must be no mask.
  bool reads_in_place() const {
    const Visibility& visibility = context_.options.visibility;
    return heads_ * context_.shape.q_len <= kMaxInPlaceRows && !visibility.mask.is_set() &&
           (context_.shape.q_len == 1 || visibility.is_uniform()) &&
           context_.options.similarity.kind == Similarity::Kind::kExponential;
  }

  void pack(Tile& tile) const {
    const std::size_t kv_head = first_head_ / (context_.shape.heads / context_.shape.kv_heads);
    if (context_.cache != nullptr) {
      const KeyValueCache::Tile cached = context_.cache->tile(batch_, kv_head, tile.first_key);
      tile.keys.packed = cached.keys;
      tile.values = {{cached.values, kTileKeys * kPanel}, *cached.finite != 0, {}};
    } else if (reads_in_place()) {
      tile.keys.in_place = context_.key.at(batch_, kv_head).block(tile.first_key, tile.rows);
      tile.values.in_place = context_.value.at(batch_, kv_head).block(tile.first_key, tile.rows);
    } else {
      const Matrix<const float> keys =
          context_.key.at(batch_, kv_head).block(tile.first_key, tile.rows);
      context_.kernels.pack_keys(context_.scratch.keys, keys);
      tile.keys.packed = context_.scratch.keys;
      if (context_.options.similarity.kind == Similarity::Kind::kCosine) {
        inverse_lengths(keys, context_.scratch.keys, kPanel, context_.scratch.inverse_lengths);
        tile.keys.inverse_lengths = context_.scratch.inverse_lengths;
      }
      tile.values = ValueTile::pack(
          context_.kernels, context_.value.at(batch_, kv_head).block(tile.first_key, tile.rows),
          context_.scratch.values);
    }
    tile.packed = true;
  }

  // The scores of a block.
  Matrix<float> block(const TileExtent& extent) const {
    return {context_.scratch.scores, extent.queries, kTileKeys, kTileKeys};
  }

  void score(const TileExtent& extent, Tile& tile, const BlockView& view,
             const ReturnedScores& returned) const {
    if (!tile.packed) pack(tile);
    score_tile(context_.kernels, block(extent),
               context_.query.at(batch_, extent.head).block(extent.first_query, extent.queries),
               context_.scratch.queries, tile.keys, context_.options, extent, view, returned);
  }

  // Handles a tile without keys visible to the block.
  void skip_tile(const Head& head, const TileExtent& extent, Tile& tile, const BlockView& view,
                 const ReturnedScores& returned) const {
    context_.weights.store_invisible(head, extent);
    if (returned.includes_invisible()) {
      score(extent, tile, view, returned);
    } else {
      returned.at(Stage::kBiased).store(context_.kernels, {}, extent, {});
    }
  }

  // Processes a block in smaller blocks if its rows have different visible ranges, as on the
  // diagonal of a causal mask: smaller blocks skip more invisible keys.
  void split_block(const Head& head, const TileExtent& extent, Tile& tile) const {
    for_each_block(extent.queries, kBlockSplit, [&](std::size_t first, std::size_t queries) {
      TileExtent rows_block = extent;
      rows_block.first_query += first;
      rows_block.queries = queries;
      process_tile(head, rows_block, tile);
    });
  }

  // Replaces scores by exponentials relative to the running maximum of their row, and sets rescale
  // to the factors that adjust earlier output to the new maximum.
  void accumulate_exponential(const Head& head, const TileExtent& extent, const BlockView& view,
                              SoftmaxRow* row) const {
    accumulate(context_.kernels, row, visible_columns(extent, view), context_.scratch.rescale);
    context_.weights.store_tile(head, extent, block(extent), view.columns, row);
  }

  // Similarities that are not exponentials are summed directly.
  void accumulate_plain(const Head& head, const TileExtent& extent, const BlockView& view,
                        SoftmaxRow* row) const {
    const Matrix<float> columns = visible_columns(extent, view);
    context_.weights.store_tile(head, extent, block(extent), view.columns, row);
    for (std::size_t i = 0; i < extent.queries; ++i) row[i].add(columns.row(i), columns.cols);
    std::fill_n(context_.scratch.rescale, extent.queries, 1.0F);
  }

  // Accumulates one tile of keys and values into one block of rows.
  void process_tile(const Head& head, const TileExtent& extent, Tile& tile) const {
    const BlockView view = view_block(context_.options.visibility, extent);
    const ReturnedScores returned = scores(head);
    if (view.columns.empty()) return skip_tile(head, extent, tile, view, returned);
    if (extent.queries > kBlockSplit && view.is_ragged()) return split_block(head, extent, tile);
    score(extent, tile, view, returned);
    SoftmaxRow* row = rows(head) + extent.first_query;
    for (std::size_t i = 0; i < extent.queries; ++i) {
      row[i].any_visible = row[i].any_visible || !view.rows[i].empty();
    }
    if (is_exponential()) {
      accumulate_exponential(head, extent, view, row);
    } else {
      accumulate_plain(head, extent, view, row);
    }
    add_weighted_values(context_.kernels, output(head).block(extent.first_query, extent.queries),
                        context_.scratch.rescale, block(extent), tile.values, view.columns,
                        &context_.options.visibility, extent);
  }

  // The scores of a block, limited to columns with keys visible to any row.
  Matrix<float> visible_columns(const TileExtent& extent, const BlockView& view) const {
    const KeyRange columns = whole_panels(view.columns);
    return {context_.scratch.scores + columns.first, extent.queries, columns.last - columns.first,
            kTileKeys};
  }

  void end(const Head& head, Queries queries) const {
    const Shape& shape = context_.shape;
    float* log_sum_exp = context_.results.log_sum_exp;
    if (log_sum_exp != nullptr) log_sum_exp += (batch_ * shape.heads + head.head) * shape.q_len;
    bool has_nan = false;
    for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
      const SoftmaxRow& row = rows(head)[i];
      end_output(row, output(head).row(i));
      if (log_sum_exp != nullptr) log_sum_exp[i] = row.log_sum_exp();
      context_.weights.end(head, i, row);
      has_nan = has_nan || row.has_nan();
    }
    if (has_nan && is_exponential() && context_.weights.requested())
      propagate_nan_to_weights(head, queries);
    context_.weights.end(head, queries);
  }

  void end_output(const SoftmaxRow& row, float* output) const {
    const std::size_t value_dim = context_.shape.value_dim;
    if (row.is_undefined()) {
      std::fill_n(output, value_dim, SoftmaxRow::kNaN);
    } else if (row.sum == 0) {
      std::fill_n(output, value_dim, 0.0F);
    } else if (row.any_visible && is_exponential()) {
      row.normalize(context_.kernels, output, value_dim, row.maximum);
    } else if (row.any_visible) {
      for (std::size_t c = 0; c < value_dim; ++c) output[c] /= row.sum;
    }
  }

  // In a row with NaN, an exponential of 0 may be an invisible key or a visible one that
  // underflowed. The scores are computed again to distinguish them.
  void propagate_nan_to_weights(const Head& head, Queries queries) const {
    for_each_key_tile([&](Tile& tile) {
      for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
        const SoftmaxRow& row = rows(head)[i];
        if (!row.has_nan()) continue;
        const TileExtent one = extent(head, {i, 1}, tile);
        const BlockView view = view_block(context_.options.visibility, one);
        if (view.columns.empty()) {
          context_.weights.store_invisible(head, one);
          continue;
        }
        score(one, tile, view, {});
        SoftmaxRow::propagate_nan(visible_columns(one, view).row(0),
                                  visible_columns(one, view).cols);
        context_.weights.store_tile(head, one, block(one), view.columns, &row);
      }
    });
  }

  const AttendContext& context_;
  std::size_t batch_;
  std::size_t first_head_;
  std::size_t heads_;
};

// True if the heads of a KV group can be treated as rows of one head: q_len is 1 and no option is
// per head.
bool can_fold_heads(const Shape& shape, const AttentionOptions& options, bool average) {
  return shape.q_len == 1 && shape.heads > shape.kv_heads && !average &&
         options.similarity.kind != Similarity::Kind::kPrecomputed && options.slopes.empty() &&
         options.sinks.empty() && options.distance_bias.numbers == nullptr &&
         !options.position_scores.is_set();
}

template <class T>
void heads_to_rows(Heads<T>& heads, std::size_t count) {
  heads.heads /= count;
  heads.rows = count;
  heads.row_stride = heads.head_stride;
  heads.head_stride *= count;
}

// Keys and values, or a cache of both.
struct KeysAndValues {
  Heads<const float> key = {};
  Heads<const float> value = {};
  const KeyValueCache* cache = nullptr;  // null: use key and value
  KeyRange existing;                     // existing keys, by position
};

// Turns the heads of a group into rows of one head, so that one pass over a tile computes all of
// them.
void fold_heads(Shape& shape, Heads<const float>& query, AttentionOptions& options,
                AttentionResults& results) {
  shape.q_len = heads_per_group(shape, false);
  shape.heads = shape.kv_heads;
  heads_to_rows(query, shape.q_len);
  heads_to_rows(results.output, shape.q_len);
  Mask& mask = options.visibility.mask;
  mask.query_stride = mask.head_stride;
  mask.head_stride *= shape.q_len;
  options.visibility.same_position = true;
}

void attend_groups(const Kernels& kernels, Shape shape, Heads<const float> query,
                   const KeysAndValues& keys, const AttentionOptions& requested_options,
                   AttentionResults results, Workspace& workspace) {
  const bool average = results.average_weights != nullptr;
  AttentionOptions options = with_defaults(requested_options, shape.key_dim);
  if (can_fold_heads(shape, options, average)) fold_heads(shape, query, options, results);
  const AttendScratch scratch(workspace, shape, average);
  if (workspace.counts()) return;
  const ReturnedWeights weights(kernels, shape, results, options.similarity.is_exponential(),
                                keys.existing, scratch.weights);
  const AttendContext context{kernels,       shape,   query,   keys.key, keys.value, keys.cache,
                              keys.existing, options, results, scratch,  weights};
  if (average && shape.heads == 0) {
    std::fill_n(results.average_weights, shape.batch * shape.q_len * shape.k_len, 0.0F);
  }
  // batch can be in the billions when q_len or heads is 0.
  if (shape.q_len == 0 || shape.heads == 0) return;
  const std::size_t together = heads_per_group(shape, average);
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t head = 0; head < shape.heads; head += together) {
      HeadGroup(context, batch, head, together).run();
    }
  }
}

[[maybe_unused]] bool divides_heads(const Shape& shape) {
  return shape.kv_heads == 0 ? shape.heads == 0 : shape.heads % shape.kv_heads == 0;
}

// True if output is batch × heads × q_len × value_dim. Without heads the width is undefined.
[[maybe_unused]] bool has_shape(const Heads<float>& output, const Shape& shape) {
  if (shape.heads == 0) return output.heads == 0;
  return output.batch == shape.batch && output.heads == shape.heads && output.rows == shape.q_len &&
         output.cols == shape.value_dim;
}

}  // namespace

void attend(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            Heads<const float> value, const AttentionOptions& options,
            const AttentionResults& results, Workspace& workspace) {
  const Shape shape = shape_of(query, key, value);
  assert(divides_heads(shape) && query.cols == key.cols && query.cols > 0);
  assert(key.batch == query.batch && value.batch == query.batch && value.heads == key.heads);
  assert(value.rows == key.rows && has_shape(results.output, shape));
  attend_groups(kernels, shape, query, {key, value, nullptr, {0, shape.k_len}}, options, results,
                workspace);
}

void attend(const Kernels& kernels, Heads<const float> query, const KeyValueCache& cache,
            const AttentionOptions& options, const AttentionResults& results,
            Workspace& workspace) {
  const Shape shape = shape_of(query, cache);
  assert(divides_heads(shape) && query.cols == cache.key_dim && query.batch == cache.batch);
  assert(has_shape(results.output, shape));
  const double newest = static_cast<double>(cache.length) - static_cast<double>(query.rows);
  AttentionOptions positioned = options;
  std::span<const double>& offsets = positioned.visibility.offsets;
  if (offsets.empty()) offsets = std::span(&newest, 1);
  attend_groups(kernels, shape, query, {{}, {}, &cache, {cache.first, cache.length}}, positioned,
                results, workspace);
}

}  // namespace attention
