// What calls give: the dims of every result, which ones there are, and what the rules find out.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "attention/linear_map.h"
#include "kernels/kernels.h"
#include "support/cpp/written_calls.h"

namespace attention::tests {
namespace {

const WrittenCalls& calls() {
  static const WrittenCalls made;
  return made;
}

// Results by their names; those that are not named are not there.
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
const Recipe kPerHead =
    all({chosen("wantsWeights", "perHead"), chosen("wantsScores", "raw"), is("wantsLogSumExp", 1)});
const Recipe kAverage = chosen("wantsWeights", "average");

TEST(Results, OfAttentionInEveryLayout) {
  const WrittenCalls& c = calls();
  for (const Written& call : {c.attention, c.kernel_attention}) {
    expect_results(call, as_it_is, {{"output", {2, 4, 3, 6}}});
    expect_results(call, kAverage, {{"output", {2, 4, 3, 6}}, {"weights", {2, 3, 7}}});
    expect_results(call, kPerHead,
                   {{"output", {2, 4, 3, 6}},
                    {"weights", {2, 4, 3, 7}},
                    {"rawScores", {2, 4, 3, 7}},
                    {"logSumExp", {2, 4, 3}}});
    expect_results(call, all({kPacked, kAverage}),
                   {{"output", {2, 3, 24}}, {"weights", {2, 3, 7}}});
    expect_results(call, all({kPacked, kPerHead}),
                   {{"output", {2, 3, 24}},
                    {"weights", {2, 4, 3, 7}},
                    {"rawScores", {2, 4, 3, 7}},
                    {"logSumExp", {2, 4, 3}}});
    expect_results(call, all({kOneEntry, kAverage}), {{"output", {3, 24}}, {"weights", {3, 7}}});
    expect_results(call, all({kOneEntry, kPerHead}),
                   {{"output", {3, 24}},
                    {"weights", {4, 3, 7}},
                    {"rawScores", {4, 3, 7}},
                    {"logSumExp", {4, 3}}});
    expect_results(
        call, all({kOneHead, kPerHead}),
        {{"output", {3, 6}}, {"weights", {3, 7}}, {"rawScores", {3, 7}}, {"logSumExp", {3}}});
    expect_results(call, all({kOneHead, is("heads", 1), kPerHead}),
                   {{"output", {3, 6}},
                    {"weights", {1, 3, 7}},
                    {"rawScores", {1, 3, 7}},
                    {"logSumExp", {1, 3}}});
  }
}

TEST(Results, OfAnyStages) {
  const WrittenCalls& c = calls();
  const Dims dims = {2, 4, 3, 7};
  const Expected all_stages = {{"rawScores", dims}, {"cappedScores", dims}, {"biasedScores", dims}};
  for (unsigned stages = 1; stages < 8; ++stages) {
    Expected expected;
    for (unsigned stage = 0; stage < 3; ++stage) {
      if ((stages >> stage & 1U) != 0) expected.push_back(all_stages[stage]);
    }
    const Recipe wants = is("wantsScores", stages);
    // scores() has nothing else, whatever it is asked for.
    expect_results(c.scores, all({wants, kAverage, is("wantsLogSumExp", 1)}), expected);
    expected.insert(expected.begin(), {"output", {2, 4, 3, 6}});
    expect_results(c.attention, wants, expected);
  }
}

TEST(Results, OfACacheThatNamesItsHeads) {
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
  const WrittenCalls& c = calls();
  expect_results(c.cached, kPerHead,
                 {{"output", {2, 4, 3, 6}},
                  {"weights", {2, 4, 3, 7}},
                  {"rawScores", {2, 4, 3, 7}},
                  {"logSumExp", {2, 4, 3}}});
}

TEST(Results, OfSteps) {
  const WrittenCalls& c = calls();
  for (const Dims& dims : {Dims{2, 4, 3, 7}, Dims{4, 3, 7}, Dims{3, 7}}) {
    expect_results(c.softmax, sized("matrix", dims), {{"weights", dims}});
  }
  const auto sum = [&](const Dims& weights, const Dims& value, const Recipe& kv_heads,
                       const Dims& output) {
    expect_results(c.weighted_sum, all({sized("matrix", weights), sized("value", value), kv_heads}),
                   {{"output", output}});
  };
  sum({2, 4, 3, 7}, {2, 2, 7, 6}, as_it_is, {2, 4, 3, 6});
  sum({2, 4, 3, 7}, {2, 7, 12}, is("kvHeads", 2), {2, 3, 24});
  sum({2, 4, 3, 7}, {2, 7, 12}, as_it_is, {2, 3, 12});
  sum({4, 3, 7}, {7, 12}, is("kvHeads", 2), {3, 24});
  sum({4, 3, 7}, {7, 12}, as_it_is, {3, 12});
  sum({3, 7}, {7, 12}, as_it_is, {3, 12});
}

TEST(Results, OfLinearAttention) {
  const WrittenCalls& c = calls();
  const Recipe stateless = all({is("wantsState", 0), without("sums")});
  const Dims output = {2, 4, 3, 6};
  const Expected state = {
      {"output", output}, {"newSums", {2, 2, 5, 6}}, {"newNormaliser", {2, 2, 5}}};
  expect_results(c.linear_attention, as_it_is, state);
  expect_results(c.linear_attention, is("wantsState", 0), state);
  expect_results(c.linear_attention, without("sums"), state);
  expect_results(c.linear_attention, stateless, {{"output", output}});
  expect_results(c.linear_attention, all({stateless, kPerHead}),
                 {{"output", output}, {"weights", {2, 4, 3, 7}}});
  expect_results(c.linear_attention, all({stateless, kAverage}),
                 {{"output", output}, {"weights", {2, 3, 7}}});
  expect_results(c.linear_attention, all({stateless, kOneHead, kPerHead}),
                 {{"output", {3, 6}}, {"weights", {3, 7}}});
  expect_results(c.linear_attention, all({stateless, kOneEntry, kPerHead}),
                 {{"output", {3, 24}}, {"weights", {4, 3, 7}}});
}

TEST(Results, OfRows) {
  const WrittenCalls& c = calls();
  expect_results(c.rotary, as_it_is, {{"output", {2, 3, 16}}});
  expect_results(c.sinusoidal, as_it_is, {{"output", {5, 6}}});
  expect_results(c.slopes, as_it_is, {{"output", {4}}});
  expect_results(c.norm, as_it_is, {{"output", {2, 3, 6}}});
  expect_results(c.linear, as_it_is, {{"output", {2, 3, 4}}});
  expect_results(c.linear, sized("x", {6}), {{"output", {4}}});
  expect_results(c.rows, as_it_is, {{"output", {2, 6}}});
  expect_results(c.rows, without("ids"), {{"output", {0, 6}}});
}

TEST(Results, OfHeads) {
  const WrittenCalls& c = calls();
  const Recipe everything = all({kPerHead, is("wantsHeadOutputs", 1)});
  const Recipe one_entry = all({sized("x", {3, 6}), sized("context", {7, 5})});
  expect_results(c.multi_head, as_it_is, {{"output", {2, 3, 6}}});
  expect_results(c.multi_head, everything,
                 {{"weights", {2, 4, 3, 7}},
                  {"rawScores", {2, 4, 3, 7}},
                  {"logSumExp", {2, 4, 3}},
                  {"output", {2, 3, 6}},
                  {"headOutputs", {2, 4, 3, 2}}});
  expect_results(c.multi_head, all({one_entry, everything}),
                 {{"weights", {4, 3, 7}},
                  {"rawScores", {4, 3, 7}},
                  {"logSumExp", {4, 3}},
                  {"output", {3, 6}},
                  {"headOutputs", {4, 3, 2}}});
  expect_results(c.multi_head, all({one_entry, kAverage}),
                 {{"weights", {3, 7}}, {"output", {3, 6}}});
  expect_results(c.project, as_it_is,
                 {{"query", {2, 4, 3, 3}}, {"key", {2, 2, 7, 3}}, {"value", {2, 2, 7, 2}}});
  expect_results(c.project, one_entry,
                 {{"query", {1, 4, 3, 3}}, {"key", {1, 2, 7, 3}}, {"value", {1, 2, 7, 2}}});
  EXPECT_EQ(fact(c.project_context, as_it_is, "batch"), 2);
  EXPECT_EQ(fact(c.project_context, as_it_is, "length"), 7);
  // What a cache holds is seen, and what is appended.
  expect_results(c.multi_head_cached, kPerHead,
                 {{"weights", {2, 4, 3, 7}},
                  {"rawScores", {2, 4, 3, 7}},
                  {"logSumExp", {2, 4, 3}},
                  {"output", {2, 3, 6}}});
  expect_results(c.multi_head_cached, all({is("appends", 0), kAverage}),
                 {{"weights", {2, 3, 0}}, {"output", {2, 3, 6}}});
}

TEST(Results, OfLayers) {
  const WrittenCalls& c = calls();
  const Recipe wanted = all({is("wantsProjections", 1), chosen("wantsWeights", "perHead"),
                             chosen("wantsCrossWeights", "perHead")});
  const Recipe one_entry = all({sized("x", {3, 6}), sized("memory", {7, 5})});
  expect_results(c.encoder, as_it_is, {{"output", {2, 3, 6}}});
  expect_results(c.encoder, wanted,
                 {{"weights", {2, 4, 3, 3}},
                  {"query", {2, 4, 3, 3}},
                  {"key", {2, 2, 3, 3}},
                  {"value", {2, 2, 3, 2}},
                  {"output", {2, 3, 6}}});
  expect_results(c.decoder, wanted,
                 {{"weights", {2, 4, 3, 3}},
                  {"crossWeights", {2, 4, 3, 7}},
                  {"query", {2, 4, 3, 3}},
                  {"key", {2, 2, 3, 3}},
                  {"value", {2, 2, 3, 2}},
                  {"crossQuery", {2, 4, 3, 3}},
                  {"crossKey", {2, 2, 7, 3}},
                  {"crossValue", {2, 2, 7, 2}},
                  {"output", {2, 3, 6}}});
  expect_results(c.decoder, all({one_entry, wanted}),
                 {{"weights", {4, 3, 3}},
                  {"crossWeights", {4, 3, 7}},
                  {"query", {4, 3, 3}},
                  {"key", {2, 3, 3}},
                  {"value", {2, 3, 2}},
                  {"crossQuery", {4, 3, 3}},
                  {"crossKey", {2, 7, 3}},
                  {"crossValue", {2, 7, 2}},
                  {"output", {3, 6}}});
  expect_results(c.decoder, chosen("wantsCrossWeights", "average"),
                 {{"crossWeights", {2, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(c.rows_of_encoder, chosen("wantsWeights", "perHead"),
                 {{"weights", {2, 4, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(c.rows_of_decoder, chosen("wantsCrossWeights", "perHead"),
                 {{"crossWeights", {2, 4, 3, 7}}, {"output", {2, 3, 6}}});
  expect_results(c.project_encoder, as_it_is, {{"selfKey", {2, 3, 6}}, {"selfValue", {2, 3, 4}}});
  expect_results(c.project_decoder, as_it_is,
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

TEST(Results, OfPositionsAreWhatTheirFormulasSay) {
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

// The object and its numbers, and not a byte more.
TEST(Facts, OfTheBytesOfAnObject) {
  Workspace counting;
  counting.take<LinearMap>(1);
  LinearMap::reserve(counting, {.in = 6, .out = 4});
  EXPECT_EQ(fact(calls().new_linear, as_it_is, "objectBytes"),
            static_cast<double>(counting.used()));
}

TEST(Facts, OfAttention) {
  const std::vector<std::pair<const char*, double>> expected = {
      {"batch", 2}, {"heads", 4},  {"kvHeads", 2}, {"qLen", 3},
      {"kLen", 7},  {"keyDim", 5}, {"valueDim", 6}};
  const WrittenCalls& c = calls();
  for (const auto& [name, number] : expected) {
    EXPECT_EQ(fact(c.attention, as_it_is, name), number) << name;
    EXPECT_EQ(fact(c.attention, kPacked, name), number) << name;
    EXPECT_EQ(fact(c.attention, kOneEntry, name), name == std::string("batch") ? 1 : number)
        << name;
    EXPECT_EQ(fact(c.cached, as_it_is, name), number) << name;
  }
}

TEST(Facts, OfWeights) {
  const WrittenCalls& c = calls();
  const auto expect = [](const Written& call, const Dims& numbers) {
    const char* const names[] = {"heads",    "kvHeads",  "keyDim",
                                 "valueDim", "modelDim", "contextDim"};
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      EXPECT_EQ(fact(call, as_it_is, names[at]), numbers[at]) << names[at];
    }
    EXPECT_GT(fact(call, as_it_is, "objectBytes"), 0);
  };
  expect(c.new_multi_head, {4, 2, 3, 2, 6, 5});
  expect(c.new_torch, {2, 2, 3, 2, 6, 5});
  expect(c.new_stacked, {2, 2, 3, 3, 6, 6});
  expect(c.new_encoder, {4, 2, 3, 2, 6, 6});
  for (const double torch : {0.0, 1.0}) {
    EXPECT_EQ(fact(c.new_linear, is("torch", torch), "inDim"), torch == 0 ? 6 : 4);
    EXPECT_EQ(fact(c.new_linear, is("torch", torch), "outDim"), torch == 0 ? 4 : 6);
  }
  EXPECT_EQ(fact(c.reserved_linear, as_it_is, "inDim"), 6);
  EXPECT_EQ(fact(c.reserved_linear, as_it_is, "outDim"), 4);
}

// Keys and values of one head after another, from 32,768 numbers a head on.
TEST(Facts, OfParts) {
  const Written& call = calls().attention;
  const auto parts = [&](const Dims& query, const Dims& key, const Recipe& more = as_it_is) {
    return fact(call, all({sized("query", query), sized("key", key), sized("value", key), more}),
                "parts");
  };
  EXPECT_EQ(parts({2, 4, 3, 64}, {2, 2, 256, 64}), 4);
  EXPECT_EQ(parts({2, 4, 3, 64}, {2, 2, 255, 64}), 1);
  EXPECT_EQ(parts({2, 2, 3, 64}, {2, 1, 256, 64}), 2);
  EXPECT_EQ(parts({1, 2, 3, 64}, {1, 2, 256, 64}), 2);
  EXPECT_EQ(parts({1, 2, 3, 64}, {1, 1, 256, 64}), 1);
  EXPECT_EQ(parts({2, 3, 64}, {2, 256, 64}), 2);
  EXPECT_EQ(parts({2, 3, 128}, {2, 256, 128}, is("heads", 2)), 1);
  for (const char* name : {"key", "value"}) {
    const Recipe narrow = sized(name, {2, 2, 256, 64}, NarrowType::kBfloat16);
    EXPECT_EQ(parts({2, 4, 3, 64}, {2, 2, 256, 64}, narrow), 1) << name;
  }
  // Memory for one head at a time.
  const auto bytes = [&](double k_len) {
    return fact(call,
                all({sized("query", {2, 2, 1, 64}), sized("key", {2, 2, k_len, 64}),
                     sized("value", {2, 2, k_len, 64})}),
                "bytes");
  };
  EXPECT_LT(bytes(256), bytes(255) / 2);
}

// Weights and scores of a group of heads after another from 32,768 numbers a group on; where they
// are of one head or of an average, and nothing of several heads goes with them, in slices of
// 524,288 numbers, whole blocks of queries.
TEST(Facts, OfSlices) {
  const Written& call = calls().attention;
  const auto runs = [&](const Dims& query, const Dims& key, const Recipe& kept) {
    const Recipe given = all({sized("query", query), sized("key", key), sized("value", key), kept});
    return std::pair(fact(call, given, "parts"), fact(call, given, "slices"));
  };
  const Recipe weights = is("wantsWeights", 1);
  const Recipe average = is("wantsWeights", 2);
  const Recipe scores = is("wantsScores", 4);
  using Runs = std::pair<double, double>;
  const Dims query = {2, 2, 1024, 1};
  const Dims key = {2, 2, 1024, 1};
  for (const Recipe& kept : {weights, scores, all({weights, scores, is("wantsLogSumExp", 1)})}) {
    EXPECT_EQ(runs(query, key, kept), Runs(4, 2));
    EXPECT_EQ(runs({2, 2, 1025, 1}, key, kept), Runs(4, 3));
    EXPECT_EQ(runs(query, {2, 1, 1024, 1}, kept), Runs(2, 1));
  }
  EXPECT_EQ(runs(query, key, as_it_is), Runs(1, 1));
  EXPECT_EQ(runs(query, key, average), Runs(2, 2));
  EXPECT_EQ(runs(query, {2, 1, 1024, 1}, average), Runs(2, 2));
  EXPECT_EQ(runs(query, key, all({average, scores})), Runs(2, 1));
  EXPECT_EQ(runs(query, key, all({average, is("wantsLogSumExp", 1)})), Runs(2, 1));
  EXPECT_EQ(runs({1, 2, 2, 1}, {1, 2, 16384, 1}, weights), Runs(2, 1));
  EXPECT_EQ(runs({1, 2, 2, 1}, {1, 2, 16383, 1}, weights), Runs(1, 1));
  // However many keys there are, a slice is a block.
  EXPECT_EQ(runs({1, 1, 128, 1}, {1, 1, 524288, 1}, weights), Runs(1, 2));
}

}  // namespace
}  // namespace attention::tests
