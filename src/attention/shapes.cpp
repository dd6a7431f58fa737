// The rules of shapes and values, each written once, as the sentence that is thrown when it is
// broken; then where everything lies in the block.
#include "attention/shapes.h"

#include <cmath>
#include <string>

#include "attention/linear_attention.h"
#include "attention/rules.h"
#include "attention/sentence.h"

namespace attention {
namespace {

std::string head_product(std::string_view heads_name, double heads, std::string_view dim_name,
                         double dim) {
  return sentence(heads_name, " × ", dim_name, " = ", heads, " × ", dim, " = ", heads * dim);
}

class AttentionRules : public Rules {
 public:
  explicit AttentionRules(Request& request) : r_(request) {}

  std::string check() {
    const Step step = step_of(r_);
    r_.batch = r_.head_count = r_.kv_head_count = r_.q_len = r_.k_len = 0;
    r_.key_dim = r_.value_dim = 0;
    bool kept = false;
    switch (step) {
      case Step::kAttention:
        kept = r_.cache == 0 ? check_attention() : check_cached();
        break;
      case Step::kKernel:
        kept = check_kernel();
        break;
      case Step::kLinear:
        kept = check_linear();
        break;
      case Step::kScores:
        kept = check_scores();
        break;
      case Step::kSoftmax:
        kept = check_softmax();
        break;
      case Step::kWeightedSum:
        kept = check_weighted_sum();
        break;
    }
    return kept ? lay_out(step) : problem();
  }

 private:
  bool check_attention() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           tensor("value", r_.value, 2) && same_rank("key", r_.key, "query", r_.query) &&
           same_rank("value", r_.value, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && value_against("key", r_.key) && score_options() && visibility() &&
           per_head("sinks", r_.sinks, true) && results();
  }

  // The keys and values are those of a cache, after as many more as the call is going to append.
  bool check_cached() {
    const KeyValueCache cache = cache_of(r_);
    const double appended = r_.appended;
    if (!cache.has_room_for(static_cast<std::size_t>(appended))) {
      return broken("the cache holds ", static_cast<double>(cache.length), " of ",
                    static_cast<double>(cache.capacity), " keys: there is no room for ", appended,
                    " more");
    }
    const KeyValueCache after = cache.with(static_cast<std::size_t>(appended));
    r_.kv_head_count = static_cast<double>(after.kv_heads);
    r_.key_dim = static_cast<double>(after.key_dim);
    r_.value_dim = static_cast<double>(after.value_dim);
    r_.k_len = static_cast<double>(after.kept());
    return tensor("query", r_.query, 2) && cached_heads() && query_and_cache(after) &&
           cached_offset(after) && score_options() && visibility() &&
           per_head("sinks", r_.sinks, true) && results();
  }

  bool check_kernel() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           tensor("value", r_.value, 2) && same_rank("key", r_.key, "query", r_.query) &&
           same_rank("value", r_.value, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && value_against("key", r_.key) && similarity() && score_options() &&
           visibility() && per_head("sinks", r_.sinks, true) && results();
  }

  bool check_linear() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           tensor("value", r_.value, 2) && same_rank("key", r_.key, "query", r_.query) &&
           same_rank("value", r_.value, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && value_against("key", r_.key) && linear_options() && state() &&
           results();
  }

  bool check_scores() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           same_rank("key", r_.key, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && score_options() && visibility() && results();
  }

  bool check_softmax() {
    return tensor("scores", r_.matrix, 2) && matrix_dims() && visibility() &&
           per_head("sinks", r_.sinks, true) && results();
  }

  bool check_weighted_sum() {
    return tensor("weights", r_.matrix, 2) && tensor("value", r_.value, 2) && matrix_dims() &&
           weights_and_value() && results();
  }

  // At rank 4 the head counts are those of the shapes, below they are options.
  bool head_counts(std::string_view name, const TensorArgument& tensor) {
    if (!is_option_whole("heads", r_.heads, 1) || !is_option_whole("kvHeads", r_.kv_heads, 1)) {
      return false;
    }
    if (tensor.rank == 4) {
      r_.head_count = tensor.dims[1];
      const TensorArgument& shared = r_.key.given != 0 ? r_.key : r_.value;
      r_.kv_head_count = shared.dims[1];
      if (r_.heads.given != 0 && r_.heads.value != r_.head_count) {
        return broken("heads is ", r_.heads.value, " but ", name, " has dims ", tensor,
                      ": at 4 dimensions the second is heads");
      }
      if (r_.kv_heads.given != 0 && r_.kv_heads.value != r_.kv_head_count) {
        return broken("kvHeads is ", r_.kv_heads.value, " but ",
                      r_.key.given != 0 ? "key" : "value", " has dims ", shared,
                      ": at 4 dimensions the second is kvHeads");
      }
    } else {
      r_.head_count = r_.heads.given != 0 ? r_.heads.value : 1;
      r_.kv_head_count = r_.kv_heads.given != 0 ? r_.kv_heads.value : r_.head_count;
    }
    return heads_are_shared();
  }

  bool heads_are_shared() {
    const bool shared = r_.kv_head_count == 0 ? r_.head_count == 0
                                              : std::fmod(r_.head_count, r_.kv_head_count) == 0;
    if (shared) return true;
    return broken("heads is ", r_.head_count, " but kvHeads is ", r_.kv_head_count,
                  ": heads must be a multiple of kvHeads");
  }

  bool cached_heads() {
    if (!is_option_whole("heads", r_.heads, 1)) return false;
    if (r_.kv_heads.given != 0 && r_.kv_heads.value != r_.kv_head_count) {
      return broken("kvHeads is ", r_.kv_heads.value, " but the cache has ", r_.kv_head_count);
    }
    if (r_.query.rank == 4) {
      r_.head_count = r_.query.dims[1];
      if (r_.heads.given != 0 && r_.heads.value != r_.head_count) {
        return broken("heads is ", r_.heads.value, " but query has dims ", r_.query,
                      ": at 4 dimensions the second is heads");
      }
    } else {
      // Several heads of a cache are named by it, and so have an axis in the results.
      if (r_.heads.given == 0 && r_.kv_head_count > 1) r_.heads = {1, r_.kv_head_count};
      r_.head_count = r_.heads.given != 0 ? r_.heads.value : 1;
    }
    return heads_are_shared();
  }

  bool query_and_cache(const KeyValueCache& cache) {
    const double heads = r_.query.rank < 4 ? r_.head_count : 1;
    if (last(r_.query) != heads * r_.key_dim) {
      return broken(
          "query has dims ", r_.query, " but the cache has d_k = ", r_.key_dim,
          ": the last axis of query must be ",
          r_.query.rank < 4 ? head_product("heads", heads, "d_k", r_.key_dim) : sentence("d_k"));
    }
    r_.batch = r_.query.rank == 2 ? 1 : r_.query.dims[0];
    if (r_.batch != static_cast<double>(cache.batch)) {
      return broken("query has dims ", r_.query, " but the cache has batch ",
                    static_cast<double>(cache.batch));
    }
    r_.q_len = length(r_.query);
    return true;
  }

  // The queries are the last positions, counted from the first key ever appended.
  bool cached_offset(const KeyValueCache& cache) {
    r_.cached_offset = static_cast<double>(cache.length) - r_.q_len;
    if (r_.offset.given == 0 && r_.offsets.given == 0) return true;
    return broken("offset is given but the cache supplies its own, ", r_.cached_offset);
  }

  bool same_batch(std::string_view name, const TensorArgument& tensor, std::string_view other_name,
                  const TensorArgument& other) {
    if (tensor.rank < 3 || tensor.dims[0] == other.dims[0]) return true;
    return broken(name, " has dims ", tensor, " but ", other_name, " has ", other,
                  ": the first axes must both be batch");
  }

  bool splits_into(std::string_view name, const TensorArgument& tensor, std::string_view heads_name,
                   double heads, std::string_view dim_name) {
    if (std::fmod(last(tensor), heads) == 0) return true;
    return broken(name, " has dims ", tensor, " but ", heads_name, " is ", heads,
                  ": the last axis must be ", heads_name, " × ", dim_name);
  }

  static double last(const TensorArgument& tensor) {
    return tensor.dims[static_cast<std::size_t>(tensor.rank) - 1];
  }

  // The axis of positions: q_len of a query, k_len of a key or value.
  static double length(const TensorArgument& tensor) {
    return tensor.dims[tensor.rank == 3 ? 1 : static_cast<std::size_t>(tensor.rank) - 2];
  }

  bool query_and_key() {
    const bool packed = r_.query.rank < 4;
    const double heads = packed ? r_.head_count : 1;
    const double kv_heads = packed ? r_.kv_head_count : 1;
    if (!splits_into("query", r_.query, "heads", heads, "d_k")) return false;
    r_.key_dim = last(r_.query) / heads;
    if (r_.key_dim == 0) {
      return broken("query has dims ", r_.query, ": d_k must be at least 1");
    }
    if (last(r_.key) != kv_heads * r_.key_dim) {
      if (!packed) {
        return broken("key has dims ", r_.key, " but query has ", r_.query,
                      ": the last axes must both be d_k = ", r_.key_dim);
      }
      if (heads == kv_heads) {
        return broken("key has dims ", r_.key, " but query has ", r_.query,
                      ": the last axes must both be ",
                      head_product("heads", heads, "d_k", r_.key_dim));
      }
      return broken("key has dims ", r_.key, " but query has ", r_.query,
                    ": the last axis of key must be ",
                    head_product("kvHeads", kv_heads, "d_k", r_.key_dim));
    }
    if (!same_batch("key", r_.key, "query", r_.query)) return false;
    r_.batch = r_.query.rank == 2 ? 1 : r_.query.dims[0];
    r_.q_len = length(r_.query);
    r_.k_len = length(r_.key);
    return true;
  }

  bool value_against(std::string_view name, const TensorArgument& other) {
    const bool packed = r_.value.rank < 4;
    const double kv_heads = packed ? r_.kv_head_count : 1;
    if (!same_batch("value", r_.value, name, other)) return false;
    if (!packed && r_.value.dims[1] != r_.kv_head_count) {
      return broken("value has dims ", r_.value, " but key has ", r_.key,
                    ": the second axes must both be kvHeads");
    }
    if (length(r_.value) != r_.k_len) {
      return broken("value has dims ", r_.value, " but ", name, " has ", other,
                    ": there must be as many values as keys, k_len = ", r_.k_len);
    }
    if (!splits_into("value", r_.value, "kvHeads", kv_heads, "d_v")) return false;
    r_.value_dim = last(r_.value) / kv_heads;
    return true;
  }

  // softmax() and weightedSum() take [[batch ×] heads ×] q_len × k_len.
  bool matrix_dims() {
    const TensorArgument& matrix = r_.matrix;
    const auto rank = static_cast<std::size_t>(matrix.rank);
    r_.batch = rank == 4 ? matrix.dims[0] : 1;
    r_.head_count = rank >= 3 ? matrix.dims[rank - 3] : 1;
    r_.kv_head_count = r_.head_count;
    r_.q_len = matrix.dims[rank - 2];
    r_.k_len = matrix.dims[rank - 1];
    return true;
  }

  bool weights_and_value() {
    const TensorArgument& weights = r_.matrix;
    const TensorArgument& value = r_.value;
    if (!is_option_whole("kvHeads", r_.kv_heads, 1)) return false;
    if ((weights.rank == 4) != (value.rank > 2)) {
      return broken("value has dims ", value, " but weights have ", weights,
                    ": weights of 4 dimensions go with a value of 3 or 4, others with one of 2");
    }
    if (value.rank == 4) {
      r_.kv_head_count = value.dims[1];
      if (r_.kv_heads.given != 0 && r_.kv_heads.value != r_.kv_head_count) {
        return broken("kvHeads is ", r_.kv_heads.value, " but value has dims ", value,
                      ": at 4 dimensions the second is kvHeads");
      }
    } else if (r_.kv_heads.given != 0) {
      r_.kv_head_count = r_.kv_heads.value;
    }
    if (!heads_are_shared()) return false;
    if (value.rank > 2 && value.dims[0] != r_.batch) {
      return broken("value has dims ", value, " but weights have ", weights,
                    ": the first axes must both be batch");
    }
    return value_against("weights", weights);
  }

  bool score_options() {
    if (r_.scale.given != 0 && !is_finite(r_.scale.value)) {
      return broken("scale is ", r_.scale.value, " but must be a finite float32 number");
    }
    if (!is_option_positive("softcap", r_.softcap)) return false;
    return per_head("slopes", r_.slopes, false) && slopes_have_an_offset();
  }

  bool belongs(std::string_view name, const OptionalNumber& option, bool allowed,
               std::string_view where) {
    if (option.given == 0 || allowed) return true;
    return broken(name, " is given but belongs to ", where);
  }

  bool similarity() {
    using Kind = Similarity::Kind;
    const auto kind = static_cast<Kind>(static_cast<int>(r_.similarity));
    const bool scaled = kind == Kind::kExponential || kind == Kind::kPolynomial;
    const bool wide = kind == Kind::kGaussian || kind == Kind::kLaplacian;
    if (!belongs("scale", r_.scale, scaled, "the similarities exponential and polynomial") ||
        !belongs("bandwidth", r_.bandwidth, wide, "the similarities gaussian and laplacian") ||
        !belongs("constant", r_.constant, kind == Kind::kPolynomial, "the similarity polynomial") ||
        !belongs("degree", r_.degree, kind == Kind::kPolynomial, "the similarity polynomial")) {
      return false;
    }
    if (!is_option_positive("bandwidth", r_.bandwidth)) return false;
    if (r_.constant.given != 0 && !is_finite(r_.constant.value)) {
      return broken("constant is ", r_.constant.value, " but must be a finite float32 number");
    }
    constexpr double kLargestDegree = 1000;
    if (r_.degree.given != 0 && r_.degree.value > kLargestDegree) {
      return broken("degree is ", r_.degree.value, " but must be at most ", kLargestDegree);
    }
    if (!is_option_whole("degree", r_.degree, 1)) return false;
    if (r_.mask.given != 0 && r_.mask_is_additive != 0) {
      return broken("mask holds numbers to add to scores, which kernelAttention() does not have: ",
                    "give a Uint8Array");
    }
    if (kind == Kind::kGiven) {
      r_.matrix = tensor_of({r_.batch, r_.head_count, r_.q_len, r_.k_len});
    }
    return true;
  }

  bool linear_options() {
    const bool efficient = r_.feature_map == Request::kEfficient;
    if (r_.causal != 0) {
      if (efficient) {
        return broken("causal is true but the feature map efficient looks at all positions at ",
                      "once: it has no causal form");
      }
      if (r_.q_len != r_.k_len) {
        return broken("causal is true but q_len is ", r_.q_len, " and k_len is ", r_.k_len,
                      ": they must be equal, with earlier keys in a state");
      }
    }
    if (r_.epsilon.given != 0) {
      if (efficient) {
        return broken("epsilon is given but the feature map efficient divides by nothing");
      }
      if (!(is_finite(r_.epsilon.value) && r_.epsilon.value >= 0)) {
        return broken("epsilon is ", r_.epsilon.value,
                      " but must be a finite float32 number of at least 0");
      }
    }
    return per_batch_entry("keyLengths", r_.key_lengths, 0, r_.k_len);
  }

  bool state() {
    r_.new_sums.given = r_.new_normaliser.given = 0;
    if (r_.wants_state == 0 && r_.sums.given == 0) return true;
    if (r_.feature_map == Request::kEfficient) {
      return broken("state is given but the feature map efficient has none");
    }
    const TensorArgument sums = tensor_of({r_.batch, r_.kv_head_count, r_.key_dim, r_.value_dim});
    const TensorArgument normaliser = tensor_of({r_.batch, r_.kv_head_count, r_.key_dim});
    r_.new_sums = sums;
    r_.new_normaliser = normaliser;
    if (r_.sums.given == 0) return true;
    return tensor("state.S", r_.sums, 4, 4) && tensor("state.z", r_.normaliser, 3, 3) &&
           same_dims("state.S", r_.sums, "batch × kvHeads × d_k × d_v", sums) &&
           same_dims("state.z", r_.normaliser, "batch × kvHeads × d_k", normaliser);
  }

  bool slopes_have_an_offset() { return r_.slopes.given == 0 || has_offset("slopes"); }

  // Whoever looks at positions must know where the queries are.
  bool has_offset(std::string_view name) {
    if (r_.q_len == r_.k_len || r_.cache != 0 || r_.offset.given != 0 || r_.offsets.given != 0) {
      return true;
    }
    return broken(name,
                  " needs an offset, the number of keys before the first query, because q_len is ",
                  r_.q_len, " and k_len is ", r_.k_len,
                  ": offset 0 aligns the queries with the first keys, offset ", r_.k_len - r_.q_len,
                  " with the last");
  }

  bool per_head(std::string_view name, const ListArgument& list, bool may_be_minus_infinity) {
    if (list.given == 0) return true;
    if (list.count != r_.head_count) {
      return broken(
          name, list.count == 1 ? " holds 1 number" : sentence(" holds ", list.count, " numbers"),
          " but must hold one per head, ", r_.head_count);
    }
    std::size_t at = 0;
    for (const double number : numbers(list)) {
      const bool allowed = is_finite(number) || (may_be_minus_infinity && number < 0);
      if (!allowed) {
        return broken(name, "[", static_cast<double>(at), "] is ", number,
                      may_be_minus_infinity ? " but must be a number below Infinity"
                                            : " but must be a finite float32 number");
      }
      ++at;
    }
    return true;
  }

  bool per_batch_entry(std::string_view name, const ListArgument& list, double least, double most) {
    if (list.given == 0) return true;
    if (list.count != r_.batch) {
      return broken(
          name, list.count == 1 ? " holds 1 number" : sentence(" holds ", list.count, " numbers"),
          " but must hold one per batch entry, ", r_.batch);
    }
    std::size_t at = 0;
    for (const double number : numbers(list)) {
      if (!is_whole(number)) {
        return broken(name, "[", static_cast<double>(at), "] is ", number,
                      " but must be a whole number");
      }
      if (number < least || number > most) {
        return broken(name, "[", static_cast<double>(at), "] is ", number, " but must be from ",
                      least, " to k_len = ", most);
      }
      ++at;
    }
    return true;
  }

  bool window_side(std::string_view name, const OptionalNumber& side) {
    if (side.given == 0 || (is_whole(side.value) && side.value >= 0)) return true;
    return broken("window holds ", side.value, " on the ", name,
                  " but must hold whole numbers of at least 0, or null for an unbounded side");
  }

  bool visibility() {
    if (r_.offset.given != 0 && !is_whole(r_.offset.value)) {
      return broken("offset is ", r_.offset.value, " but must be a whole number");
    }
    return (r_.causal == 0 || has_offset("causal")) && (r_.window == 0 || has_offset("window")) &&
           window_side("left", r_.window_left) && window_side("right", r_.window_right) &&
           per_batch_entry("offset", r_.offsets, -kMaximumWhole, kMaximumWhole) &&
           per_batch_entry(r_.cross != 0 ? "crossKeyLengths" : "keyLengths", r_.key_lengths, 0,
                           r_.k_len) &&
           mask();
  }

  bool mask() {
    if (r_.mask.given == 0) return true;
    const std::string_view name = r_.cross != 0 ? "crossMask" : "mask";
    if (!tensor(name, r_.mask, 1)) return false;
    const TensorArgument full = tensor_of({r_.batch, r_.head_count, r_.q_len, r_.k_len});
    const std::size_t missing = kMaximumRank - static_cast<std::size_t>(r_.mask.rank);
    for (std::size_t axis = missing; axis < kMaximumRank; ++axis) {
      const double dim = r_.mask.dims[axis - missing];
      if (dim != 1 && dim != full.dims[axis]) {
        return broken(name, " has dims ", r_.mask,
                      " but must broadcast, aligned to the right, to batch × ",
                      "heads × q_len × k_len = ", full);
      }
    }
    return true;
  }

  // The dimensions of what comes out.
  bool results() {
    r_.output.given = r_.weights.given = r_.scores.given = r_.log_sum_exp.given = 0;
    switch (step_of(r_)) {
      case Step::kAttention:
      case Step::kKernel:
      case Step::kLinear:
        r_.output = output_dims(r_.query.rank);
        if (r_.wants_weights != 0)
          r_.weights = matrix_result(r_.wants_weights == Request::kAveraged);
        if (r_.wants_scores != 0) r_.scores = matrix_result(false);
        if (r_.wants_log_sum_exp != 0) r_.log_sum_exp = row_result();
        break;
      case Step::kScores:
        r_.scores = matrix_result(false);
        break;
      case Step::kSoftmax:
        r_.weights = r_.matrix;
        break;
      case Step::kWeightedSum:
        r_.output = output_dims(r_.value.rank);
        break;
    }
    return true;
  }

  TensorArgument output_dims(double rank) const {
    if (rank == 4) return tensor_of({r_.batch, r_.head_count, r_.q_len, r_.value_dim});
    if (rank == 3) return tensor_of({r_.batch, r_.q_len, r_.head_count * r_.value_dim});
    return tensor_of({r_.q_len, r_.head_count * r_.value_dim});
  }

  TensorArgument matrix_result(bool averaged) const {
    if (r_.query.rank > 2) {
      if (averaged) return tensor_of({r_.batch, r_.q_len, r_.k_len});
      return tensor_of({r_.batch, r_.head_count, r_.q_len, r_.k_len});
    }
    if (averaged || r_.heads.given == 0) return tensor_of({r_.q_len, r_.k_len});
    return tensor_of({r_.head_count, r_.q_len, r_.k_len});
  }

  TensorArgument row_result() const {
    if (r_.query.rank > 2) return tensor_of({r_.batch, r_.head_count, r_.q_len});
    if (r_.heads.given == 0) return tensor_of({r_.q_len});
    return tensor_of({r_.head_count, r_.q_len});
  }

  std::string lay_out(Step step) {
    Layout layout(r_.start);
    for (TensorArgument* tensor :
         {&r_.query, &r_.key, &r_.value, &r_.matrix, &r_.sums, &r_.normaliser, &r_.output,
          &r_.weights, &r_.scores, &r_.log_sum_exp, &r_.new_sums, &r_.new_normaliser}) {
      layout.place(*tensor);
    }
    layout.place(r_.mask, r_.mask_is_additive != 0 ? sizeof(float) : 1);
    r_.workspace = layout.end();
    if (layout.fits()) layout.reserve(workspace_bytes(step));
    r_.bytes = layout.end();
    return layout.fits() ? "" : layout.problem();
  }

  double workspace_bytes(Step step) const {
    const Shape shape = shape_of(r_);
    switch (step) {
      case Step::kAttention:
      case Step::kKernel:
        return static_cast<double>(
            attend_workspace_bytes(shape, r_.wants_weights == Request::kAveraged));
      case Step::kLinear:
        return static_cast<double>(linear_attention_workspace_bytes(shape));
      case Step::kScores:
        return static_cast<double>(scores_workspace_bytes(shape));
      case Step::kWeightedSum:
        return static_cast<double>(weighted_sum_workspace_bytes(shape));
      case Step::kSoftmax:
        break;
    }
    return 0;
  }

  Request& r_;
};

}  // namespace

Shape shape_of(const Request& request) {
  const auto size = [](double number) { return static_cast<std::size_t>(number); };
  return {size(request.batch),    size(request.head_count), size(request.kv_head_count),
          size(request.q_len),    size(request.k_len),      size(request.key_dim),
          size(request.value_dim)};
}

std::string check(Request& request) { return AttentionRules(request).check(); }

}  // namespace attention
