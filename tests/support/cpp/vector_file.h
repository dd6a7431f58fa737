// A file of test vectors and its buffer (tests/fixtures/README.md): what both kinds have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace attention::tests {

struct VectorTensor {
  std::vector<double> dims;
  std::vector<double> numbers;  // whatever their type in the buffer
  bool bytes = false;           // whether that type is uint8
};

// Written so that NaN never passes by accident: the answer is "" or where the numbers differ most.
struct VectorExpectation {
  VectorTensor tensor;
  double tolerance = 0;
  bool exact_zeros = false;  // a 0 is met by a 0 only

  std::string difference(const std::vector<double>& dims, const std::vector<float>& numbers) const;
};

class VectorFile {
 public:
  // Nothing if a file is not there or not what is promised.
  static std::optional<VectorFile> read(const std::string& name, const std::string& format);

  const nlohmann::json& cases() const { return json_["cases"]; }
  VectorTensor tensor(const nlohmann::json& json) const;

 private:
  nlohmann::json json_;
  std::string buffer_;
};

}  // namespace attention::tests
