// Dimensions follow from the matrices, head counts from the options.
#include "calls/multi_head_weights.h"

#include <algorithm>

namespace attention::calls {
namespace {

// Sets dim to width / heads, or fails if that is not an integer.
bool split(Rules& rules, const char* name, const Tensor& matrix, double width,
           const char* heads_name, double heads, Fact& dim) {
  dim = width / heads;
  if (is_whole(dim)) return true;
  return rules.fail("$ has dims @ but $ is #: # is not a multiple of it", rules.field(name), matrix,
                    heads_name, heads, width);
}

}  // namespace

void pack_map(const Kernels& kernels, LinearMap& map, const StoredMatrix& weight, bool out_first,
              const float* bias) {
  if (out_first) {
    map.pack_transposed(kernels, weight, bias);
  } else {
    map.pack(kernels, weight, bias);
  }
}

void keep_type(LinearShape& map, const Tensor& weight, bool out_first) {
  map.type = type_of(weight);
  map.scaled_by_input = !out_first;
}

void copy_head_norms(const Block& block, const Tensor& query, const Tensor& key, float epsilon,
                     MultiHeadAttention& layer) {
  const auto copy = [&](const Tensor& row, Norm& norm) {
    norm.epsilon = epsilon;
    if (row.is_present()) std::copy_n(block.numbers(row), size(row.count), norm.weight);
  };
  copy(query, layer.query_norm);
  copy(key, layer.key_norm);
}

bool MultiHeadWeights::check(Rules& rules, const WeightForm& form, const Optional& heads_option,
                             const Optional& kv_heads_option) {
  if (!heads_option.is_present()) return rules.fail("heads must be given");
  if (!rules.whole_option("heads", heads_option, 1) ||
      !rules.whole_option("kvHeads", kv_heads_option, 1)) {
    return false;
  }
  heads = heads_option.value;
  kv_heads = kv_heads_option.value_or(heads);
  if (!rules.heads_divide(heads, kv_heads)) return false;
  const bool fits = stacked.is_present() ? check_stacked(rules) : check_separate(rules, form);
  if (!fits || !check_output(rules, form)) return false;
  const double query_width = heads * key_dim;
  const double key_width = kv_heads * key_dim;
  const double value_width = kv_heads * value_dim;
  return rules.row("queryBias", query_bias, "out", query_width) &&
         rules.row("keyBias", key_bias, "out", key_width) &&
         rules.row("valueBias", value_bias, "out", value_width) &&
         rules.row("outputBias", output_bias, "out", out_dim) &&
         rules.row("stackedBias", stacked_bias, "out", query_width + key_width + value_width);
}

bool MultiHeadWeights::check_separate(Rules& rules, const WeightForm& form) {
  if (!rules.matrix("query", query) || !rules.matrix("key", key) || !rules.matrix("value", value) ||
      !split(rules, "query", query, form.out(query), "heads", heads, key_dim) ||
      !split(rules, "value", value, form.out(value), "kvHeads", kv_heads, value_dim)) {
    return false;
  }
  model_dim = form.in(query);
  context_dim = form.in(key);
  if (form.out(key) != kv_heads * key_dim) {
    return rules.fail(
        "$ has dims @ but $ has @ and heads is #: keys must be kvHeads × d_k = # × # = # wide",
        rules.field("key"), key, rules.field("query"), query, heads, kv_heads, key_dim,
        kv_heads * key_dim);
  }
  if (form.in(value) == context_dim) return true;
  return rules.fail(
      "$ has dims @ but $ has @: keys and values are made of one context, so both must take rows "
      "of its width",
      rules.field("value"), value, rules.field("key"), key);
}

// The rows of query, key and value projections in one matrix, out × in.
bool MultiHeadWeights::check_stacked(Rules& rules) {
  const char* name = "stacked";
  if (kv_heads != heads) {
    return rules.fail("kvHeads is # but heads is #: $ holds as many heads of keys as of queries",
                      kv_heads, heads, rules.field(name));
  }
  if (!rules.matrix(name, stacked)) return false;
  const double width = stacked.dims[0] / 3;
  if (!is_whole(width)) {
    return rules.fail("$ has dims @ but its first axis must be a multiple of 3", rules.field(name),
                      stacked);
  }
  model_dim = context_dim = stacked.dims[1];
  if (!split(rules, name, stacked, width, "heads", heads, key_dim)) return false;
  value_dim = key_dim;
  return true;
}

// Without an output projection, the output is the concatenated heads.
bool MultiHeadWeights::check_output(Rules& rules, const WeightForm& form) {
  out_dim = 0;
  if (!output.is_present()) {
    return !output_bias.is_present() ||
           rules.fail("$ needs output, whose rows it is added to", rules.field("outputBias"));
  }
  if (!rules.matrix("output", output)) return false;
  out_dim = form.out(output);
  const double width = heads * value_dim;
  if (form.in(output) == width) return true;
  return rules.fail("$ has dims @ but must take heads × d_v = # × # = # numbers",
                    rules.field("output"), output, heads, value_dim, width);
}

bool MultiHeadWeights::check_head_norms(Rules& rules, const Tensor& of_query,
                                        const Tensor& of_key) const {
  const auto check_norm = [&](const char* name, const Tensor& norm, double width) {
    return (norm.rank == 1 && norm.count == width) || rules.row(name, norm, "d_k", key_dim);
  };
  return check_norm("queryNorm", of_query, heads * key_dim) &&
         check_norm("keyNorm", of_key, kv_heads * key_dim);
}

void MultiHeadWeights::shape_head_norms(MultiHeadShape& shape, const Tensor& of_query,
                                        const Tensor& of_key) const {
  shape.query_norm = of_query.is_present();
  shape.key_norm = of_key.is_present();
  shape.query_norm_over_heads = of_query.is_present() && of_query.count != key_dim;
  shape.key_norm_over_heads = of_key.is_present() && of_key.count != key_dim;
}

MultiHeadShape MultiHeadWeights::shape(bool out_first) const {
  const bool stacked_biases = stacked_bias.is_present();
  MultiHeadShape shape;
  shape.heads = size(heads);
  shape.kv_heads = size(kv_heads);
  shape.query = {size(model_dim), size(heads * key_dim), stacked_biases || query_bias.is_present()};
  shape.key = {size(context_dim), size(kv_heads * key_dim),
               stacked_biases || key_bias.is_present()};
  shape.value = {size(context_dim), size(kv_heads * value_dim),
                 stacked_biases || value_bias.is_present()};
  shape.output = {size(heads * value_dim), size(out_dim), output_bias.is_present()};
  // The stacked matrix is always out × in.
  const bool is_stacked = stacked.is_present();
  keep_type(shape.query, is_stacked ? stacked : query, is_stacked || out_first);
  keep_type(shape.key, is_stacked ? stacked : key, is_stacked || out_first);
  keep_type(shape.value, is_stacked ? stacked : value, is_stacked || out_first);
  keep_type(shape.output, output, out_first);
  return shape;
}

void MultiHeadWeights::pack(const Kernels& kernels, const Block& block, bool out_first,
                            MultiHeadAttention& layer) const {
  struct Projection {
    LinearMap& map;
    const WeightTensor& matrix;
    const Tensor& bias;
  };
  std::size_t before = 0;  // rows of the preceding projections in the stacked matrix
  for (const Projection& to :
       {Projection{layer.query, query, query_bias}, Projection{layer.key, key, key_bias},
        Projection{layer.value, value, value_bias}}) {
    const float* bias =
        stacked_bias.is_present() ? block.numbers(stacked_bias) + before : block.numbers(to.bias);
    if (stacked.is_present()) {
      to.map.pack_transposed(kernels, block.stored(stacked).block(before, to.map.out), bias);
    } else {
      pack_map(kernels, to.map, block.stored(to.matrix), out_first, bias);
    }
    before += to.map.out;
  }
  if (output.is_present()) {
    pack_map(kernels, layer.output, block.stored(output), out_first, block.numbers(output_bias));
  }
}

}  // namespace attention::calls
