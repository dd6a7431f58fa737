// Every test vector on every path: output only, with all optional results, and step by step.
// Optional results never change the bits of the output.
#include "support/cpp/vectors.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/cpp/fingerprint.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"
#include "support/cpp/vector_call.h"

namespace attention::tests {
namespace {

const char* const kStages[] = {"raw", "capped", "biased"};

// The optional results of a call.
struct Asked {
  std::string weights = "none", scores = "none";
  bool log_sum_exp = false, head_outputs = false;

  std::string text() const {
    return "weights " + weights + ", scores " + scores + (log_sum_exp ? ", logSumExp" : "") +
           (head_outputs ? ", head outputs" : "");
  }
};

std::vector<Asked> requests_of(const Vector& vector) {
  const bool multi_head = vector.function == "multiHeadAttention";
  if (vector.function == "rotaryEmbedding") return {};
  std::vector<Asked> requests = {{.weights = "perHead"}, {.weights = "average"}};
  if (multi_head || vector.function == "attention") {
    for (const char* stage : kStages) {
      requests.push_back({"perHead", stage, true, multi_head});
    }
    requests.push_back({.scores = "raw"});
    requests.push_back({.weights = "average", .scores = "capped"});
    requests.push_back({.log_sum_exp = true});
  }
  if (multi_head) requests.push_back({.head_outputs = true});
  return requests;
}

void ask(Record& record, const Asked& asked) {
  if (asked.weights != "none") {
    record.set("returnWeights", asked.weights);
    if (record.has("returnCrossWeights")) record.set("returnCrossWeights", asked.weights);
  }
  if (asked.scores != "none") record.set("returnScores", asked.scores);
  if (asked.log_sum_exp) record.set("returnLogSumExp", 1);
  if (asked.head_outputs) record.set("returnHeadOutputs", 1);
}

// Names of results in records, and in test vectors.
std::map<std::string, std::string> names_of(const Vector& vector, const Asked& asked) {
  const bool averaged = asked.weights == "average";
  std::map<std::string, std::string> names = {{"output", "output"}};
  if (asked.weights != "none") names["weights"] = averaged ? "averageWeights" : "weights";
  if (asked.weights != "none" && vector.function == "transformerDecoderLayer") {
    names["crossWeights"] = averaged ? "averageCrossWeights" : "crossWeights";
  }
  if (asked.scores != "none") names[asked.scores + "Scores"] = asked.scores + "Scores";
  if (asked.log_sum_exp) names["logSumExp"] = "logSumExp";
  if (asked.head_outputs) names["headOutputs"] = "headOutputs";
  if (vector.options.contains("state")) {
    names["newSums"] = "S";
    names["newNormalizer"] = "z";
  }
  return names;
}

// The calls of one test vector, and the expected results that were compared.
class Judge {
 public:
  Judge(const Kernels& kernels, const Vector& vector)
      : kernels_(kernels), vector_(vector), layer_(kernels, vector) {}

  void asked_for_everything() {
    const Results plain = call(Asked{});
    for (const Asked& asked : requests_of(vector_)) {
      const Results results = call(asked);
      for (const auto& [name, result] : plain) {
        EXPECT_TRUE(results.contains(name) && same_bits(results.at(name), result))
            << vector_.name << ": " << name << " beside " << asked.text();
      }
    }
  }

  void step_by_step() {
    Results scored;
    for (const char* stage : kStages) {
      const std::unique_ptr<Record> record = step_record_of(vector_, "scores", {"query", "key"});
      record->set("returnScores", stage);
      scored = run(*record);
      expect(std::string(stage) + "Scores", scored.at(std::string(stage) + "Scores"), "scores()");
    }
    // softmax() takes scores of the last stage.
    const Result weights = softmax(scored.at("biasedScores"));
    expect("weights", weights, "softmax()");
    const std::unique_ptr<Record> record = step_record_of(vector_, "weightedSum", {"value"});
    record->set("matrix", as_tensor(weights));
    expect("output", run(*record).at("output"), "weightedSum()");
    const Results kept = call({.weights = "perHead", .scores = "biased"});
    EXPECT_TRUE(same_bits(softmax(kept.at("biasedScores")), kept.at("weights"))) << vector_.name;
  }

  void projected() {
    Record record("project");
    record.set("layer", layer_.address()).set("x", vector_.inputs.at("x"));
    if (vector_.inputs.contains("context")) record.set("context", vector_.inputs.at("context"));
    const Results results = run(record);
    ASSERT_EQ(results.size(), 3U) << vector_.name;
    for (const auto& [name, result] : results) expect(name, result, "project()");
  }

  // Results under their names in test vectors, in that order.
  std::map<std::string, Result> named(const Asked& asked) {
    Results results = call(asked);
    std::map<std::string, Result> named;
    for (const auto& [name, known] : names_of(vector_, asked)) named[known] = results[name];
    return named;
  }

  // An expected result with another name would never be compared.
  void has_met_everything() const {
    for (const auto& [name, expected] : vector_.expected) {
      EXPECT_TRUE(met_.contains(name)) << vector_.name << ": " << name;
      EXPECT_GE(expected.tolerance, 0) << vector_.name << ": " << name;
    }
  }

 private:
  static VectorTensor as_tensor(const Result& result) {
    return {result.dims, {result.numbers.begin(), result.numbers.end()}};
  }

  Results run(Record& record) const {
    const Answer answer = record.call(kernels_);
    EXPECT_EQ(answer.problem, "") << vector_.name;
    return answer.results;
  }

  Results call(const Asked& asked) {
    const std::unique_ptr<Record> record = record_of(vector_, layer_.address());
    ask(*record, asked);
    const std::map<std::string, std::string> names = names_of(vector_, asked);
    Results results = run(*record);
    EXPECT_EQ(results.size(), names.size()) << vector_.name << ": " << asked.text();
    for (const auto& [name, known] : names) {
      EXPECT_TRUE(results.contains(name)) << vector_.name << ": " << name << ", " << asked.text();
      expect(known, results[name], asked.text());
    }
    return results;
  }

  Result softmax(const Result& scores) const {
    const std::unique_ptr<Record> record = step_record_of(vector_, "softmax", {});
    record->set("matrix", as_tensor(scores));
    return run(*record)["weights"];
  }

  void expect(const std::string& name, const Result& result, const std::string& path) {
    const auto expected = vector_.expected.find(name);
    if (expected == vector_.expected.end()) return;
    met_.insert(name);
    EXPECT_EQ(expected->second.difference(result), "")
        << vector_.name << ": " << name << ", " << path;
  }

  const Kernels& kernels_;
  const Vector& vector_;
  const VectorLayer layer_;
  std::set<std::string> met_;
};

class Vectors : public KernelsTest {};

TEST_P(Vectors, CoverEveryFunction) {
  std::map<std::string, int> counts;
  for (const Vector& vector : vectors()) ++counts[vector.function];
  EXPECT_EQ(counts.size(), 7U);
  for (const auto& [function, count] : counts) EXPECT_GE(count, 20) << function;
  EXPECT_GE(counts["attention"], 150);
}

TEST_P(Vectors, MatchOnEveryPath) {
  for (const Vector& vector : vectors()) {
    Judge judge(kernels, vector);
    judge.asked_for_everything();
    if (vector.function == "attention") judge.step_by_step();
    if (vector.function == "multiHeadAttention") judge.projected();
    judge.has_met_everything();
  }
}

// The state does not depend on causal.
TEST_P(Vectors, LinearStateDoesNotDependOnQueries) {
  int compared = 0;
  for (const Vector& vector : vectors()) {
    if (vector.function != "linearAttention" || !vector.has_flag("StateOut")) continue;
    Results results[2];
    for (const int causal : {0, 1}) {
      const std::unique_ptr<Record> record = record_of(vector, 0);
      record->set("causal", causal);
      const Answer answer = record->call(kernels);
      // Causal linear attention requires q_len = k_len.
      if (!answer.problem.empty()) break;
      results[causal] = answer.results;
    }
    if (results[1].empty()) continue;
    ++compared;
    for (const char* name : {"newSums", "newNormalizer"}) {
      EXPECT_TRUE(same_bits(results[0].at(name), results[1].at(name))) << vector.name << name;
    }
  }
  EXPECT_GE(compared, 10);
}

// Results have the same bits with every compiler and engine (tests/vectors/fingerprints.json),
// except for softcap and gelu_tanh of the reference kernels, which use tanh() of the C library.
TEST_P(Vectors, MatchTheFingerprintsOfEveryEngine) {
  std::map<std::string, Fingerprint> found;
  for (const Vector& vector : vectors()) {
    Judge judge(kernels, vector);
    Fingerprint& fingerprint = found[vector.function];
    for (const auto& [name, result] : judge.named({})) fingerprint.add(result);
    if (vector.function != "attention") continue;
    const Asked everything{.weights = "perHead", .scores = "raw", .log_sum_exp = true};
    for (const auto& [name, result] : judge.named(everything)) fingerprint.add(result);
  }
  std::map<std::string, std::string> texts;
  for (const auto& [function, fingerprint] : found) texts[function] = fingerprint.text();
  std::map<std::string, std::string> everywhere = fingerprints().at(kernels.name);
  if (kernels.name == reference_kernels().name) {
    for (const char* function : {"attention", "multiHeadAttention", "transformerEncoderLayer"}) {
      texts.erase(function);
      everywhere.erase(function);
    }
  }
  EXPECT_EQ(texts, everywhere);
}

INSTANTIATE_TEST_SUITE_P(Every, Vectors, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
