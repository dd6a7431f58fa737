// Replaces operator new of the whole program, including the library.
#include "support/cpp/no_allocations.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

thread_local bool forbidden = false;

void* allocate(std::size_t bytes) {
  if (forbidden) {
    std::fputs("memory was asked for where none may be\n", stderr);
    std::abort();
  }
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace attention::tests {

NoAllocations::NoAllocations() { forbidden = true; }
NoAllocations::~NoAllocations() { forbidden = false; }

}  // namespace attention::tests
