// The test vectors of the family (tests/fixtures/README.md), as C++ sees them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/cpp/vector_file.h"

namespace attention::tests {

// true is 1; null, the unbounded side of a window, is nothing.
using FamilyOption = std::variant<double, std::string, std::vector<std::optional<double>>>;

struct FamilyVector {
  std::string name, function;
  std::vector<std::string> flags;
  std::map<std::string, VectorTensor> inputs, weights;
  std::map<std::string, FamilyOption> options, construct;
  std::map<std::string, VectorExpectation> expected;

  bool has_flag(const std::string& flag) const;
  // "" if there is no such option of construct.
  std::string constructed(const std::string& option) const;
};

// Read once. Empty if the files are not there or not understood.
const std::vector<FamilyVector>& family_vectors();

}  // namespace attention::tests
