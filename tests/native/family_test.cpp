// Every test vector of the family on every path: output alone, weights kept or averaged, and all
// that a layer can tell. What is asked for beside the output never changes its bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/cpp/family_call.h"
#include "support/cpp/family_vectors.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"

namespace attention::tests {
namespace {

class Family : public KernelsTest {};

// The layer of a vector, if it has one.
class Layer {
 public:
  Layer(const Kernels& kernels, const FamilyVector& vector, const Put& put = put_as_it_is) {
    if (!has_layer(vector)) return;
    const std::unique_ptr<Record> record = layer_record_of(vector, put);
    object_.emplace(kernels, *record);
    EXPECT_EQ(object_->problem(), "") << vector.name;
  }

  double address() const { return object_.has_value() ? object_->address() : 0; }

 private:
  std::optional<Object> object_;
};

// Results under the names by which vectors expect them.
void expect_all(const FamilyVector& vector, const Results& results, bool averaged,
                const std::string& scores = "scores") {
  for (const auto& [name, result] : results) {
    std::string known = name;
    if (averaged && name == "weights") known = "averageWeights";
    if (averaged && name == "crossWeights") known = "averageCrossWeights";
    if (name == "newSums") known = "S";
    if (name == "newNormaliser") known = "z";
    if (name == "scores") known = scores;
    const auto expected = vector.expected.find(known);
    if (expected == vector.expected.end()) continue;
    EXPECT_EQ(expected->second.difference(result.dims, result.numbers), "")
        << vector.name << ": " << known;
  }
}

void want_weights(Record& record, double kind) {
  record.set("wantsWeights", kind);
  if (record.has("wantsCrossWeights")) record.set("wantsCrossWeights", kind);
}

TEST_P(Family, AreThere) { EXPECT_GE(family_vectors().size(), 280U); }

// A result that goes by any other name would never be looked at.
TEST_P(Family, ExpectNothingElse) {
  const std::set<std::string> known = {
      "output", "weights",   "averageWeights", "crossWeights", "averageCrossWeights",
      "S",      "z",         "headOutputs",    "query",        "key",
      "value",  "logSumExp", "rawScores",      "cappedScores", "biasedScores"};
  for (const FamilyVector& vector : family_vectors()) {
    for (const auto& [name, expected] : vector.expected) {
      EXPECT_TRUE(known.contains(name)) << vector.name << ": " << name;
      EXPECT_GE(expected.tolerance, 0) << vector.name << ": " << name;
    }
  }
}

TEST_P(Family, OutputAlone) {
  for (const FamilyVector& vector : family_vectors()) {
    const Layer layer(kernels, vector);
    const Answer answer = record_of(vector, layer.address())->call(kernels);
    ASSERT_EQ(answer.problem, "") << vector.name;
    ASSERT_TRUE(answer.results.contains("output")) << vector.name;
    EXPECT_FALSE(answer.results.contains("weights")) << vector.name;
    expect_all(vector, answer.results, false);
  }
}

TEST_P(Family, WithWeights) {
  for (const FamilyVector& vector : family_vectors()) {
    if (vector.function == "rotaryEmbedding") continue;
    const Layer layer(kernels, vector);
    const Answer plain = record_of(vector, layer.address())->call(kernels);
    for (const double kind : {Request::kPerHead, Request::kAveraged}) {
      const std::unique_ptr<Record> record = record_of(vector, layer.address());
      want_weights(*record, kind);
      const Answer answer = record->call(kernels);
      ASSERT_EQ(answer.problem, "") << vector.name;
      ASSERT_TRUE(answer.results.contains("weights")) << vector.name;
      expect_all(vector, answer.results, kind == Request::kAveraged);
      EXPECT_TRUE(same_bits(answer.results.at("output"), plain.results.at("output")))
          << vector.name << ", weights " << kind;
    }
  }
}

TEST_P(Family, MultiHeadWithEverythingKept) {
  const char* stages[] = {"rawScores", "cappedScores", "biasedScores"};
  for (const FamilyVector& vector : family_vectors()) {
    if (vector.function != "multiHeadAttention") continue;
    const Layer layer(kernels, vector);
    const Answer plain = record_of(vector, layer.address())->call(kernels);
    for (int stage = 0; stage <= 3; ++stage) {
      const std::unique_ptr<Record> record = record_of(vector, layer.address());
      record->set("wantsHeadOutputs", 1);
      if (stage > 0) {
        record->set("wantsWeights", 1).set("wantsLogSumExp", 1).set("wantsScores", stage);
      }
      const Answer answer = record->call(kernels);
      ASSERT_EQ(answer.problem, "") << vector.name;
      ASSERT_TRUE(answer.results.contains("headOutputs")) << vector.name;
      expect_all(vector, answer.results, false, stage > 0 ? stages[stage - 1] : "");
      EXPECT_TRUE(same_bits(answer.results.at("output"), plain.results.at("output")))
          << vector.name << ", stage " << stage;
    }
  }
}

TEST_P(Family, ProjectionsAlone) {
  for (const FamilyVector& vector : family_vectors()) {
    if (vector.function != "multiHeadAttention") continue;
    const Layer layer(kernels, vector);
    Record record("project");
    record.set("layer", layer.address()).set("x", vector.inputs.at("x"));
    if (vector.inputs.contains("context")) record.set("context", vector.inputs.at("context"));
    const Answer answer = record.call(kernels);
    ASSERT_EQ(answer.problem, "") << vector.name;
    ASSERT_EQ(answer.results.size(), 3U);
    expect_all(vector, answer.results, false);
  }
}

// The state of a call without causal is that of one with it.
TEST_P(Family, LinearStateDoesNotDependOnWhoLooks) {
  for (const FamilyVector& vector : family_vectors()) {
    if (vector.function != "linearAttention" || !vector.has_flag("StateOut")) continue;
    Results results[2];
    for (const int causal : {0, 1}) {
      const std::unique_ptr<Record> record = record_of(vector, 0);
      record->set("causal", causal);
      const Answer answer = record->call(kernels);
      // Queries of another number than the keys have no causal form.
      if (!answer.problem.empty()) break;
      results[causal] = answer.results;
    }
    if (results[1].empty()) continue;
    for (const char* name : {"newSums", "newNormaliser"}) {
      EXPECT_TRUE(same_bits(results[0].at(name), results[1].at(name))) << vector.name << name;
    }
  }
}

std::uint16_t bfloat16_of(double number) {
  const auto single = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

// Towards 0.
std::uint16_t float16_of(double number) {
  const int sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::abs(number);
  const auto with_sign = [&](int bits) { return static_cast<std::uint16_t>(sign | bits); };
  if (std::isnan(size)) return with_sign(0x7E00);
  if (size >= 65536) return with_sign(0x7C00);
  if (size == 0) return with_sign(0);
  const int exponent = std::max(std::ilogb(size), -14);
  const auto fraction = static_cast<int>(std::ldexp(size, 10 - exponent));
  return with_sign(fraction < 1024 ? fraction : (exponent + 15) << 10 | (fraction - 1024));
}

HalfTensor halved(const VectorTensor& tensor, NumberType type) {
  HalfTensor half{tensor.dims, {}, type};
  for (const double number : tensor.numbers) {
    half.bits.push_back(type == NumberType::kFloat16 ? float16_of(number) : bfloat16_of(number));
  }
  return half;
}

// Tensors of 16 bits give the bits that their numbers give as float32.
TEST_P(Family, SixteenBitTensors) {
  for (const NumberType type : {NumberType::kFloat16, NumberType::kBfloat16}) {
    const Put put_half = [&](Record& record, const std::string& field, const VectorTensor& tensor) {
      record.set(field, halved(tensor, type));
    };
    const Put put_rounded = [&](Record& record, const std::string& field,
                                const VectorTensor& tensor) {
      VectorTensor rounded = tensor;
      for (double& number : rounded.numbers) {
        number = number_of(type == NumberType::kFloat16 ? float16_of(number) : bfloat16_of(number),
                           type);
      }
      record.set(field, rounded);
    };
    for (const FamilyVector& vector : family_vectors()) {
      const Layer half_layer(kernels, vector, put_half);
      const Layer rounded_layer(kernels, vector, put_rounded);
      const Answer half = record_of(vector, half_layer.address(), put_half)->call(kernels);
      const Answer rounded = record_of(vector, rounded_layer.address(), put_rounded)->call(kernels);
      ASSERT_EQ(half.problem, "") << vector.name;
      ASSERT_EQ(half.results.size(), rounded.results.size());
      for (const auto& [name, result] : half.results) {
        EXPECT_TRUE(same_bits(result, rounded.results.at(name))) << vector.name << ": " << name;
      }
    }
  }
}

// Nothing is rotated, so what comes out is what came in: every number there is, subnormal ones,
// infinities and NaN too.
TEST_P(Family, EverySixteenBitNumberIsWidened) {
  for (const NumberType type : {NumberType::kFloat16, NumberType::kBfloat16}) {
    HalfTensor all{{1024, 64}, {}, type};
    for (int bits = 0; bits <= 0xFFFF; ++bits) all.bits.push_back(static_cast<std::uint16_t>(bits));
    const Answer answer = Record("rotaryEmbedding").set("x", all).set("width", 0).call(kernels);
    ASSERT_EQ(answer.problem, "");
    std::vector<float> expected;
    for (const std::uint16_t bits : all.bits) {
      expected.push_back(static_cast<float>(number_of(bits, type)));
    }
    EXPECT_TRUE(same_bits(answer.results.at("output").numbers, expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Family, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
