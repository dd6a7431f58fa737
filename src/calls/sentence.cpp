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

std::string put_together(const char* text, const Said* told) {
  std::string words;
  for (; *text != '\0'; ++text) {
    if (*text == '$') {
      words += (told++)->words;
    } else if (*text == '#') {
      words += calls::text((told++)->number);
    } else if (*text == '@') {
      words += calls::text(*(told++)->tensor);
    } else {
      words += *text;
    }
  }
  return words;
}

}  // namespace attention::calls
