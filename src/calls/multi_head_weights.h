// The weight fields of multi-head attention: matrices in × out, or out × in as in PyTorch's
// nn.MultiheadAttention, where the three input projections can be stacked in one matrix.
#pragma once

#include "attention/multi_head.h"
#include "calls/call.h"

namespace attention::calls {

// Packs a weight into a LinearMap. out_first: the weight is out × in, else in × out.
void pack_map(const Kernels& kernels, LinearMap& map, const StoredMatrix& weight, bool out_first,
              const float* bias);

// Sets the number type of a LinearMap to that of the weight.
void keep_type(LinearShape& map, const Tensor& weight, bool out_first);

// Copies the weights of the norms of queries and keys, absent or as check_head_norms() has them.
void copy_head_norms(const Block& block, const Tensor& query, const Tensor& key, float epsilon,
                     MultiHeadAttention& layer);

// The orientation of matrices.
struct WeightForm {
  bool out_first;  // matrices are out × in, else in × out

  double in(const Tensor& matrix) const { return matrix.dims[out_first ? 1 : 0]; }
  double out(const Tensor& matrix) const { return matrix.dims[out_first ? 0 : 1]; }
};

struct MultiHeadWeights {
  WeightTensor query, key, value, output, stacked;
  Tensor query_bias, key_bias, value_bias, output_bias, stacked_bias;
  Fact heads, kv_heads, key_dim, value_dim, model_dim, context_dim;
  double out_dim;  // 0: no output projection

  void fields(auto&& field) {
    field("query", query, "key", key, "value", value, "output", output, "stacked", stacked,
          "queryBias", query_bias, "keyBias", key_bias, "valueBias", value_bias, "outputBias",
          output_bias, "stackedBias", stacked_bias, "heads", heads, "kvHeads", kv_heads, "keyDim",
          key_dim, "valueDim", value_dim, "modelDim", model_dim, "contextDim", context_dim);
  }

  bool check(Rules& rules, const WeightForm& form, const Optional& heads_option,
             const Optional& kv_heads_option);

  // The field that holds an input projection: the stacked matrix, if it is given.
  const char* input(const char* projection) const {
    return stacked.is_present() ? "stacked" : projection;
  }

  // Norms of queries and keys: absent, d_k numbers for each head, or heads·d_k (kvHeads·d_k) for
  // all.
  bool check_head_norms(Rules& rules, const Tensor& of_query, const Tensor& of_key) const;
  // Sets the norms of queries and keys of a shape.
  void shape_head_norms(MultiHeadShape& shape, const Tensor& of_query, const Tensor& of_key) const;

  MultiHeadShape shape(bool out_first) const;
  // Packs the weights into a layer of that shape.
  void pack(const Kernels& kernels, const Block& block, bool out_first,
            MultiHeadAttention& layer) const;

 private:
  bool check_separate(Rules& rules, const WeightForm& form);
  bool check_stacked(Rules& rules);
  bool check_output(Rules& rules, const WeightForm& form);
};

}  // namespace attention::calls
