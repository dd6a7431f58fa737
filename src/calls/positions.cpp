// The calls sinusoidalPositions() and alibiSlopes().
#include "attention/positions.h"

#include "calls/call.h"

namespace attention::calls {
namespace {

struct SinusoidalCall : Call {
  double length, dim;
  Optional offset, base;
  Result output;  // length × dim

  void fields(auto&& field) {
    Call::fields(field);
    field("length", length, "dim", dim, "offset", offset, "base", base, "output", output);
  }

  bool check(Rules& rules) {
    if (!rules.count("length", length, 0) || !rules.count("dim", dim, 0)) return false;
    if (!is_multiple(dim, 2)) return rules.fail("dim is # but must be even", dim);
    if (!rules.finite_double("offset", offset.value_or(0)) ||
        !rules.positive_option("base", base)) {
      return false;
    }
    rules.set_result(output, tensor_of({length, dim}));
    return true;
  }

  void run(const Kernels&, const Block& block) const {
    constexpr double kDefaultBase = 10000;
    sinusoidal_positions(block.rows(output), offset.value_or(0), base.value_or(kDefaultBase));
  }
};

struct SlopesCall : Call {
  double heads;
  Result output;  // heads

  void fields(auto&& field) {
    Call::fields(field);
    field("heads", heads, "output", output);
  }

  bool check(Rules& rules) {
    if (!rules.count("heads", heads, 1)) return false;
    rules.set_result(output, tensor_of({heads}));
    return true;
  }

  void run(const Kernels&, const Block& block) const {
    for (std::size_t head = 0; head < size(heads); ++head) {
      block.numbers(output)[head] = static_cast<float>(alibi_slope(head, size(heads)));
    }
  }
};

const Registration kPositionsCalls{
    entry<SinusoidalCall>("sinusoidalPositions"),
    entry<SlopesCall>("alibiSlopes"),
};

}  // namespace
}  // namespace attention::calls
