// The weights of multi-head attention as they come: in × out as in the papers, or with torch as
// nn.MultiheadAttention has them, out × in, the three projections perhaps stacked in one.
#pragma once

#include "attention/multi_head.h"
#include "calls/call.h"

namespace attention::calls {

// out_first: the weight is out × in.
void pack_map(const Kernels& kernels, LinearMap& map, const StoredMatrix& weight, bool out_first,
              const float* bias);

// Has a map keep the numbers of such a weight as they come.
void keep_type(LinearShape& map, const Tensor& weight, bool out_first);

// How weights come: the names that sentences give them, and which way round matrices are.
struct WeightForm {
  bool torch;      // the names of nn.MultiheadAttention instead of ours
  bool out_first;  // matrices are out × in

  const char* name(const char* ours, const char* theirs) const { return torch ? theirs : ours; }
  double in(const Tensor& matrix) const { return matrix.dims[out_first ? 1 : 0]; }
  double out(const Tensor& matrix) const { return matrix.dims[out_first ? 0 : 1]; }
};

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

  bool check(Rules& rules, const WeightForm& form, const Optional& heads_option,
             const Optional& kv_heads_option);

  MultiHeadShape shape(bool out_first) const;
  // Packs them into a layer of that shape.
  void pack(const Kernels& kernels, const Block& block, bool out_first,
            MultiHeadAttention& layer) const;

 private:
  bool check_separate(Rules& rules, const WeightForm& form);
  bool check_stacked(Rules& rules);
  bool check_output(Rules& rules, const WeightForm& form);
};

}  // namespace attention::calls
