// Numbers in error messages: integers without a decimal point, others rounded to six decimals.
#include "calls/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace attention::calls {
namespace {

std::string text(double number) {
  if (std::isnan(number)) return "NaN";
  constexpr double kPrintable = 1e18;
  if (number < -kPrintable && !std::isinf(number)) return "less than -10^18";
  if (number < 0) {
    std::string words = "-";
    return words += text(-number);
  }
  if (std::isinf(number)) return "Infinity";
  if (number > kPrintable) return "more than 10^18";
  constexpr int kDecimals = 6;
  constexpr double kMillion = 1e6;
  double whole = std::floor(number);
  // Rounded as an integer: multiplying by 10 digit by digit would print 33.399999 for 33.4.
  double rest = std::round((number - whole) * kMillion);
  if (rest == kMillion) {
    rest = 0;
    ++whole;
  }
  // Written backwards, without trailing zeros.
  std::array<char, 32> characters;
  char* const end = characters.data() + characters.size();
  char* first = end;
  auto decimals = static_cast<int>(rest);
  for (int i = 0; i < kDecimals && rest != 0; ++i, decimals /= 10) {
    const int digit = decimals % 10;
    if (digit != 0 || first != end) *--first = static_cast<char>('0' + digit);
  }
  if (first != end) *--first = '.';
  auto left = static_cast<std::uint64_t>(whole);
  do {
    *--first = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left > 0);
  return {first, end};
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

std::string format_message(const char* text, const FormatArg* args) {
  std::string words;
  for (; *text != '\0'; ++text) {
    if (*text == '$') {
      words += (args++)->words;
    } else if (*text == '#') {
      words += calls::text((args++)->number);
    } else if (*text == '@') {
      words += calls::text(*(args++)->tensor);
    } else {
      words += *text;
    }
  }
  return words;
}

}  // namespace attention::calls
