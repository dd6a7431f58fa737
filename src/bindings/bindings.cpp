// What JavaScript sees of the module: names, no policy. A call is a Request, written field by field
// into a record of doubles at the slots named here, checked, given a block of memory, and run.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "attention/attention.h"

namespace {

using attention::ListArgument;
using attention::OptionalNumber;
using attention::Request;
using attention::TensorArgument;

// Addresses travel as doubles: nothing is coerced, and none is ever negative.
template <class T>
T* pointer(double address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

// 0 if the memory is not to be had.
double allocate(double bytes) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t size = std::max(
      kAlignment, (static_cast<std::size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
  return static_cast<double>(
      reinterpret_cast<std::uintptr_t>(std::aligned_alloc(kAlignment, size)));
}

void release(double address) { std::free(pointer<void>(address)); }

std::string check(double request) { return attention::check(*pointer<Request>(request)); }

void run(bool reference, double request, double block) {
  attention::run(reference ? attention::reference_kernels() : attention::simd_kernels(),
                 *pointer<Request>(request), pointer<void>(block));
}

constexpr int slot(std::size_t offset) { return static_cast<int>(offset / sizeof(double)); }

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::constant;
  using emscripten::function;

  function("allocate", &allocate);
  function("release", &release);
  function("check", &check);
  function("run", &run);

  constant("requestSlots", slot(sizeof(Request)));
  constant("step", slot(offsetof(Request, step)));
  constant("query", slot(offsetof(Request, query)));
  constant("key", slot(offsetof(Request, key)));
  constant("value", slot(offsetof(Request, value)));
  constant("matrix", slot(offsetof(Request, matrix)));
  constant("mask", slot(offsetof(Request, mask)));
  constant("maskIsAdditive", slot(offsetof(Request, mask_is_additive)));
  constant("heads", slot(offsetof(Request, heads)));
  constant("kvHeads", slot(offsetof(Request, kv_heads)));
  constant("scale", slot(offsetof(Request, scale)));
  constant("softcap", slot(offsetof(Request, softcap)));
  constant("causal", slot(offsetof(Request, causal)));
  constant("offset", slot(offsetof(Request, offset)));
  constant("window", slot(offsetof(Request, window)));
  constant("windowLeft", slot(offsetof(Request, window_left)));
  constant("windowRight", slot(offsetof(Request, window_right)));
  constant("offsets", slot(offsetof(Request, offsets)));
  constant("keyLengths", slot(offsetof(Request, key_lengths)));
  constant("slopes", slot(offsetof(Request, slopes)));
  constant("sinks", slot(offsetof(Request, sinks)));
  constant("wantsWeights", slot(offsetof(Request, wants_weights)));
  constant("wantsScores", slot(offsetof(Request, wants_scores)));
  constant("wantsLogSumExp", slot(offsetof(Request, wants_log_sum_exp)));
  constant("output", slot(offsetof(Request, output)));
  constant("weights", slot(offsetof(Request, weights)));
  constant("scores", slot(offsetof(Request, scores)));
  constant("logSumExp", slot(offsetof(Request, log_sum_exp)));
  constant("bytes", slot(offsetof(Request, bytes)));

  constant("tensorRank", slot(offsetof(TensorArgument, rank)));
  constant("tensorDims", slot(offsetof(TensorArgument, dims)));
  constant("tensorCount", slot(offsetof(TensorArgument, count)));
  constant("tensorPlace", slot(offsetof(TensorArgument, place)));
  constant("maximumRank", static_cast<int>(attention::kMaximumRank));
  constant("numberValue", slot(offsetof(OptionalNumber, value)));
  constant("listCount", slot(offsetof(ListArgument, count)));
  constant("listAddress", slot(offsetof(ListArgument, address)));
}
