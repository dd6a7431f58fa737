// The call behind layerNorm() and rmsNorm().
#include "attention/norm.h"

#include "calls/call.h"

namespace attention::calls {
namespace {

struct NormCall : Call {
  Tensor x;             // rank 1 to 4; the last axis is normalized
  Tensor weight, bias;  // length of the last axis, or absent
  double rms, epsilon;
  Result output;  // dims of x

  void fields(auto&& field) {
    Call::fields(field);
    field("x", x, "weight", weight, "bias", bias, "rms", rms, "epsilon", epsilon, "output", output);
  }

  bool check(Rules& rules) {
    if (!(rules.tensor("x", x, 1) && rules.row("weight", weight, "the last axis of x", x.last()) &&
          rules.row("bias", bias, "the last axis of x", x.last()) &&
          rules.at_least_0("epsilon", epsilon))) {
      return false;
    }
    rules.set_result(output, x);
    return true;
  }

  void run(const Kernels&, const Block& block) const {
    const Norm norm{block.numbers(weight), block.numbers(bias), real(epsilon), rms != 0};
    norm.apply(block.rows(x), block.rows(output));
  }
};

const Registration kNormCalls{
    entry<NormCall>("norm"),
};

}  // namespace
}  // namespace attention::calls
