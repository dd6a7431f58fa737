// An angle of a million turns and more, brought next to 0: what the C library's sine and cosine ask
// for, and what it answers with a table made for numbers of 128 bits, 2 kB of the download. Of a
// double no more than 40 words of 2/π are ever looked at (Payne and Hanek, 1983).
#include <cstdint>

namespace {

// 2/π behind its point, which lies after the first words.
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
                              0x846989};  // digits, the first before the point
constexpr int kFraction = 8;  // digits: the closest double comes 2^-62 near a quarter turn

// The digit of 2/π that begins at a bit.
std::uint64_t two_over_pi(int bit) {
  const std::uint32_t* words = kTwoOverPi + bit / 32;
  const std::uint64_t both = std::uint64_t{words[0]} << 32 | words[1];
  return both << (bit % 32) >> (64 - kDigit);
}

}  // namespace

// near[0] + near[1] = x - quarters · π/2, of which quarters mod 8 is returned. x: the sum of so
// many digits of 24 bits, the first times 2^exponent, which is at least -4.
extern "C" int __rem_pio2_large(const double* x, double* near, int exponent, int count, int) {
  // x · 2/π without what is whole turns anyway: digits[0] before the point.
  std::uint32_t digits[kFraction + 1];
  std::uint64_t carry = 0;
  for (int place = kFraction; place >= 0; --place) {
    for (int digit = 0; digit < count; ++digit) {
      const int bit = kBefore - kDigit + exponent + kDigit * (place - digit);
      carry += static_cast<std::uint64_t>(x[digit]) * two_over_pi(bit);
    }
    digits[place] = static_cast<std::uint32_t>(carry) & kLargestDigit;
    carry >>= kDigit;
  }
  const bool below = digits[1] > kLargestDigit / 2;  // the next quarter is nearer
  // Times π/2, the largest products first; error: what does not fit into the sum.
  double sum = 0;
  double error = 0;
  double unit = kOneDigit;
  for (int place = 1; place <= kFraction; ++place) {
    const auto digit = static_cast<double>(below ? kLargestDigit - digits[place] : digits[place]);
    double product = digit * unit;
    for (const double part : kHalfPi) {
      const double term = product * part;
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
