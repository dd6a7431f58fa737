// Results that no test vector covers, and the facts that check() sets.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "attention/linear_map.h"
#include "kernels/kernels.h"
#include "support/cpp/rules.h"

namespace attention::tests {
namespace {

const Written& named(const char* name) { return rule_table().call(name); }

// Expects exactly these results, by name.
using Expected = std::vector<std::pair<std::string, Dims>>;

void expect_results(const Written& call, const Recipe& change, const Expected& expected) {
  Record record(call.function);
  call.base(record);
  change(record);
  ASSERT_EQ(record.check(), "") << call.function;
  Expected found;
  for (const RecordField& field : fields_of(call.function)) {
    if (field.kind == RecordField::Kind::kResult && record.is_given(field.name)) {
      found.emplace_back(field.name, record.dims(field.name));
    }
  }
  EXPECT_EQ(found, expected) << call.function;
}

double fact(const Written& call, const Recipe& change, const char* name) {
  Record record(call.function);
  call.base(record);
  change(record);
  EXPECT_EQ(record.check(), "") << call.function;
  return record.fact(name);
}

const Recipe kPacked = all({sized("query", {2, 3, 20}), sized("key", {2, 7, 10}),
                            sized("value", {2, 7, 12}), is("heads", 4), is("kvHeads", 2)});
const Recipe kOneEntry = all({sized("query", {3, 20}), sized("key", {7, 10}),
                              sized("value", {7, 12}), is("heads", 4), is("kvHeads", 2)});
const Recipe kOneHead = all({sized("query", {3, 5}), sized("key", {7, 5}), sized("value", {7, 6})});
const Recipe kPerHead = all(
    {chosen("returnWeights", "perHead"), chosen("returnScores", "raw"), is("returnLogSumExp", 1)});
const Recipe kAverage = chosen("returnWeights", "average");

TEST(Results, DimsOfRequestedScores) {
  const Dims dims = {2, 4, 3, 7};
  const Expected all_stages = {{"rawScores", dims}, {"cappedScores", dims}, {"biasedScores", dims}};
  for (unsigned stages = 1; stages < 8; ++stages) {
    Expected expected;
    for (unsigned stage = 0; stage < 3; ++stage) {
      if ((stages >> stage & 1U) != 0) expected.push_back(all_stages[stage]);
    }
    const Recipe wants = is("returnScores", stages);
    // scores() ignores requests for other results.
    expect_results(named("scores"), all({wants, kAverage, is("returnLogSumExp", 1)}), expected);
    expected.insert(expected.begin(), {"output", {2, 4, 3, 6}});
    expect_results(named("attention"), wants, expected);
  }
}

TEST(Results, DimsOfACacheWithHeads) {
  const auto cached = [](double kv_heads, const Dims& query) {
    Record record("newCache");
    record.set("batch", 1).set("kvHeads", kv_heads).set("keyDim", 5).set("valueDim", 6);
    const auto cache = std::make_unique<Object>(reference_kernels(), record.set("capacity", 9));
    const Written call = {"attention", all({is("cache", cache->address()), sized("query", query)})};
    expect_results(call, kPerHead,
                   kv_heads == 1 ? Expected{{"output", {3, 6}},
                                            {"weights", {3, 0}},
                                            {"rawScores", {3, 0}},
                                            {"logSumExp", {3}}}
                                 : Expected{{"output", {3, 12}},
                                            {"weights", {2, 3, 0}},
                                            {"rawScores", {2, 3, 0}},
                                            {"logSumExp", {2, 3}}});
    if (kv_heads > 1) return;
    expect_results(call, all({sized("query", {3, 20}), is("heads", 4), kPerHead}),
                   {{"output", {3, 24}},
                    {"weights", {4, 3, 0}},
                    {"rawScores", {4, 3, 0}},
                    {"logSumExp", {4, 3}}});
  };
  cached(1, {3, 5});
  cached(2, {3, 10});
  expect_results(named("cached"), kPerHead,
                 {{"output", {2, 4, 3, 6}},
                  {"weights", {2, 4, 3, 7}},
                  {"rawScores", {2, 4, 3, 7}},
                  {"logSumExp", {2, 4, 3}}});
}

TEST(Results, DimsOfLinearAttention) {
  const Recipe stateless = all({is("returnState", 0), without("sums")});
  const Dims output = {2, 4, 3, 6};
  const Expected state = {
      {"output", output}, {"newSums", {2, 2, 5, 6}}, {"newNormalizer", {2, 2, 5}}};
  expect_results(named("linearAttention"), as_it_is, state);
  expect_results(named("linearAttention"), is("returnState", 0), state);
  expect_results(named("linearAttention"), without("sums"), state);
  expect_results(named("linearAttention"), stateless, {{"output", output}});
}

TEST(Results, DimsOfLayersWithACache) {
  EXPECT_EQ(fact(named("projectContext"), as_it_is, "batch"), 2);
  EXPECT_EQ(fact(named("projectContext"), as_it_is, "length"), 7);
  // Queries attend to the keys in the cache and to the appended ones.
  expect_results(named("multiHeadCached"), kPerHead,
                 {{"weights", {2, 4, 3, 7}},
                  {"rawScores", {2, 4, 3, 7}},
                  {"logSumExp", {2, 4, 3}},
                  {"output", {2, 3, 6}}});
  expect_results(named("multiHeadCached"), all({is("appends", 0), kAverage}),
                 {{"weights", {2, 3, 0}}, {"output", {2, 3, 6}}});
}

TEST(Results, DimsOfLayers) {
  const Recipe wanted = all({is("returnProjections", 1), chosen("returnWeights", "perHead"),
                             chosen("returnCrossWeights", "perHead")});
  const Recipe one_entry = all({sized("x", {3, 6}), sized("memory", {7, 5})});
  expect_results(named("encoder"), as_it_is, {{"output", {2, 3, 6}}});
  expect_results(named("encoder"), wanted,
                 {{"weights", {2, 4, 3, 3}},
                  {"query", {2, 4, 3, 3}},
                  {"key", {2, 2, 3, 3}},
                  {"value", {2, 2, 3, 2}},
                  {"output", {2, 3, 6}}});
  expect_results(named("decoder"), wanted,
                 {{"weights", {2, 4, 3, 3}},
                  {"crossWeights", {2, 4, 3, 7}},
                  {"query", {2, 4, 3, 3}},
                  {"key", {2, 2, 3, 3}},
                  {"value", {2, 2, 3, 2}},
                  {"crossQuery", {2, 4, 3, 3}},
                  {"crossKey", {2, 2, 7, 3}},
                  {"crossValue", {2, 2, 7, 2}},
                  {"output", {2, 3, 6}}});
  expect_results(named("decoder"), all({one_entry, wanted}),
                 {{"weights", {4, 3, 3}},
                  {"crossWeights", {4, 3, 7}},
                  {"query", {4, 3, 3}},
                  {"key", {2, 3, 3}},
                  {"value", {2, 3, 2}},
                  {"crossQuery", {4, 3, 3}},
                  {"crossKey", {2, 7, 3}},
                  {"crossValue", {2, 7, 2}},
                  {"output", {3, 6}}});
  expect_results(named("decoder"), chosen("returnCrossWeights", "average"),
                 {{"crossWeights", {2, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(named("encoderRows"), chosen("returnWeights", "perHead"),
                 {{"weights", {2, 4, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(named("decoderRows"), chosen("returnCrossWeights", "perHead"),
                 {{"crossWeights", {2, 4, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(named("projectEncoder"), as_it_is,
                 {{"selfKey", {2, 3, 6}}, {"selfValue", {2, 3, 4}}});
  expect_results(named("projectDecoder"), as_it_is,
                 {{"selfKey", {2, 3, 6}},
                  {"selfValue", {2, 3, 4}},
                  {"memoryKey", {2, 7, 6}},
                  {"memoryValue", {2, 7, 4}}});
}

Result output_of(const char* function, const Recipe& recipe) {
  Record record(function);
  recipe(record);
  EXPECT_EQ(record.check(), "") << function;
  return record.run(reference_kernels()).at("output");
}

TEST(Results, PositionsFollowTheirFormulas) {
  const Result slopes = output_of("alibiSlopes", is("heads", 6));
  EXPECT_EQ(slopes.numbers, (std::vector<float>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}));
  const Recipe length = all({is("length", 3), is("dim", 4)});
  for (const auto& [recipe, offset, frequency] : {std::tuple{length, 0.0, 0.01},
                                                  {all({length, is("offset", 7)}), 7.0, 0.01},
                                                  {all({length, is("base", 16)}), 0.0, 0.25}}) {
    const Result sines = output_of("sinusoidalPositions", recipe);
    for (std::size_t at = 0; at < 12; ++at) {
      const double position = static_cast<double>(at / 4) + offset;
      const double angle = position * (at % 4 < 2 ? 1 : frequency);
      EXPECT_NEAR(sines.numbers[at], at % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-7);
    }
  }
}

// object_bytes is exactly the size of the object and its weights.
TEST(Facts, BytesOfAnObject) {
  Workspace counting;
  counting.take<LinearMap>(1);
  LinearMap::reserve(counting, {.in = 6, .out = 4});
  EXPECT_EQ(fact(named("newLinear"), as_it_is, "objectBytes"),
            static_cast<double>(counting.used()));
}

TEST(Facts, DimsOfAttention) {
  const std::vector<std::pair<const char*, double>> expected = {
      {"batch", 2}, {"heads", 4},  {"kvHeads", 2}, {"qLen", 3},
      {"kLen", 7},  {"keyDim", 5}, {"valueDim", 6}};
  for (const auto& [name, number] : expected) {
    EXPECT_EQ(fact(named("attention"), as_it_is, name), number) << name;
    EXPECT_EQ(fact(named("attention"), kPacked, name), number) << name;
    EXPECT_EQ(fact(named("attention"), kOneEntry, name), name == std::string("batch") ? 1 : number)
        << name;
    EXPECT_EQ(fact(named("cached"), as_it_is, name), number) << name;
  }
}

TEST(Facts, DimsOfWeights) {
  const auto expect = [](const Written& call, const Dims& numbers) {
    const char* const names[] = {"heads",    "kvHeads",  "keyDim",
                                 "valueDim", "modelDim", "contextDim"};
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      EXPECT_EQ(fact(call, as_it_is, names[at]), numbers[at]) << names[at];
    }
    EXPECT_GT(fact(call, as_it_is, "objectBytes"), 0);
  };
  expect(named("newMultiHead"), {4, 2, 3, 2, 6, 5});
  expect(named("newTorch"), {2, 2, 3, 2, 6, 5});
  expect(named("newStacked"), {2, 2, 3, 3, 6, 6});
  expect(named("newEncoder"), {4, 2, 3, 2, 6, 6});
  for (const double out_first : {0.0, 1.0}) {
    EXPECT_EQ(fact(named("newLinear"), is("outFirst", out_first), "inDim"), out_first == 0 ? 6 : 4);
    EXPECT_EQ(fact(named("newLinear"), is("outFirst", out_first), "outDim"),
              out_first == 0 ? 4 : 6);
  }
  EXPECT_EQ(fact(named("reservedLinear"), as_it_is, "inDim"), 6);
  EXPECT_EQ(fact(named("reservedLinear"), as_it_is, "outDim"), 4);
}

}  // namespace
}  // namespace attention::tests
