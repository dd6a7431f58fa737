// Every test vector on every path: streaming, with everything kept, averaged, and step by step.
#include "support/cpp/vectors.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "support/cpp/call.h"
#include "support/cpp/kernels_under_test.h"

namespace attention::tests {
namespace {

class Vectors : public KernelsTest {};

struct Results {
  std::string problem;
  Result output, weights, scores, log_sum_exp;
};

OptionalNumber optional_number(const std::optional<double>& number) {
  return {number.has_value() ? 1.0 : 0.0, number.value_or(0)};
}

ListArgument optional_list(const std::optional<std::vector<double>>& list) {
  return list.has_value() ? list_argument(*list) : ListArgument{};
}

Request request_of(const Vector& vector, Step step) {
  Request request{};
  request.step = static_cast<double>(static_cast<int>(step));
  request.query = tensor_argument(vector.query.dims);
  request.key = tensor_argument(vector.key.dims);
  request.value = tensor_argument(vector.value.dims);
  if (vector.mask.has_value()) {
    request.mask = tensor_argument(vector.mask->tensor.dims);
    request.mask_is_additive = vector.mask->additive ? 1 : 0;
  }
  request.heads = optional_number(vector.heads);
  request.kv_heads = optional_number(vector.kv_heads);
  request.scale = optional_number(vector.scale);
  request.softcap = optional_number(vector.softcap);
  request.causal = vector.causal ? 1 : 0;
  request.offset = optional_number(vector.offset);
  request.window = vector.windowed ? 1 : 0;
  request.window_left = optional_number(vector.window_left);
  request.window_right = optional_number(vector.window_right);
  request.offsets = optional_list(vector.offsets);
  request.key_lengths = optional_list(vector.key_lengths);
  request.slopes = optional_list(vector.slopes);
  request.sinks = optional_list(vector.sinks);
  return request;
}

Results call(const Kernels& kernels, const Vector& vector, Request request,
             const Result& matrix = {}) {
  const Step step = step_of(request);
  if (step == Step::kSoftmax || step == Step::kWeightedSum) {
    request.query = request.key = {};
    request.matrix = tensor_argument(matrix.dims);
    if (step == Step::kSoftmax) request.value = {};
  }
  if (step == Step::kScores) request.value = {};
  Results results;
  results.problem = check(request);
  if (!results.problem.empty()) return results;
  CallBlock block(request);
  const auto write = [&](const TensorArgument& to, const std::vector<double>& numbers) {
    if (to.given != 0) block.write<float>(to, numbers);
  };
  write(request.query, vector.query.numbers);
  write(request.key, vector.key.numbers);
  write(request.value, vector.value.numbers);
  write(request.matrix, {matrix.numbers.begin(), matrix.numbers.end()});
  if (vector.mask.has_value() && vector.mask->additive) {
    write(request.mask, vector.mask->tensor.numbers);
  } else if (vector.mask.has_value()) {
    block.write<std::uint8_t>(request.mask, vector.mask->tensor.numbers);
  }
  run(kernels, request, block.get());
  results.output = block.result(request.output);
  results.weights = block.result(request.weights);
  results.scores = block.result(request.scores);
  results.log_sum_exp = block.result(request.log_sum_exp);
  return results;
}

void expect(const Vector& vector, const char* what, const Result& got,
            const std::optional<VectorExpectation>& expected) {
  if (!expected.has_value()) return;
  EXPECT_EQ(expected->difference(got.dims, got.numbers), "") << vector.name << ": " << what;
}

TEST_P(Vectors, AreThere) { EXPECT_GE(vectors().size(), 150U); }

TEST_P(Vectors, Streaming) {
  for (const Vector& vector : vectors()) {
    const Results results = call(kernels, vector, request_of(vector, Step::kAttention));
    ASSERT_EQ(results.problem, "") << vector.name;
    expect(vector, "output", results.output, vector.output);
  }
}

TEST_P(Vectors, WithEverythingKept) {
  for (const Vector& vector : vectors()) {
    Request request = request_of(vector, Step::kAttention);
    const Result plain = call(kernels, vector, request).output;
    request.wants_weights = Request::kPerHead;
    request.wants_log_sum_exp = 1;
    const std::optional<VectorExpectation>* stages[] = {&vector.raw_scores, &vector.capped_scores,
                                                        &vector.biased_scores};
    for (int stage = 1; stage <= 3; ++stage) {
      request.wants_scores = stage;
      const Results results = call(kernels, vector, request);
      expect(vector, "weights", results.weights, vector.weights);
      expect(vector, "logSumExp", results.log_sum_exp, vector.log_sum_exp);
      expect(vector, "scores", results.scores, *stages[stage - 1]);
      EXPECT_TRUE(same_bits(results.output, plain)) << vector.name << ", stage " << stage;
    }
  }
}

TEST_P(Vectors, Averaged) {
  for (const Vector& vector : vectors()) {
    if (!vector.average_weights.has_value()) continue;
    Request request = request_of(vector, Step::kAttention);
    const Result plain = call(kernels, vector, request).output;
    request.wants_weights = Request::kAveraged;
    const Results results = call(kernels, vector, request);
    expect(vector, "average weights", results.weights, vector.average_weights);
    EXPECT_TRUE(same_bits(results.output, plain)) << vector.name;
  }
}

TEST_P(Vectors, StepByStep) {
  for (const Vector& vector : vectors()) {
    Request request = request_of(vector, Step::kScores);
    request.wants_scores = static_cast<double>(static_cast<int>(Stage::kBiased));
    const Results scored = call(kernels, vector, request);
    ASSERT_EQ(scored.problem, "") << vector.name;
    const Results weighed =
        call(kernels, vector, request_of(vector, Step::kSoftmax), scored.scores);
    ASSERT_EQ(weighed.problem, "") << vector.name;
    // Keys that vanish by underflow are not read by weightedSum(): poison there is another matter.
    expect(vector, "softmax", weighed.weights, vector.weights);
    if (vector.value.dims.size() == 3 && weighed.weights.dims.size() != 4) continue;
    const Results summed =
        call(kernels, vector, request_of(vector, Step::kWeightedSum), weighed.weights);
    ASSERT_EQ(summed.problem, "") << vector.name;
    expect(vector, "weightedSum", summed.output, vector.output);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Vectors, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
