// The trainer against an oracle in double precision: the loss by its definition, and gradients by
// central differences of that loss.
#include "attention/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "support/cpp/exact_memory.h"
#include "support/cpp/fingerprint.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/no_allocations.h"
#include "support/cpp/tensors.h"
#include "training/add.h"

namespace attention::tests {
namespace {

using Rows = std::vector<std::vector<double>>;

// A model with its memory.
struct OwnModel {
  explicit OwnModel(const TrainingShape& shape, std::uint32_t seed = 1) {
    Workspace counting;
    TrainableTransformer::reserve(counting, shape);
    memory = std::make_unique<ExactMemory>(static_cast<double>(counting.used()));
    Workspace block(memory->get());
    model = TrainableTransformer::reserve(block, shape);
    EXPECT_EQ(block.used(), counting.used());
    model.initialize(seed);
  }

  std::vector<float> state() const {
    return std::vector<float>(model.numbers, model.numbers + 3 * model.count);
  }

  std::unique_ptr<ExactMemory> memory;
  TrainableTransformer model;
};

template <class Compute>
auto in_exact_scratch(Compute compute) {
  Workspace counting;
  compute(counting);
  const ExactMemory memory(static_cast<double>(counting.used()));
  Workspace scratch(memory.get());
  return compute(scratch);
}

// The loss of a batch, of parameters in double precision.
class Oracle {
 public:
  Oracle(const TrainableTransformer& model, const TrainingBatch& batch)
      : model_(model), batch_(batch), numbers(model.numbers, model.numbers + model.count) {}

  double loss() const {
    double sum = 0;
    double counted = 0;
    for (std::size_t b = 0; b < batch_.batch; ++b) {
      Rows memory;
      if (model_.shape.has_encoder) {
        const auto length = static_cast<std::size_t>(batch_.encoder_lengths[b]);
        memory = run(model_.encoder, &batch_.encoder_ids[b * batch_.encoder_length], length, {});
      }
      const Rows rows = run(model_.decoder, &batch_.ids[b * batch_.length], batch_.length, memory);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double target = batch_.targets[b * batch_.length + i];
        if (target < 0) continue;
        sum -= log_probability(rows[i], static_cast<std::size_t>(target));
        ++counted;
      }
    }
    return sum / counted;
  }

 private:
  const double* at(const Parameter& p) const {
    return &numbers[static_cast<std::size_t>(p.values - model_.numbers)];
  }

  double log_probability(const std::vector<double>& row, std::size_t target) const {
    const bool shared = model_.shape.tied || model_.shape.has_encoder;
    const double* head = at(shared ? model_.embedding : model_.head);
    double sum = 0;
    double chosen = 0;
    for (std::size_t v = 0; v < model_.shape.vocabulary; ++v) {
      double logit = 0;
      for (std::size_t c = 0; c < row.size(); ++c) logit += row[c] * head[v * row.size() + c];
      sum += std::exp(logit);
      if (v == target) chosen = logit;
    }
    return chosen - std::log(sum);
  }

  Rows run(const StackParameters& stack, const double* ids, std::size_t length,
           const Rows& memory) const {
    const TrainingShape& s = model_.shape;
    const bool is_decoder = &stack == &model_.decoder;
    Rows x(length, std::vector<double>(s.width));
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t c = 0; c < s.width; ++c) {
        x[i][c] = at(model_.embedding)[static_cast<std::size_t>(ids[i]) * s.width + c] +
                  at(stack.positions)[i * s.width + c];
      }
    }
    if (s.has_encoder) x = normalized(stack.embedding_norm, x);
    for (std::size_t n = 0; n < s.layers; ++n) {
      const LayerParameters& layer = stack.layers[n];
      Rows part = linear(layer.self.query, normalized(layer.self.norm, x));
      add(linear(layer.self.output, attended(part, 0, part, s.width, is_decoder)), x);
      if (!memory.empty()) {
        part = linear(layer.cross.query, normalized(layer.cross.norm, x));
        const Rows context = linear(layer.cross.memory, memory);
        add(linear(layer.cross.output, attended(part, 0, context, 0, false)), x);
      }
      part = linear(layer.feed_forward.up, normalized(layer.feed_forward.norm, x));
      for (auto& row : part) {
        for (double& z : row) {
          z *= 0.5 * (1 + std::tanh(std::sqrt(2 / std::acos(-1)) * (z + 0.044715 * z * z * z)));
        }
      }
      add(linear(layer.feed_forward.down, part), x);
    }
    return normalized(stack.norm, x);
  }

  Rows normalized(const NormParameters& norm, Rows x) const {
    for (auto& row : x) {
      double mean = 0;
      double variance = 0;
      for (const double number : row) mean += number / static_cast<double>(row.size());
      for (const double number : row) {
        variance += (number - mean) * (number - mean) / static_cast<double>(row.size());
      }
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] = (row[c] - mean) / std::sqrt(variance + double{1e-5F}) * at(norm.weight)[c] +
                 at(norm.bias)[c];
      }
    }
    return x;
  }

  Rows linear(const LinearParameters& map, const Rows& x) const {
    const std::size_t out = map.weight.cols;
    Rows y(x.size(), std::vector<double>(at(map.bias), at(map.bias) + out));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t k = 0; k < x[i].size(); ++k) {
        for (std::size_t o = 0; o < out; ++o) y[i][o] += x[i][k] * at(map.weight)[k * out + o];
      }
    }
    return y;
  }

  // Queries are columns from `first` on; keys, then values, are columns of the context from
  // first_key on.
  Rows attended(const Rows& query, std::size_t first, const Rows& context, std::size_t first_key,
                bool causal) const {
    const std::size_t width = model_.shape.width;
    const std::size_t dim = width / model_.shape.heads;
    const double scale =
        model_.shape.scale ? *model_.shape.scale : 1 / std::sqrt(static_cast<double>(dim));
    Rows output(query.size(), std::vector<double>(width));
    for (std::size_t i = 0; i < query.size(); ++i) {
      for (std::size_t head = 0; head < width; head += dim) {
        std::vector<double> weights;
        double sum = 0;
        for (std::size_t j = 0; j < (causal ? i + 1 : context.size()); ++j) {
          double score = 0;
          for (std::size_t c = head; c < head + dim; ++c) {
            score += query[i][first + c] * context[j][first_key + c];
          }
          weights.push_back(std::exp(scale * score));
          sum += weights.back();
        }
        for (std::size_t j = 0; j < weights.size(); ++j) {
          for (std::size_t c = head; c < head + dim; ++c) {
            output[i][c] += weights[j] / sum * context[j][first_key + width + c];
          }
        }
      }
    }
    return output;
  }

  static void add(const Rows& part, Rows& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] += part[i][c];
    }
  }

  const TrainableTransformer& model_;
  const TrainingBatch& batch_;

 public:
  std::vector<double> numbers;
};

TrainingShape small_shape(bool has_encoder, bool tied, std::optional<float> scale = {}) {
  return {.has_encoder = has_encoder,
          .vocabulary = 5,
          .width = 6,
          .layers = 2,
          .heads = 2,
          .hidden = 9,
          .context = 4,
          .tied = tied,
          .scale = scale};
}

const std::vector<double> kIds = {0, 1, 4, 2, 3, 3, 1, 0};
const std::vector<double> kTargets = {-1, 4, 2, 0, 1, -1, 3, 2};
const std::vector<double> kEncoderIds = {1, 2, 3, 4, 0, 0};
const std::vector<double> kEncoderLengths = {3, 1};

TrainingBatch small_batch(bool has_encoder) {
  TrainingBatch batch{.batch = 2, .length = 4, .ids = kIds, .targets = kTargets};
  if (has_encoder) {
    batch.encoder_length = 3;
    batch.encoder_ids = kEncoderIds;
    batch.encoder_lengths = kEncoderLengths;
  }
  return batch;
}

TEST(Add, AddsRowsAndNothingBehindThem) {
  const std::vector<float> from = {1, 2, 3, 4, 5, 6};
  std::vector<float> to = {10, 20, 30, 40, 50, 60};
  add(Matrix<const float>{from.data(), 2, 2, 2}, {to.data(), 2, 2, 2});
  EXPECT_EQ(to, (std::vector<float>{11, 22, 33, 44, 50, 60}));
}

class Training : public KernelsTest {};

// Weights ten times as large as the initial ones, so that every parameter affects the loss.
TEST_P(Training, GradientsMatchTheLoss) {
  for (const TrainingShape& shape :
       {small_shape(false, true), small_shape(false, false), small_shape(true, true),
        small_shape(false, true, 1.0F), small_shape(true, true, 1.5F)}) {
    const bool has_encoder = shape.has_encoder;
    SCOPED_TRACE(testing::Message() << "encoder " << has_encoder << ", tied " << shape.tied
                                    << ", scale " << shape.scale.value_or(0));
    const OwnModel own(shape);
    for (std::size_t at = 0; at < own.model.count; ++at) {
      float& number = own.model.numbers[at];
      if (number != 1) number = 10 * number + 0.01F;
    }
    const TrainingBatch batch = small_batch(has_encoder);
    const TrainingResult result = in_exact_scratch(
        [&](Workspace& scratch) { return compute_gradients(kernels, own.model, batch, scratch); });
    Oracle oracle(own.model, batch);
    EXPECT_NEAR(result.loss, oracle.loss(), 1e-5);
    double square = 0;
    for (std::size_t at = 0; at < own.model.count; ++at) {
      const double before = oracle.numbers[at];
      constexpr double kStep = 1e-4;
      oracle.numbers[at] = before + kStep;
      const double above = oracle.loss();
      oracle.numbers[at] = before - kStep;
      const double below = oracle.loss();
      oracle.numbers[at] = before;
      const double expected = (above - below) / (2 * kStep);
      ASSERT_NEAR(own.model.numbers[3 * own.model.count + at], expected, 2e-6) << at;
      square += expected * expected;
    }
    EXPECT_NEAR(result.gradient_norm, std::sqrt(square), 1e-5);
  }
}

// More rows than any block of a product holds.
TEST_P(Training, LargeBatchHasTheMeanGradient) {
  constexpr std::size_t kTimes = 70;
  const OwnModel own(small_shape(true, true));
  const TrainingBatch batch = small_batch(true);
  const auto gradients = [&](const TrainingBatch& sequences) {
    in_exact_scratch([&](Workspace& scratch) {
      return compute_gradients(kernels, own.model, sequences, scratch);
    });
    const float* first = own.model.numbers + 3 * own.model.count;
    return std::vector<float>(first, first + own.model.count);
  };
  const auto repeated = [](std::span<const double> numbers) {
    std::vector<double> all;
    for (std::size_t n = 0; n < kTimes; ++n) all.insert(all.end(), numbers.begin(), numbers.end());
    return all;
  };
  const std::vector<double> ids = repeated(kIds), targets = repeated(kTargets),
                            encoder_ids = repeated(kEncoderIds),
                            lengths = repeated(kEncoderLengths);
  const TrainingBatch large{.batch = 2 * kTimes,
                            .length = 4,
                            .ids = ids,
                            .targets = targets,
                            .encoder_length = 3,
                            .encoder_ids = encoder_ids,
                            .encoder_lengths = lengths};
  const std::vector<float> expected = gradients(batch);
  const std::vector<float> computed = gradients(large);
  for (std::size_t at = 0; at < expected.size(); ++at) {
    ASSERT_NEAR(computed[at], expected[at], 4e-6) << at;
  }
}

// The same digest as in tests/js/training/trainable_transformer.test.js, in wasm.
TEST(TrainingBits, EqualThoseOfEveryEngine) {
  const TrainingShape shape{.has_encoder = true,
                            .vocabulary = 12,
                            .width = 16,
                            .layers = 1,
                            .heads = 2,
                            .hidden = 32,
                            .context = 8};
  OwnModel own(shape, 7);
  for (std::size_t step = 0; step < 50; ++step) {
    std::vector<double> ids, decoder_ids, targets;
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t i = 0; i < 6; ++i) {
        ids.push_back(static_cast<double>((step * 7 + row * 5 + i * i) % 10 + 2));
      }
      for (std::size_t i = 0; i < 6; ++i) {
        targets.push_back(ids[row * 6 + 5 - i]);
        decoder_ids.push_back(i == 0 ? 1 : targets[row * 6 + i - 1]);
      }
    }
    const std::vector<double> lengths(4, 6);
    const TrainingBatch batch{.batch = 4,
                              .length = 6,
                              .ids = decoder_ids,
                              .targets = targets,
                              .encoder_length = 6,
                              .encoder_ids = ids,
                              .encoder_lengths = lengths};
    const AdamW optimizer{.learning_rate = 0.005F, .beta2 = 0.95, .weight_decay = 0.1F, .clip = 1};
    in_exact_scratch([&](Workspace& scratch) {
      return train(simd_kernels(), own.model, batch, optimizer, scratch);
    });
  }
  Fingerprint fingerprint;
  const std::vector<float> state = own.state();
  fingerprint.add({{static_cast<double>(state.size())}, state});
  EXPECT_EQ(fingerprint.text(), "5d0ff638c011973e");
}

// Every parameter in single steps, by the formula.
TEST_P(Training, StepIsAdamW) {
  OwnModel own(small_shape(true, true));
  const TrainingBatch batch = small_batch(true);
  const AdamW optimizer{.learning_rate = 0.01F,
                        .beta1 = 0.9,
                        .beta2 = 0.95,
                        .epsilon = 1e-8F,
                        .weight_decay = 0.1F,
                        .clip = 0.05F};
  const std::size_t count = own.model.count;
  std::vector<double> m(count), v(count);
  const auto is_matrix = [&](std::size_t at) {
    const Parameter& up = own.model.decoder.layers[1].feed_forward.up.weight;
    const auto first = static_cast<std::size_t>(up.values - own.model.numbers);
    return at >= first && at < first + up.count();
  };
  const Parameter& bias = own.model.decoder.norm.bias;
  const auto bias_at = static_cast<std::size_t>(bias.values - own.model.numbers);
  for (int step = 1; step <= 3; ++step) {
    const std::vector<float> before = own.state();
    const TrainingResult result = in_exact_scratch(
        [&](Workspace& scratch) { return train(kernels, own.model, batch, optimizer, scratch); });
    ASSERT_GT(result.gradient_norm, optimizer.clip);
    for (std::size_t at = 0; at < count; ++at) {
      const double gradient =
          own.model.numbers[3 * count + at] * optimizer.clip / result.gradient_norm;
      m[at] = 0.9 * m[at] + 0.1 * gradient;
      v[at] = 0.95 * v[at] + 0.05 * gradient * gradient;
      if (!is_matrix(at) && at < bias_at) continue;
      const double rate = optimizer.learning_rate;
      const double decayed = before[at] * (1 - (is_matrix(at) ? rate * 0.1 : 0));
      const double expected = decayed - rate * (m[at] / (1 - std::pow(0.9, step))) /
                                            (std::sqrt(v[at] / (1 - std::pow(0.95, step))) + 1e-8);
      ASSERT_NEAR(own.model.numbers[at], expected, 2e-5) << at;
    }
  }
  EXPECT_EQ(own.model.steps, 3U);
}

TEST_P(Training, LossFallsWithoutAllocation) {
  OwnModel own(small_shape(true, true));
  const TrainingBatch batch = small_batch(true);
  const AdamW optimizer{.learning_rate = 0.01F};
  Workspace counting;
  train(kernels, own.model, batch, optimizer, counting);
  const ExactMemory memory(static_cast<double>(counting.used()));
  TrainingResult result;
  for (int step = 0; step < 200; ++step) {
    {
      const NoAllocations none;
      Workspace scratch(memory.get());
      result = train(kernels, own.model, batch, optimizer, scratch);
    }
    if (step == 0) {
      EXPECT_NEAR(result.loss, std::log(5), 0.05);
    }
  }
  EXPECT_LT(result.loss, 0.05);
}

TEST_P(Training, FailedStepChangesNothing) {
  const auto expect_unchanged = [&](OwnModel& own) {
    const std::vector<float> before = own.state();
    const TrainingResult result = in_exact_scratch([&](Workspace& scratch) {
      return train(kernels, own.model, small_batch(false), {}, scratch);
    });
    EXPECT_TRUE(same_bits(own.state(), before));
    EXPECT_EQ(own.model.steps, 0U);
    return result;
  };
  OwnModel infinite(small_shape(false, true));
  infinite.model.numbers[0] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(std::isfinite(expect_unchanged(infinite).loss));

  // Gradients that are finite, with a norm that is finite in double only.
  OwnModel large(small_shape(false, false));
  const Parameter& head = large.model.head;
  for (std::size_t at = 0; at < head.count(); ++at) {
    head.values[at] = 8e36F * (static_cast<float>(at % 5) - 2);
  }
  const TrainingResult result = expect_unchanged(large);
  EXPECT_TRUE(std::isfinite(result.loss) && std::isfinite(result.gradient_norm));
  EXPECT_GT(result.gradient_norm, std::numeric_limits<float>::max());
}

// Positions beyond the length of an encoder row have no influence; neither have other rows.
TEST_P(Training, PaddingDoesNotAffectResults) {
  const OwnModel own(small_shape(true, true));
  const auto logits = [&](const TrainingBatch& batch) {
    std::vector<float> numbers(batch.batch * batch.length * 5);
    in_exact_scratch([&](Workspace& scratch) {
      forward(kernels, own.model, batch, {.logits = numbers.data()}, scratch);
      return 0;
    });
    return numbers;
  };
  TrainingBatch batch = small_batch(true);
  const std::vector<float> expected = logits(batch);
  const std::vector<double> others = {1, 2, 3, 4, 3, 1};
  batch.encoder_ids = others;
  EXPECT_TRUE(same_bits(logits(batch), expected));
  const TrainingBatch alone{.batch = 1,
                            .length = 4,
                            .ids = batch.ids.subspan(4),
                            .encoder_length = 1,
                            .encoder_ids = batch.encoder_ids.subspan(3, 1),
                            .encoder_lengths = batch.encoder_lengths.subspan(1)};
  EXPECT_TRUE(same_bits(logits(alone), std::vector<float>(expected.begin() + 20, expected.end())));
}

TEST(TrainingWeights, AreDrawnInParameterOrder) {
  const OwnModel own(small_shape(false, false));
  // mulberry32 of seed 1 begins with 0.6270739405881613.
  EXPECT_FLOAT_EQ(own.model.numbers[0],
                  static_cast<float>(0.02 * std::sqrt(3.0) * (2 * 0.6270739405881613 - 1)));
  double largest = 0;
  for (std::size_t at = 0; at < 30; ++at) {
    largest = std::max(largest, std::abs(double{own.model.embedding.values[at]}));
  }
  EXPECT_LT(largest, 0.02 * std::sqrt(3.0));
  EXPECT_EQ(own.model.decoder.layers[0].self.norm.weight.values[0], 1);
  EXPECT_EQ(own.model.decoder.layers[0].self.query.bias.values[0], 0);
  EXPECT_EQ(own.model.head.values + own.model.head.count(), own.model.numbers + own.model.count);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Training, training_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
