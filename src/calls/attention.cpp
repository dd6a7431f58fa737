// attention(query, key, value), or over the keys and values of a cache.
#include <algorithm>
#include <cmath>

#include "attention/key_value_cache.h"
#include "calls/attention_parts.h"
#include "calls/entries.h"
#include "kernels/kernels.h"

namespace attention::calls {

Heads<float> AttentionTensors::matrix_view(const Block& block) const {
  return Heads<float>::head_major(block.numbers(matrix), size(batch), size(heads), size(q_len),
                                  size(k_len));
}

AttentionResults AttentionTensors::results(const Block& block) const {
  AttentionResults results = attention_results(*this, *this, block);
  results.output = output_view(block);
  return results;
}

AttentionOptions attention_options(const Options& options, const Block& block) {
  const auto side = [](const Optional& side) {
    return side.is_given() ? static_cast<std::int64_t>(side.value) : Visibility::kUnbounded;
  };
  AttentionOptions meant;
  meant.scale = real(options.scale);
  meant.softcap = real(options.softcap.value_or(0));
  meant.slopes = numbers(options.slopes);
  meant.sinks = numbers(options.sinks);
  Visibility& visibility = meant.visibility;
  visibility.causal = options.causal != 0;
  visibility.window_left = side(options.window_left);
  visibility.window_right = side(options.window_right);
  visibility.offsets =
      options.offset.is_given() ? std::span(&options.offset.value, 1) : numbers(options.offsets);
  visibility.key_lengths = numbers(options.key_lengths);
  visibility.mask = block.mask(options.mask);
  return meant;
}

AttentionResults attention_results(const Options& options, const Kept& kept, const Block& block) {
  AttentionResults results;
  (options.averages() ? results.average_weights : results.weights) = block.numbers(kept.weights);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    results.scores[stage] = block.numbers(kept.scores[stage]);
  }
  results.log_sum_exp = block.numbers(kept.log_sum_exp);
  return results;
}

namespace {

struct AttentionCall : AttentionTensors {
  double cache;      // address of a KeyValueCache, instead of key and value
  double keys_come;  // in parts, with the values
  double slice;      // queries in one

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("cache", cache);
  }

  bool check(Rules& rules) {
    const bool fits = cache == 0 ? check_query_key_value(rules) : check_query_of_cache(rules);
    if (!fits || !check_attention_options(rules, *this, *this, cache != 0)) return false;
    give_output(rules, query.rank);
    give_kept(rules);
    if (cache == 0) divide();
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    AttentionOptions options = attention_options(*this, block);
    AttentionResults results = this->results(block);
    Heads<float> queries = query_view(block);
    if (cache != 0) {
      attend(kernels, queries, object_at<const KeyValueCache>(cache), options, results, workspace);
      return;
    }
    Heads<float> keys = key_view(block);
    Heads<float> values = value_view(block);
    if (parts * slices > 1) take_part(options, results, queries, keys, values);
    attend(kernels, queries, keys, values, options, results, workspace);
  }

 private:
  // Much comes and goes in parts, a group of heads or all heads of an average, and weights in
  // slices of a part: what is copied is then still in a cache, and no more of it is in memory.
  void divide() {
    constexpr double kLeastNumbers = 32768;  // of a part
    constexpr double kSliceNumbers = 524288;
    const double count = averages() ? double{batch} : batch * kv_heads;
    const double shared = heads * batch / count;
    const double kept_heads = averages() ? 1 : shared;
    keys_come = count > 1 && (query.rank == 4 || count == batch) &&
                key.count + value.count >= count * kLeastNumbers &&
                type_of(key) == NumberType::kFloat32 && type_of(value) == NumberType::kFloat32;
    const double kept = wants_weights + wants_scores == 0 ? 0 : kept_heads * q_len * k_len;
    const bool keeps = kept >= kLeastNumbers;
    // What no memory has room for is refused as a whole.
    if (!(keeps || keys_come != 0) || !can_be_addressed(count * kept * sizeof(float))) return;
    parts = count;
    slice = q_len;
    if (keys_come != 0) {
      key.count /= count;
      value.count /= count;
    }
    // What several heads keep lies together only as a whole.
    if (keeps && kept_heads == 1 && (shared == 1 || wants_scores + wants_log_sum_exp == 0)) {
      const double blocks = std::floor(kSliceNumbers / (k_len * kBlockQueries));
      slice = std::min(slice, std::max(1.0, blocks) * kBlockQueries);
      slices = std::ceil(q_len / slice);
    }
    weights.count = kept_heads * slice * k_len;
    for (Result& stage : scores) stage.count = shared * slice * k_len;
  }

  // What the next run is about.
  void take_part(AttentionOptions& options, AttentionResults& results, Heads<float>& queries,
                 Heads<float>& keys, Heads<float>& values) const {
    const std::size_t part = size(runs) / size(slices);
    const std::size_t first = size(runs) % size(slices) * size(slice);
    const std::size_t count = std::min(size(slice), size(q_len) - first);
    const std::size_t groups = size(batch * kv_heads / parts);
    const std::size_t entry = part * groups / size(kv_heads);
    const std::size_t group = part * groups % size(kv_heads);
    const std::size_t shared = size(heads / kv_heads);
    const std::size_t head = group * shared;
    const auto own = [&](auto& list, std::size_t first, std::size_t count) {
      if (list.size() > 1) list = list.subspan(first, count);
    };
    queries = queries.part(entry, head, groups * shared, first, count);
    results.output = results.output.part(entry, head, groups * shared, first, count);
    if (results.log_sum_exp != nullptr) {
      results.log_sum_exp += (entry * size(heads) + head) * size(q_len) + first;
    }
    if (keys_come != 0) {
      // Those of the part are all that there are.
      keys.batch_stride = values.batch_stride = 0;
      if (groups == 1) keys.head_stride = values.head_stride = 0;
    }
    keys = keys.part(entry, group, groups, 0, keys.rows);
    values = values.part(entry, group, groups, 0, values.rows);
    own(options.slopes, head, groups * shared);
    own(options.sinks, head, groups * shared);
    Visibility& visibility = options.visibility;
    visibility.first_query = first;
    own(visibility.offsets, entry, 1);
    own(visibility.key_lengths, entry, 1);
    Mask& mask = visibility.mask;
    const std::size_t start = mask.index(entry, head, first, 0);
    if (mask.allowed != nullptr) mask.allowed += start;
    if (mask.bias != nullptr) mask.bias += start;
  }

  bool check_query_of_cache(Rules& rules) {
    const auto& held = object_at<const KeyValueCache>(cache);
    kv_heads = static_cast<double>(held.kv_heads);
    key_dim = static_cast<double>(held.key_dim);
    value_dim = static_cast<double>(held.value_dim);
    k_len = static_cast<double>(held.key_count());
    if (!rules.tensor("query", query, 2) || !rules.whole_option("heads", heads_option, 1)) {
      return false;
    }
    if (kv_heads_option.is_given() && kv_heads_option.value != kv_heads) {
      return rules.broken("kvHeads is # but the cache has #", kv_heads_option.value, kv_heads);
    }
    if (query.rank == 4) {
      heads = query.dims[1];
      if (!rules.heads_of("heads", heads_option, "query", query)) return false;
    } else {
      heads = heads_option.value_or(names_heads() ? double{kv_heads} : 1);
    }
    if (!rules.shared_heads(heads, kv_heads)) return false;
    const double in_row = query.rank < 4 ? double{heads} : 1;
    if (query.last() != in_row * key_dim) {
      const std::string last =
          query.rank == 4 ? sentence("d_k")
                          : sentence("heads × d_k = # × # = #", in_row, key_dim, in_row * key_dim);
      return rules.broken(
          "query has dims @ but the cache has d_k = #: the last axis of query must be $", query,
          key_dim, last);
    }
    batch = query.batch();
    if (batch != static_cast<double>(held.batch)) {
      return rules.broken("query has dims @ but the cache has batch #", query,
                          static_cast<double>(held.batch));
    }
    q_len = query.length();
    return check_cached_offset(rules, *this, held, q_len);
  }

  // Several heads of a cache are named by it, and so have an axis in the results.
  bool names_heads() const { return kv_heads > 1; }

  void give_kept(Rules& rules) {
    const bool named = heads_option.is_given() || (cache != 0 && names_heads());
    calls::give_kept(rules, *this, *this, query.rank, named, *this);
  }
};

}  // namespace

constinit const Entry attention_call = entry<AttentionCall>("attention");

}  // namespace attention::calls
