// The module as JavaScript sees it: names, no policy. A call is a record of doubles, written
// field by field at the slots that describeCall() tells, checked, given a block of memory, and run.
// Numbers are all that passes (functions_of_numbers.js): a text is where it begins.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

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

// Zeros what calls left on the stack, which is 65,536 bytes (CMakeLists.txt) and hardly used here.
void wipe_stack() {
  constexpr std::size_t kBytes = 61440;
  std::byte below[kBytes];
  std::memset(below, 0, kBytes);
  asm volatile("" : : "r"(below) : "memory");  // it is of use, though nobody reads it
}

// Where a text begins, which ends in 0 and lasts until the next.
double text(std::string words) {
  static std::string last;
  last = std::move(words);
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(last.c_str()));
}

double describe() { return text(attention::calls::describe()); }

// Sentences need a little memory, also where there is none: it is kept back for them.
void* reserve = nullptr;

void keep_reserve() {
  constexpr std::size_t kReserveBytes = 16384;
  if (reserve == nullptr) reserve = std::malloc(kReserveBytes);
}

// For operator new, which comes here when it finds no memory, and then tries again.
void give_reserve() {
  if (reserve == nullptr) std::abort();
  std::free(reserve);
  reserve = nullptr;
}

double describe_call(int call) {
  keep_reserve();
  return text(attention::calls::describe_call(static_cast<std::size_t>(call)));
}

// The sentence about a record, or 0 if no rule is broken.
double check(int call, double record) {
  keep_reserve();
  std::string problem = attention::calls::check(static_cast<std::size_t>(call), pointer(record));
  return problem.empty() ? 0 : text(std::move(problem));
}

void run(int call, bool reference, double record, double block) {
  attention::calls::run(static_cast<std::size_t>(call),
                        reference ? attention::reference_kernels() : attention::simd_kernels(),
                        pointer(record), pointer(block));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::function;
  std::set_new_handler(&give_reserve);

  function("allocate", &allocate);
  function("release", &release);
  function("wipeStack", &wipe_stack);
  function("describe", &describe);
  function("describeCall", &describe_call);
  function("check", &check);
  function("run", &run);
}

// Embind names types that have no names by printing their addresses, and would bring all of printf
// with it: 2 kB of the download. Nobody sees those names.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = '\0';
  return 0;
}
