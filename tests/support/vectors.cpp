// Reads attention.json and its buffer; a file that is not as promised leaves no vectors at all.
#include "support/vectors.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace attention::tests {
namespace {

using Json = nlohmann::json;

std::string read(const std::string& name) {
  std::ifstream file(std::string(ATTENTION_FIXTURES) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
std::vector<double> numbers_at(const std::string& buffer, std::size_t offset, std::size_t count) {
  std::vector<T> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), buffer.data() + offset, count * sizeof(T));
  return {numbers.begin(), numbers.end()};
}

VectorTensor tensor(const Json& json, const std::string& buffer) {
  VectorTensor tensor;
  tensor.dims = json["dims"].get<std::vector<double>>();
  std::size_t count = 1;
  for (const double dim : tensor.dims) count *= static_cast<std::size_t>(dim);
  const auto offset = json["offset"].get<std::size_t>();
  const auto type = json["type"].get<std::string>();
  if (type == "uint8") tensor.numbers = numbers_at<std::uint8_t>(buffer, offset, count);
  if (type == "float32") tensor.numbers = numbers_at<float>(buffer, offset, count);
  if (type == "float64") tensor.numbers = numbers_at<double>(buffer, offset, count);
  return tensor;
}

template <class T>
std::optional<T> optional(const Json& json, const char* name) {
  if (!json.contains(name) || json[name].is_null()) return std::nullopt;
  return json[name].get<T>();
}

Vector vector(const Json& json, const std::string& buffer) {
  Vector vector;
  vector.name = json["name"].get<std::string>();
  vector.flags = json["flags"].get<std::vector<std::string>>();
  vector.query = tensor(json["query"], buffer);
  vector.key = tensor(json["key"], buffer);
  vector.value = tensor(json["value"], buffer);
  if (json.contains("mask")) {
    vector.mask = VectorMask{tensor(json["mask"], buffer), json["mask"]["type"] == "float32"};
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
    return VectorExpectation{tensor(json["expected"][name], buffer),
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
    const Json json = Json::parse(read("attention.json"), nullptr, false);
    if (json.is_discarded()) return read_vectors;
    const std::string buffer = read(json["buffer"].get<std::string>());
    if (buffer.size() != json["bytes"].get<std::size_t>()) return read_vectors;
    for (const Json& item : json["cases"]) read_vectors.push_back(vector(item, buffer));
    return read_vectors;
  }();
  return all;
}

}  // namespace attention::tests
