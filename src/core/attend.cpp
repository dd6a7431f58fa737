// attend(): over batch entries, groups of heads that share keys, tiles of keys, blocks of queries.
// A tile is packed when the first block needs it and used by every block of every head in the
// group; what no row of a block sees is skipped.
#include <algorithm>
#include <cassert>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/kept_weights.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"
#include "core/tiles.h"
#include "core/weigh_tile.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Rows of which each reads keys and values where they lie sooner than they are packed.
constexpr std::size_t kFewRows = 2;

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
        weights(workspace, shape, average) {}

  float* keys;             // a packed tile
  float* values;           // a packed tile
  float* inverse_lengths;  // of a tile's keys
  float* queries;          // a packed block
  float* scores;           // kBlockQueries × kTileKeys
  float* carry;            // kBlockQueries
  SoftmaxRow* rows;        // heads of a group × q_len
  KeptWeights::Scratch weights;
};

struct Call {
  const Kernels& kernels;
  const Shape& shape;
  const Heads<const float>& query;
  const Heads<const float>& key;
  const Heads<const float>& value;
  const KeyValueCache* cache;  // instead of key and value
  KeyRange existing;           // the keys that there are, by position
  const AttentionOptions& options;
  const AttentionResults& results;
  const Scratch& scratch;
  const KeptWeights& weights;
};

// The query heads of one batch entry that read the same keys and values.
class HeadGroup {
 public:
  HeadGroup(const Call& call, std::size_t batch, std::size_t first_head, std::size_t heads)
      : call_(call), batch_(batch), first_head_(first_head), heads_(heads) {}

  void attend() const {
    const std::size_t q_len = call_.shape.q_len;
    for_each_block(q_len, call_.weights.wanted() ? call_.weights.span() : q_len,
                   [&](std::size_t first, std::size_t count) {
                     attend({first, count});
                   });
  }

 private:
  using Head = KeptWeights::Head;
  using Queries = KeptWeights::Queries;

  struct Tile {
    std::size_t first_key;
    std::size_t rows;
    KeyTile keys;
    ValueTile values;
    bool packed = false;
  };

  void attend(Queries queries) const {
    for (std::size_t h = 0; h < heads_; ++h) begin(head(h), queries);
    for_each_tile([&](Tile& tile) {
      for (std::size_t h = 0; h < heads_; ++h) {
        for_each_block(queries.count, kBlockQueries, [&](std::size_t first, std::size_t count) {
          take_tile(head(h), place(head(h), {queries.first + first, count}, tile), tile);
        });
      }
    });
    for (std::size_t h = 0; h < heads_; ++h) end(head(h), queries);
  }

  // Tiles start at multiples of kTileKeys by position, also where the first keys are gone.
  template <class Visit>
  void for_each_tile(Visit visit) const {
    const std::size_t start = call_.existing.first / kTileKeys * kTileKeys;
    for_each_block(call_.existing.last - start, kTileKeys,
                   [&](std::size_t first, std::size_t keys) {
                     Tile tile{start + first, keys, {}, {}};
                     visit(tile);
                   });
  }

  Head head(std::size_t h) const { return {batch_, first_head_ + h, h}; }

  TilePlace place(const Head& head, Queries queries, const Tile& tile) const {
    return {batch_,         head.head, queries.first, queries.count,
            tile.first_key, tile.rows, call_.existing};
  }

  bool is_exponential() const { return call_.options.similarity.is_exponential(); }

  Matrix<float> output(const Head& head) const {
    return call_.results.output.at(batch_, head.head);
  }

  SoftmaxRow* rows(const Head& head) const {
    return call_.scratch.rows + head.in_group * call_.shape.q_len;
  }

  KeptScores scores(const Head& head) const {
    const Shape& shape = call_.shape;
    KeptScores kept;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      float* data = call_.results.scores[stage];
      if (data == nullptr) continue;
      kept.stages[stage].data =
          data + (batch_ * shape.heads + head.head) * shape.q_len * shape.k_len;
    }
    return kept;
  }

  void begin(const Head& head, Queries queries) const {
    std::fill_n(rows(head) + queries.first, queries.count,
                SoftmaxRow::begin(call_.options.sinks, head.head));
    for (std::size_t i = 0; i < queries.count; ++i) {
      std::fill_n(output(head).row(queries.first + i), call_.shape.value_dim, 0.0F);
    }
    call_.weights.begin(head, queries);
  }

  // Few rows share too little of what would be packed. Without a mask they see all keys from the
  // first to the last that they see.
  bool reads_in_place() const {
    const Visibility& visibility = call_.options.visibility;
    return heads_ * call_.shape.q_len <= kFewRows && !visibility.mask.given() &&
           (call_.shape.q_len == 1 || visibility.is_alike()) &&
           call_.options.similarity.kind == Similarity::Kind::kExponential;
  }

  void pack(Tile& tile) const {
    const std::size_t kv_head = first_head_ / (call_.shape.heads / call_.shape.kv_heads);
    if (call_.cache != nullptr) {
      const KeyValueCache::Tile cached = call_.cache->tile(batch_, kv_head, tile.first_key);
      tile.keys.packed = cached.keys;
      tile.values = {{cached.values, kTileKeys * kPanel}, *cached.finite != 0, {}};
    } else if (reads_in_place()) {
      tile.keys.in_place = call_.key.at(batch_, kv_head).block(tile.first_key, tile.rows);
      tile.values.in_place = call_.value.at(batch_, kv_head).block(tile.first_key, tile.rows);
    } else {
      const Matrix<const float> keys =
          call_.key.at(batch_, kv_head).block(tile.first_key, tile.rows);
      call_.kernels.pack_keys(call_.scratch.keys, keys);
      tile.keys.packed = call_.scratch.keys;
      if (call_.options.similarity.kind == Similarity::Kind::kCosine) {
        inverse_lengths(keys, call_.scratch.keys, kPanel, call_.scratch.inverse_lengths);
        tile.keys.inverse_lengths = call_.scratch.inverse_lengths;
      }
      tile.values = ValueTile::pack(
          call_.kernels, call_.value.at(batch_, kv_head).block(tile.first_key, tile.rows),
          call_.scratch.values);
    }
    tile.packed = true;
  }

  // The scores of a block.
  Matrix<float> block(const TilePlace& place) const {
    return {call_.scratch.scores, place.queries, kTileKeys, kTileKeys};
  }

  void score(const TilePlace& place, Tile& tile, const BlockView& view,
             const KeptScores& kept) const {
    if (!tile.packed) pack(tile);
    score_tile(call_.kernels, block(place),
               call_.query.at(batch_, place.head).block(place.first_query, place.queries),
               call_.scratch.queries, tile.keys, call_.options, place, view, kept);
  }

  // One tile of keys and values into one block of rows.
  void take_tile(const Head& head, const TilePlace& place, Tile& tile) const {
    const BlockView view = view_block(call_.options.visibility, place);
    const KeptScores kept = scores(head);
    if (view.columns.empty()) {
      call_.weights.take_unseen(head, place);
      if (kept.keeps_unseen()) return score(place, tile, view, kept);
      return kept.at(Stage::kBiased).keep(call_.kernels, {}, place, {});
    }
    if (place.queries > kBlockSplit && view.is_ragged()) {
      // On a diagonal: fewer rows at a time leave out more of what they do not see.
      for_each_block(place.queries, kBlockSplit, [&](std::size_t first, std::size_t queries) {
        TilePlace part = place;
        part.first_query += first;
        part.queries = queries;
        take_tile(head, part, tile);
      });
      return;
    }
    score(place, tile, view, kept);
    SoftmaxRow* row = rows(head) + place.first_query;
    for (std::size_t i = 0; i < place.queries; ++i) {
      row[i].sees = row[i].sees || !view.rows[i].empty();
    }
    const Matrix<float> seen = seen_of(place, view);
    if (is_exponential()) {
      absorb(call_.kernels, row, seen, call_.scratch.carry);
      call_.weights.take(head, place, block(place), view.columns, row);
    } else {
      call_.weights.take(head, place, block(place), view.columns, row);
      for (std::size_t i = 0; i < place.queries; ++i) row[i].add(seen.row(i), seen.cols);
      std::fill_n(call_.scratch.carry, place.queries, 1.0F);
    }
    weigh_tile(call_.kernels, output(head).block(place.first_query, place.queries),
               call_.scratch.carry, block(place), tile.values, view.columns,
               &call_.options.visibility, place);
  }

  // The columns of a block that any of its rows sees.
  Matrix<float> seen_of(const TilePlace& place, const BlockView& view) const {
    const KeyRange columns = whole_panels(view.columns);
    return {call_.scratch.scores + columns.first, place.queries, columns.last - columns.first,
            kTileKeys};
  }

  void end(const Head& head, Queries queries) const {
    const Shape& shape = call_.shape;
    float* log_sum_exp = call_.results.log_sum_exp;
    if (log_sum_exp != nullptr) log_sum_exp += (batch_ * shape.heads + head.head) * shape.q_len;
    bool poisoned = false;
    for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
      const SoftmaxRow& row = rows(head)[i];
      end_output(row, output(head).row(i));
      if (log_sum_exp != nullptr) log_sum_exp[i] = row.log_sum_exp();
      call_.weights.end(head, i, row);
      poisoned = poisoned || row.poisoned();
    }
    if (poisoned && is_exponential() && call_.weights.wanted()) spoil_weights(head, queries);
    call_.weights.end(head, queries);
  }

  void end_output(const SoftmaxRow& row, float* output) const {
    const std::size_t value_dim = call_.shape.value_dim;
    if (row.undefined()) {
      std::fill_n(output, value_dim, SoftmaxRow::kNaN);
    } else if (row.sum == 0) {
      std::fill_n(output, value_dim, 0.0F);
    } else if (row.sees && is_exponential()) {
      row.weigh(call_.kernels, output, value_dim, row.maximum);
    } else if (row.sees) {
      for (std::size_t c = 0; c < value_dim; ++c) output[c] /= row.sum;
    }
  }

  // The exponentials of a row that is not a number do not tell a key that is not visible from one
  // that is far below the maximum, so its scores are formed again.
  void spoil_weights(const Head& head, Queries queries) const {
    for_each_tile([&](Tile& tile) {
      for (std::size_t i = queries.first; i < queries.first + queries.count; ++i) {
        const SoftmaxRow& row = rows(head)[i];
        if (!row.poisoned()) continue;
        const TilePlace one = place(head, {i, 1}, tile);
        const BlockView view = view_block(call_.options.visibility, one);
        if (view.columns.empty()) {
          call_.weights.take_unseen(head, one);
          continue;
        }
        score(one, tile, view, {});
        SoftmaxRow::spoil(seen_of(one, view).row(0), seen_of(one, view).cols);
        call_.weights.take(head, one, block(one), view.columns, &row);
      }
    });
  }

  const Call& call_;
  std::size_t batch_;
  std::size_t first_head_;
  std::size_t heads_;
};

// Whether nothing tells the heads of a lone query that share their keys from its rows.
bool heads_are_rows(const Shape& shape, const AttentionOptions& options, bool average) {
  return shape.q_len == 1 && shape.heads > shape.kv_heads && !average &&
         options.similarity.kind != Similarity::Kind::kGiven && options.slopes.empty() &&
         options.sinks.empty() && options.distance_bias.numbers == nullptr;
}

template <class T>
void turn_into_rows(Heads<T>& heads, std::size_t count) {
  heads.heads /= count;
  heads.rows = count;
  heads.row_stride = heads.head_stride;
  heads.head_stride *= count;
}

void attend(const Kernels& kernels, Shape shape, KeyRange existing, Heads<const float> query,
            Heads<const float> key, Heads<const float> value, const KeyValueCache* cache,
            const AttentionOptions& given, AttentionResults results, Workspace& workspace) {
  const bool average = results.average_weights != nullptr;
  AttentionOptions options = with_defaults(given, shape.key_dim);
  // A tile of keys and values then meets all of them at once.
  if (heads_are_rows(shape, options, average)) {
    shape.q_len = heads_together(shape, average);
    shape.heads = shape.kv_heads;
    turn_into_rows(query, shape.q_len);
    turn_into_rows(results.output, shape.q_len);
    Mask& mask = options.visibility.mask;
    mask.query_stride = mask.head_stride;
    mask.head_stride *= shape.q_len;
    options.visibility.together = true;
  }
  const Scratch scratch(workspace, shape, average);
  if (workspace.counts()) return;
  const KeptWeights weights(kernels, shape, results, options.similarity.is_exponential(), existing,
                            scratch.weights);
  const Call call{kernels,  shape,   query,   key,     value,  cache,
                  existing, options, results, scratch, weights};
  if (average && shape.heads == 0) {
    std::fill_n(results.average_weights, shape.batch * shape.q_len * shape.k_len, 0.0F);
  }
  // Billions of empty entries are no work.
  if (shape.q_len == 0) return;
  const std::size_t together = heads_together(shape, average);
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t head = 0; head < shape.heads; head += together) {
      HeadGroup(call, batch, head, together).attend();
    }
  }
}

[[maybe_unused]] bool shares_heads(const Shape& shape) {
  return shape.kv_heads == 0 ? shape.heads == 0 : shape.heads % shape.kv_heads == 0;
}

// value_dim numbers for each query of each head; without heads nothing says how wide a head is.
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
  assert(shares_heads(shape) && query.cols == key.cols && query.cols > 0);
  assert(key.batch == query.batch && value.batch == query.batch && value.heads == key.heads);
  assert(value.rows == key.rows && has_shape(results.output, shape));
  attend(kernels, shape, {0, shape.k_len}, query, key, value, nullptr, options, results, workspace);
}

void attend(const Kernels& kernels, Heads<const float> query, const KeyValueCache& cache,
            const AttentionOptions& options, const AttentionResults& results,
            Workspace& workspace) {
  const Shape shape = shape_of(query, cache);
  assert(shares_heads(shape) && query.cols == cache.key_dim && query.batch == cache.batch);
  assert(has_shape(results.output, shape));
  const double newest = static_cast<double>(cache.length) - static_cast<double>(query.rows);
  AttentionOptions positioned = options;
  std::span<const double>& offsets = positioned.visibility.offsets;
  if (offsets.empty()) offsets = std::span(&newest, 1);
  attend(kernels, shape, {cache.first, cache.length}, query, {}, {}, &cache, positioned, results,
         workspace);
}

}  // namespace attention
