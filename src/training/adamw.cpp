// Powers are repeated products in double, which every engine computes alike.
#include "training/adamw.h"

#include <cmath>
#include <cstddef>

namespace attention {
namespace {

// Once 1 - result is 1, further products would not change a step.
double power(double base, std::uint64_t exponent) {
  double result = 1;
  for (std::uint64_t n = 0; n < exponent && result > 0x1p-60; ++n) result *= base;
  return result;
}

}  // namespace

AdamWStep::AdamWStep(const AdamW& optimizer, std::uint64_t step, double gradient_norm)
    : beta1_(static_cast<float>(optimizer.beta1)),
      beta2_(static_cast<float>(optimizer.beta2)),
      rate_(static_cast<float>(optimizer.learning_rate / (1 - power(optimizer.beta1, step)))),
      root_factor_(static_cast<float>(1 / std::sqrt(1 - power(optimizer.beta2, step)))),
      epsilon_(optimizer.epsilon),
      decay_(optimizer.learning_rate * optimizer.weight_decay) {
  if (optimizer.clip > 0 && gradient_norm > optimizer.clip) {
    gradient_factor_ = static_cast<float>(optimizer.clip / gradient_norm);
  }
}

void AdamWStep::update(const Parameter& parameter) const {
  const float decay = parameter.decays() ? decay_ : 0;
  for (std::size_t at = 0; at < parameter.count(); ++at) {
    const float gradient = gradient_factor_ * parameter.gradients[at];
    float& m = parameter.first_moments[at];
    float& v = parameter.second_moments[at];
    float& value = parameter.values[at];
    m = beta1_ * m + (1 - beta1_) * gradient;
    v = beta2_ * v + (1 - beta2_) * (gradient * gradient);
    value -= decay * value;
    value -= rate_ * m / (root_factor_ * std::sqrt(v) + epsilon_);
  }
}

}  // namespace attention
