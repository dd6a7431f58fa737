// memcpy(), memmove() and memset() in steps of 16 bytes. They replace those of musl, Emscripten's C
// library, which are unrolled by hand and take 1 kB more.
#include <cstddef>
#include <cstdint>

namespace {

// Types of 16, 8 and 4 bytes at any address.
constexpr std::size_t kStep = 16;
using Step = char __attribute__((vector_size(kStep), aligned(1), may_alias));
using Half = std::uint64_t __attribute__((aligned(1), may_alias));
using Quarter = std::uint32_t __attribute__((aligned(1), may_alias));

template <class T>
T& at(char* bytes) {
  return *reinterpret_cast<T*>(bytes);
}

// Copies the first and the last numbers, which may overlap.
template <class T>
void copy_ends(char* to, char* from, std::size_t count) {
  const T first = at<T>(from);
  const T last = at<T>(from + count - sizeof(T));
  at<T>(to) = first;
  at<T>(to + count - sizeof(T)) = last;
}

void copy_few(char* to, char* from, std::size_t count) {
  if (count >= sizeof(Half)) return copy_ends<Half>(to, from, count);
  if (count >= sizeof(Quarter)) return copy_ends<Quarter>(to, from, count);
  if (count == 0) return;
  const char middle = from[count / 2];
  copy_ends<char>(to, from, count);
  to[count / 2] = middle;
}

}  // namespace

extern "C" {

// The steps from one end leave fewer bytes at the other; its last 16 are read before any is
// written.
void* memmove(void* target, const void* source, std::size_t count) {
  auto* to = static_cast<char*>(target);
  auto* from = const_cast<char*>(static_cast<const char*>(source));
  if (count < kStep) {
    copy_few(to, from, count);
    return target;
  }
  const std::size_t rest = count - kStep;
  const Step first = at<Step>(from);
  const Step last = at<Step>(from + rest);
  if (to < from) {
    for (std::size_t i = 0; i < rest; i += kStep) at<Step>(to + i) = at<Step>(from + i);
    at<Step>(to + rest) = last;
  } else {
    for (std::size_t i = count; i > kStep; i -= kStep) {
      at<Step>(to + i - kStep) = at<Step>(from + i - kStep);
    }
    at<Step>(to) = first;
  }
  return target;
}

void* memcpy(void* to, const void* from, std::size_t count) { return memmove(to, from, count); }

void* memset(void* target, int byte, std::size_t count) {
  auto* to = static_cast<char*>(target);
  const Step bytes = Step{} + static_cast<char>(byte);
  if (count < kStep) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<char>(byte);
    return target;
  }
  for (std::size_t i = 0; i < count - kStep; i += kStep) at<Step>(to + i) = bytes;
  at<Step>(to + count - kStep) = bytes;
  return target;
}

}  // extern "C"
