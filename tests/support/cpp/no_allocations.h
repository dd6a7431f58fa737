// While one of these lives, asking for memory ends the program: what computes has the memory it is
// lent.
#pragma once

namespace attention::tests {

class NoAllocations {
 public:
  NoAllocations();
  ~NoAllocations();
  NoAllocations(const NoAllocations&) = delete;
  NoAllocations& operator=(const NoAllocations&) = delete;
};

}  // namespace attention::tests
