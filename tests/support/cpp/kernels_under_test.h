// The implementations of kernels, as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/kernels.h"

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

inline auto all_kernels() { return testing::Values(&reference_kernels(), &simd_kernels()); }

}  // namespace attention::tests
