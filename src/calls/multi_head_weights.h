// The weights of multi-head attention as they come: in × out as in the papers, or with torch as
// nn.MultiheadAttention has them, out × in, the three projections perhaps stacked in one.
#pragma once

#include <string>

#include "attention/multi_head.h"
#include "calls/call.h"

namespace attention::calls {

// torch: the weight is out × in.
void pack_map(const Kernels& kernels, LinearMap& map, const StoredMatrix& weight, bool torch,
              const float* bias);

// Has a map keep the numbers of such a weight as they come.
void keep_type(LinearShape& map, const Tensor& weight, bool torch);

struct MultiHeadWeights {
  WeightTensor query, key, value, output, stacked;
  Tensor query_bias, key_bias, value_bias, output_bias, stacked_bias;
  Fact heads, kv_heads, key_dim, value_dim, model_dim, context_dim;
  double out_dim;  // 0 where the heads are not projected together

  void fields(auto&& field) {
    field("query", query, "key", key, "value", value, "output", output, "stacked", stacked,
          "queryBias", query_bias, "keyBias", key_bias, "valueBias", value_bias, "outputBias",
          output_bias, "stackedBias", stacked_bias, "heads", heads, "kvHeads", kv_heads, "keyDim",
          key_dim, "valueDim", value_dim, "modelDim", model_dim, "contextDim", context_dim);
  }

  // prefix: of the names in a state dict.
  bool check(Rules& rules, bool torch, const char* prefix, const Optional& heads_option,
             const Optional& kv_heads_option);

  MultiHeadShape shape(bool torch) const;
  // Packs them into a layer of that shape.
  void pack(const Kernels& kernels, const Block& block, bool torch,
            MultiHeadAttention& layer) const;

 private:
  bool check_separate(Rules& rules, bool torch, const char* prefix);
  bool check_stacked(Rules& rules, const char* prefix);
  bool check_output(Rules& rules, bool torch, const char* prefix);
};

}  // namespace attention::calls
