// The names of enum values, by the fields that hold them.
#include "support/cpp/choices.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "calls/call.h"

namespace attention::tests {
namespace {

using Numbers = std::map<std::string, double, std::less<>>;

const Numbers& numbers_of(std::string_view field) {
  static const std::map<std::string, Numbers> enums = [] {
    const auto description = nlohmann::json::parse(calls::describe());
    auto read = description.at("enums").get<std::map<std::string, Numbers>>();
    read["Weights"]["none"] = 0;
    read["Stage"]["none"] = 0;
    return read;
  }();
  static const std::map<std::string, std::string, std::less<>> fields = {
      {"similarity", "Similarity"}, {"featureMap", "FeatureMap"},
      {"activation", "Activation"}, {"reservedType", "NumberType"},
      {"returnWeights", "Weights"}, {"returnCrossWeights", "Weights"},
      {"returnScores", "Stage"}};
  static const Numbers nothing;
  const auto found = fields.find(field);
  return found == fields.end() ? nothing : enums.at(found->second);
}

}  // namespace

double number_of_choice(std::string_view field, std::string_view name) {
  const Numbers& numbers = numbers_of(field);
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  std::fprintf(stderr, "%.*s has no choice %.*s\n", static_cast<int>(field.size()), field.data(),
               static_cast<int>(name.size()), name.data());
  std::abort();
}

std::vector<double> choices_of(std::string_view field) {
  std::vector<double> numbers;
  for (const auto& [name, number] : numbers_of(field)) numbers.push_back(number);
  return numbers;
}

}  // namespace attention::tests
