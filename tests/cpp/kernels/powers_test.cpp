// Powers in double precision, compared with pow() of the C library, which can be off by half a
// unit.
#include "kernels/powers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace attention::tests {
namespace {

// The bound in powers.h; 1 where long double has no extra precision to compare with.
constexpr bool kHasLonger = std::numeric_limits<long double>::digits == 64;
constexpr double kUlps = kHasLonger ? 0.75 : 1;

// The error of a result in units in the last place.
double ulps(double found, long double expected) {
  const auto near = static_cast<double>(expected);
  const double ulp = std::nextafter(near, std::numeric_limits<double>::infinity()) - near;
  return static_cast<double>(std::abs(found - (kHasLonger ? expected : near))) / ulp;
}

long double longer(double number) { return number; }

TEST(Powers, MatchFrequenciesOfPositions) {
  for (const double base : {10000.0, 500000.0, 1e-45, 0.5, 3.4e38, 1.0, 2.0}) {
    const Powers power(base);
    for (int pair = 0; pair < 256; ++pair) {
      const double exponent = -2 * pair / 512.0;
      EXPECT_LE(ulps(power(exponent), std::pow(longer(base), longer(exponent))), kUlps)
          << base << "^" << exponent;
    }
    EXPECT_EQ(power(0), 1);
  }
  EXPECT_EQ(Powers(2)(-8), 1.0 / 256);
}

TEST(Powers, MatchForAnyBaseAndExponent) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> logarithm(-149, 128);
  std::uniform_real_distribution<double> exponent(-4, 4);
  for (int round = 0; round < 20000; ++round) {
    const double base = std::exp2(logarithm(random));
    const double by = exponent(random);
    EXPECT_LE(ulps(Powers(base)(by), std::pow(longer(base), longer(by))), kUlps)
        << base << "^" << by;
  }
}

TEST(Powers, MatchPowersOfE) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-700, 700);
  for (int round = 0; round < 20000; ++round) {
    const double x = exponent(random);
    EXPECT_LE(ulps(exponential(x), std::exp(longer(x))), kUlps) << "e^" << x;
  }
  EXPECT_EQ(exponential(0), 1);
}

}  // namespace
}  // namespace attention::tests
