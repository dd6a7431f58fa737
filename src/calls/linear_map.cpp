// Calls of Linear: construction, at once or row by row, forward(), reading rows, and quantization
// of weights.
#include "attention/linear_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "attention/transformer.h"
#include "calls/call.h"
#include "calls/multi_head_weights.h"

namespace attention::calls {
namespace {

const LinearMap kNoGate{};

// Constructs from a weight or, if only in_dim and out_dim are present, with zeros.
struct NewLinearCall : ConstructorCall {
  double out_first;  // 0 or 1: weight is out × in, else in × out
  WeightTensor weight;
  Tensor bias;  // out, or absent
  Optional in_dim, out_dim;
  double type, has_bias;  // type: a NumberType
  Fact in, out;

  void fields(auto&& field) {
    ConstructorCall::fields(field);
    field("outFirst", out_first, "weight", weight, "bias", bias, "reservedIn", in_dim,
          "reservedOut", out_dim, "reservedType", type, "reservesBias", has_bias, "inDim", in,
          "outDim", out);
  }

  bool check(Rules& rules) {
    if (in_dim.is_present()) {
      if (!rules.count("inDim", in_dim.value, 1) || !rules.count("outDim", out_dim.value, 1)) {
        return false;
      }
      in = in_dim.value;
      out = out_dim.value;
    } else {
      if (!rules.matrix("weight", weight)) return false;
      in = weight.dims[out_first != 0 ? 1 : 0];
      out = weight.dims[out_first != 0 ? 0 : 1];
      if (!rules.row("bias", bias, "out", out)) return false;
    }
    object_bytes = bytes_of<LinearMap>(shape());
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    auto& map = make_at<LinearMap>(object, shape());
    if (in_dim.is_present()) return map.clear();
    pack_map(kernels, map, block.stored(weight), out_first != 0, block.numbers(bias));
  }

 private:
  LinearShape shape() const {
    LinearShape shape{size(in), size(out), bias.is_present() || has_bias != 0};
    Tensor stored = weight;
    if (in_dim.is_present()) stored.type = type;
    keep_type(shape, stored, out_first != 0 || in_dim.is_present());
    return shape;
  }
};

struct FillLinearCall : Call {
  double layer;  // address of a LinearMap
  double first_row;
  WeightTensor weight;  // rows of out × in
  Tensor bias;          // one per row, or absent

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "firstRow", first_row, "weight", weight, "bias", bias);
  }

  bool check(Rules& rules) {
    if (!rules.count("firstRow", first_row, 0) || !rules.matrix("weightRows", weight) ||
        !rules.row_width("weightRows", weight, static_cast<double>(map().in), "in")) {
      return false;
    }
    const double end = first_row + weight.dims[0];
    if (end > static_cast<double>(map().out)) {
      return rules.fail("weightRows end at row # but the layer has #", end,
                        static_cast<double>(map().out));
    }
    weight.widens = map().type == NumberType::kFloat32 ? 1 : 0;
    if (weight.widens == 0 && (map().scaled_by_input || type_of(weight) != map().type)) {
      return rules.fail("weightRows have another type than the layer");
    }
    if (bias.is_present() && map().bias == nullptr) {
      return rules.fail("biasPart is given but the layer has no bias");
    }
    return rules.row("biasPart", bias, "one for each of weightRows", weight.dims[0]);
  }

  void run(const Kernels&, const Block& block) const {
    map().fill(size(first_row), block.stored(weight), block.numbers(bias));
  }

 private:
  LinearMap& map() const { return object_at<LinearMap>(layer); }
};

struct LinearRowsCall : Call {
  double layer;
  List ids;       // of rows of out × in
  Result output;  // ids × in

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "ids", ids, "output", output);
  }

  bool check(Rules& rules) {
    const auto last = static_cast<double>(map().out) - 1;
    double at = 0;
    for (const double id : numbers(ids)) {
      if (!(is_whole(id) && id >= 0 && id <= last)) {
        return rules.fail("ids[#] is # but must be a whole number from 0 to #", at, id, last);
      }
      ++at;
    }
    rules.set_result(output, tensor_of({at, static_cast<double>(map().in)}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    map().copy_rows(kernels, numbers(ids), block.rows(output));
  }

 private:
  const LinearMap& map() const { return object_at<const LinearMap>(layer); }
};

// With an activation, the hidden vectors of a feed-forward sublayer: project_up().
struct LinearCall : Call {
  double layer;  // address of a LinearMap
  Tensor x;      // rows of in numbers, in up to three dims
  Optional activation;
  double gate;          // with an activation: address of a LinearMap of the same dims, or 0
  double without_bias;  // 0 or 1; without an activation
  Result output;        // as x, rows of out numbers

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "activation", activation, "gateLayer", gate, "withoutBias",
          without_bias, "output", output);
  }

  bool check(Rules& rules) {
    if (!rules.tensor("x", x, 1, 3) ||
        !rules.row_width("x", x, static_cast<double>(map().in), "in")) {
      return false;
    }
    rules.set_result(output, with_width(x, static_cast<double>(map().out)));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const auto to = block.rows(output);
    const LinearMap& gate_map = gate != 0 ? object_at<const LinearMap>(gate) : kNoGate;
    auto* const gated = workspace.take<float>(std::uint64_t{to.rows} * gate_map.out);
    if (workspace.counts()) return;
    if (!activation.is_present()) {
      return map().apply(kernels, block.rows(x), to, without_bias != 0 ? nullptr : map().bias);
    }
    project_up(kernels, map(), gate_map, value_of<Activation>(activation.value), block.rows(x), to,
               {gated, to.rows, gate_map.out, gate_map.out});
  }

 private:
  const LinearMap& map() const { return object_at<const LinearMap>(layer); }
};

// Conversion of weights to int8: scale = max |x| / 127 of a row, number = x · (127 / max |x|),
// rounded to the nearest integer, ties to even. Numbers are 0 if max |x| or 127 / max |x| is not
// finite, and so is the padding.
struct QuantizeRowsCall : Call {
  Tensor x;        // rows × width
  Result numbers;  // rows · width bytes, padded to whole floats
  Result scales;   // rows

  void fields(auto&& field) {
    Call::fields(field);
    field("x", x, "numbers", numbers, "scales", scales);
  }

  bool check(Rules& rules) {
    if (!rules.tensor("x", x, 2, 2)) return false;
    rules.set_result(numbers, tensor_of({std::ceil(x.count / sizeof(float))}));
    rules.set_result(scales, tensor_of({x.dims[0]}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    const auto rows = static_cast<std::size_t>(x.dims[0]);
    const auto width = static_cast<std::size_t>(x.dims[1]);
    const float* from = block.numbers(x);
    auto* to = reinterpret_cast<std::int8_t*>(block.numbers(numbers));
    for (std::size_t i = 0; i < rows; ++i, from += width, to += width) {
      const std::uint32_t bits = kernels.largest_bits(from, width);
      float largest;
      std::memcpy(&largest, &bits, sizeof largest);
      const float factor = 127 / largest;
      block.numbers(scales)[i] = largest / 127;
      if (factor > 0 && std::isfinite(factor)) {
        kernels.quantize_weights(to, from, width, factor);
      } else {
        std::fill_n(to, width, std::int8_t{0});
      }
    }
    const std::size_t padding = -(rows * width) % sizeof(float);
    std::fill_n(to, padding, std::int8_t{0});
  }
};

const Registration kLinearMapCalls{
    entry<NewLinearCall>("newLinear"),       entry<LinearCall>("linear"),
    entry<FillLinearCall>("fillLinear"),     entry<LinearRowsCall>("linearRows"),
    entry<QuantizeRowsCall>("quantizeRows"),
};

}  // namespace
}  // namespace attention::calls
