// Numbers as a reader expects them: whole ones without a point, others with up to six decimals.
#include "calls/sentence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attention::calls {
namespace {

std::string text(double number) {
  if (std::isnan(number)) return "NaN";
  if (number < 0) return "-" + text(-number);
  if (std::isinf(number)) return "Infinity";
  constexpr double kPrintable = 1e18;
  if (number >= kPrintable) return "more than 10^18";
  const double whole = std::floor(number);
  // std::to_string would bring all of printf with it.
  std::string digits;
  auto left = static_cast<std::uint64_t>(whole);
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + left % 10));
    left /= 10;
  } while (left > 0);
  double rest = number - whole;
  if (rest == 0) return digits;
  digits += '.';
  constexpr int kDecimals = 6;
  for (int i = 0; i < kDecimals && rest > 0; ++i) {
    rest *= 10;
    const auto digit = static_cast<int>(rest);
    digits += static_cast<char>('0' + digit);
    rest -= digit;
  }
  // What is not binary ends in zeros, or in a point where it was smaller than any decimal.
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

// 2×3×64, or "(none)" for a tensor without dimensions.
std::string text(const Tensor& tensor) {
  std::string dims;
  const double axes = tensor.rank > 0 ? std::min(tensor.rank, double{kMaximumRank}) : 0;
  const auto rank = static_cast<std::size_t>(axes);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (axis > 0) dims += "×";
    dims += text(tensor.dims[axis]);
  }
  if (tensor.rank > kMaximumRank) dims += "×…";
  return dims.empty() ? "(none)" : dims;
}

}  // namespace

Part::Part(const char* words) : Part(std::string_view(words)) {}
Part::Part(std::string_view words)
    : kind_(Kind::kWords),
      length_(static_cast<std::uint32_t>(words.size())),
      said_{.words = words.data()} {}
Part::Part(double number) : kind_(Kind::kNumber), said_{.number = number} {}
Part::Part(const Tensor& tensor) : kind_(Kind::kDims), said_{.tensor = &tensor} {}

void Part::append_to(std::string& sentence) const {
  switch (kind_) {
    case Kind::kWords:
      sentence.append(said_.words, length_);
      break;
    case Kind::kNumber:
      sentence.append(text(said_.number));
      break;
    case Kind::kDims:
      sentence.append(text(*said_.tensor));
      break;
  }
}

std::string sentence(std::initializer_list<Part> parts) {
  std::string words;
  for (const Part& part : parts) part.append_to(words);
  return words;
}

}  // namespace attention::calls
