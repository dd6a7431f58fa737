// A linear map as a layer of its own: making one, and applying it.
#include "attention/linear_map.h"

#include "calls/entries.h"
#include "calls/multi_head_weights.h"

namespace attention::calls {
namespace {

struct NewLinearCall : MakingCall {
  double torch;         // weight is out × in, as torch.nn.Linear has it, and not in × out
  Tensor weight, bias;  // bias: out, or not given
  Fact in, out;

  void fields(auto&& field) {
    MakingCall::fields(field);
    field("torch", torch, "weight", weight, "bias", bias, "inDim", in, "outDim", out);
  }

  bool check(Rules& rules) {
    if (!rules.matrix("weight", weight)) return false;
    in = weight.dims[torch != 0 ? 1 : 0];
    out = weight.dims[torch != 0 ? 0 : 1];
    if (!rules.row("bias", bias, "out", out)) return false;
    object_bytes = bytes_of<LinearMap>(shape());
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    pack_map(kernels, make_at<LinearMap>(object, shape()), block.rows(weight), torch != 0,
             block.numbers(bias));
  }

 private:
  LinearShape shape() const { return {size(in), size(out), bias.is_given()}; }
};

struct LinearCall : Call {
  double layer;   // address of a LinearMap
  Tensor x;       // rows of in numbers, in up to three dims
  Result output;  // as x, rows of out numbers

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "output", output);
  }

  bool check(Rules& rules) {
    if (!rules.tensor("x", x, 1, 3) ||
        !rules.width_of_rows("x", x, static_cast<double>(map().in), "in")) {
      return false;
    }
    rules.give(output, with_width(x, static_cast<double>(map().out)));
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    map().apply(kernels, block.rows(x), block.rows(output));
  }

 private:
  const LinearMap& map() const { return object_at<const LinearMap>(layer); }
};

}  // namespace

constinit const Entry new_linear_call = entry<NewLinearCall>("newLinear");
constinit const Entry linear_call = entry<LinearCall>("linear");

}  // namespace attention::calls
