// The table; it says what the headers of the library say.
#include "support/cpp/choices.h"

#include <cstdio>
#include <cstdlib>

namespace attention::tests {
namespace {

struct Choice {
  std::string_view field, name;
  double number;
};

constexpr Choice kChoices[] = {
    {"similarity", "exponential", 0},
    {"similarity", "gaussian", 1},
    {"similarity", "laplacian", 2},
    {"similarity", "cosine", 3},
    {"similarity", "polynomial", 4},
    {"similarity", "given", 5},
    {"featureMap", "efficient", 0},
    {"featureMap", "relu", 1},
    {"featureMap", "elu", 2},
    {"featureMap", "exp", 3},
    {"activation", "relu", 1},
    {"activation", "gelu", 4},
    {"activation", "gelu_tanh", 5},
    {"wantsWeights", "none", 0},
    {"wantsWeights", "perHead", 1},
    {"wantsWeights", "average", 2},
    {"wantsCrossWeights", "none", 0},
    {"wantsCrossWeights", "perHead", 1},
    {"wantsCrossWeights", "average", 2},
    {"wantsScores", "none", 0},
    {"wantsScores", "raw", 1},
    {"wantsScores", "capped", 2},
    {"wantsScores", "biased", 3},
};

}  // namespace

double number_of_choice(std::string_view field, std::string_view name) {
  for (const Choice& choice : kChoices) {
    if (choice.field == field && choice.name == name) return choice.number;
  }
  std::fprintf(stderr, "%.*s has no choice %.*s\n", static_cast<int>(field.size()), field.data(),
               static_cast<int>(name.size()), name.data());
  std::abort();
}

std::vector<double> choices_of(std::string_view field) {
  std::vector<double> numbers;
  for (const Choice& choice : kChoices) {
    if (choice.field == field) numbers.push_back(choice.number);
  }
  return numbers;
}

}  // namespace attention::tests
