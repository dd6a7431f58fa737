// The test vectors (tests/vectors/README.md), as C++ sees them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/cpp/tensors.h"

namespace attention::tests {

// Written so that NaN never passes by accident: the answer is "" or where the numbers differ most.
struct VectorExpectation {
  VectorTensor tensor;
  double tolerance = 0;
  bool exact_zeros = false;  // a 0 is met by a 0 only

  std::string difference(const Result& result) const;
};

// true is 1; null, the unbounded side of a window, is nothing.
using VectorOption = std::variant<double, std::string, std::vector<std::optional<double>>>;

struct Vector {
  std::string name, function;
  std::vector<std::string> flags;
  std::map<std::string, VectorTensor> inputs, weights;
  std::map<std::string, VectorOption> options, construct;
  std::map<std::string, VectorExpectation> expected;

  bool has_flag(const std::string& flag) const;
  // "" if there is no such option of construct.
  std::string constructed(const std::string& option) const;
};

// For each implementation of the kernels, and each function, that of the results (fingerprint.h).
std::map<std::string, std::map<std::string, std::string>> fingerprints();

// Read once. Empty if the files are not there or not what is promised.
const std::vector<Vector>& vectors();

}  // namespace attention::tests
