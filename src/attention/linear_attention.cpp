// Chunk by chunk: what earlier chunks hold is in S and z; within a causal chunk the weights are
// formed as in attend(), and the half that may not be seen is set to 0, never multiplied.
#include "attention/linear_attention.h"

#include <algorithm>
#include <limits>

#include "attention/product.h"
#include "attention/tiles.h"
#include "attention/weigh_tile.h"
#include "attention/workspace.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Positions that are taken in together, keys and queries alike.
constexpr std::size_t kChunk = kBlockQueries;

struct Scratch {
  Scratch(Workspace& workspace, const Shape& shape)
      : sums(workspace.take<float>(std::uint64_t{shape.key_dim} * shape.value_dim)),
        packed_sums(workspace.take<float>(std::uint64_t{shape.key_dim} *
                                          round_up_to_panel(shape.value_dim))),
        normaliser(workspace.take<float>(shape.key_dim)),
        maxima(workspace.take<float>(shape.key_dim)),
        features(workspace.take<float>(std::uint64_t{kChunk} * shape.key_dim)),
        transposed(workspace.take<float>(std::uint64_t{kTileKeys} * shape.key_dim)),
        packed_keys(workspace.take<float>(std::uint64_t{kChunk} * shape.key_dim)),
        packed_values(
            workspace.take<float>(std::uint64_t{kChunk} * round_up_to_panel(shape.value_dim))),
        queries(workspace.take<float>(std::uint64_t{kChunk} * shape.key_dim)),
        packed_queries(workspace.take<float>(std::uint64_t{kChunk} * shape.key_dim)),
        scores(workspace.take<float>(kChunk * kTileKeys)),
        ones(workspace.take<float>(std::max(shape.key_dim, kChunk))),
        denominators(workspace.take<float>(
            shape.kv_heads == 0 ? 0 : std::uint64_t{shape.heads} / shape.kv_heads * shape.q_len)) {}

  float* sums;            // S of one kv head: key_dim × value_dim
  float* packed_sums;     // the same, packed as values are
  float* normaliser;      // z
  float* maxima;          // of each key feature, for the softmax over positions
  float* features;        // φ of a chunk of keys: kChunk × key_dim
  float* transposed;      // key_dim × keys of the chunk, rows kTileKeys apart
  float* packed_keys;     // φ of a chunk of keys, packed
  float* packed_values;   // a chunk of values, packed
  float* queries;         // φ of a chunk of queries
  float* packed_queries;  // the same, packed
  float* scores;          // kChunk × kChunk, rows kTileKeys apart
  float* ones;
  float* denominators;  // heads of a group × q_len
};

struct Call {
  const Kernels& kernels;
  const Shape& shape;
  const Heads<const float>& query;
  const Heads<const float>& key;
  const Heads<const float>& value;
  const LinearAttentionOptions& options;
  const LinearAttentionResults& results;
  const LinearAttentionState& before;
  const LinearAttentionState& after;
  const Scratch& scratch;
};

void clear(Matrix<float> rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) std::fill_n(rows.row(i), rows.cols, 0.0F);
}

void copy(Matrix<const float> rows, float* to) {
  for (std::size_t i = 0; i < rows.rows; ++i) to = std::copy_n(rows.row(i), rows.cols, to);
}

// One key/value head of one batch entry, and the query heads that read it.
class Head {
 public:
  Head(const Call& call, std::size_t batch, std::size_t kv_head)
      : call_(call),
        scratch_(call.scratch),
        shape_(call.shape),
        batch_(batch),
        kv_head_(kv_head),
        heads_(shape_.heads / shape_.kv_heads),
        keys_(call.key.at(batch, kv_head)),
        values_(call.value.at(batch, kv_head)),
        key_count_(call.options.key_lengths.empty()
                       ? shape_.k_len
                       : static_cast<std::size_t>(call.options.key_lengths[batch])) {}

  void attend() {
    begin();
    for_each_block(shape_.k_len, kChunk, [&](std::size_t first, std::size_t count) {
      take_in(first, count);
      if (call_.options.causal) {
        for (std::size_t h = 0; h < heads_; ++h) look_back(h, first, count);
      }
      add_to_state();
      if (call_.options.causal) pack_state();
    });
    pack_state();
    keep_state();
    for (std::size_t h = 0; h < heads_; ++h) {
      if (!call_.options.causal) {
        for_each_block(shape_.q_len, kChunk, [&](std::size_t first, std::size_t count) {
          take_queries(h, first, count);
          read_state(h, first);
          divide(h, first, count);
        });
      }
      write_weights(h);
    }
  }

 private:
  bool efficient() const { return call_.options.feature_map == FeatureMap::kEfficient; }
  std::size_t head(std::size_t h) const { return kv_head_ * heads_ + h; }
  float* denominators(std::size_t h) const { return scratch_.denominators + h * shape_.q_len; }
  Matrix<float> output(std::size_t h, std::size_t first, std::size_t count) const {
    return call_.results.output.at(batch_, head(h)).block(first, count);
  }
  Matrix<float> sums() const {
    return {scratch_.sums, shape_.key_dim, shape_.value_dim, shape_.value_dim};
  }
  Matrix<float> features() const {
    return {scratch_.features, present_, shape_.key_dim, shape_.key_dim};
  }

  void begin() {
    const LinearAttentionState& before = call_.before;
    const std::size_t at = batch_ * shape_.kv_heads + kv_head_;
    std::fill_n(scratch_.ones, std::max(shape_.key_dim, kChunk), 1.0F);
    if (before.sums != nullptr) {
      std::copy_n(before.sums + at * shape_.key_dim * shape_.value_dim,
                  shape_.key_dim * shape_.value_dim, scratch_.sums);
      std::copy_n(before.normaliser + at * shape_.key_dim, shape_.key_dim, scratch_.normaliser);
    } else {
      clear(sums());
      std::fill_n(scratch_.normaliser, shape_.key_dim, 0.0F);
    }
    pack_state();
    if (!efficient()) return;
    std::fill_n(scratch_.maxima, shape_.key_dim, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < key_count_; ++j) {
      for (std::size_t c = 0; c < shape_.key_dim; ++c) {
        scratch_.maxima[c] = std::max(scratch_.maxima[c], keys_.row(j)[c]);
      }
    }
  }

  void pack_state() { call_.kernels.pack_values(scratch_.packed_sums, sums()); }

  void map(float* numbers, std::size_t count) const {
    call_.kernels.apply(numbers, count,
                        static_cast<Function>(static_cast<int>(call_.options.feature_map)));
  }

  // Takes φ of a chunk of keys, and the values, as far as they exist.
  void take_in(std::size_t first, std::size_t count) {
    present_ = std::min(count, key_count_ - std::min(first, key_count_));
    copy(keys_.block(first, present_), scratch_.features);
    if (efficient()) {
      for (std::size_t j = 0; j < present_; ++j) {
        for (std::size_t c = 0; c < shape_.key_dim; ++c) {
          features().row(j)[c] -= scratch_.maxima[c];
        }
      }
      call_.kernels.apply(scratch_.features, present_ * shape_.key_dim, Function::kExp);
    } else {
      map(scratch_.features, present_ * shape_.key_dim);
    }
    chunk_values_ =
        ValueTile::pack(call_.kernels, values_.block(first, present_), scratch_.packed_values);
  }

  // S += Σ φ(k_j) v_jᵀ and z += Σ φ(k_j) over the chunk, the sums formed first.
  void add_to_state() {
    if (present_ == 0) return;
    for (std::size_t c = 0; c < shape_.key_dim; ++c) {
      float sum = 0;
      float* row = scratch_.transposed + c * kTileKeys;
      for (std::size_t j = 0; j < present_; ++j) {
        row[j] = features().row(j)[c];
        sum += row[j];
      }
      scratch_.normaliser[c] += sum;
    }
    call_.kernels.weigh_values(sums(), scratch_.ones, {scratch_.transposed, present_},
                               chunk_values_.packed);
  }

  void keep_state() const {
    const LinearAttentionState& after = call_.after;
    if (after.sums == nullptr) return;
    const std::size_t at = batch_ * shape_.kv_heads + kv_head_;
    copy(sums(), after.sums + at * shape_.key_dim * shape_.value_dim);
    std::copy_n(scratch_.normaliser, shape_.key_dim, after.normaliser + at * shape_.key_dim);
  }

  // φ of a chunk of queries.
  void take_queries(std::size_t h, std::size_t first, std::size_t count) {
    queries_ = {scratch_.queries, count, shape_.key_dim, shape_.key_dim};
    copy(call_.query.at(batch_, head(h)).block(first, count), scratch_.queries);
    if (!efficient()) return map(scratch_.queries, count * shape_.key_dim);
    for (std::size_t i = 0; i < count; ++i) soften(queries_.row(i));
  }

  // ρ_q, with the denominators of ρ_k folded in.
  void soften(float* row) const {
    const std::size_t dim = shape_.key_dim;
    const float maximum = *std::max_element(row, row + dim);
    for (std::size_t c = 0; c < dim; ++c) row[c] -= maximum;
    call_.kernels.apply(row, dim, Function::kExp);
    float sum = 0;
    for (std::size_t c = 0; c < dim; ++c) sum += row[c];
    for (std::size_t c = 0; c < dim; ++c) row[c] /= sum * scratch_.normaliser[c];
  }

  // output = φ(q)ᵀS and denominator = φ(q)ᵀz of the chunk of queries.
  void read_state(std::size_t h, std::size_t first) const {
    const Matrix<float> rows = output(h, first, queries_.rows);
    clear(rows);
    add_product(call_.kernels, queries_, {scratch_.packed_sums, shape_.key_dim * kPanel}, rows);
    for (std::size_t i = 0; i < queries_.rows; ++i) {
      float sum = 0;
      for (std::size_t c = 0; c < shape_.key_dim; ++c) {
        sum += queries_.row(i)[c] * scratch_.normaliser[c];
      }
      denominators(h)[first + i] = sum;
    }
  }

  // φ(q)·φ(k) of the chunks at hand.
  void compare(Matrix<float> scores) const {
    call_.kernels.pack_rows(scratch_.packed_queries, queries_);
    call_.kernels.dot_products(scores, {scratch_.packed_queries, shape_.key_dim},
                               scratch_.packed_keys, 1);
  }

  // A causal chunk of queries: the state of the chunks before, and within the chunk j <= i.
  void look_back(std::size_t h, std::size_t first, std::size_t count) {
    take_queries(h, first, count);
    read_state(h, first);
    if (present_ > 0) {
      const std::size_t width = round_up_to_panel(present_);
      const Matrix<float> scores{scratch_.scores, count, width, kTileKeys};
      call_.kernels.pack_keys(scratch_.packed_keys, features());
      compare(scores);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t seen = std::min(i + 1, present_);
        std::fill(scores.row(i) + seen, scores.row(i) + width, 0.0F);
        float sum = 0;
        for (std::size_t j = 0; j < seen; ++j) sum += scores.row(i)[j];
        denominators(h)[first + i] += sum;
      }
      Visibility visibility;
      visibility.k_len = key_count_;
      visibility.causal = true;
      weigh_tile(call_.kernels, output(h, first, count), scratch_.ones, scores, chunk_values_,
                 {0, present_}, &visibility, {0, 0, first, count, first, present_});
    }
    divide(h, first, count);
  }

  void divide(std::size_t h, std::size_t first, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      float& denominator = denominators(h)[first + i];
      // The softmaxes have their denominators already.
      if (efficient()) denominator = key_count_ == 0 ? 0 : 1;
      denominator += call_.options.epsilon;
      float* row = output(h, first, count).row(i);
      for (std::size_t c = 0; c < shape_.value_dim; ++c) {
        row[c] = denominator == 0 ? 0 : row[c] / denominator;
      }
    }
  }

  void write_weights(std::size_t h) {
    const LinearAttentionResults& results = call_.results;
    if (results.weights == nullptr && results.average_weights == nullptr) return;
    for_each_block(shape_.k_len, kChunk, [&](std::size_t first_key, std::size_t keys) {
      take_in(first_key, keys);
      call_.kernels.pack_keys(scratch_.packed_keys, features());
      for_each_block(shape_.q_len, kChunk, [&](std::size_t first, std::size_t count) {
        take_queries(h, first, count);
        const Matrix<float> scores{scratch_.scores, count, round_up_to_panel(present_), kTileKeys};
        compare(scores);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < keys; ++j) {
            const float denominator = denominators(h)[first + i];
            const bool seen = j < present_ && denominator != 0 &&
                              !(call_.options.causal && first_key + j > first + i);
            write_weight(h, first + i, first_key + j, seen ? scores.row(i)[j] / denominator : 0);
          }
        }
      });
    });
  }

  void write_weight(std::size_t h, std::size_t query, std::size_t key, float weight) const {
    const LinearAttentionResults& results = call_.results;
    const std::size_t row = query * shape_.k_len + key;
    const std::size_t size = shape_.q_len * shape_.k_len;
    if (results.weights != nullptr) {
      results.weights[(batch_ * shape_.heads + head(h)) * size + row] = weight;
      return;
    }
    float& average = results.average_weights[batch_ * size + row];
    if (head(h) > 0) weight += average;
    average = head(h) + 1 == shape_.heads ? weight / static_cast<float>(shape_.heads) : weight;
  }

  const Call& call_;
  const Scratch& scratch_;
  const Shape& shape_;
  std::size_t batch_;
  std::size_t kv_head_;
  std::size_t heads_;
  Matrix<const float> keys_;
  Matrix<const float> values_;
  std::size_t key_count_;

  std::size_t present_ = 0;  // keys of the chunk at hand that exist
  ValueTile chunk_values_;
  Matrix<float> queries_;
};

}  // namespace

std::uint64_t linear_attention_workspace_bytes(const Shape& shape) {
  Workspace counting;
  const Scratch scratch(counting, shape);
  return counting.used();
}

void linear_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                      Heads<const float> value, const LinearAttentionOptions& options,
                      const LinearAttentionResults& results, const LinearAttentionState& before,
                      const LinearAttentionState& after, void* workspace) {
  const Shape shape{query.batch, query.heads, key.heads, query.rows,
                    key.rows,    query.cols,  value.cols};
  Workspace carving(workspace);
  const Scratch scratch(carving, shape);
  const Call call{kernels, shape, query, key, value, options, results, before, after, scratch};
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    for (std::size_t kv_head = 0; kv_head < shape.kv_heads; ++kv_head) {
      Head(call, batch, kv_head).attend();
    }
  }
}

}  // namespace attention
