// attention_backward() against an oracle in double precision, which is checked by central
// differences and by a published vector.
#include "attention/attention_backward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "kernels/gradient_kernels.h"
#include "support/cpp/exact_memory.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/tensors.h"

namespace attention::tests {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A call in double precision. Tensors are head-major.
struct Case {
  Shape shape;
  std::vector<double> query, key, value, gradient;
  std::vector<double> mask, slopes, sinks;
  std::optional<double> scale;
  double softcap = 0;
  bool causal = false;
  std::vector<double> offsets = {0};  // one, or one per batch entry
  std::optional<double> left, right;
  std::vector<double> key_lengths;
  // Strides of the axes batch, head, query and key.
  std::array<std::size_t, 4> mask_strides = {};

  double factor() const {
    return scale ? *scale : 1 / std::sqrt(static_cast<double>(shape.key_dim));
  }
  double position(std::size_t batch, std::size_t i) const {
    return offsets[offsets.size() == 1 ? 0 : batch] + static_cast<double>(i);
  }
  bool is_visible(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const {
    const double p = position(batch, i);
    const auto key_index = static_cast<double>(j);
    if (causal && key_index > p) return false;
    if (left && key_index < p - *left) return false;
    if (right && key_index > p + *right) return false;
    if (!key_lengths.empty() && key_index >= key_lengths[batch]) return false;
    return mask.empty() || mask[mask_index(batch, head, i, j)] != -kInfinity;
  }
  std::size_t mask_index(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const {
    return batch * mask_strides[0] + head * mask_strides[1] + i * mask_strides[2] +
           j * mask_strides[3];
  }
  std::size_t row(std::size_t batch, std::size_t head, std::size_t i) const {
    return (batch * shape.heads + head) * shape.q_len + i;
  }
  std::size_t key_row(std::size_t batch, std::size_t head, std::size_t j) const {
    return (batch * shape.kv_heads + head / (shape.heads / shape.kv_heads)) * shape.k_len + j;
  }
};

struct Gradients {
  std::vector<double> query, key, value, mask, slopes, sinks;
};

// The loss Σ O·dO by the definition, and its gradients by the formulas of the header.
struct Oracle {
  double loss = 0;
  Gradients gradients;

  explicit Oracle(const Case& c) {
    const Shape& s = c.shape;
    Gradients& g = gradients;
    g.query.resize(c.query.size());
    g.key.resize(c.key.size());
    g.value.resize(c.value.size());
    g.mask.resize(c.mask.size());
    g.slopes.resize(c.slopes.size());
    g.sinks.resize(c.sinks.size());
    for (std::size_t b = 0; b < s.batch; ++b) {
      for (std::size_t h = 0; h < s.heads; ++h) {
        for (std::size_t i = 0; i < s.q_len; ++i) add_row(c, b, h, i);
      }
    }
  }

  void add_row(const Case& c, std::size_t b, std::size_t h, std::size_t i) {
    const Shape& s = c.shape;
    const double* query = &c.query[c.row(b, h, i) * s.key_dim];
    const double* gradient = &c.gradient[c.row(b, h, i) * s.value_dim];
    std::vector<double> capped(s.k_len), weights(s.k_len);
    double sum = c.sinks.empty() ? 0 : std::exp(c.sinks[h]);
    bool any = false;
    for (std::size_t j = 0; j < s.k_len; ++j) {
      if (!c.is_visible(b, h, i, j)) continue;
      any = true;
      const double* key = &c.key[c.key_row(b, h, j) * s.key_dim];
      double score = 0;
      for (std::size_t k = 0; k < s.key_dim; ++k) score += query[k] * key[k];
      score *= c.factor();
      if (c.softcap > 0) score = c.softcap * std::tanh(score / c.softcap);
      capped[j] = score;
      if (!c.slopes.empty()) score -= c.slopes[h] * distance(c, b, i, j);
      if (!c.mask.empty()) score += c.mask[c.mask_index(b, h, i, j)];
      sum += weights[j] = std::exp(score);
    }
    if (!any) return;
    double delta = 0;
    for (std::size_t j = 0; j < s.k_len; ++j) {
      weights[j] /= sum;
      if (c.is_visible(b, h, i, j)) delta += weights[j] * of_value(c, b, h, j, gradient);
    }
    loss += delta;
    if (!c.sinks.empty()) gradients.sinks[h] -= std::exp(c.sinks[h]) / sum * delta;
    for (std::size_t j = 0; j < s.k_len; ++j) {
      if (!c.is_visible(b, h, i, j)) continue;
      const std::size_t at = c.key_row(b, h, j);
      for (std::size_t k = 0; k < s.value_dim; ++k) {
        gradients.value[at * s.value_dim + k] += weights[j] * gradient[k];
      }
      double d = weights[j] * (of_value(c, b, h, j, gradient) - delta);
      if (!c.mask.empty()) gradients.mask[c.mask_index(b, h, i, j)] += d;
      if (!c.slopes.empty()) gradients.slopes[h] -= d * distance(c, b, i, j);
      if (c.softcap > 0) d *= 1 - capped[j] / c.softcap * (capped[j] / c.softcap);
      for (std::size_t k = 0; k < s.key_dim; ++k) {
        gradients.query[c.row(b, h, i) * s.key_dim + k] +=
            c.factor() * d * c.key[at * s.key_dim + k];
        gradients.key[at * s.key_dim + k] += c.factor() * d * query[k];
      }
    }
  }

  static double distance(const Case& c, std::size_t b, std::size_t i, std::size_t j) {
    return std::abs(c.position(b, i) - static_cast<double>(j));
  }
  static double of_value(const Case& c, std::size_t b, std::size_t h, std::size_t j,
                         const double* gradient) {
    double product = 0;
    for (std::size_t k = 0; k < c.shape.value_dim; ++k) {
      product += gradient[k] * c.value[c.key_row(b, h, j) * c.shape.value_dim + k];
    }
    return product;
  }
};

std::vector<float> floats(const std::vector<double>& numbers) {
  return std::vector<float>(numbers.begin(), numbers.end());
}

std::vector<double> doubles(const std::vector<float>& numbers) {
  return std::vector<double>(numbers.begin(), numbers.end());
}

// The same in single precision, by attend() and attention_backward(), in exactly the memory that
// they count.
struct Computed {
  std::vector<float> log_sum_exp;
  double loss = 0;
  Gradients gradients;

  Computed(const Kernels& kernels, const Case& c) {
    const Shape& s = c.shape;
    const std::vector<float> query = floats(c.query), key = floats(c.key), value = floats(c.value);
    const std::vector<float> gradient = floats(c.gradient), mask = floats(c.mask);
    AttentionOptions options;
    if (c.scale) options.scale = static_cast<float>(*c.scale);
    options.softcap = static_cast<float>(c.softcap);
    options.slopes = c.slopes;
    options.sinks = c.sinks;
    options.visibility.causal = c.causal;
    options.visibility.offsets = c.offsets;
    if (c.left) options.visibility.window_left = static_cast<std::int64_t>(*c.left);
    if (c.right) options.visibility.window_right = static_cast<std::int64_t>(*c.right);
    options.visibility.key_lengths = c.key_lengths;
    if (!mask.empty()) {
      const auto [of_batch, of_head, of_query, of_key] = c.mask_strides;
      options.visibility.mask = {nullptr, mask.data(), of_batch, of_head, of_query, of_key};
    }
    const auto heads = [](auto* data, const Shape& shape, std::size_t count, std::size_t rows,
                          std::size_t cols) {
      using T = std::remove_pointer_t<decltype(data)>;
      return Heads<T>::head_major(data, shape.batch, count, rows, cols);
    };
    AttentionForward forward{heads(query.data(), s, s.heads, s.q_len, s.key_dim),
                             heads(key.data(), s, s.kv_heads, s.k_len, s.key_dim),
                             heads(value.data(), s, s.kv_heads, s.k_len, s.value_dim)};
    std::vector<float> output(gradient.size());
    log_sum_exp.resize(s.batch * s.heads * s.q_len);
    const auto out = heads(output.data(), s, s.heads, s.q_len, s.value_dim);
    in_exact_scratch([&](Workspace& scratch) {
      attend(kernels, forward.query, forward.key, forward.value, options,
             {.output = out, .log_sum_exp = log_sum_exp.data()}, scratch);
    });
    for (std::size_t at = 0; at < output.size(); ++at) loss += double{output[at]} * gradient[at];
    forward.output = out;
    forward.log_sum_exp = log_sum_exp.data();
    forward.output_gradient = heads(gradient.data(), s, s.heads, s.q_len, s.value_dim);
    std::vector<float> dq(query.size(), NAN), dk(key.size(), NAN), dv(value.size(), NAN);
    std::vector<float> dmask(mask.size(), NAN), dslopes(c.slopes.size(), NAN),
        dsinks(c.sinks.size(), NAN);
    const AttentionGradients results{heads(dq.data(), s, s.heads, s.q_len, s.key_dim),
                                     heads(dk.data(), s, s.kv_heads, s.k_len, s.key_dim),
                                     heads(dv.data(), s, s.kv_heads, s.k_len, s.value_dim),
                                     dmask,
                                     dslopes,
                                     dsinks};
    in_exact_scratch([&](Workspace& scratch) {
      attention_backward(kernels, forward, options, results, scratch);
    });
    gradients = {doubles(dq),    doubles(dk),      doubles(dv),
                 doubles(dmask), doubles(dslopes), doubles(dsinks)};
  }

  template <class Compute>
  static void in_exact_scratch(Compute compute) {
    Workspace counting;
    compute(counting);
    const ExactMemory memory(static_cast<double>(counting.used()));
    Workspace scratch(memory.get());
    compute(scratch);
  }
};

// By name, so that a difference says where it is.
std::vector<std::pair<const char*, std::vector<double> Gradients::*>> parts() {
  return {{"query", &Gradients::query},   {"key", &Gradients::key},
          {"value", &Gradients::value},   {"mask", &Gradients::mask},
          {"slopes", &Gradients::slopes}, {"sinks", &Gradients::sinks}};
}

// Single precision rounds each of the terms of a sum: an error grows with the largest number of a
// gradient, not with each number.
void expect_near(const Gradients& computed, const Gradients& expected, double tolerance) {
  for (const auto& [name, part] : parts()) {
    const std::vector<double>& a = computed.*part;
    const std::vector<double>& b = expected.*part;
    ASSERT_EQ(a.size(), b.size()) << name;
    // Terms of a slope's gradient are multiplied by their distance, so rounding errors are larger.
    double largest = part == &Gradients::slopes ? 10 : 1;
    for (const double number : b) largest = std::max(largest, std::abs(number));
    for (std::size_t at = 0; at < a.size(); ++at) {
      ASSERT_NEAR(a[at], b[at], tolerance * largest) << name << "[" << at << "]";
    }
  }
}

std::vector<double> normal(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> distribution;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = distribution(generator);
  return numbers;
}

Case random_case(const Shape& s, unsigned seed) {
  Case c;
  c.shape = s;
  c.query = normal(s.batch * s.heads * s.q_len * s.key_dim, seed);
  c.key = normal(s.batch * s.kv_heads * s.k_len * s.key_dim, seed + 1);
  c.value = normal(s.batch * s.kv_heads * s.k_len * s.value_dim, seed + 2);
  c.gradient = normal(s.batch * s.heads * s.q_len * s.value_dim, seed + 3);
  return c;
}

// A mask of heads × q_len × k_len.
void add_mask(Case& c, unsigned seed) {
  c.mask = normal(c.shape.heads * c.shape.q_len * c.shape.k_len, seed);
  for (std::size_t at = 0; at < c.mask.size(); at += 3) c.mask[at] = -kInfinity;
  c.mask_strides = {0, c.shape.q_len * c.shape.k_len, c.shape.k_len, 1};
}

// The options, one at a time and all together.
const std::vector<std::function<void(Case&)>> kOptions = {
    [](Case&) {},
    [](Case& c) { c.scale = -0.3; },
    [](Case& c) { c.softcap = 1.5; },
    [](Case& c) { c.causal = true; },
    [](Case& c) { c.left = 5; },
    [](Case& c) {
      c.left = 1;
      c.right = 3;
      c.offsets = {-2, 4};
      c.offsets.resize(c.shape.batch);
    },
    [](Case& c) {
      c.key_lengths.assign(c.shape.batch, static_cast<double>(c.shape.k_len / 2));
      c.key_lengths[0] = 0;
    },
    [](Case& c) { add_mask(c, 9); },
    [](Case& c) {  // batch × k_len
      c.mask = normal(c.shape.batch * c.shape.k_len, 9);
      c.mask_strides = {c.shape.k_len, 0, 0, 1};
    },
    [](Case& c) {  // heads × q_len × 1
      c.mask = normal(c.shape.heads * c.shape.q_len, 9);
      c.mask_strides = {0, c.shape.q_len, 1, 0};
    },
    [](Case& c) { c.slopes.assign(c.shape.heads, 0.25); },
    [](Case& c) { c.sinks = normal(c.shape.heads, 8); },
    [](Case& c) { c.sinks.assign(c.shape.heads, -kInfinity); },
    [](Case& c) {
      c.scale = 0.7;
      c.softcap = 2;
      c.causal = true;
      c.offsets = {2};
      c.left = 40;
      add_mask(c, 9);
      c.slopes = normal(c.shape.heads, 7);
      for (double& slope : c.slopes) slope = std::abs(slope) / 20;
      c.sinks = normal(c.shape.heads, 8);
    }};

class AttentionBackward : public KernelsTest {};

// A vector that other implementations can run: 2 query heads on 1 key/value head, n 3, m 4, d 2,
// d_v 3.
Case vector_case() {
  Case c;
  c.shape = {1, 2, 1, 3, 4, 2, 3};
  const auto fill = [](std::size_t count, const std::function<double(double)>& of) {
    std::vector<double> numbers(count);
    for (std::size_t at = 0; at < count; ++at) numbers[at] = of(static_cast<double>(at + 1));
    return numbers;
  };
  c.query = fill(12, [](double i) { return std::sin(i); });
  c.key = fill(8, [](double i) { return std::cos(i); });
  c.value = fill(12, [](double i) { return std::sin(2 * i); });
  const std::vector<double> rows = fill(12, [](double i) { return 0.1 * std::cos(3 * i); });
  c.mask = rows;
  c.mask.insert(c.mask.end(), rows.begin(), rows.end());
  c.mask_strides = {0, 12, 4, 1};
  c.gradient = fill(18, [](double i) { return std::cos(i); });
  c.causal = true;
  c.offsets = {1};
  c.softcap = 2;
  c.slopes = {0.5, 0.25};
  c.sinks = {-0.3, 0.2};
  return c;
}

TEST_P(AttentionBackward, MatchesThePublishedVector) {
  const Case c = vector_case();
  const Computed computed(kernels, c);
  EXPECT_NEAR(computed.loss, 0.137730266, 1e-6);
  const std::array log_sum_exp = {.5620384, .9591158, 1.0056200, .8611391, 1.2543161, 1.4216473};
  for (std::size_t i = 0; i < log_sum_exp.size(); ++i) {
    EXPECT_NEAR(computed.log_sum_exp[i], log_sum_exp[i], 1e-6);
  }
  const Gradients expected = {
      {-.0321413, -.0944209, .0529634, -.0118443, .0184528, -.0007212, .0334557, .0942962,
       -.0337375, .0303852, .0039622, .0136691},
      {.0235540, -.0068145, .0425991, .0348703, .0170494, .0149917, -.0113309, .0116904},
      {-.0145494, -.0905011, -.0832465, -.1565964, -.1217326, .0250516, .0479059, .0398104,
       -.0048866, .0268724, -.0737503, -.1065673},
      Oracle(c).gradients.mask,
      {-.2152897, .2251861},
      {-.2956206, .2605769}};
  expect_near(computed.gradients, expected, 1e-6);
  expect_near(Oracle(c).gradients, expected, 1e-7);
  const std::array mask_row = {.0093669, -.0187942, .0157481, 0.0};
  for (std::size_t j = 0; j < 4; ++j) {
    // The vector's mask has no axis of heads.
    EXPECT_NEAR(computed.gradients.mask[4 + j] + computed.gradients.mask[12 + 4 + j], mask_row[j],
                1e-6);
  }
}

TEST(AttentionBackwardOracle, MatchesCentralDifferences) {
  for (const auto& set_options : kOptions) {
    Case c = random_case({2, 2, 1, 4, 5, 3, 2}, 3);
    set_options(c);
    const Gradients expected = Oracle(c).gradients;
    const std::array<std::vector<double> Case::*, 6> inputs = {
        &Case::query, &Case::key, &Case::value, &Case::mask, &Case::slopes, &Case::sinks};
    for (std::size_t part = 0; part < inputs.size(); ++part) {
      for (std::size_t at = 0; at < (c.*inputs[part]).size(); ++at) {
        double& number = (c.*inputs[part])[at];
        if (number == -kInfinity) continue;
        const double before = number;
        constexpr double kStep = 1e-5;
        number = before + kStep;
        const double above = Oracle(c).loss;
        number = before - kStep;
        const double below = Oracle(c).loss;
        number = before;
        ASSERT_NEAR((expected.*parts()[part].second)[at], (above - below) / (2 * kStep), 1e-8)
            << parts()[part].first << "[" << at << "]";
      }
    }
  }
}

// Sizes around lanes, panels, blocks of queries and tiles of keys.
TEST_P(AttentionBackward, MatchesDoublePrecisionForEveryOption) {
  const std::array<Shape, 5> shapes = {{{2, 2, 2, 1, 1, 1, 1},
                                        {2, 4, 2, 17, 19, 5, 7},
                                        {1, 1, 1, 65, 63, 8, 8},
                                        {1, 2, 1, 67, 261, 16, 9},
                                        {1, 1, 1, 7, 515, 4, 12}}};
  for (const Shape& shape : shapes) {
    for (std::size_t at = 0; at < kOptions.size(); ++at) {
      SCOPED_TRACE(testing::Message() << "options " << at << ", k_len " << shape.k_len);
      Case c = random_case(shape, 5);
      kOptions[at](c);
      expect_near(Computed(kernels, c).gradients, Oracle(c).gradients, 3e-6);
    }
  }
}

// A NaN at a position that is not visible has no influence; one that is visible reaches its own
// rows only.
TEST_P(AttentionBackward, IgnoresMaskedKeys) {
  Case c = random_case({1, 1, 1, 20, 20, 5, 6}, 11);
  c.causal = true;
  const Gradients clean = Computed(kernels, c).gradients;
  for (std::size_t k = 0; k < 5; ++k) c.key[19 * 5 + k] = NAN;
  for (std::size_t k = 0; k < 6; ++k) c.value[19 * 6 + k] = kInfinity;
  const Gradients last_key = Computed(kernels, c).gradients;
  for (std::size_t at = 0; at < 19 * 5; ++at) EXPECT_EQ(last_key.query[at], clean.query[at]);
  EXPECT_TRUE(std::isnan(last_key.query[19 * 5]));

  c = random_case({1, 1, 1, 20, 20, 5, 6}, 11);
  c.causal = true;
  for (std::size_t k = 0; k < 5; ++k) c.query[k] = NAN;
  for (std::size_t k = 0; k < 6; ++k) c.gradient[k] = NAN;
  const Gradients first_query = Computed(kernels, c).gradients;
  for (std::size_t at = 5; at < 20 * 5; ++at) {
    EXPECT_EQ(first_query.query[at], clean.query[at]);
    EXPECT_EQ(first_query.key[at], clean.key[at]);
  }
  EXPECT_TRUE(std::isnan(first_query.key[0]) && std::isnan(first_query.value[0]));
  for (std::size_t at = 6; at < 20 * 6; ++at) EXPECT_EQ(first_query.value[at], clean.value[at]);
}

TEST_P(AttentionBackward, EqualsAttentionWithAnEquivalentMask) {
  Case causal = random_case({1, 2, 1, 70, 70, 8, 8}, 21);
  causal.causal = true;
  Case masked = random_case({1, 2, 1, 70, 70, 8, 8}, 21);
  masked.mask.assign(2 * 70 * 70, 0);
  masked.mask_strides = {0, 70 * 70, 70, 1};
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t i = 0; i < 70; ++i) {
      for (std::size_t j = i + 1; j < 70; ++j)
        masked.mask[masked.mask_index(0, h, i, j)] = -kInfinity;
    }
  }
  const Gradients a = Computed(kernels, causal).gradients;
  const Gradients b = Computed(kernels, masked).gradients;
  EXPECT_TRUE(same_bits(floats(a.query), floats(b.query)));
  EXPECT_NEAR(a.key[3], b.key[3], 1e-6);
}

TEST_P(AttentionBackward, MemoryIsLinearInLengths) {
  const auto bytes = [&](std::size_t n) {
    Workspace counting;
    const auto heads = Heads<float>::head_major(nullptr, 1, 8, n, 64);
    attention_backward(kernels, {heads, heads, heads, heads, nullptr, heads}, {},
                       {heads, heads, heads}, counting);
    return counting.used();
  };
  EXPECT_EQ(bytes(8192) - bytes(4096), 8U * 4096 * sizeof(float));
  EXPECT_LT(bytes(4096), 1U << 20);
}

TEST_P(AttentionBackward, EmptyAxesGiveZeroGradients) {
  for (const Shape& shape : {Shape{1, 2, 1, 3, 0, 4, 5}, Shape{1, 2, 1, 0, 3, 4, 5},
                             Shape{0, 2, 1, 3, 3, 4, 5}, Shape{1, 2, 1, 3, 3, 4, 0}}) {
    const Gradients gradients = Computed(kernels, random_case(shape, 1)).gradients;
    for (const auto& [name, part] : parts()) {
      for (const double number : gradients.*part) EXPECT_EQ(number, 0) << name;
    }
  }
}

// Every width and depth around panels, in rows that are wider than what is used.
TEST_P(AttentionBackward, AddTransposedProduct) {
  for (const std::size_t depth : {0, 1, 3, 64}) {
    for (const std::size_t rows : {1, 3, 4, 5, 9}) {
      for (const std::size_t cols : {1, 7, 8, 9, 17}) {
        const std::vector<float> a = floats(normal((depth + 1) * (rows + 2), 1));
        const std::vector<float> b = floats(normal((depth + 1) * cols, 2));
        std::vector<float> packed((depth + 1) * round_up_to_panel(cols));
        kernels.pack_values(packed.data(), {b.data(), depth, cols, cols});
        std::vector<float> output(rows * (cols + 1), 1);
        gradient_kernels(kernels).add_transposed_product({output.data(), rows, cols, cols + 1},
                                                         {a.data(), depth, rows, rows + 2},
                                                         {packed.data(), depth * kPanel});
        for (std::size_t j = 0; j < rows; ++j) {
          EXPECT_EQ(output[j * (cols + 1) + cols], 1);
          for (std::size_t k = 0; k < cols; ++k) {
            float sum = 0;
            for (std::size_t i = 0; i < depth; ++i) sum += a[i * (rows + 2) + j] * b[i * cols + k];
            EXPECT_EQ(output[j * (cols + 1) + k], 1 + sum);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, AttentionBackward, training_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
