// The implementations of kernels, as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/kernels.h"
#include "kernels/simd/fused.h"

namespace attention::tests {

inline std::map<std::string, int>& uses() {
  static std::map<std::string, int> counts;
  return counts;
}

inline int times_used(const std::string& name) { return uses()[name]; }

class KernelsTest : public testing::TestWithParam<const Kernels*> {
 protected:
  KernelsTest() : kernels(*GetParam()) { ++uses()[kernels.name]; }

  const Kernels& kernels;
};

inline std::string kernels_name(const testing::TestParamInfo<const Kernels*>& info) {
  return info.param->name;
}

inline const Kernels& fused_kernels() {
  static const Kernels kernels = [] {
    Kernels list = simd_kernels();
    fuse(list);
    return list;
  }();
  return kernels;
}

// Kernels of training: gradients have no fused ones.
inline auto training_kernels() { return testing::Values(&reference_kernels(), &simd_kernels()); }

inline auto all_kernels() {
  return testing::Values(&reference_kernels(), &simd_kernels(), &fused_kernels());
}

}  // namespace attention::tests
