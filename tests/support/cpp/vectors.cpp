// Reads attention.json; a file that is not as promised leaves no vectors at all.
#include "support/cpp/vectors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::tests {
namespace {

using Json = nlohmann::json;

template <class T>
std::optional<T> optional(const Json& json, const char* name) {
  if (!json.contains(name) || json[name].is_null()) return std::nullopt;
  return json[name].get<T>();
}

Vector vector(const Json& json, const VectorFile& file) {
  Vector vector;
  vector.name = json["name"].get<std::string>();
  vector.flags = json["flags"].get<std::vector<std::string>>();
  vector.query = file.tensor(json["query"]);
  vector.key = file.tensor(json["key"]);
  vector.value = file.tensor(json["value"]);
  if (json.contains("mask")) {
    vector.mask = VectorMask{file.tensor(json["mask"]), json["mask"]["type"] == "float32"};
  }

  const Json& options = json["options"];
  vector.heads = optional<double>(options, "heads");
  vector.kv_heads = optional<double>(options, "kvHeads");
  vector.scale = optional<double>(options, "scale");
  vector.softcap = optional<double>(options, "softcap");
  vector.causal = optional<bool>(options, "causal").value_or(false);
  if (options.contains("offset")) {
    if (options["offset"].is_array()) {
      vector.offsets = optional<std::vector<double>>(options, "offset");
    } else {
      vector.offset = optional<double>(options, "offset");
    }
  }
  if (options.contains("window")) {
    vector.windowed = true;
    const Json& window = options["window"];
    if (!window[0].is_null()) vector.window_left = window[0].get<double>();
    if (!window[1].is_null()) vector.window_right = window[1].get<double>();
  }
  vector.key_lengths = optional<std::vector<double>>(options, "keyLengths");
  vector.slopes = optional<std::vector<double>>(options, "slopes");
  vector.sinks = optional<std::vector<double>>(options, "sinks");

  const bool exact = !vector.has_flag("Published");
  const auto expectation = [&](const char* name, const char* tolerance,
                               bool exact_zeros) -> std::optional<VectorExpectation> {
    if (!json["expected"].contains(name)) return std::nullopt;
    return VectorExpectation{file.tensor(json["expected"][name]),
                             json["tolerance"][tolerance].get<double>(), exact_zeros};
  };
  vector.output = expectation("output", "output", false);
  vector.weights = expectation("weights", "weights", exact);
  vector.average_weights = expectation("averageWeights", "weights", exact);
  vector.log_sum_exp = expectation("logSumExp", "logSumExp", false);
  vector.raw_scores = expectation("rawScores", "scores", false);
  vector.capped_scores = expectation("cappedScores", "scores", false);
  vector.biased_scores = expectation("biasedScores", "scores", false);
  return vector;
}

}  // namespace

bool Vector::has_flag(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> all = [] {
    std::vector<Vector> read_vectors;
    const auto file = VectorFile::read("attention.json", "attention-vectors");
    if (!file.has_value()) return read_vectors;
    for (const Json& item : file->cases()) read_vectors.push_back(vector(item, *file));
    return read_vectors;
  }();
  return all;
}

}  // namespace attention::tests
