// The module as JavaScript sees it: names, no policy. A call is a record of doubles, written
// field by field at the slots that describe() tells, checked, given a block of memory, and run.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "calls/call.h"

namespace {

// Addresses travel as doubles: nothing is coerced, and none is ever negative.
void* pointer(double address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

// 0 if the memory is not to be had, or could not be addressed.
double allocate(double bytes) {
  if (!attention::calls::can_be_addressed(bytes)) return 0;
  constexpr std::size_t kAlignment = 16;
  const std::size_t size = std::max(
      kAlignment, (static_cast<std::size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
  return static_cast<double>(
      reinterpret_cast<std::uintptr_t>(std::aligned_alloc(kAlignment, size)));
}

void release(double address) { std::free(pointer(address)); }

// The sentence about a record, "" if no rule is broken. Asked for apart, because a string costs
// more to hand over than a small call takes.
std::string& last_problem() {
  static std::string problem;
  return problem;
}

bool check(int call, double record) {
  last_problem() = attention::calls::check(static_cast<std::size_t>(call), pointer(record));
  return last_problem().empty();
}

std::string problem() { return last_problem(); }

void run(int call, bool reference, double record, double block) {
  attention::calls::run(static_cast<std::size_t>(call),
                        reference ? attention::reference_kernels() : attention::simd_kernels(),
                        pointer(record), pointer(block));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::function;

  function("allocate", &allocate);
  function("release", &release);
  function("describe", &attention::calls::describe);
  function("check", &check);
  function("problem", &problem);
  function("run", &run);
}

// Embind names types that have no names by printing their addresses, and would bring all of printf
// with it: 2 kB of the download. Nobody sees those names.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = '\0';
  return 0;
}
