// Sums are taken in double: a row of a residual stream may be far from 0 and narrow.
#include "attention/norm.h"

#include <cmath>
#include <cstddef>

#include "attention/rules.h"
#include "layers/weights.h"

namespace attention {
namespace {

class NormRules : public Rules {
 public:
  bool check(const NormRequest& r) {
    if (!tensor("x", r.x, 1)) return false;
    const TensorArgument row = tensor_of({r.x.dims[static_cast<std::size_t>(r.x.rank) - 1]});
    const auto fits = [&](std::string_view name, const TensorArgument& given) {
      return given.given == 0 ||
             (tensor(name, given, 1, 1) && same_dims(name, given, "the last axis of x", row));
    };
    if (!fits("weight", r.weight) || !fits("bias", r.bias)) return false;
    if (is_finite(r.epsilon) && r.epsilon >= 0) return true;
    return broken("epsilon is ", r.epsilon, " but must be a finite float32 number of at least 0");
  }
};

}  // namespace

void Norm::apply(Matrix<const float> x, Matrix<float> y) const {
  const auto width = static_cast<double>(x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const float* from = x.row(i);
    double mean = 0;
    if (!rms) {
      for (std::size_t c = 0; c < x.cols; ++c) mean += from[c];
      mean /= width;
    }
    double variance = 0;
    for (std::size_t c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
    const double factor = 1 / std::sqrt(variance / width + epsilon);
    for (std::size_t c = 0; c < x.cols; ++c) {
      const double number = (from[c] - mean) * factor * (weight != nullptr ? weight[c] : 1.0F);
      y.row(i)[c] = static_cast<float>(bias != nullptr ? number + bias[c] : number);
    }
  }
}

std::string check(NormRequest& request) {
  NormRules rules;
  if (!rules.check(request)) return rules.problem();
  request.output = request.x;
  request.output.type = 0;
  Layout layout(0);
  layout.place(request.x);
  layout.place(request.weight);
  layout.place(request.bias);
  layout.place(request.output);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const NormRequest& request, void* block) {
  const Norm norm{weights_at(request.weight, block), weights_at(request.bias, block),
                  static_cast<float>(request.epsilon), request.rms != 0};
  const auto width =
      static_cast<std::size_t>(request.x.dims[static_cast<std::size_t>(request.x.rank) - 1]);
  const std::size_t rows = width == 0 ? 0 : static_cast<std::size_t>(request.x.count) / width;
  float* output = reinterpret_cast<float*>(static_cast<std::byte*>(block) +
                                           static_cast<std::size_t>(request.output.place));
  norm.apply({weights_at(request.x, block), rows, width, width}, {output, rows, width, width});
}

}  // namespace attention
