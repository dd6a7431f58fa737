// Coverage of parameter sweeps: a sample, or with ATTENTION_THOROUGH (the nightly tier) all cases.
// Under sanitizers, where every step takes ten times as long, and in WebAssembly the sample is
// smaller.
#pragma once

#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTENTION_IS_SANITIZED
#endif
#endif

namespace attention::tests {

// A sweep tests every n-th case.
inline std::size_t sample_stride() {
  static const bool is_thorough = std::getenv("ATTENTION_THOROUGH") != nullptr;
  if (is_thorough) return 1;
#if defined(ATTENTION_IS_SANITIZED) || defined(__EMSCRIPTEN__)
  return 27;
#else
  return 9;
#endif
}

}  // namespace attention::tests
