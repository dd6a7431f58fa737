// Layers with all optional fields, compared with the formulas of attention/transformer.h in double
// precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/rules.h"

namespace attention::tests {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

constexpr std::size_t kLength = 5;
constexpr double kScale = 0.7;
constexpr double kEpsilon = 0.1;

// The optional fields of a layer.
struct Kind {
  bool norm_first = false, parallel = false, rms = false;
  bool biases = true;  // of all matrices and norms
  bool gate = true, scales = true;
  bool own_norm = true;  // of the feed-forward sublayer
  bool rotary = false, biased = false;
  double frequency = 1, factor = 1;  // rotary; the first pair has frequency 1 with any base
};

// x·W + b; name: of W, in × out.
Row mapped(const Row& x, const std::string& name, std::size_t out, bool has_bias) {
  Row y(out);
  for (std::size_t o = 0; o < out; ++o) {
    y[o] = has_bias ? number_of(name + "Bias", o) : 0;
    for (std::size_t i = 0; i < x.size(); ++i) y[o] += x[i] * number_of(name, i * out + o);
  }
  return y;
}

Row normed(const Row& x, const std::string& name, const Kind& kind) {
  double mean = 0;
  for (const double number : x) mean += kind.rms ? 0 : number / static_cast<double>(x.size());
  double variance = 0;
  for (const double number : x) variance += (number - mean) * (number - mean);
  const double size = std::sqrt(variance / static_cast<double>(x.size()) + kEpsilon);
  Row y(x.size());
  for (std::size_t c = 0; c < x.size(); ++c) {
    y[c] = (x[c] - mean) / size * number_of(name, c);
    if (kind.biases) y[c] += number_of(name + "Bias", c);
  }
  return y;
}

// Rotates the first two of the three numbers of each head by their position.
void turn(Row& heads, std::size_t position, const Kind& kind) {
  const double angle = static_cast<double>(position) * kind.frequency;
  const double cos = kind.factor * std::cos(angle);
  const double sin = kind.factor * std::sin(angle);
  for (std::size_t first = 0; first < heads.size(); first += 3) {
    const double a = heads[first];
    const double b = heads[first + 1];
    heads[first] = a * cos - b * sin;
    heads[first + 1] = a * sin + b * cos;
  }
}

// Four buckets: distance 0, distance 1, distance 2, and 3 or more.
double bias_of(std::size_t head, std::size_t i, std::size_t j) {
  const std::size_t bucket = j > i ? 0 : std::min<std::size_t>(i - j, 3);
  return number_of("relativeBias", bucket * 4 + head);
}

// Four query heads, two KV heads; key_dim 3, value_dim 2.
Rows attended(const Rows& x, const Kind& kind) {
  Rows query, key, value, output;
  for (const Row& row : x) {
    query.push_back(mapped(row, "query", 12, kind.biases));
    key.push_back(mapped(row, "key", 6, kind.biases));
    value.push_back(mapped(row, "value", 4, kind.biases));
    if (!kind.rotary) continue;
    turn(query.back(), query.size() - 1, kind);
    turn(key.back(), key.size() - 1, kind);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row& q = query[i];
    Row together(8);
    for (std::size_t head = 0; head < 4; ++head) {
      Row alike;
      double sum = 0;
      for (std::size_t j = 0; j < key.size(); ++j) {
        double score = 0;
        for (std::size_t c = 0; c < 3; ++c) score += q[head * 3 + c] * key[j][head / 2 * 3 + c];
        alike.push_back(std::exp(kScale * score + (kind.biased ? bias_of(head, i, j) : 0)));
        sum += alike.back();
      }
      for (std::size_t j = 0; j < value.size(); ++j) {
        for (std::size_t c = 0; c < 2; ++c) {
          together[head * 2 + c] += alike[j] / sum * value[j][head / 2 * 2 + c];
        }
      }
    }
    output.push_back(mapped(together, "output", 6, kind.biases));
  }
  return output;
}

Row fed_forward(const Row& x, const Kind& kind) {
  const auto silu = [](double number) { return number / (1 + std::exp(-number)); };
  Row hidden = mapped(x, "widen", 10, kind.biases);
  const Row gate = mapped(x, "gate", 10, kind.biases);
  for (std::size_t c = 0; c < hidden.size(); ++c) {
    hidden[c] = kind.gate ? silu(gate[c]) * hidden[c] : silu(hidden[c]);
  }
  return mapped(hidden, "narrow", 6, kind.biases);
}

Row sum(const Row& x, const Row& added, const char* scale, const Kind& kind) {
  Row y = x;
  for (std::size_t c = 0; c < y.size(); ++c) {
    y[c] += (kind.scales ? number_of(scale, c) : 1) * added[c];
  }
  return y;
}

Rows expected_of(const Rows& x, const Kind& kind) {
  const bool first = kind.norm_first || kind.parallel;
  Rows input = x;
  if (first)
    std::transform(x.begin(), x.end(), input.begin(),
                   [&](const Row& row) { return normed(row, "selfNorm", kind); });
  const Rows added = attended(input, kind);
  Rows output;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Row row = sum(x[i], added[i], "selfScale", kind);
    if (!first) row = normed(row, "selfNorm", kind);
    const Row& before = kind.parallel ? x[i] : row;
    const Row fed =
        first ? normed(before, kind.own_norm ? "feedForwardNorm" : "selfNorm", kind) : before;
    row = sum(row, fed_forward(fed, kind), "feedForwardScale", kind);
    output.push_back(first ? row : normed(row, "feedForwardNorm", kind));
  }
  return output;
}

Recipe weights_of(const Kind& kind) {
  const auto given = [](bool is_given, const Recipe& recipe) {
    return is_given ? recipe : as_it_is;
  };
  return all({rule_table().call("newEncoder").base, is("scale", kScale), is("epsilon", kEpsilon),
              is("parallel", kind.parallel), is("rms", kind.rms),
              given(kind.norm_first, is("normFirst", 1)),
              given(kind.rotary, all({is("rotary", 1), is("rotaryWidth", 2)})),
              given(kind.frequency != 1, listed("rotaryFrequencies", {kind.frequency})),
              given(kind.factor != 1, is("rotaryFactor", kind.factor)),
              given(kind.biased,
                    all({is("relative", 1), sized("relativeBias", {4, 4}), is("maxDistance", 3)})),
              given(!kind.gate, without("gate")), given(!kind.own_norm, without("feedForwardNorm")),
              given(kind.scales, all({sized("selfScale", {6}), sized("feedForwardScale", {6})})),
              given(kind.biases,
                    all({sized("queryBias", {12}), sized("keyBias", {6}), sized("valueBias", {4}),
                         sized("outputBias", {6}), sized("widenBias", {10}),
                         sized("narrowBias", {6}), sized("selfNormBias", {6})})),
              given(kind.biases && kind.gate, sized("gateBias", {10})),
              given(kind.biases && kind.own_norm, sized("feedForwardNormBias", {6}))});
}

class WholeLayer : public KernelsTest {};

TEST_P(WholeLayer, MatchesItsFormulas) {
  for (const Kind& kind :
       {Kind{}, Kind{.norm_first = true}, Kind{.gate = false}, Kind{.scales = false},
        Kind{.rms = true, .biases = false}, Kind{.parallel = true},
        Kind{.norm_first = true, .parallel = true, .biases = false, .own_norm = false},
        Kind{.rotary = true}, Kind{.rotary = true, .frequency = 0.25, .factor = 1.5},
        Kind{.biased = true}}) {
    Record weights("newTransformerLayer");
    all({weights_of(kind), numbered})(weights);
    const Object layer(kernels, weights);
    ASSERT_EQ(layer.problem(), "");
    Record record("transformerLayer");
    all({is("layer", layer.address()), sized("x", {kLength, 6}), numbered})(record);
    const Answer answer = record.call(kernels);
    ASSERT_EQ(answer.problem, "");
    Rows x(kLength, Row(6));
    for (std::size_t at = 0; at < 6 * kLength; ++at) x[at / 6][at % 6] = number_of("x", at);
    const Rows expected = expected_of(x, kind);
    for (std::size_t at = 0; at < 6 * kLength; ++at) {
      const double number = expected[at / 6][at % 6];
      EXPECT_NEAR(answer.results.at("output").numbers[at], number, 1e-5 * (1 + std::abs(number)))
          << "norm first " << kind.norm_first << ", parallel " << kind.parallel << ", rms "
          << kind.rms << ", biases " << kind.biases << ", gate " << kind.gate << ", scales "
          << kind.scales << ", rotary " << kind.rotary << " of " << kind.frequency << ", biased "
          << kind.biased << ", " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, WholeLayer, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
