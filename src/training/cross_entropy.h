// Mean cross entropy of rows of logits, and its gradient. With p = softmax(logits) and n rows that
// have a target:
//
//   loss = -1/n Σ_rows log p[target]    dlogits = (p - onehot(target)) / n, 0 without a target
#pragma once

#include <span>

#include "attention/matrix.h"
#include "kernels/kernels.h"

namespace attention {

// logits: rows × vocabulary, in rows of whole panels; they become their gradient. targets: one per
// row, below 0: none.
double cross_entropy(const Kernels& kernels, Matrix<float> logits, std::span<const double> targets);

}  // namespace attention
