// Reads family.json; a file that is not as promised leaves no vectors at all.
#include "support/cpp/family_vectors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::tests {
namespace {

using Json = nlohmann::json;

FamilyOption option(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return json.get<double>();
  std::vector<std::optional<double>> list;
  for (const Json& item : json) {
    list.push_back(item.is_null() ? std::nullopt : std::optional(item.get<double>()));
  }
  return list;
}

std::map<std::string, FamilyOption> options(const Json& json, const char* name) {
  std::map<std::string, FamilyOption> options;
  if (!json.contains(name)) return options;
  for (const auto& [key, value] : json[name].items()) options[key] = option(value);
  return options;
}

std::map<std::string, VectorTensor> tensors(const Json& json, const char* name,
                                            const VectorFile& file) {
  std::map<std::string, VectorTensor> tensors;
  if (!json.contains(name)) return tensors;
  for (const auto& [key, value] : json[name].items()) tensors[key] = file.tensor(value);
  return tensors;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Whether a 0 that is expected is met by a 0 only.
bool expects_exact_zeros(const FamilyVector& vector, const std::string& result) {
  if (vector.has_flag("Published")) return false;
  if (ends_with(result, "eights")) return true;
  return result == "output" &&
         (vector.function == "kernelAttention" || vector.function == "linearAttention");
}

FamilyVector vector(const Json& json, const VectorFile& file) {
  FamilyVector vector;
  vector.name = json["name"].get<std::string>();
  vector.function = json["function"].get<std::string>();
  vector.flags = json["flags"].get<std::vector<std::string>>();
  vector.inputs = tensors(json, "inputs", file);
  vector.weights = tensors(json, "weights", file);
  vector.options = options(json, "options");
  vector.construct = options(json, "construct");
  for (const auto& [name, tensor] : json["expected"].items()) {
    vector.expected[name] = {file.tensor(tensor), json["tolerance"][name].get<double>(),
                             expects_exact_zeros(vector, name)};
  }
  return vector;
}

}  // namespace

bool FamilyVector::has_flag(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string FamilyVector::constructed(const std::string& option) const {
  const auto found = construct.find(option);
  return found == construct.end() ? "" : std::get<std::string>(found->second);
}

const std::vector<FamilyVector>& family_vectors() {
  static const std::vector<FamilyVector> all = [] {
    std::vector<FamilyVector> read_vectors;
    const auto file = VectorFile::read("family.json", "attention-family-vectors");
    if (!file.has_value()) return read_vectors;
    for (const Json& item : file->cases()) read_vectors.push_back(vector(item, *file));
    return read_vectors;
  }();
  return all;
}

}  // namespace attention::tests
