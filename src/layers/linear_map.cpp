// The bias, and the product added to it.
#include "attention/linear_map.h"

#include <algorithm>

#include "attention/product.h"
#include "kernels/kernels.h"

namespace attention {

void LinearMap::apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const {
  for (std::size_t i = 0; i < y.rows; ++i) {
    if (bias != nullptr) {
      std::copy_n(bias, out, y.row(i));
    } else {
      std::fill_n(y.row(i), out, 0.0F);
    }
  }
  add_product(kernels, x, {packed, in * kPanel}, y);
}

}  // namespace attention
