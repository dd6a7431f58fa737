// The functions that the WebAssembly module exports to JavaScript; see calls/call.h for their use.
// Also manages a memory reserve for error messages and clears the stack on request.
#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "calls/call.h"
#include "kernels/kernels.h"

namespace {

// Addresses are passed as doubles, so that JavaScript never sees them as negative integers.
void* pointer(double address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

// Memory that is set aside so that error messages can be built, and returned, when the heap is
// full. Every exported function sets it aside first. That succeeds because nothing else is
// allocated between a function that used it and the next.
void* reserve = nullptr;

void ensure_reserve() {
  constexpr std::size_t kReserveBytes = 16384;
  if (reserve == nullptr) reserve = std::malloc(kReserveBytes);
}

void free_reserve() {
  std::free(reserve);
  reserve = nullptr;
}

// The new-handler: frees the reserve, after which operator new tries again.
void use_reserve() {
  if (reserve == nullptr) std::abort();
  free_reserve();
}

// Embind copies a returned string into memory from malloc(), and does not check that it got any.
std::string returned(std::string text) {
  free_reserve();
  return text;
}

// aligned_alloc() asks for more bytes than it returns, so a block of the same size that was freed
// would not do. malloc() takes that block, which is aligned.
void* aligned_block(std::size_t bytes) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* block = std::malloc(size);
  if (reinterpret_cast<std::uintptr_t>(block) % kAlignment == 0) return block;
  std::free(block);
  return std::aligned_alloc(kAlignment, size);
}

// dlmalloc grows the memory by less than 2 GiB at once. A larger block fits after two halves of it
// were freed, which join at the end of the memory.
void* large_block(std::size_t bytes) {
  const std::size_t half = bytes / 2 + 1;
  void* first = aligned_block(half);
  void* second = aligned_block(half);
  asm volatile("" : : "r"(first), "r"(second));  // keeps the compiler from removing both
  std::free(second);
  std::free(first);
  return aligned_block(bytes);
}

// Returns 0 if out of memory.
double allocate(double bytes) {
  ensure_reserve();
  if (!attention::calls::can_be_addressed(bytes)) return 0;
  constexpr double kLarge = 2147483648.0 - 1048576.0;  // 2 GiB, less what dlmalloc adds
  const auto size = static_cast<std::size_t>(bytes);
  void* block = bytes < kLarge ? aligned_block(size) : large_block(size);
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(block));
}

void release(double address) { std::free(pointer(address)); }

// Zeros the data of earlier calls on the stack, of which this function's callers use little.
void wipe_stack() {
  constexpr std::size_t kBytes = ATTENTION_STACK_BYTES - 4096;
  std::byte below[kBytes];
  std::memset(below, 0, kBytes);
  asm volatile("" : : "r"(below) : "memory");  // keeps the compiler from removing memset
}

std::string describe() {
  ensure_reserve();
  return returned(attention::calls::describe());
}

bool check(int call, double record) {
  ensure_reserve();
  return attention::calls::check(static_cast<std::size_t>(call), pointer(record)).empty();
}

// The error message of a record that check() refused.
std::string problem(int call, double record) {
  ensure_reserve();
  return returned(attention::calls::check(static_cast<std::size_t>(call), pointer(record)));
}

// A list of kernels, by its address.
double address_of(const attention::Kernels& kernels) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(&kernels));
}

double simd_kernels() { return address_of(attention::simd_kernels()); }

double reference_kernels() { return address_of(attention::reference_kernels()); }

// The SIMD kernels in a list that may be changed: the side module with the fused ones does.
double other_kernels() {
  static attention::Kernels kernels = attention::simd_kernels();
  return address_of(kernels);
}

void run(int call, double kernels, double record, double block) {
  ensure_reserve();
  attention::calls::run(static_cast<std::size_t>(call),
                        *static_cast<const attention::Kernels*>(pointer(kernels)), pointer(record),
                        pointer(block));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::function;
  std::set_new_handler(&use_reserve);

  function("allocate", &allocate);
  function("release", &release);
  function("wipeStack", &wipe_stack);
  function("describe", &describe);
  function("check", &check);
  function("problem", &problem);
  function("simdKernels", &simd_kernels);
  function("referenceKernels", &reference_kernels);
  function("otherKernels", &other_kernels);
  function("run", &run);
}
