// The call rotaryEmbedding().
#include "attention/rotary.h"

#include <cmath>

#include "calls/call.h"

namespace attention::calls {
namespace {

struct RotaryCall : Call {
  Tensor x;
  Optional heads, width, base, offset;
  double interleaved;
  List positions;              // one per row, or one per row of each batch entry
  Tensor cos, sin;             // rows × width / 2, instead of base and positions
  Result output;               // dims of x
  double head_count, rotated;  // set by the rules

  void fields(auto&& field) {
    Call::fields(field);
    field("x", x, "heads", heads, "width", width, "base", base, "offset", offset, "interleaved",
          interleaved, "positions", positions, "cos", cos, "sin", sin, "output", output);
  }

  bool check(Rules& rules) {
    if (!(rules.tensor("x", x, 2) && rules.count("heads", heads.value_or(1), 1) &&
          check_width(rules) &&
          (cos.is_present() || sin.is_present() ? check_tables(rules) : check_angles(rules)))) {
      return false;
    }
    rules.set_result_in_place(output, x);
    return true;
  }

  void run(const Kernels&, const Block& block, Workspace& workspace) const {
    RotaryOptions options;
    options.width = size(rotated);
    options.interleaved = interleaved != 0;
    options.base = base.value_or(options.base);
    options.offset = offset.value_or(options.offset);
    options.positions = numbers(positions);
    options.cos = block.numbers(cos);
    options.sin = block.numbers(sin);
    rotate(block.heads(x, head_count), options, workspace);
  }

 private:
  bool check_width(Rules& rules) {
    head_count = heads.value_or(1);
    double dim = x.last() / head_count;
    if (x.rank == 4) {
      if (!rules.heads_match("heads", heads, "x", x)) return false;
      dim = x.last();
    }
    if (!is_whole(dim)) {
      return rules.fail("x has dims @ but heads is #: the last axis must be heads × d", x,
                        head_count);
    }
    rotated = width.value_or(dim);
    return rules.rotated("width", rotated, dim);
  }

  bool check_tables(Rules& rules) {
    if (!cos.is_present() || !sin.is_present()) {
      return rules.fail("$ is given without $", cos.is_present() ? "cos" : "sin",
                        cos.is_present() ? "sin" : "cos");
    }
    if (base.is_present() || offset.is_present() || positions.is_present()) {
      return rules.fail("cos and sin are given and so are $, which they replace",
                        base.is_present()     ? "base"
                        : offset.is_present() ? "offset"
                                              : "positions");
    }
    const Tensor table = tensor_of({x.length(), rotated / 2});
    return rules.tensor("cos", cos, 2) && rules.tensor("sin", sin, 2) &&
           rules.same_dims("cos", cos, "len × width / 2", table) &&
           rules.same_dims("sin", sin, "len × width / 2", table);
  }

  bool check_angles(Rules& rules) {
    if (!rules.positive_option("base", base) ||
        !rules.finite_double("offset", offset.value_or(0))) {
      return false;
    }
    if (!positions.is_present()) return true;
    if (offset.is_present()) {
      return rules.fail("offset and positions are given, but one replaces the other");
    }
    const double rows = x.length();
    if (positions.count != rows && positions.count != x.batch() * rows) {
      return rules.fail(
          "positions holds # numbers but must hold one per row, #, or one per row of each batch "
          "entry, #",
          positions.count, rows, x.batch() * rows);
    }
    return rules.finite_doubles("positions", positions);
  }
};

const Registration kRotaryCalls{
    entry<RotaryCall>("rotaryEmbedding"),
};

}  // namespace
}  // namespace attention::calls
