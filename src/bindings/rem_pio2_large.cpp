// Argument reduction of sin() and cos() for large angles (Payne and Hanek, 1983). Replaces a
// function of musl, Emscripten's C library, whose table also supports 128-bit floats and adds 2 kB
// to the download. A double needs at most 40 words of 2/π.
#include <cstdint>

namespace {

// The fraction bits of 2/π, preceded by kBefore zero bits.
constexpr int kBefore = 96;
constexpr std::uint32_t kTwoOverPi[] = {
    0,          0,          0,          0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599,
    0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C,
    0xB129A73E, 0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B,
    0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66,
    0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046,
    0xFC7B6BAB, 0xF0CFBC20, 0x9AF4361D};

constexpr int kDigit = 24;  // bits
constexpr double kOneDigit = 1.0 / (1 << kDigit);
constexpr std::uint32_t kLargestDigit = (1 << kDigit) - 1;
constexpr double kHalfPi[] = {1, 0x921FB5, 0x4442D1,
                              0x846989};  // base-2^24 digits of π/2; the first is the integer part
constexpr int kFraction = 8;  // digits: doubles come as close as 2^-62 to a multiple of π/2

// The 24-bit digit of 2/π that starts at a bit of kTwoOverPi.
std::uint64_t two_over_pi(int bit) {
  const std::uint32_t* words = kTwoOverPi + bit / 32;
  const std::uint64_t both = std::uint64_t{words[0]} << 32 | words[1];
  return both << (bit % 32) >> (64 - kDigit);
}

}  // namespace

// Sets near[0] + near[1] = x - n · π/2 and returns n mod 8. x = Σ_i x[i] · 2^(exponent - 24 i) for
// i < count, each x[i] an integer below 2^24; exponent >= -4.
extern "C" int __rem_pio2_large(const double* x, double* near, int exponent, int count, int) {
  // x · 2/π modulo 2^24: digits[0] is the integer part, the others the fraction.
  std::uint32_t digits[kFraction + 1];
  std::uint64_t carry = 0;
  for (int index = kFraction; index >= 0; --index) {
    for (int digit = 0; digit < count; ++digit) {
      const int bit = kBefore - kDigit + exponent + kDigit * (index - digit);
      carry += static_cast<std::uint64_t>(x[digit]) * two_over_pi(bit);
    }
    digits[index] = static_cast<std::uint32_t>(carry) & kLargestDigit;
    carry >>= kDigit;
  }
  const bool below = digits[1] > kLargestDigit / 2;  // round to the nearest integer: up
  // Multiply by π/2, largest products first; error: rounding error of the sum.
  double sum = 0;
  double error = 0;
  double unit = kOneDigit;
  for (int index = 1; index <= kFraction; ++index) {
    const auto digit = static_cast<double>(below ? kLargestDigit - digits[index] : digits[index]);
    double product = digit * unit;
    for (const double digit_of_half_pi : kHalfPi) {
      const double term = product * digit_of_half_pi;
      const double more = sum + term;
      error += term - (more - sum);
      sum = more;
      product *= kOneDigit;
    }
    unit *= kOneDigit;
  }
  const double sign = below ? -1 : 1;
  near[0] = (sum + error) * sign;
  near[1] = (sum - near[0] * sign + error) * sign;
  return static_cast<int>(digits[0] + (below ? 1 : 0)) & 7;
}
