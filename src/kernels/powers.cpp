// base^exponent = 2^(exponent · log2 base). The rounding error of each sum and product is kept
// beside it, so that the logarithm has a hundred bits and the power of two loses none of its own.
//
//   log m = 2 s (1 + s^2 / 3 + s^4 / 5 + ...),   s = (m - 1) / (m + 1),   m within √2 of 1
//   (two doubles as one number: Dekker, "A floating-point technique for extending the available
//   precision", 1971)
#include "kernels/powers.h"

#include <cmath>

namespace attention {
namespace {

constexpr Precise kLog2OfE{1.4426950408889634, 2.0355273740931033e-17};
constexpr Precise kLogOf2{0.6931471805599453, 2.3190468138462996e-17};

// The upper half of the bits: the product of two such numbers is exact.
double upper_half(double x) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double spread = kSplit * x;
  return spread - (spread - x);
}

Precise product(double a, double b) {
  const double high = a * b;
  const double a_high = upper_half(a);
  const double a_low = a - a_high;
  const double b_high = upper_half(b);
  const double b_low = b - b_high;
  return {high, a_high * b_high - high + a_high * b_low + a_low * b_high + a_low * b_low};
}

Precise product(Precise a, Precise b) {
  const Precise highs = product(a.high, b.high);
  return {highs.high, highs.low + (a.high * b.low + a.low * b.high)};
}

// The sum of a and b, for |a| >= |b| or a = 0.
Precise sum(double a, Precise b) {
  const double high = a + b.high;
  return {high, b.high - (high - a) + b.low};
}

// log m for m from √½ to √2.
Precise log_near_one(double m) {
  const double above = m - 1;
  const double below = m + 1;
  const double s = above / below;
  const Precise back = product(s, below);
  const double s_low = (above - back.high - back.low - s * (m - (below - 1))) / below;
  double series = 0;
  for (int odd = 27; odd > 1; odd -= 2) series = s * s * (series + 1.0 / odd);
  return sum(2 * s, {2 * s * series, 2 * s_low});
}

Precise log_to_base_2(double x) {
  constexpr double kRootOfHalf = 0.7071067811865476;
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < kRootOfHalf) {
    m *= 2;
    --exponent;
  }
  return sum(exponent, product(log_near_one(m), kLog2OfE));
}

// 1 / k! for k from 2 to 14.
struct InverseFactorials {
  static constexpr int kLast = 14;
  double of[kLast + 1] = {};

  consteval InverseFactorials() {
    double factorial = 1;
    for (int k = 2; k <= kLast; ++k) of[k] = 1 / (factorial *= k);
  }
};

double power_of_2(Precise x) {
  static constexpr InverseFactorials kInverse;
  const double whole = std::nearbyint(x.high);
  const Precise rest = product(sum(x.high - whole, {x.low, 0}), kLogOf2);
  double series = 0;
  for (int k = kInverse.kLast; k > 1; --k) series = kInverse.of[k] + rest.high * series;
  const Precise one_and_more = sum(1, {rest.high, rest.low + rest.high * rest.high * series});
  return std::ldexp(one_and_more.high + one_and_more.low, static_cast<int>(whole));
}

}  // namespace

Powers::Powers(double base) : log2_of_base_(log_to_base_2(base)) {}

double Powers::operator()(double exponent) const {
  return power_of_2(product({exponent, 0}, log2_of_base_));
}

double exponential(double x) { return power_of_2(product({x, 0}, kLog2OfE)); }

}  // namespace attention
