// Prefetching, which WebAssembly has no instruction for.
#pragma once

#include <cstddef>

namespace attention {

// Prefetches the next two pages by reading a byte of each: hardware prefetching stops at the end of
// a page.
inline void fetch_ahead(const std::byte* next, const std::byte* end) {
  constexpr std::ptrdiff_t kPageBytes = 4096;
  for (int page = 0; page < 2 && next < end; ++page, next += kPageBytes) {
    (void)*static_cast<const volatile std::byte*>(next);
  }
}

}  // namespace attention
