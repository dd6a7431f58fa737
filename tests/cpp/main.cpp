// Runs the tests; a run that covered no SIMD kernel is a failure, whatever the filter let through.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/cpp/kernels_under_test.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(filter) == "*" && attention::tests::times_used("simd") == 0) {
    std::fprintf(stderr, "no test used the SIMD kernels\n");
    return 1;
  }
  return result;
}
