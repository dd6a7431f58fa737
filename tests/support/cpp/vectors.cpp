// Reads vectors.json and its buffer. Invalid files give no vectors.
#include "support/cpp/vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace attention::tests {
namespace {

using Json = nlohmann::json;

std::string contents(const std::string& name) {
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
  const std::size_t count = count_of(tensor.dims);
  const auto offset = json["offset"].get<std::size_t>();
  const auto type = json["type"].get<std::string>();
  tensor.bytes = type == "uint8";
  if (type == "uint8") tensor.numbers = numbers_at<std::uint8_t>(buffer, offset, count);
  if (type == "float32") tensor.numbers = numbers_at<float>(buffer, offset, count);
  if (type == "float64") tensor.numbers = numbers_at<double>(buffer, offset, count);
  return tensor;
}

std::map<std::string, VectorTensor> tensors(const Json& json, const char* name,
                                            const std::string& buffer) {
  std::map<std::string, VectorTensor> tensors;
  if (!json.contains(name)) return tensors;
  for (const auto& [key, value] : json[name].items()) tensors[key] = tensor(value, buffer);
  return tensors;
}

VectorOption option(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return json.get<double>();
  std::vector<std::optional<double>> list;
  for (const Json& item : json) {
    list.push_back(item.is_null() ? std::nullopt : std::optional(item.get<double>()));
  }
  return list;
}

std::map<std::string, VectorOption> options(const Json& json, const char* name) {
  std::map<std::string, VectorOption> options;
  if (!json.contains(name)) return options;
  for (const auto& [key, value] : json[name].items()) options[key] = option(value);
  return options;
}

// True if an expected 0 must be exactly 0, as for masked weights.
bool expects_exact_zeros(const Vector& vector, const std::string& result) {
  static const std::set<std::string> kWeighing = {"attention", "kernelAttention",
                                                  "linearAttention"};
  if (vector.has_flag("Published")) return false;
  if (result.ends_with("eights")) return true;
  return result == "output" && kWeighing.contains(vector.function);
}

Vector vector(const Json& json, const std::string& buffer) {
  Vector vector;
  vector.name = json["name"].get<std::string>();
  vector.function = json["function"].get<std::string>();
  vector.flags = json["flags"].get<std::vector<std::string>>();
  vector.inputs = tensors(json, "inputs", buffer);
  vector.weights = tensors(json, "weights", buffer);
  vector.options = options(json, "options");
  vector.construct = options(json, "construct");
  for (const auto& [name, expected] : json["expected"].items()) {
    vector.expected[name] = {tensor(expected, buffer), json["tolerance"][name].get<double>(),
                             expects_exact_zeros(vector, name)};
  }
  return vector;
}

std::vector<Vector> read_vectors() {
  const Json json = Json::parse(contents("vectors.json"), nullptr, false);
  if (json.is_discarded() || json["format"] != "attention-vectors" || json["version"] != 2) {
    return {};
  }
  const std::string buffer = contents(json["buffer"].get<std::string>());
  if (buffer.size() != json["bytes"].get<std::size_t>()) return {};
  std::vector<Vector> vectors;
  for (const Json& item : json["cases"]) vectors.push_back(vector(item, buffer));
  return vectors;
}

// The error of a number: 0 if both are NaN or the same infinity, infinity if only one is; never
// NaN.
double distance(float got, double want, bool exact_zeros) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : kInfinity;
  if (got == want) return 0;
  if (exact_zeros && want == 0) return kInfinity;
  return std::abs(double{got} - want);
}

}  // namespace

std::string VectorExpectation::difference(const Result& result) const {
  const std::vector<float>& numbers = result.numbers;
  if (result.dims != tensor.dims || numbers.size() != tensor.numbers.size()) {
    return "the dims are others";
  }
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    const double off = distance(numbers[at], tensor.numbers[at], exact_zeros);
    if (off > largest) {
      worst = at;
      largest = off;
    }
  }
  if (largest <= tolerance) return "";
  std::ostringstream sentence;
  sentence << "[" << worst << "] is " << numbers[worst] << " instead of " << tensor.numbers[worst]
           << ", off by " << largest << ", allowed " << tolerance;
  return sentence.str();
}

bool Vector::has_flag(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string Vector::constructed(const std::string& option) const {
  const auto found = construct.find(option);
  return found == construct.end() ? "" : std::get<std::string>(found->second);
}

std::map<std::string, std::map<std::string, std::string>> fingerprints() {
  const Json json = Json::parse(contents("fingerprints.json"), nullptr, false);
  std::map<std::string, std::map<std::string, std::string>> all;
  for (const auto& [kernels, functions] : json.items()) {
    for (const auto& [function, text] : functions.items()) all[kernels][function] = text;
  }
  return all;
}

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> all = read_vectors();
  return all;
}

}  // namespace attention::tests
