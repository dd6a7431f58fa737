// Runs the tests. Fails if no test of the SIMD kernels ran, whatever the filter.
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
