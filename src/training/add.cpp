// A loop of its own, which the compiler turns into vectors.
#include "training/add.h"

namespace attention {

void add(const float* from, std::size_t count, float* to) {
  for (std::size_t c = 0; c < count; ++c) to[c] += from[c];
}

void add(Matrix<const float> from, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) add(from.row(i), from.cols, to.row(i));
}

}  // namespace attention
