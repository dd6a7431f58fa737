// The test vectors (tests/vectors/README.md) in C++.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/cpp/tensors.h"

namespace attention::tests {

// Returns "", or the position of the largest difference. NaN never compares as equal to a number.
struct VectorExpectation {
  VectorTensor tensor;
  double tolerance = 0;
  bool exact_zeros = false;  // an expected 0 must be exactly 0

  std::string difference(const Result& result) const;
};

// true is 1; null (an unbounded side of a window) is empty.
using VectorOption = std::variant<double, std::string, std::vector<std::optional<double>>>;

struct Vector {
  std::string name, function;
  std::vector<std::string> flags;
  std::map<std::string, VectorTensor> inputs, weights;
  std::map<std::string, VectorOption> options, construct;
  std::map<std::string, VectorExpectation> expected;

  bool has_flag(const std::string& flag) const;
  // "" if construct has no such option.
  std::string constructed(const std::string& option) const;
};

// Fingerprints of results (fingerprint.h) by kernel implementation and function.
std::map<std::string, std::map<std::string, std::string>> fingerprints();

// Loaded once per program. Empty if the files are missing or invalid.
const std::vector<Vector>& vectors();

}  // namespace attention::tests
