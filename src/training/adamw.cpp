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

AdamWStep::Numbers AdamWStep::after(const Parameter& parameter, std::size_t at) const {
  const float gradient = gradient_factor_ * parameter.gradients[at];
  const float m = beta1_ * parameter.first_moments[at] + (1 - beta1_) * gradient;
  const float v = beta2_ * parameter.second_moments[at] + (1 - beta2_) * (gradient * gradient);
  float value = parameter.values[at];
  if (parameter.decays()) value -= decay_ * value;
  value -= rate_ * m / (root_factor_ * std::sqrt(v) + epsilon_);
  return {value, m, v};
}

bool AdamWStep::fits(const Parameter& parameter) const {
  constexpr float kLargest = 0x1p60F;
  bool fits = true;
  for (std::size_t at = 0; at < parameter.count(); ++at) {
    const Numbers next = after(parameter, at);
    // False for NaN.
    fits =
        fits && std::abs(next.value) <= kLargest && std::isfinite(next.m) && std::isfinite(next.v);
  }
  return fits;
}

void AdamWStep::update(const Parameter& parameter) const {
  for (std::size_t at = 0; at < parameter.count(); ++at) {
    const Numbers next = after(parameter, at);
    parameter.values[at] = next.value;
    parameter.first_moments[at] = next.m;
    parameter.second_moments[at] = next.v;
  }
}

}  // namespace attention
