// A file that is not as promised is no file at all.
#include "support/cpp/vector_file.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
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

// How far off a number is: 0 where the kinds agree, infinite where they do not, never NaN.
double distance(float got, double want, bool exact_zeros) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : kInfinity;
  if (got == want) return 0;
  if (exact_zeros && want == 0) return kInfinity;
  return std::abs(double{got} - want);
}

}  // namespace

std::string VectorExpectation::difference(const std::vector<double>& dims,
                                          const std::vector<float>& numbers) const {
  if (dims != tensor.dims || numbers.size() != tensor.numbers.size()) return "the dims are others";
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

std::optional<VectorFile> VectorFile::read(const std::string& name, const std::string& format) {
  VectorFile file;
  file.json_ = Json::parse(contents(name), nullptr, false);
  if (file.json_.is_discarded() || file.json_["format"] != format || file.json_["version"] != 1) {
    return std::nullopt;
  }
  file.buffer_ = contents(file.json_["buffer"].get<std::string>());
  if (file.buffer_.size() != file.json_["bytes"].get<std::size_t>()) return std::nullopt;
  return file;
}

VectorTensor VectorFile::tensor(const Json& json) const {
  VectorTensor tensor;
  tensor.dims = json["dims"].get<std::vector<double>>();
  std::size_t count = 1;
  for (const double dim : tensor.dims) count *= static_cast<std::size_t>(dim);
  const auto offset = json["offset"].get<std::size_t>();
  const auto type = json["type"].get<std::string>();
  tensor.bytes = type == "uint8";
  if (type == "uint8") tensor.numbers = numbers_at<std::uint8_t>(buffer_, offset, count);
  if (type == "float32") tensor.numbers = numbers_at<float>(buffer_, offset, count);
  if (type == "float64") tensor.numbers = numbers_at<double>(buffer_, offset, count);
  return tensor;
}

}  // namespace attention::tests
