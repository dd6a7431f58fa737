// While an object of this class exists, operator new aborts: run() may only use the memory it is
// passed.
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
