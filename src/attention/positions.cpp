// Computed here and not in JavaScript, whose engines do not agree on the last bit of a sine.
#include "attention/positions.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "attention/rules.h"

namespace attention {
namespace {

class PositionsRules : public Rules {
 public:
  using Rules::is_count;

  bool check(PositionsRequest& r) {
    if (!is_count("length", r.length, 0) || !is_count("dim", r.dim, 0)) return false;
    if (std::fmod(r.dim, 2) != 0) return broken("dim is ", r.dim, " but must be even");
    if (r.offset.given != 0 && !std::isfinite(r.offset.value)) {
      return broken("offset is ", r.offset.value, " but must be a finite number");
    }
    return is_option_positive("base", r.base);
  }
};

float* floats(const TensorArgument& tensor, void* block) {
  return reinterpret_cast<float*>(static_cast<std::byte*>(block) +
                                  static_cast<std::size_t>(tensor.place));
}

// Places the one result of a request.
template <class AnyRequest>
std::string lay_out(AnyRequest& request, TensorArgument output) {
  request.output = output;
  Layout layout(0);
  layout.place(request.output);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

}  // namespace

std::string check(PositionsRequest& request) {
  PositionsRules rules;
  if (!rules.check(request)) return rules.problem();
  return lay_out(request, tensor_of({request.length, request.dim}));
}

void run(const PositionsRequest& request, void* block) {
  constexpr double kUsualBase = 10000;
  const double base = request.base.given != 0 ? request.base.value : kUsualBase;
  const double offset = request.offset.given != 0 ? request.offset.value : 0;
  float* to = floats(request.output, block);
  const auto length = static_cast<std::size_t>(request.length);
  const auto pairs = static_cast<std::size_t>(request.dim) / 2;
  for (std::size_t p = 0; p < length; ++p) {
    for (std::size_t c = 0; c < pairs; ++c) {
      const double exponent = -2 * static_cast<double>(c) / request.dim;
      const double angle = (static_cast<double>(p) + offset) * std::pow(base, exponent);
      *to++ = static_cast<float>(std::sin(angle));
      *to++ = static_cast<float>(std::cos(angle));
    }
  }
}

std::string check(SlopesRequest& request) {
  PositionsRules rules;
  if (!rules.is_count("heads", request.heads, 1)) return rules.problem();
  return lay_out(request, tensor_of({request.heads}));
}

void run(const SlopesRequest& request, void* block) {
  const auto heads = static_cast<std::uint32_t>(request.heads);
  const auto even = static_cast<double>(std::bit_floor(heads));
  float* slopes = floats(request.output, block);
  for (std::uint32_t h = 0; h < heads; ++h) {
    // Beyond the power of two: exponents 1, 3, 5, ... of a list twice as long.
    const double step = h < even ? h + 1.0 : h - even + 0.5;
    slopes[h] = static_cast<float>(std::exp2(-8 * step / even));
  }
}

}  // namespace attention
