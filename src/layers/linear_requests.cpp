// A linear map as a layer of its own: a projection to logits, for instance.
#include <cstddef>
#include <new>

#include "attention/linear_map.h"
#include "layers/weights.h"

namespace attention {
namespace {

class NewLinearRules : public WeightRules {
 public:
  bool check(NewLinear& r) {
    if (!tensor("weight", r.weight, 2, 2)) return false;
    if (r.weight.count == 0) {
      return broken("weight has dims ", r.weight, " but no axis may be 0");
    }
    r.in = r.weight.dims[r.torch != 0 ? 1 : 0];
    r.out = r.weight.dims[r.torch != 0 ? 0 : 1];
    return bias("bias", r.bias, r.out);
  }
};

class LinearRules : public Rules {
 public:
  bool check(const LinearRequest& r, const LinearMap& map) {
    if (!tensor("x", r.x, 1, 3)) return false;
    const auto in = static_cast<double>(map.in);
    if (r.x.dims[static_cast<std::size_t>(r.x.rank) - 1] == in) return true;
    return broken("x has dims ", r.x, " but the layer takes rows of ", in,
                  ": the last axis must be in");
  }
};

LinearMap build_map(const Kernels& kernels, const NewLinear& r, const void* block,
                    Workspace& memory) {
  return build(kernels, matrix_at(r.weight, r.torch != 0, block), weights_at(r.bias, block),
               memory);
}

}  // namespace

std::string check(NewLinear& request) {
  NewLinearRules rules;
  if (!rules.check(request)) return rules.problem();
  Layout layout(0);
  layout.place(request.weight);
  layout.place(request.bias);
  request.bytes = layout.end();
  Workspace counting;
  counting.take<LinearMap>(1);
  build_map(reference_kernels(), request, &request, counting);
  request.object_bytes = static_cast<double>(counting.used());
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const NewLinear& request, void* block) {
  auto& map = object_at<LinearMap>(request.object);
  Workspace memory(&map);
  memory.take<LinearMap>(1);
  new (&map) LinearMap(build_map(kernels, request, block, memory));
}

std::string check(LinearRequest& request) {
  const auto& map = object_at<const LinearMap>(request.layer);
  LinearRules rules;
  if (!rules.check(request, map)) return rules.problem();
  request.output = request.x;
  request.output.type = 0;
  request.output.dims[static_cast<std::size_t>(request.x.rank) - 1] = static_cast<double>(map.out);
  request.output.count = product(request.output);
  Layout layout(0);
  layout.place(request.x);
  layout.place(request.output);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const LinearRequest& request, void* block) {
  const auto& map = object_at<const LinearMap>(request.layer);
  const std::size_t rows = static_cast<std::size_t>(request.x.count) / map.in;
  const auto floats = [block](const TensorArgument& tensor) {
    return reinterpret_cast<float*>(static_cast<std::byte*>(block) +
                                    static_cast<std::size_t>(tensor.place));
  };
  map.apply(kernels, {floats(request.x), rows, map.in, map.in},
            {floats(request.output), rows, map.out, map.out});
}

}  // namespace attention
