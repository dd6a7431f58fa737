// y = x·W + b, W: in × out, packed once and used for ever.
#pragma once

#include <cstddef>
#include <string>

#include "attention/matrix.h"
#include "attention/shapes.h"

namespace attention {

struct Kernels;

struct LinearMap {
  std::size_t in = 0;
  std::size_t out = 0;
  const float* packed = nullptr;  // W as Kernels::pack_values lays it out
  const float* bias = nullptr;    // out numbers, or null

  // x: rows × in, y: rows × out.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const;
};

// Makes a map of its own. weight: in × out, or with torch as torch.nn.Linear has it, out × in.
struct NewLinear {
  double torch;
  TensorArgument weight, bias;
  double in, out;  // set by check()
  double object, object_bytes, bytes;
};

std::string check(NewLinear& request);
void run(const Kernels& kernels, const NewLinear& request, void* block);

struct LinearRequest {
  double layer;      // address of a LinearMap
  TensorArgument x;  // rows of in numbers, in up to three dims
  TensorArgument output;
  double bytes;
};

std::string check(LinearRequest& request);
void run(const Kernels& kernels, const LinearRequest& request, void* block);

}  // namespace attention
