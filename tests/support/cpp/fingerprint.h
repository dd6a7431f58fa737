// A fingerprint of the dims and bits of results: FNV-1a over 32-bit words, twice with different
// seeds. All NaNs are equal. The same in JavaScript: tests/support/js/fingerprint.js.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "support/cpp/tensors.h"

namespace attention::tests {

class Fingerprint {
 public:
  void add(const Result& result) {
    mix(static_cast<std::uint32_t>(result.dims.size()));
    for (const double dim : result.dims) mix(static_cast<std::uint32_t>(dim));
    for (const float number : result.numbers) {
      std::uint32_t bits = 0x7fc00000;
      if (!std::isnan(number)) std::memcpy(&bits, &number, sizeof bits);
      mix(bits);
    }
  }

  std::string text() const {
    char words[17];
    std::snprintf(words, sizeof words, "%08x%08x", state_[0], state_[1]);
    return words;
  }

 private:
  void mix(std::uint32_t word) {
    for (std::uint32_t& half : state_) half = (half ^ word) * 0x01000193;
    state_[1] ^= state_[1] >> 15;
  }

  std::uint32_t state_[2] = {0x811c9dc5, 0x2f0b4a27};
};

}  // namespace attention::tests
