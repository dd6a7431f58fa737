// layerNorm() and rmsNorm().
#include "attention/norm.h"

#include "calls/entries.h"

namespace attention::calls {
namespace {

struct NormCall : Call {
  Tensor x;             // rows of dim numbers, in up to four dims
  Tensor weight, bias;  // dim, or not given
  double rms, epsilon;
  Result output;  // as x

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
    rules.give(output, x);
    return true;
  }

  void run(const Kernels&, const Block& block) const {
    const Norm norm{block.numbers(weight), block.numbers(bias), real(epsilon), rms != 0};
    norm.apply(block.rows(x), block.rows(output));
  }
};

}  // namespace

constinit const Entry norm_call = entry<NormCall>("norm");

}  // namespace attention::calls
