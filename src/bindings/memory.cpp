// memcpy(), memmove() and memset() in steps of 16 bytes. They replace those of musl, Emscripten's C
// library, which are unrolled by hand and take 1 kB more.
#include <cstddef>

namespace {

constexpr std::size_t kStep = 16;

// A vector at any address.
using Step = char __attribute__((vector_size(kStep), aligned(1), may_alias));

Step load(const char* from) { return *reinterpret_cast<const Step*>(from); }

void store(char* to, const Step& step) { *reinterpret_cast<Step*>(to) = step; }

}  // namespace

extern "C" {

// The steps from one end leave fewer bytes at the other; its last 16 are read before any is
// written.
void* memmove(void* to, const void* from, std::size_t count) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  const bool forward = target < source;
  if (count < kStep) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = forward ? i : count - 1 - i;
      target[at] = source[at];
    }
    return to;
  }
  const std::size_t rest = count - kStep;
  if (forward) {
    const Step last = load(source + rest);
    for (std::size_t i = 0; i < rest; i += kStep) {
      store(target + i, load(source + i));
    }
    store(target + rest, last);
  } else {
    const Step first = load(source);
    for (std::size_t i = count; i > kStep; i -= kStep) {
      store(target + i - kStep, load(source + i - kStep));
    }
    store(target, first);
  }
  return to;
}

void* memcpy(void* to, const void* from, std::size_t count) { return memmove(to, from, count); }

void* memset(void* to, int byte, std::size_t count) {
  auto* target = static_cast<char*>(to);
  const Step bytes = Step{} + static_cast<char>(byte);
  if (count < kStep) {
    for (std::size_t i = 0; i < count; ++i) target[i] = static_cast<char>(byte);
    return to;
  }
  for (std::size_t i = 0; i < count - kStep; i += kStep) store(target + i, bytes);
  store(target + count - kStep, bytes);
  return to;
}

}  // extern "C"
