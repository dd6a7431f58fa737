// What JavaScript sees of the module: names, no policy. A call is a record of doubles, written
// field by field at the slots that describe() tells, checked, given a block of memory, and run.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "attention/functions.h"
#include "attention/shapes.h"

namespace {

using attention::ListArgument;
using attention::OptionalNumber;
using attention::TensorArgument;

// Addresses travel as doubles: nothing is coerced, and none is ever negative.
void* pointer(double address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

// 0 if the memory is not to be had, or could not be addressed.
double allocate(double bytes) {
  if (!(bytes <= attention::kMaximumBytes)) return 0;
  constexpr std::size_t kAlignment = 16;
  const std::size_t size = std::max(
      kAlignment, (static_cast<std::size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
  return static_cast<double>(
      reinterpret_cast<std::uintptr_t>(std::aligned_alloc(kAlignment, size)));
}

void release(double address) { std::free(pointer(address)); }

std::string describe() { return attention::describe_functions(); }

// What is wrong with a record, "" if nothing. Asked for apart, because a string costs more to hand
// over than a small call takes.
std::string& last_problem() {
  static std::string problem;
  return problem;
}

bool check(int function, double record) {
  last_problem() =
      attention::functions()[static_cast<std::size_t>(function)].check(pointer(record));
  return last_problem().empty();
}

std::string problem() { return last_problem(); }

void run(int function, bool reference, double record, double block) {
  attention::run_function(attention::functions()[static_cast<std::size_t>(function)],
                          reference ? attention::reference_kernels() : attention::simd_kernels(),
                          pointer(record), pointer(block));
}

constexpr int slot(std::size_t offset) { return static_cast<int>(offset / sizeof(double)); }

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::constant;
  using emscripten::function;

  function("allocate", &allocate);
  function("release", &release);
  function("describe", &describe);
  function("check", &check);
  function("problem", &problem);
  function("run", &run);

  constant("tensorRank", slot(offsetof(TensorArgument, rank)));
  constant("tensorDims", slot(offsetof(TensorArgument, dims)));
  constant("tensorCount", slot(offsetof(TensorArgument, count)));
  constant("tensorPlace", slot(offsetof(TensorArgument, place)));
  constant("tensorType", slot(offsetof(TensorArgument, type)));
  constant("maximumRank", static_cast<int>(attention::kMaximumRank));
  constant("numberValue", slot(offsetof(OptionalNumber, value)));
  constant("listCount", slot(offsetof(ListArgument, count)));
  constant("listAddress", slot(offsetof(ListArgument, address)));
}
