// The C++ API: documented defaults, caches and layers. Each layer is compared with its steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "attention/attention.h"
#include "kernels/kernels.h"
#include "support/cpp/exact_memory.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/tensors.h"

namespace attention::tests {
namespace {

class Library : public KernelsTest {};

std::vector<float> normal_numbers(std::size_t count, unsigned seed) {
  std::vector<float> numbers(count);
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::generate(numbers.begin(), numbers.end(), [&] { return normal(generator); });
  return numbers;
}

void copy_to(float* to, const std::vector<float>& numbers) {
  std::copy(numbers.begin(), numbers.end(), to);
}

ExactMemory lent(std::uint64_t bytes) { return ExactMemory(static_cast<double>(bytes)); }

// Runs compute() with scratch memory of exactly the counted size.
template <class Compute>
void in_exact_scratch(Compute compute) {
  Workspace counting;
  compute(counting);
  const ExactMemory memory = lent(counting.used());
  Workspace scratch(memory.get());
  compute(scratch);
  EXPECT_EQ(scratch.used(), counting.used());
}

// Numbers and a view of them.
struct OwnHeads {
  OwnHeads(std::size_t batch, std::size_t heads, std::size_t rows, std::size_t cols,
           unsigned seed = 0)
      : numbers(batch * heads * rows * cols),
        view(Heads<float>::head_major(numbers.data(), batch, heads, rows, cols)) {
    if (seed != 0) numbers = normal_numbers(numbers.size(), seed);
    view.data = numbers.data();
  }
  OwnHeads(const OwnHeads&) = delete;
  OwnHeads& operator=(const OwnHeads&) = delete;

  std::vector<float> numbers;
  Heads<float> view;
};

struct OwnSequences {
  OwnSequences(std::size_t batch, std::size_t rows, std::size_t cols, unsigned seed = 0)
      : numbers(batch * rows * cols), view{numbers.data(), batch, rows, cols} {
    if (seed != 0) numbers = normal_numbers(numbers.size(), seed);
    view.data = numbers.data();
  }
  OwnSequences(const OwnSequences&) = delete;
  OwnSequences& operator=(const OwnSequences&) = delete;

  std::vector<float> numbers;
  Sequences<float> view;
};

// One batch entry, four query heads, two KV heads, 7 queries, 11 keys.
struct Inputs {
  static constexpr std::size_t kHeads = 4, kKvHeads = 2, kQueries = 7, kKeys = 11, kKeyDim = 4,
                               kValueDim = 6;

  OwnHeads query{1, kHeads, kQueries, kKeyDim, 1};
  OwnHeads key{1, kKvHeads, kKeys, kKeyDim, 2};
  OwnHeads value{1, kKvHeads, kKeys, kValueDim, 3};
};

struct Attended {
  std::vector<float> output, weights;
};

Attended attended(const Kernels& kernels, const Inputs& inputs, const AttentionOptions& options) {
  OwnHeads output(1, Inputs::kHeads, Inputs::kQueries, Inputs::kValueDim);
  Attended result;
  result.weights.resize(Inputs::kHeads * Inputs::kQueries * Inputs::kKeys);
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, inputs.query.view, inputs.key.view, inputs.value.view, options,
           {.output = output.view, .weights = result.weights.data()}, scratch);
  });
  result.output = output.numbers;
  return result;
}

TEST_P(Library, AttendUsesItsDefaults) {
  const Inputs inputs;
  const Attended result = attended(kernels, inputs, {});
  for (std::size_t head = 0; head < Inputs::kHeads; ++head) {
    const Matrix<const float> keys = inputs.key.view.at(0, head / 2);
    const Matrix<const float> values = inputs.value.view.at(0, head / 2);
    for (std::size_t i = 0; i < Inputs::kQueries; ++i) {
      const float* query = inputs.query.view.at(0, head).row(i);
      // All keys are visible, each with similarity exp (q·k / √key_dim).
      std::array<double, Inputs::kKeys> alike;
      double sum = 0;
      for (std::size_t j = 0; j < Inputs::kKeys; ++j) {
        double product = 0;
        for (std::size_t c = 0; c < Inputs::kKeyDim; ++c) {
          product += double{query[c]} * keys.row(j)[c];
        }
        sum += alike[j] = std::exp(product / std::sqrt(double{Inputs::kKeyDim}));
      }
      const std::size_t row = head * Inputs::kQueries + i;
      for (std::size_t j = 0; j < Inputs::kKeys; ++j) {
        EXPECT_NEAR(result.weights[row * Inputs::kKeys + j], alike[j] / sum, 2e-6);
      }
      for (std::size_t c = 0; c < Inputs::kValueDim; ++c) {
        double mean = 0;
        for (std::size_t j = 0; j < Inputs::kKeys; ++j) mean += alike[j] / sum * values.row(j)[c];
        EXPECT_NEAR(result.output[row * Inputs::kValueDim + c], mean, 2e-6);
      }
    }
  }
}

TEST_P(Library, AttendUsesTheDefaultsOfSimilarity) {
  using Kind = Similarity::Kind;
  const Inputs inputs;
  const auto weights = [&](const Similarity& similarity) {
    AttentionOptions options;
    options.similarity = similarity;
    return attended(kernels, inputs, options).weights;
  };
  EXPECT_EQ(weights({.kind = Kind::kPolynomial}),
            weights({.kind = Kind::kPolynomial, .constant = 1, .degree = 2}));
  EXPECT_NE(weights({.kind = Kind::kPolynomial}),
            weights({.kind = Kind::kPolynomial, .constant = 1, .degree = 3}));
}

TEST_P(Library, AttendUsesTheScale) {
  const Inputs inputs;
  AttentionOptions options;
  options.scale = 0.5F;  // the default for key_dim 4
  EXPECT_TRUE(
      same_bits(attended(kernels, inputs, options).output, attended(kernels, inputs, {}).output));
  options.scale = 1;
  EXPECT_FALSE(
      same_bits(attended(kernels, inputs, options).output, attended(kernels, inputs, {}).output));
}

TEST_P(Library, StepsGiveTheWeightsOfAttend) {
  const Inputs inputs;
  AttentionOptions options;
  options.visibility.causal = true;
  const Attended whole = attended(kernels, inputs, options);
  OwnHeads numbers(1, Inputs::kHeads, Inputs::kQueries, Inputs::kKeys);
  in_exact_scratch([&](Workspace& scratch) {
    scores(kernels, inputs.query.view, inputs.key.view, options, Stage::kBiased, numbers.view.data,
           scratch);
  });
  softmax(kernels, numbers.view, options, numbers.view.data);
  EXPECT_TRUE(same_bits(numbers.numbers, whole.weights));
  OwnHeads output(1, Inputs::kHeads, Inputs::kQueries, Inputs::kValueDim);
  in_exact_scratch([&](Workspace& scratch) {
    weighted_sum(kernels, numbers.view, inputs.value.view, output.view, scratch);
  });
  for (std::size_t at = 0; at < output.numbers.size(); ++at) {
    EXPECT_NEAR(output.numbers[at], whole.output[at], 2e-6);
  }
}

// A single query gives the same bits as among others; memory after it is not read.
TEST_P(Library, OneQueryEqualsThatOfMany) {
  const OwnHeads key(1, 1, 11, 4, 2), value(1, 1, 11, 6, 3);
  const auto output_of = [&](std::size_t queries) {
    const OwnHeads query(1, 1, queries, 4, 1);
    OwnHeads output(1, 1, queries, 6);
    in_exact_scratch([&](Workspace& scratch) {
      attend(kernels, query.view, key.view, value.view, {}, {.output = output.view}, scratch);
    });
    return std::vector<float>(output.numbers.begin(), output.numbers.begin() + 6);
  };
  EXPECT_TRUE(same_bits(output_of(1), output_of(7)));
}

// A cache and its memory.
struct OwnCache {
  OwnCache(std::size_t key_dim, std::size_t value_dim, std::size_t capacity)
      : cache{.kv_heads = 2, .key_dim = key_dim, .value_dim = value_dim, .capacity = capacity},
        memory(static_cast<double>(cache.bytes())) {
    cache.attach(memory.get());
  }

  KeyValueCache cache;
  ExactMemory memory;
};

TEST_P(Library, QueriesOfACacheAreItsNewestPositions) {
  const Inputs inputs;
  AttentionOptions options;
  options.visibility.causal = true;
  const double offset = Inputs::kKeys - Inputs::kQueries;
  AttentionOptions placed = options;
  placed.visibility.offsets = {&offset, 1};
  const Attended expected = attended(kernels, inputs, placed);

  OwnCache kept(Inputs::kKeyDim, Inputs::kValueDim, Inputs::kKeys);
  kept.cache.append(kernels, inputs.key.view, inputs.value.view);
  EXPECT_EQ(kept.cache.key_count(), Inputs::kKeys);
  OwnHeads output(1, Inputs::kHeads, Inputs::kQueries, Inputs::kValueDim);
  std::vector<float> weights(expected.weights.size());
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, inputs.query.view, kept.cache, options,
           {.output = output.view, .weights = weights.data()}, scratch);
  });
  EXPECT_TRUE(same_bits(output.numbers, expected.output));
  EXPECT_TRUE(same_bits(weights, expected.weights));
}

// Infinite or NaN values must not be multiplied by a weight of 0.
TEST_P(Library, CacheKnowsItsFiniteTiles) {
  constexpr std::size_t kCount = 2 * kTileKeys + 1;
  OwnHeads key(1, 2, kCount, 3, 1), value(1, 2, kCount, 5, 2);
  value.view.at(0, 1).row(kTileKeys)[4] = std::numeric_limits<float>::infinity();
  OwnCache kept(3, 5, kCount);
  kept.cache.append(kernels, key.view, value.view);
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t tile = 0; tile < 3; ++tile) {
      EXPECT_EQ(*kept.cache.tile(0, head, tile * kTileKeys).finite, head == 1 && tile == 1 ? 0 : 1);
    }
  }
}

// Rows without keys are zeros; other rows are not.
TEST_P(Library, EfficientAttentionWithoutKeysIsZero) {
  const OwnHeads query(1, 1, 3, 4, 1), key(1, 1, 5, 4, 2), value(1, 1, 5, 6, 3);
  std::vector<float> numbers(4 * 6, 7);
  const double none = 0;
  in_exact_scratch([&](Workspace& scratch) {
    efficient_attention(kernels, query.view, key.view, value.view, {&none, 1},
                        {.output = Heads<float>::head_major(numbers.data(), 1, 1, 3, 6)}, scratch);
  });
  EXPECT_EQ(std::count(numbers.begin(), numbers.begin() + 18, 0.0F), 18);
  EXPECT_EQ(std::count(numbers.begin() + 18, numbers.end(), 7.0F), 6);
}

// x·W + b, with random W of standard deviation 1 / √in.
void pack_any(const Kernels& kernels, LinearMap& map, unsigned seed) {
  std::vector<float> weight = normal_numbers(map.in * map.out, seed);
  for (float& number : weight) number /= std::sqrt(static_cast<float>(map.in));
  const std::vector<float> bias = normal_numbers(map.out, seed + 1);
  map.pack(kernels, {weight.data(), map.in, map.out, map.out}, bias.data());
}

void pack_any(const Kernels& kernels, MultiHeadAttention& layer, unsigned seed) {
  for (LinearMap* map : {&layer.query, &layer.key, &layer.value, &layer.output}) {
    pack_any(kernels, *map, seed += 2);
  }
}

constexpr std::size_t kModelDim = 12;
constexpr std::size_t kLength = 9;

// Four query heads, two KV heads; key_dim 3, value_dim 5.
MultiHeadShape layer_shape() {
  return {.heads = 4,
          .kv_heads = 2,
          .query = {kModelDim, 4 * 3, true},
          .key = {kModelDim, 2 * 3, true},
          .value = {kModelDim, 2 * 5, true},
          .output = {4 * 5, kModelDim, true}};
}

class OwnLayer {
 public:
  explicit OwnLayer(const Kernels& kernels, const MultiHeadShape& shape = layer_shape())
      : memory_(lent(bytes(shape))) {
    Workspace block(memory_.get());
    layer = MultiHeadAttention::reserve(block, shape);
    pack_any(kernels, layer, 40);
  }

  MultiHeadAttention layer;

 private:
  static std::uint64_t bytes(const MultiHeadShape& shape) {
    Workspace counting;
    MultiHeadAttention::reserve(counting, shape);
    return counting.used();
  }

  ExactMemory memory_;
};

std::vector<float> forwarded(const Kernels& kernels, const MultiHeadAttention& layer,
                             Sequences<const float> x, const Context& context,
                             const AttentionOptions& options = {}) {
  OwnSequences output(x.batch, x.rows, layer.out());
  in_exact_scratch([&](Workspace& scratch) {
    forward(kernels, layer, x, context, options, {.output = output.view}, scratch);
  });
  return output.numbers;
}

void project_all(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
                 Heads<float> to) {
  in_exact_scratch([&](Workspace& scratch) { project(kernels, map, rows, to, scratch); });
}

// The same result from attend() over head-major projections.
std::vector<float> by_hand(const Kernels& kernels, const MultiHeadAttention& layer,
                           Sequences<const float> x, Sequences<const float> context,
                           const AttentionOptions& options = {}) {
  OwnHeads query(x.batch, layer.heads, x.rows, layer.key_dim);
  OwnHeads key(x.batch, layer.kv_heads, context.rows, layer.key_dim);
  OwnHeads value(x.batch, layer.kv_heads, context.rows, layer.value_dim);
  project_all(kernels, layer.query, x, query.view);
  project_all(kernels, layer.key, context, key.view);
  project_all(kernels, layer.value, context, value.view);
  OwnSequences together(x.batch, x.rows, layer.heads * layer.value_dim);
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, query.view, key.view, value.view, options,
           {.output = together.view.split(layer.heads)}, scratch);
  });
  OwnSequences output(x.batch, x.rows, layer.out());
  layer.output.apply(kernels, together.view.all(), output.view.all());
  return output.numbers;
}

TEST_P(Library, MultiHeadForwardEqualsAttendOfTheProjections) {
  const OwnLayer own(kernels);
  const OwnSequences x(2, kLength, kModelDim, 30);
  const OwnSequences other(2, 5, kModelDim, 31);
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, {.rows = x.view}),
                        by_hand(kernels, own.layer, x.view, x.view)));
  const std::vector<float> crossed = by_hand(kernels, own.layer, x.view, other.view);
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, {.rows = other.view}), crossed));

  // Projected keys and values.
  OwnSequences key(2, 5, own.layer.key.out);
  OwnSequences value(2, 5, own.layer.value.out);
  own.layer.key.apply(kernels, other.view.all(), key.view.all());
  own.layer.value.apply(kernels, other.view.all(), value.view.all());
  const Context projected{.key = key.view, .value = value.view};
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, projected), crossed));
}

TEST_P(Library, MultiHeadStepsWithACacheEqualOnePass) {
  const OwnLayer own(kernels);
  const OwnSequences x(1, kLength, kModelDim, 30);
  AttentionOptions options;
  options.visibility.causal = true;
  const std::vector<float> expected = by_hand(kernels, own.layer, x.view, x.view, options);
  OwnCache kept(own.layer.key_dim, own.layer.value_dim, kLength);
  std::vector<float> rows;
  for (std::size_t step = 0; step < kLength; ++step) {
    const Sequences<const float> row{x.view.data + step * kModelDim, 1, 1, kModelDim};
    const Context context{.rows = row, .cache = &kept.cache};
    EXPECT_EQ(context.k_len(), step + 1);
    const std::vector<float> output = forwarded(kernels, own.layer, row, context, options);
    rows.insert(rows.end(), output.begin(), output.end());
  }
  EXPECT_TRUE(same_bits(rows, expected));

  // Attends to a cache that append() filled; the context has no rows.
  OwnCache filled(own.layer.key_dim, own.layer.value_dim, kLength);
  in_exact_scratch(
      [&](Workspace& scratch) { append(kernels, own.layer, x.view, filled.cache, scratch); });
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, {.cache = &filled.cache}, options),
                        expected));
}

// Head norms, rotary embedding of two of three numbers, a distance bias for each distance up to 3,
// and a scale.
MultiHeadShape shape_with_positions() {
  MultiHeadShape shape = layer_shape();
  shape.query_norm = shape.key_norm = true;
  shape.rotary_width = 2;
  shape.distance_buckets = 7;
  return shape;
}

void write_positions(MultiHeadAttention& layer) {
  copy_to(layer.query_norm.weight, normal_numbers(layer.key_dim, 71));
  copy_to(layer.key_norm.weight, normal_numbers(layer.key_dim, 72));
  layer.rotation.frequencies[0] = 0.75;
  layer.rotation.factor = 1.5;
  copy_to(layer.distance_biases, normal_numbers(layer.heads * 7, 73));
  for (int at = 0; at < 7; ++at) {
    layer.distance_bias.runs.runs[at] = {at - 3, static_cast<std::uint32_t>(at)};
  }
  layer.scale = 0.5F;
}

// The steps of forward(): projections, norms, rotation; the distance biases as an additive mask.
std::vector<float> by_hand_with_positions(const Kernels& kernels, const MultiHeadAttention& layer,
                                          Sequences<const float> x, double offset) {
  const std::size_t n = x.rows;
  OwnHeads query(1, layer.heads, n, layer.key_dim);
  OwnHeads key(1, layer.kv_heads, n, layer.key_dim);
  OwnHeads value(1, layer.kv_heads, n, layer.value_dim);
  project_all(kernels, layer.query, x, query.view);
  project_all(kernels, layer.key, x, key.view);
  project_all(kernels, layer.value, x, value.view);
  const auto ready = [&](const OwnHeads& rows, const Norm& norm, double first) {
    const std::size_t count = rows.view.heads * n;
    const Matrix<float> all{rows.view.data, count, layer.key_dim, layer.key_dim};
    norm.apply(all, all);
    std::vector<float> cos(n), sin(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = (first + static_cast<double>(i)) * 0.75;
      cos[i] = static_cast<float>(1.5 * std::cos(angle));
      sin[i] = static_cast<float>(1.5 * std::sin(angle));
    }
    in_exact_scratch([&](Workspace& scratch) {
      rotate(rows.view, {.width = 2, .cos = cos.data(), .sin = sin.data()}, scratch);
    });
  };
  ready(query, layer.query_norm, offset);
  ready(key, layer.key_norm, 0);
  std::vector<float> biases(layer.heads * n * n);
  for (std::size_t head = 0; head < layer.heads; ++head) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const auto distance = static_cast<int>(j) - static_cast<int>(i) - static_cast<int>(offset);
        const auto at = static_cast<std::size_t>(std::clamp(distance, -3, 3) + 3);
        biases[(head * n + i) * n + j] = layer.distance_biases[head * 7 + at];
      }
    }
  }
  AttentionOptions options;
  options.scale = 0.5F;
  options.visibility.mask = {
      .bias = biases.data(), .head_stride = n * n, .query_stride = n, .key_stride = 1};
  OwnSequences together(1, n, layer.heads * layer.value_dim);
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, query.view, key.view, value.view, options,
           {.output = together.view.split(layer.heads)}, scratch);
  });
  OwnSequences output(1, n, layer.out());
  layer.output.apply(kernels, together.view.all(), output.view.all());
  return output.numbers;
}

TEST_P(Library, HeadsAreNormalizedRotatedAndBiased) {
  OwnLayer own(kernels, shape_with_positions());
  write_positions(own.layer);
  const OwnSequences x(1, kLength, kModelDim, 30);
  for (const double offset : {0.0, 2.0, -4.0}) {
    AttentionOptions options;
    options.visibility.offsets = {&offset, 1};
    EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, {.rows = x.view}, options),
                          by_hand_with_positions(kernels, own.layer, x.view, offset)))
        << "offset " << offset;
  }
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, {.rows = x.view}),
                        by_hand_with_positions(kernels, own.layer, x.view, 0)));

  // Each batch entry has its own offset.
  OwnSequences twice(2, kLength, kModelDim);
  copy_to(twice.view.data, x.numbers);
  copy_to(twice.view.data + x.numbers.size(), x.numbers);
  const std::array offsets = {3.0, -1.0};
  AttentionOptions options;
  options.visibility.offsets = offsets;
  std::vector<float> expected = by_hand_with_positions(kernels, own.layer, x.view, 3);
  const std::vector<float> second = by_hand_with_positions(kernels, own.layer, x.view, -1);
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, twice.view, {.rows = twice.view}, options),
                        expected));
}

// Scores and their terms, of queries and keys as the layer returns them, with an edit of the
// weights and without.
TEST_P(Library, QueriesAndKeysAreComparedWithPositionVectors) {
  MultiHeadShape shape = layer_shape();
  shape.kv_heads = shape.heads;
  shape.key.out = shape.query.out;
  shape.value.out = shape.heads * 5;
  shape.position_buckets = 3;
  shape.position_runs = 3;
  shape.position_key = shape.position_query = true;
  OwnLayer own(kernels, shape);
  const PositionVectors& vectors = own.layer.position_vectors;
  const std::size_t dim = own.layer.key_dim;
  copy_to(vectors.key.data, normal_numbers(own.layer.heads * 3 * dim, 81));
  copy_to(vectors.query.data, normal_numbers(own.layer.heads * 3 * dim, 82));
  const std::array<std::uint32_t, 3> buckets = {2, 0, 1};
  for (std::size_t at = 0; at < 3; ++at) {
    vectors.runs.runs[at] = {static_cast<std::int64_t>(at) - 1, buckets[at]};
  }
  const OwnSequences x(1, kLength, kModelDim, 30);
  const std::size_t count = own.layer.heads * kLength * kLength;
  OwnHeads query(1, own.layer.heads, kLength, dim), key(1, own.layer.heads, kLength, dim),
      value(1, own.layer.heads, kLength, 5);
  const Edit same_weights{.place = Place::kPattern, .operation = Edit::Operation::kScale};
  for (const bool in_steps : {false, true}) {
    std::array<std::vector<float>, 4> captured;
    Interventions interventions;
    if (in_steps) interventions.edits = {&same_weights, 1};
    const Place places[] = {Place::kScores, Place::kContentContent, Place::kContentPosition,
                            Place::kPositionContent};
    for (std::size_t at = 0; at < 4; ++at) {
      captured[at].resize(count);
      interventions.captures[index_of(places[at], false)] = captured[at].data();
    }
    OwnSequences output(1, kLength, own.layer.out());
    in_exact_scratch([&](Workspace& scratch) {
      forward(
          kernels, own.layer, x.view, {.rows = x.view}, {},
          {.output = output.view, .projections = {query.view.data, key.view.data, value.view.data}},
          scratch, &interventions);
    });
    const double scale = 1 / std::sqrt(static_cast<double>(dim));
    std::size_t at = 0;
    for (std::size_t head = 0; head < own.layer.heads; ++head) {
      for (std::size_t i = 0; i < kLength; ++i) {
        for (std::size_t j = 0; j < kLength; ++j, ++at) {
          const std::size_t bucket = buckets[j < i ? 0 : j == i ? 1 : 2];
          double terms[3] = {};
          for (std::size_t c = 0; c < dim; ++c) {
            const double q = query.view.at(0, head).row(i)[c];
            const double k = key.view.at(0, head).row(j)[c];
            terms[0] += q * k * scale;
            terms[1] += q * vectors.key.at(0, head).row(bucket)[c] * scale;
            terms[2] += k * vectors.query.at(0, head).row(bucket)[c] * scale;
          }
          EXPECT_NEAR(captured[0][at], terms[0] + terms[1] + terms[2], 1e-5) << at;
          for (std::size_t term = 0; term < 3; ++term) {
            EXPECT_NEAR(captured[term + 1][at], terms[term], 1e-5) << at;
          }
        }
      }
    }
  }
}

TEST_P(Library, CacheHoldsNormalizedAndRotatedKeys) {
  OwnLayer own(kernels, shape_with_positions());
  write_positions(own.layer);
  const OwnSequences x(1, kLength, kModelDim, 30);
  AttentionOptions options;
  options.visibility.causal = true;
  OwnHeads query(1, 4, kLength, 3), key(1, 2, kLength, 3), value(1, 2, kLength, 5);
  OwnSequences whole(1, kLength, own.layer.out());
  const auto shown = [](const OwnHeads& q, const OwnHeads& k, const OwnHeads& v) {
    return MultiHeadProjections{q.view.data, k.view.data, v.view.data};
  };
  in_exact_scratch([&](Workspace& scratch) {
    forward(kernels, own.layer, x.view, {.rows = x.view}, options,
            {.output = whole.view, .projections = shown(query, key, value)}, scratch);
  });
  OwnCache kept(own.layer.key_dim, own.layer.value_dim, kLength);
  std::vector<float> rows;
  for (std::size_t step = 0; step < kLength; ++step) {
    const Sequences<const float> row{x.view.data + step * kModelDim, 1, 1, kModelDim};
    OwnHeads one(1, 4, 1, 3), keys(1, 2, step + 1, 3), values(1, 2, step + 1, 5);
    OwnSequences output(1, 1, own.layer.out());
    in_exact_scratch([&](Workspace& scratch) {
      forward(kernels, own.layer, row, {.rows = row, .cache = &kept.cache}, options,
              {.output = output.view, .projections = shown(one, keys, values)}, scratch);
    });
    rows.insert(rows.end(), output.numbers.begin(), output.numbers.end());
    if (step + 1 < kLength) continue;
    EXPECT_TRUE(same_bits(keys.numbers, key.numbers));
    EXPECT_TRUE(same_bits(values.numbers, value.numbers));
  }
  EXPECT_TRUE(same_bits(rows, whole.numbers));

  // Keys and values projected by project().
  OwnSequences side_keys(1, kLength, own.layer.key.out),
      side_values(1, kLength, own.layer.value.out);
  project(kernels, own.layer, x.view, side_keys.view, side_values.view, 0);
  const Context projected{.key = side_keys.view, .value = side_values.view};
  EXPECT_TRUE(same_bits(forwarded(kernels, own.layer, x.view, projected, options), whole.numbers));
}

void add(const std::vector<float>& from, OwnSequences& to) {
  for (std::size_t at = 0; at < from.size(); ++at) to.numbers[at] += from[at];
}

TEST_P(Library, DecoderLayerEqualsItsSublayersInOrder) {
  constexpr std::size_t kHidden = 20;
  const TransformerShape shape{.self = layer_shape(),
                               .is_decoder = true,
                               .cross = layer_shape(),
                               .up = {kModelDim, kHidden, true},
                               .down = {kHidden, kModelDim, true},
                               .self_norm_bias = true};
  Workspace counting;
  TransformerLayer::reserve(counting, shape);
  const ExactMemory memory = lent(counting.used());
  Workspace block(memory.get());
  TransformerLayer layer = TransformerLayer::reserve(block, shape);
  pack_any(kernels, layer.self, 50);
  pack_any(kernels, layer.cross, 60);
  pack_any(kernels, layer.up, 70);
  pack_any(kernels, layer.down, 80);
  unsigned seed = 90;
  for (const Norm* norm : {&layer.self_norm, &layer.cross_norm, &layer.feed_forward_norm}) {
    copy_to(norm->weight, normal_numbers(kModelDim, ++seed));
    if (norm->bias != nullptr) copy_to(norm->bias, normal_numbers(kModelDim, ++seed));
  }
  const OwnSequences memories(1, 5, kModelDim, 31);
  TransformerOptions options;
  options.self.visibility.causal = true;
  const TransformerContext context{.self = {}, .memory = {.rows = memories.view}};

  for (const bool norm_first : {true, false}) {
    layer.norm_first = norm_first;
    OwnSequences x(1, kLength, kModelDim, 30);
    OwnSequences expected(1, kLength, kModelDim, 30);
    in_exact_scratch([&](Workspace& scratch) {
      forward(kernels, layer, x.view, context, options, {}, scratch);
    });

    OwnSequences normed(1, kLength, kModelDim);
    const auto add_part = [&](const Norm& norm, const auto& part) {
      if (norm_first) {
        norm.apply(expected.view.all(), normed.view.all());
      } else {
        normed.numbers.assign(expected.numbers.begin(), expected.numbers.end());
      }
      add(part(normed.view), expected);
      if (!norm_first) norm.apply(expected.view.all(), expected.view.all());
    };
    add_part(layer.self_norm, [&](Sequences<const float> rows) {
      return by_hand(kernels, layer.self, rows, rows, options.self);
    });
    add_part(layer.cross_norm, [&](Sequences<const float> rows) {
      return by_hand(kernels, layer.cross, rows, memories.view);
    });
    add_part(layer.feed_forward_norm, [&](Sequences<const float> rows) {
      OwnSequences hidden(1, kLength, kHidden);
      OwnSequences output(1, kLength, kModelDim);
      layer.up.apply(kernels, rows.all(), hidden.view.all());
      for (float& number : hidden.numbers) number = std::max(number, 0.0F);
      layer.down.apply(kernels, hidden.view.all(), output.view.all());
      return output.numbers;
    });
    EXPECT_TRUE(same_bits(x.numbers, expected.numbers)) << "norm_first " << norm_first;
  }
}

// Parallel sublayers with separate or shared norms, a gate, and LayerScale.
TEST_P(Library, ParallelSublayersReadTheSameInput) {
  constexpr std::size_t kHidden = 20;
  for (const bool own_norm : {true, false}) {
    const TransformerShape shape{.self = layer_shape(),
                                 .up = {kModelDim, kHidden, true},
                                 .down = {kHidden, kModelDim, true},
                                 .gate = {kModelDim, kHidden, true},
                                 .feed_forward_norm = own_norm,
                                 .self_scale = true,
                                 .feed_forward_scale = true};
    Workspace counting;
    TransformerLayer::reserve(counting, shape);
    const ExactMemory memory = lent(counting.used());
    Workspace block(memory.get());
    TransformerLayer layer = TransformerLayer::reserve(block, shape);
    layer.norm_first = layer.parallel = true;
    pack_any(kernels, layer.self, 50);
    pack_any(kernels, layer.up, 70);
    pack_any(kernels, layer.gate, 75);
    pack_any(kernels, layer.down, 80);
    copy_to(layer.self_norm.weight, normal_numbers(kModelDim, 90));
    if (own_norm) copy_to(layer.feed_forward_norm.weight, normal_numbers(kModelDim, 91));
    copy_to(layer.self_scale, normal_numbers(kModelDim, 92));
    copy_to(layer.feed_forward_scale, normal_numbers(kModelDim, 93));

    // More rows than one feed-forward block.
    constexpr std::size_t kRows = 131;
    OwnSequences x(1, kRows, kModelDim, 30);
    OwnSequences normed(1, kRows, kModelDim), expected(1, kRows, kModelDim, 30);
    layer.self_norm.apply(x.view.all(), normed.view.all());
    const std::vector<float> attended = by_hand(kernels, layer.self, normed.view, normed.view);
    if (own_norm) layer.feed_forward_norm.apply(x.view.all(), normed.view.all());
    OwnSequences hidden(1, kRows, kHidden), gated(1, kRows, kHidden), fed(1, kRows, kModelDim);
    layer.up.apply(kernels, normed.view.all(), hidden.view.all());
    layer.gate.apply(kernels, normed.view.all(), gated.view.all());
    for (std::size_t at = 0; at < hidden.numbers.size(); ++at) {
      hidden.numbers[at] *= std::max(gated.numbers[at], 0.0F);
    }
    layer.down.apply(kernels, hidden.view.all(), fed.view.all());
    for (std::size_t at = 0; at < fed.numbers.size(); ++at) {
      const std::size_t c = at % kModelDim;
      expected.numbers[at] += layer.self_scale[c] * attended[at];
      expected.numbers[at] += layer.feed_forward_scale[c] * fed.numbers[at];
    }
    in_exact_scratch(
        [&](Workspace& scratch) { forward(kernels, layer, x.view, {}, {}, {}, scratch); });
    EXPECT_TRUE(same_bits(x.numbers, expected.numbers)) << "own norm " << own_norm;
  }
}

// T5: 32 buckets up to distance 128; expected values from PyTorch in single precision.
TEST(Positions, RelativeDistancesHaveBuckets) {
  const std::array distances = {-1000, -128, -127, -91, -90, -64, -46, -45, -32, -20,
                                -16,   -12,  -11,  -9,  -8,  -7,  -1,  0,   1,   7,
                                8,     11,   12,   16,  90,  91,  128, 1000};
  const std::array both = {15, 15, 15, 15, 14, 14, 13, 12, 12, 10, 10, 9,  8,  8,
                           8,  7,  1,  0,  17, 23, 24, 24, 25, 26, 30, 31, 31, 31};
  const std::array before = {31, 31, 31, 29, 29, 26, 24, 23, 21, 17, 16, 12, 11, 9,
                             8,  7,  1,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0};
  for (std::size_t at = 0; at < distances.size(); ++at) {
    const DistanceBuckets two{.count = 32, .max_distance = 128, .bidirectional = true};
    const DistanceBuckets one{.count = 32, .max_distance = 128, .bidirectional = false};
    EXPECT_EQ(two.of(distances[at]), static_cast<std::size_t>(both[at])) << distances[at];
    EXPECT_EQ(one.of(distances[at]), static_cast<std::size_t>(before[at])) << distances[at];
  }
}

// For each distance the bucket of its formula, and memory that the largest distance leaves alone.
TEST(Positions, RunsHaveTheBucketsOfAllDistances) {
  for (const std::size_t count : {4U, 6U, 8U, 32U, 65U}) {
    for (const std::size_t max_distance : {17U, 33U, 128U, 1000U, 100000U}) {
      for (const bool bidirectional : {false, true}) {
        const DistanceBuckets buckets{count, max_distance, bidirectional};
        if (buckets.in_direction() / 2 >= max_distance) continue;
        std::vector<DistanceRun> written(count);
        const DistanceRuns runs{written.data(), buckets.write_runs(written.data())};
        const auto farthest = static_cast<std::int64_t>(max_distance) + 2;
        std::size_t wrong = 0;
        for (std::int64_t distance = -farthest; distance <= farthest; ++distance) {
          wrong += runs.bucket_of(distance) != buckets.of(distance);
        }
        EXPECT_EQ(wrong, 0U) << count << " buckets up to " << max_distance;
        std::int64_t next = 0;
        runs.split({0, 300}, 150, [&](KeyRange keys, std::size_t bucket) {
          EXPECT_EQ(static_cast<std::int64_t>(keys.first), next);
          next = static_cast<std::int64_t>(keys.last);
          EXPECT_EQ(bucket, buckets.of(static_cast<std::int64_t>(keys.first) - 150));
          EXPECT_EQ(bucket, buckets.of(next - 1 - 150));
        });
        EXPECT_EQ(next, 300);
      }
    }
  }
  std::vector<DistanceRun> written(32);
  const std::size_t farthest = std::size_t{1} << 31U;
  EXPECT_LE((DistanceBuckets{32, farthest, true}.write_runs(written.data())), 32U);
  EXPECT_EQ((DistanceBuckets{32, farthest, false}.write_runs(written.data())), 32U);
}

TEST(Positions, MatchRotarySinusoidalAndAlibiFormulas) {
  OwnHeads x(1, 2, 3, 4, 20);
  const std::vector<float> before = x.numbers;
  in_exact_scratch([&](Workspace& scratch) { rotate(x.view, {.offset = 5}, scratch); });
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t row = 0; row < 3; ++row) {
      const std::size_t start = (head * 3 + row) * 4;
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const double angle = static_cast<double>(row + 5) * (pair == 0 ? 1 : 0.01);
        const double first = before[start + pair];
        const double second = before[start + pair + 2];
        EXPECT_NEAR(x.numbers[start + pair], first * std::cos(angle) - second * std::sin(angle),
                    1e-6);
        EXPECT_NEAR(x.numbers[start + pair + 2], first * std::sin(angle) + second * std::cos(angle),
                    1e-6);
      }
    }
  }

  std::vector<float> sines(2 * 4);
  sinusoidal_positions({sines.data(), 2, 4, 4}, 7);
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const double angle = static_cast<double>(row + 7) * (pair == 0 ? 1 : 0.01);
      EXPECT_NEAR(sines[row * 4 + 2 * pair], std::sin(angle), 1e-7);
      EXPECT_NEAR(sines[row * 4 + 2 * pair + 1], std::cos(angle), 1e-7);
    }
  }

  const std::array slopes = {0.25, 0.0625, 0.015625, 0.00390625};
  for (std::size_t head = 0; head < 4; ++head) EXPECT_EQ(alibi_slope(head, 4), slopes[head]);
  EXPECT_EQ(alibi_slope(5, 6), 0.125);
}

TEST(Norms, NormalizeRows) {
  const std::vector<float> x = {1, 2, 3, 4, -2, 0, 2, 8};
  std::vector<float> y(x.size());
  const Matrix<float> to{y.data(), 2, 4, 4};
  Norm norm{.epsilon = 0};
  norm.apply({x.data(), 2, 4, 4}, to);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(y[i], (x[i] - 2.5) / std::sqrt(1.25), 1e-6);
    EXPECT_NEAR(y[4 + i], (x[4 + i] - 2.0) / std::sqrt(14.0), 1e-6);
  }
  norm.rms = true;
  norm.apply({x.data(), 2, 4, 4}, to);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(y[i], x[i] / std::sqrt(7.5), 1e-6);
    EXPECT_NEAR(y[4 + i], x[4 + i] / std::sqrt(18.0), 1e-6);
  }
}

#if GTEST_HAS_DEATH_TEST
// Without asserts these calls continue, so their errors must not access other memory.
TEST(LibraryDeathTest, MismatchedShapesAreCaught) {
  const Kernels& kernels = simd_kernels();
  const Inputs inputs;
  const AttentionOptions options;
  OwnHeads output(1, Inputs::kHeads, Inputs::kQueries, Inputs::kValueDim);
  const auto attempt = [&](const Heads<float>& query, const Heads<float>& key,
                           const Heads<float>& value, const Heads<float>& to) {
    in_exact_scratch([&](Workspace& scratch) {
      attend(kernels, query, key, value, options, {.output = to}, scratch);
    });
  };
  Heads<float> wrong = output.view;
  wrong.rows = Inputs::kQueries + 1;
  EXPECT_DEBUG_DEATH(attempt(inputs.query.view, inputs.key.view, inputs.value.view, wrong),
                     "output");
  Heads<float> short_keys = inputs.key.view;
  short_keys.cols = Inputs::kKeyDim - 1;
  EXPECT_DEBUG_DEATH(attempt(inputs.query.view, short_keys, inputs.value.view, output.view),
                     "query.cols == key.cols");
  // Three query heads on two KV heads is invalid; the memory suffices for four.
  const OwnHeads key(1, 4, Inputs::kKeys, Inputs::kKeyDim);
  const OwnHeads value(1, 4, Inputs::kKeys, Inputs::kValueDim);
  Heads<float> three_queries = inputs.query.view, two_keys = key.view, two_values = value.view;
  three_queries.heads = wrong.heads = 3;
  two_keys.heads = two_values.heads = 2;
  wrong.rows = Inputs::kQueries;
  EXPECT_DEBUG_DEATH(attempt(three_queries, two_keys, two_values, wrong), "divides_heads");
  OwnCache kept(Inputs::kKeyDim, Inputs::kValueDim, Inputs::kKeys - 1);
  EXPECT_DEBUG_DEATH(kept.cache.append(kernels, inputs.key.view, inputs.value.view),
                     "has_room_for");
  const OwnLayer own(kernels);
  OwnSequences x(1, kLength, kModelDim, 30);
  OwnSequences y(1, kLength, kModelDim);
  EXPECT_DEBUG_DEATH(own.layer.query.apply(kernels, x.view.all(), y.view.all().block(0, 3)),
                     "x.rows == y.rows");
}
#endif

TEST_P(Library, ReturnsWeightsAndTheirAverageTogether) {
  constexpr std::size_t kHeads = 2;
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kPairs = kRows * kRows;
  const OwnHeads x(1, kHeads, kRows, 4, 5);
  OwnHeads output(1, kHeads, kRows, 4);
  std::vector<float> weights(kHeads * kPairs), average(kPairs);
  const AttentionResults results{
      .output = output.view, .weights = weights.data(), .average_weights = average.data()};
  in_exact_scratch(
      [&](Workspace& memory) { attend(kernels, x.view, x.view, x.view, {}, results, memory); });
  for (std::size_t at = 0; at < kPairs; ++at) {
    EXPECT_GT(weights[at], 0);
    EXPECT_EQ(average[at], (weights[at] + weights[kPairs + at]) / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Library, all_kernels(), kernels_name);

TEST(Contexts, CountRowsProjectedKeysAndCachedKeys) {
  float number = 0;
  EXPECT_EQ((Context{.rows = {&number, 1, 3, 2}}).k_len(), 3U);
  EXPECT_EQ((Context{.key = {&number, 1, 5, 2}}).k_len(), 5U);
  KeyValueCache cache;
  cache.capacity = 9;
  cache.length = 4;
  EXPECT_EQ((Context{.rows = {&number, 1, 3, 2}, .cache = &cache}).k_len(), 7U);
}

}  // namespace
}  // namespace attention::tests
