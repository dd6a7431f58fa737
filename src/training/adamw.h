// AdamW (Loshchilov & Hutter, arXiv 1711.05101), for step t = 1, 2, …:
//
//   m = β₁ m + (1 - β₁) g             v = β₂ v + (1 - β₂) g²
//   p = p - rate · decay · p          of matrices of linear maps only
//   p = p - rate · m / (1 - β₁ᵗ) / (√(v / (1 - β₂ᵗ)) + ε)
//
// g being the gradient, all gradients scaled together so that their norm is at most `clip`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/training.h"

namespace attention {

// The factors of a step, the same for all parameters.
struct AdamWStep {
  AdamWStep(const AdamW& optimizer, std::uint64_t step, double gradient_norm);

  // True if all new moments are finite and all new values at most 2^60: products of two larger ones
  // overflow, after which every loss is NaN.
  bool fits(const Parameter& parameter) const;

  void update(const Parameter& parameter) const;

 private:
  struct Numbers {
    float value, m, v;
  };
  Numbers after(const Parameter& parameter, std::size_t at) const;

  float gradient_factor_ = 1;
  float beta1_, beta2_;
  float rate_;         // over 1 - β₁ᵗ
  float root_factor_;  // 1 / √(1 - β₂ᵗ)
  float epsilon_;
  float decay_;  // rate · decay
};

}  // namespace attention
