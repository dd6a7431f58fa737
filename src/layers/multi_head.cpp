// Multi-head attention: projections before and after attend(). Projected sequences are packed
// (batch × rows × heads·dim) in scratch memory.
#include "attention/multi_head.h"

#include <algorithm>
#include <cassert>

#include "layers/copy_heads.h"

namespace attention {
namespace {

Sequences<float> take(Workspace& memory, const Sequences<const float>& rows, std::size_t cols) {
  return {memory.take<float>(std::uint64_t{rows.batch} * rows.rows * cols), rows.batch, rows.rows,
          cols};
}

// Projected keys and values of a context.
struct Projected {
  Projected(Workspace& memory, const MultiHeadAttention& layer, const Sequences<const float>& rows)
      : key(take(memory, rows, layer.key.out)), value(take(memory, rows, layer.value.out)) {}

  Sequences<float> key;
  Sequences<float> value;
};

// Applies the RMS norm, of each head or over all, and the rotary embedding to projected queries or
// keys.
void normalize_and_rotate(const Norm& norm, bool over_heads, const Rotation& rotation,
                          const Sequences<float>& rows, std::size_t head_count,
                          std::span<const double> positions) {
  const Heads<float> heads = rows.split(head_count);
  if (norm.weight != nullptr && over_heads) {
    norm.apply(rows.all(), rows.all());
  } else if (norm.weight != nullptr) {
    for (std::size_t batch = 0; batch < heads.batch; ++batch) {
      for (std::size_t head = 0; head < heads.heads; ++head) {
        norm.apply(heads.at(batch, head), heads.at(batch, head));
      }
    }
  }
  rotation.apply(heads, positions);
}

// The inputs of attend(), split into heads.
struct AttentionInputs {
  Heads<float> queries;
  Heads<const float> keys, values;  // unused if there is a cache
};

void project_queries(const Kernels& kernels, const MultiHeadAttention& layer,
                     const Sequences<const float>& x, const Sequences<float>& query,
                     std::span<const double> positions) {
  layer.query.apply(kernels, x.all(), query.all());
  normalize_and_rotate(layer.query_norm, layer.query_norm_over_heads, layer.rotation, query,
                       layer.heads, positions);
}

// The cache of a context after its rows are appended. If the workspace only counts, they have not
// been appended yet.
KeyValueCache filled_cache(const Context& context, const Workspace& workspace) {
  return workspace.counts() ? context.cache->after_append(context.rows.rows) : *context.cache;
}

void attend_over(const Kernels& kernels, const Context& context, const AttentionInputs& inputs,
                 const AttentionOptions& options, const AttentionResults& results,
                 Workspace& workspace) {
  if (context.cache == nullptr) {
    attend(kernels, inputs.queries, inputs.keys, inputs.values, options, results, workspace);
  } else {
    attend(kernels, inputs.queries, filled_cache(context, workspace), options, results, workspace);
  }
}

// Sets the scores of the layer's position vectors.
void add_position_scores(const Kernels& kernels, const MultiHeadAttention& layer,
                         const AttentionInputs& inputs, AttentionOptions& options,
                         Workspace& workspace) {
  options.position_scores = score_positions(kernels, layer.position_vectors, inputs.queries,
                                            inputs.keys, options.scale, workspace);
}

// attend() with interventions.
struct EditedAttention {
  const Kernels& kernels;
  const MultiHeadAttention& layer;
  const Context& context;
  AttentionInputs& inputs;
  AttentionOptions& options;
  AttentionResults& results;
  const Interventions& interventions;
  Workspace& workspace;

  bool counts() const { return workspace.counts(); }

  void run() const {
    if (!counts()) intervene(interventions, Place::kQuery, inputs.queries);
    add_position_scores(kernels, layer, inputs, options, workspace);
    request(results.scores[static_cast<std::size_t>(Stage::kRaw)], Place::kContentContent);
    Heads<const float> keys = inputs.keys;
    Heads<const float> values = inputs.values;
    const bool in_steps =
        interventions.edits_at(Place::kScores) || interventions.edits_at(Place::kPattern);
    if (context.cache != nullptr && (in_steps || captures_cached())) read_cache(keys, values);
    if (in_steps) {
      attend_in_steps(values);
    } else {
      attend_and_capture();
    }
    if (!counts()) {
      if (!context.projects()) {
        capture(interventions, Place::kKey, keys);
        capture(interventions, Place::kValue, values);
      }
      intervene(interventions, Place::kHeads, results.output);
    }
    capture_per_head(Place::kValueOutputs, values);
    capture_per_head(Place::kHeadOutputs, results.output);
    if (!counts()) capture_terms();
  }

 private:
  // True if keys or values of a cache are captured.
  bool captures_cached() const {
    return interventions.capture(Place::kValueOutputs) != nullptr ||
           (!context.projects() && (interventions.capture(Place::kKey) != nullptr ||
                                    interventions.capture(Place::kValue) != nullptr));
  }

  // Copies keys and values from the cache.
  void read_cache(Heads<const float>& keys, Heads<const float>& values) const {
    const KeyValueCache cache = filled_cache(context, workspace);
    const std::size_t heads = cache.batch * cache.kv_heads;
    const auto take_heads = [&](std::size_t dim) {
      auto* data = workspace.take<float>(std::uint64_t{heads} * cache.key_count() * dim);
      return Heads<float>::head_major(data, cache.batch, cache.kv_heads, cache.key_count(), dim);
    };
    const Heads<float> key = take_heads(cache.key_dim);
    const Heads<float> value = take_heads(cache.value_dim);
    if (!counts()) cache.read(key.data, value.data);
    keys = key;
    values = value;
  }

  // batch × heads × q_len × k_len
  Heads<float> matrix(float* data, std::size_t k_len) const {
    return Heads<float>::head_major(data, inputs.queries.batch, layer.heads, inputs.queries.rows,
                                    k_len);
  }

  float*& biased_scores() const { return results.scores[static_cast<std::size_t>(Stage::kBiased)]; }

  // Computes a captured matrix in its place, unless it is a requested result.
  void request(float*& result, Place place) const {
    if (result == nullptr) result = interventions.capture(place);
  }

  // The terms of the scores (position_vectors.h).
  void capture_terms() const {
    const PositionScores& scores = options.position_scores;
    if (!scores.is_set()) return;
    capture(interventions, Place::kContentContent,
            matrix(results.scores[static_cast<std::size_t>(Stage::kRaw)], inputs.keys.rows));
    capture_term(Place::kContentPosition, [&](auto batch, auto head, auto i, auto, auto distance) {
      return scores.query_term(batch, head, i, distance);
    });
    capture_term(Place::kPositionContent, [&](auto batch, auto head, auto, auto j, auto distance) {
      return scores.key_term(batch, head, j, distance);
    });
  }

  void capture_term(Place place, auto term) const {
    float* to = interventions.capture(place);
    if (to == nullptr) return;
    for (std::size_t batch = 0; batch < inputs.queries.batch; ++batch) {
      for (std::size_t head = 0; head < layer.heads; ++head) {
        for (std::size_t i = 0; i < inputs.queries.rows; ++i) {
          const std::int64_t position = options.visibility.position(batch, i);
          for (std::size_t j = 0; j < inputs.keys.rows; ++j) {
            *to++ = term(batch, head, i, j, static_cast<std::int64_t>(j) - position);
          }
        }
      }
    }
  }

  void attend_and_capture() const {
    request(biased_scores(), Place::kScores);
    request(results.weights, Place::kPattern);
    attend_over(kernels, context, inputs, options, results, workspace);
    if (counts()) return;
    const std::size_t k_len =
        context.cache == nullptr ? inputs.keys.rows : context.cache->key_count();
    capture(interventions, Place::kScores, matrix(biased_scores(), k_len));
    capture(interventions, Place::kPattern, matrix(results.weights, k_len));
  }

  // attend() returns the scores, from which the other steps start again.
  void attend_in_steps(const Heads<const float>& values) const {
    const Shape shape = shape_of(inputs.queries, values, values);
    const std::uint64_t count =
        std::uint64_t{shape.batch} * shape.heads * shape.q_len * shape.k_len;
    const AttentionResults requested = results;
    biased_scores() = workspace.take<float>(count);
    const Heads<float> numbers = matrix(biased_scores(), shape.k_len);
    results.weights = results.average_weights = nullptr;
    attend_over(kernels, context, inputs, options, results, workspace);
    if (!counts()) edit_matrices(numbers, static_cast<std::size_t>(count), requested);
    weighted_sum(kernels, numbers, values, results.output, workspace);
  }

  // Replaces scores by weights.
  void edit_matrices(const Heads<float>& numbers, std::size_t count,
                     const AttentionResults& requested) const {
    const Visibility visibility = options.visibility;
    const auto edit = [&](Place place, float* result) {
      const std::size_t first_key = context.cache == nullptr ? 0 : context.cache->first;
      intervene(interventions, place, numbers, &visibility, first_key);
      if (result != nullptr) std::copy_n(numbers.data, count, result);
    };
    edit(Place::kScores, requested.scores[static_cast<std::size_t>(Stage::kBiased)]);
    options.visibility = {};  // invisible scores are -inf
    softmax(kernels, numbers, options, numbers.data, requested.log_sum_exp);
    edit(Place::kPattern, requested.weights);
    if (requested.average_weights != nullptr) average(numbers, requested.average_weights);
  }

  // Writes the means over heads: sums, which the last head divides, as attend() has them.
  void average(const Heads<float>& weights, float* means) const {
    const std::size_t count = weights.head_stride;
    for (std::size_t batch = 0; batch < weights.batch; ++batch) {
      const float* first = weights.data + batch * weights.batch_stride;
      for (std::size_t at = 0; at < count; ++at) {
        float sum = 0;
        for (std::size_t head = 0; head < weights.heads; ++head) sum += first[head * count + at];
        *means++ = sum / static_cast<float>(weights.heads);
      }
    }
  }

  // Applies W_O to rows in which all heads but one are 0. heads: one per query head, or per KV
  // head.
  void capture_per_head(Place place, const Heads<const float>& heads) const {
    float* to = interventions.capture(place);
    if (to == nullptr) return;
    const LinearMap& map = layer.output;
    const std::size_t rows = heads.rows;
    const std::uint64_t count = std::uint64_t{rows} * map.in;
    auto* padded = workspace.take<float>(count);
    if (counts() || rows == 0) return;
    for (std::size_t at = 0; at < heads.batch * layer.heads; ++at, to += rows * map.out) {
      const std::size_t head = at % layer.heads;
      const Matrix<const float> from =
          heads.at(at / layer.heads, head / (layer.heads / heads.heads));
      std::fill_n(padded, count, 0.0F);
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(from.row(i), from.cols, padded + i * map.in + head * from.cols);
      }
      map.apply(kernels, {padded, rows, map.in, map.in}, {to, rows, map.out, map.out}, nullptr);
    }
  }
};

// Writes the output, and the head outputs and projections if requested.
void write_results(const Kernels& kernels, const MultiHeadAttention& layer, const Context& context,
                   const AttentionInputs& inputs, const Sequences<float>& heads,
                   const MultiHeadResults& results) {
  if (layer.output.out != 0) layer.output.apply(kernels, heads.all(), results.output.all());
  if (results.head_outputs != nullptr) copy_heads(heads.split(layer.heads), results.head_outputs);
  const MultiHeadProjections& projections = results.projections;
  if (projections.query == nullptr) return;
  copy_heads(inputs.queries, projections.query);
  if (context.cache != nullptr) {
    context.cache->read(projections.key, projections.value);
  } else {
    copy_heads(inputs.keys, projections.key);
    copy_heads(inputs.values, projections.value);
  }
}

void reserve_position_vectors(Workspace& memory, const MultiHeadShape& shape,
                              MultiHeadAttention& layer) {
  if (shape.position_buckets == 0) return;
  const auto take_vectors = [&] {
    const std::uint64_t count = std::uint64_t{shape.heads} * shape.position_buckets * layer.key_dim;
    return Heads<float>::head_major(memory.take<float>(count), 1, shape.heads,
                                    shape.position_buckets, layer.key_dim);
  };
  PositionVectors& vectors = layer.position_vectors;
  if (shape.position_key) vectors.key = take_vectors();
  if (shape.position_query) vectors.query = take_vectors();
  vectors.runs = {memory.take<DistanceRun>(shape.position_runs), shape.position_runs};
}

}  // namespace

MultiHeadAttention MultiHeadAttention::reserve(Workspace& memory, const MultiHeadShape& shape) {
  assert(shape.key.out % shape.kv_heads == 0 && shape.value.out % shape.kv_heads == 0);
  MultiHeadAttention layer;
  layer.heads = shape.heads;
  layer.kv_heads = shape.kv_heads;
  layer.key_dim = shape.key.out / shape.kv_heads;
  layer.value_dim = shape.value.out / shape.kv_heads;
  layer.query = LinearMap::reserve(memory, shape.query);
  layer.key = LinearMap::reserve(memory, shape.key);
  layer.value = LinearMap::reserve(memory, shape.value);
  if (shape.output.out != 0) layer.output = LinearMap::reserve(memory, shape.output);
  layer.query_norm.rms = layer.key_norm.rms = true;
  layer.query_norm_over_heads = shape.query_norm_over_heads;
  layer.key_norm_over_heads = shape.key_norm_over_heads;
  if (shape.query_norm) {
    const bool is_wide = shape.query_norm_over_heads;
    layer.query_norm.reserve(memory, is_wide ? shape.query.out : layer.key_dim, false);
  }
  if (shape.key_norm) {
    const bool is_wide = shape.key_norm_over_heads;
    layer.key_norm.reserve(memory, is_wide ? shape.key.out : layer.key_dim, false);
  }
  layer.rotation.width = shape.rotary_width;
  layer.rotation.frequencies = memory.take<double>(shape.rotary_width / 2);
  if (shape.distance_buckets != 0) {
    const std::size_t buckets = shape.distance_buckets;
    layer.distance_biases = memory.take<float>(std::uint64_t{shape.heads} * buckets);
    layer.distance_bias = {
        layer.distance_biases, buckets, {memory.take<DistanceRun>(buckets), buckets}};
  }
  reserve_position_vectors(memory, shape, layer);
  return layer;
}

void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             Sequences<float> key, Sequences<float> value, std::size_t position,
             const Interventions* interventions) {
  const auto first = static_cast<double>(position);
  layer.key.apply(kernels, rows.all(), key.all());
  layer.value.apply(kernels, rows.all(), value.all());
  normalize_and_rotate(layer.key_norm, layer.key_norm_over_heads, layer.rotation, key,
                       layer.kv_heads, {&first, 1});
  if (interventions == nullptr) return;
  intervene(*interventions, Place::kKey, key, layer.kv_heads);
  intervene(*interventions, Place::kValue, value, layer.kv_heads);
}

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace,
             const Interventions* interventions) {
  assert(results.output.cols == layer.out() && results.output.rows == x.rows);
  const Sequences<float> query = take(workspace, x, layer.query.out);
  const Projected projected(workspace, layer, context.rows);
  const Sequences<float> heads =
      layer.output.out != 0 ? take(workspace, x, layer.output.in) : results.output;
  const std::size_t cached = context.cache == nullptr ? 0 : context.cache->length;
  const double newest =
      static_cast<double>(cached + context.rows.rows) - static_cast<double>(x.rows);
  AttentionOptions own = options;
  if (!own.scale) own.scale = layer.scale;
  own.distance_bias = layer.distance_bias;
  std::span<const double>& positions = own.visibility.offsets;
  if (context.cache != nullptr && positions.empty()) positions = {&newest, 1};

  const Sequences<const float> key = context.projects() ? projected.key : context.key;
  const Sequences<const float> value = context.projects() ? projected.value : context.value;
  AttentionInputs inputs{query.split(layer.heads), key.split(layer.kv_heads),
                         value.split(layer.kv_heads)};
  if (!workspace.counts()) {
    project_queries(kernels, layer, x, query, positions);
    if (context.projects()) {
      project(kernels, layer, context.rows, projected.key, projected.value, cached, interventions);
      if (context.cache != nullptr) context.cache->append(kernels, inputs.keys, inputs.values);
    }
  }
  AttentionResults attention = results.attention;
  attention.output = heads.split(layer.heads);
  if (interventions == nullptr) {
    add_position_scores(kernels, layer, inputs, own, workspace);
    attend_over(kernels, context, inputs, own, attention, workspace);
  } else {
    EditedAttention{kernels, layer, context, inputs, own, attention, *interventions, workspace}
        .run();
  }
  if (workspace.counts()) return;
  write_results(kernels, layer, context, inputs, heads, results);
  if (interventions != nullptr) {
    const Norm* norm = interventions->output_norm;
    if (norm != nullptr) norm->apply(results.output.all(), results.output.all());
    intervene(*interventions, Place::kAttentionOutput, results.output, 1,
              interventions->output_scale);
  }
}

void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, Workspace& workspace) {
  const Sequences<float> packed = take(workspace, rows, map.out);
  if (workspace.counts()) return;
  map.apply(kernels, rows.all(), packed.all());
  copy_heads(packed.split(to.heads), to.data);
}

void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, Workspace& workspace, const Interventions* interventions) {
  const Projected projected(workspace, layer, context);
  if (workspace.counts()) return;
  project(kernels, layer, context, projected.key, projected.value, cache.length, interventions);
  cache.append(kernels, projected.key.split(layer.kv_heads), projected.value.split(layer.kv_heads));
}

void add_places(const MultiHeadAttention& layer, std::size_t q_len, const Context& context,
                PlaceShape* places) {
  const std::size_t k_len = context.k_len();
  const std::size_t projected = context.projects() ? context.rows.rows : k_len;
  const auto add = [&](Place place, std::size_t heads, std::size_t rows, std::size_t cols) {
    places[static_cast<std::size_t>(place)] = {heads, rows, cols};
  };
  add(Place::kQuery, layer.heads, q_len, layer.key_dim);
  add(Place::kKey, layer.kv_heads, projected, layer.key_dim);
  add(Place::kValue, layer.kv_heads, projected, layer.value_dim);
  add(Place::kScores, layer.heads, q_len, k_len);
  add(Place::kPattern, layer.heads, q_len, k_len);
  add(Place::kHeads, layer.heads, q_len, layer.value_dim);
  add(Place::kAttentionOutput, 1, q_len, layer.out());
  const PositionVectors& vectors = layer.position_vectors;
  if (vectors.is_set()) add(Place::kContentContent, layer.heads, q_len, k_len);
  if (vectors.key.cols != 0) add(Place::kContentPosition, layer.heads, q_len, k_len);
  if (vectors.query.cols != 0) add(Place::kPositionContent, layer.heads, q_len, k_len);
  if (layer.output.out == 0) return;
  add(Place::kHeadOutputs, layer.heads, q_len, layer.output.out);
  add(Place::kValueOutputs, layer.heads, k_len, layer.output.out);
}

}  // namespace attention
