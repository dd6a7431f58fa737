// The names of everything, and nothing else: a table of tables.
#include "attention/functions.h"

#include <cstddef>

#include "attention/attention.h"
#include "attention/rules.h"
#include "attention/sentence.h"
#include "attention/widen.h"

namespace attention {
namespace {

using Kind = Field::Kind;

// What attention() and its steps take and give.
constexpr Field kTensors[] = {
    {"query", Kind::kTensor, offsetof(Request, query)},
    {"key", Kind::kTensor, offsetof(Request, key)},
    {"value", Kind::kTensor, offsetof(Request, value)},
    {"matrix", Kind::kTensor, offsetof(Request, matrix)},
    {"heads", Kind::kOptional, offsetof(Request, heads)},
    {"kvHeads", Kind::kOptional, offsetof(Request, kv_heads)},
    {"output", Kind::kResult, offsetof(Request, output)},
};

// The options of attention() that layers take as well.
constexpr Field kOptions[] = {
    {"scale", Kind::kOptional, offsetof(Request, scale)},
    {"softcap", Kind::kOptional, offsetof(Request, softcap)},
    {"causal", Kind::kNumber, offsetof(Request, causal)},
    {"offset", Kind::kOptional, offsetof(Request, offset)},
    {"window", Kind::kNumber, offsetof(Request, window)},
    {"windowLeft", Kind::kOptional, offsetof(Request, window_left)},
    {"windowRight", Kind::kOptional, offsetof(Request, window_right)},
    {"offsets", Kind::kList, offsetof(Request, offsets)},
    {"keyLengths", Kind::kList, offsetof(Request, key_lengths)},
    {"slopes", Kind::kList, offsetof(Request, slopes)},
    {"sinks", Kind::kList, offsetof(Request, sinks)},
    {"mask", Kind::kTensor, offsetof(Request, mask)},
    {"maskIsAdditive", Kind::kNumber, offsetof(Request, mask_is_additive)},
    {"wantsWeights", Kind::kNumber, offsetof(Request, wants_weights)},
    {"wantsScores", Kind::kNumber, offsetof(Request, wants_scores)},
    {"wantsLogSumExp", Kind::kNumber, offsetof(Request, wants_log_sum_exp)},
    {"cache", Kind::kNumber, offsetof(Request, cache)},
};

constexpr Field kMatrices[] = {
    {"weights", Kind::kResult, offsetof(Request, weights)},
    {"scores", Kind::kResult, offsetof(Request, scores)},
    {"logSumExp", Kind::kResult, offsetof(Request, log_sum_exp)},
};

// What check() finds out about a call.
constexpr Field kFacts[] = {
    {"bytes", Kind::kFact, offsetof(Request, bytes)},
    {"batch", Kind::kFact, offsetof(Request, batch)},
    {"headCount", Kind::kFact, offsetof(Request, head_count)},
    {"kvHeadCount", Kind::kFact, offsetof(Request, kv_head_count)},
    {"queryLength", Kind::kFact, offsetof(Request, q_len)},
    {"keyLength", Kind::kFact, offsetof(Request, k_len)},
    {"keyDim", Kind::kFact, offsetof(Request, key_dim)},
    {"valueDim", Kind::kFact, offsetof(Request, value_dim)},
};

constexpr Field kKernel[] = {
    {"similarity", Kind::kNumber, offsetof(Request, similarity)},
    {"bandwidth", Kind::kOptional, offsetof(Request, bandwidth)},
    {"constant", Kind::kOptional, offsetof(Request, constant)},
    {"degree", Kind::kOptional, offsetof(Request, degree)},
};

constexpr Field kLinear[] = {
    {"featureMap", Kind::kNumber, offsetof(Request, feature_map)},
    {"epsilon", Kind::kOptional, offsetof(Request, epsilon)},
    {"wantsState", Kind::kNumber, offsetof(Request, wants_state)},
    {"sums", Kind::kTensor, offsetof(Request, sums)},
    {"normaliser", Kind::kTensor, offsetof(Request, normaliser)},
    {"newSums", Kind::kResult, offsetof(Request, new_sums)},
    {"newNormaliser", Kind::kResult, offsetof(Request, new_normaliser)},
};

constexpr Field kRotary[] = {
    {"x", Kind::kTensor, offsetof(RotaryRequest, x)},
    {"heads", Kind::kOptional, offsetof(RotaryRequest, heads)},
    {"width", Kind::kOptional, offsetof(RotaryRequest, width)},
    {"base", Kind::kOptional, offsetof(RotaryRequest, base)},
    {"offset", Kind::kOptional, offsetof(RotaryRequest, offset)},
    {"interleaved", Kind::kNumber, offsetof(RotaryRequest, interleaved)},
    {"positions", Kind::kList, offsetof(RotaryRequest, positions)},
    {"cos", Kind::kTensor, offsetof(RotaryRequest, cos)},
    {"sin", Kind::kTensor, offsetof(RotaryRequest, sin)},
    {"output", Kind::kResult, offsetof(RotaryRequest, output)},
    {"bytes", Kind::kFact, offsetof(RotaryRequest, bytes)},
};

constexpr Field kPositions[] = {
    {"length", Kind::kNumber, offsetof(PositionsRequest, length)},
    {"dim", Kind::kNumber, offsetof(PositionsRequest, dim)},
    {"offset", Kind::kOptional, offsetof(PositionsRequest, offset)},
    {"base", Kind::kOptional, offsetof(PositionsRequest, base)},
    {"output", Kind::kResult, offsetof(PositionsRequest, output)},
    {"bytes", Kind::kFact, offsetof(PositionsRequest, bytes)},
};

constexpr Field kSlopes[] = {
    {"heads", Kind::kNumber, offsetof(SlopesRequest, heads)},
    {"output", Kind::kResult, offsetof(SlopesRequest, output)},
    {"bytes", Kind::kFact, offsetof(SlopesRequest, bytes)},
};

constexpr Field kNewCache[] = {
    {"batch", Kind::kNumber, offsetof(NewCache, batch)},
    {"kvHeads", Kind::kNumber, offsetof(NewCache, kv_heads)},
    {"keyDim", Kind::kNumber, offsetof(NewCache, key_dim)},
    {"valueDim", Kind::kNumber, offsetof(NewCache, value_dim)},
    {"capacity", Kind::kNumber, offsetof(NewCache, capacity)},
    {"sliding", Kind::kNumber, offsetof(NewCache, sliding)},
    {"object", Kind::kNumber, offsetof(NewCache, object)},
    {"objectBytes", Kind::kFact, offsetof(NewCache, object_bytes)},
    {"bytes", Kind::kFact, offsetof(NewCache, bytes)},
};

constexpr Field kAppend[] = {
    {"cache", Kind::kNumber, offsetof(AppendRequest, cache)},
    {"key", Kind::kTensor, offsetof(AppendRequest, key)},
    {"value", Kind::kTensor, offsetof(AppendRequest, value)},
    {"bytes", Kind::kFact, offsetof(AppendRequest, bytes)},
};

constexpr Field kRewind[] = {
    {"cache", Kind::kNumber, offsetof(RewindRequest, cache)},
    {"length", Kind::kNumber, offsetof(RewindRequest, length)},
    {"bytes", Kind::kFact, offsetof(RewindRequest, bytes)},
};

constexpr Field kCacheState[] = {
    {"cache", Kind::kNumber, offsetof(CacheState, cache)},
    {"length", Kind::kFact, offsetof(CacheState, length)},
    {"kept", Kind::kFact, offsetof(CacheState, kept)},
    {"bytes", Kind::kFact, offsetof(CacheState, bytes)},
};

// The weights of multi-head attention; those of a layer have the part in front.
constexpr Field kMultiHeadWeights[] = {
    {"torch", Kind::kNumber, offsetof(MultiHeadWeights, torch)},
    {"heads", Kind::kOptional, offsetof(MultiHeadWeights, heads)},
    {"kvHeads", Kind::kOptional, offsetof(MultiHeadWeights, kv_heads)},
    {"query", Kind::kTensor, offsetof(MultiHeadWeights, query)},
    {"key", Kind::kTensor, offsetof(MultiHeadWeights, key)},
    {"value", Kind::kTensor, offsetof(MultiHeadWeights, value)},
    {"output", Kind::kTensor, offsetof(MultiHeadWeights, output)},
    {"stacked", Kind::kTensor, offsetof(MultiHeadWeights, stacked)},
    {"queryBias", Kind::kTensor, offsetof(MultiHeadWeights, query_bias)},
    {"keyBias", Kind::kTensor, offsetof(MultiHeadWeights, key_bias)},
    {"valueBias", Kind::kTensor, offsetof(MultiHeadWeights, value_bias)},
    {"outputBias", Kind::kTensor, offsetof(MultiHeadWeights, output_bias)},
    {"stackedBias", Kind::kTensor, offsetof(MultiHeadWeights, stacked_bias)},
    {"headCount", Kind::kFact, offsetof(MultiHeadWeights, head_count)},
    {"kvHeadCount", Kind::kFact, offsetof(MultiHeadWeights, kv_head_count)},
    {"keyDim", Kind::kFact, offsetof(MultiHeadWeights, key_dim)},
    {"valueDim", Kind::kFact, offsetof(MultiHeadWeights, value_dim)},
    {"modelDim", Kind::kFact, offsetof(MultiHeadWeights, model_dim)},
    {"contextDim", Kind::kFact, offsetof(MultiHeadWeights, context_dim)},
};

constexpr Field kCrossWeights[] = {
    {"crossQuery", Kind::kTensor, offsetof(MultiHeadWeights, query)},
    {"crossKey", Kind::kTensor, offsetof(MultiHeadWeights, key)},
    {"crossValue", Kind::kTensor, offsetof(MultiHeadWeights, value)},
    {"crossOutput", Kind::kTensor, offsetof(MultiHeadWeights, output)},
    {"crossStacked", Kind::kTensor, offsetof(MultiHeadWeights, stacked)},
    {"crossQueryBias", Kind::kTensor, offsetof(MultiHeadWeights, query_bias)},
    {"crossKeyBias", Kind::kTensor, offsetof(MultiHeadWeights, key_bias)},
    {"crossValueBias", Kind::kTensor, offsetof(MultiHeadWeights, value_bias)},
    {"crossOutputBias", Kind::kTensor, offsetof(MultiHeadWeights, output_bias)},
    {"crossStackedBias", Kind::kTensor, offsetof(MultiHeadWeights, stacked_bias)},
    {"crossKvHeadCount", Kind::kFact, offsetof(MultiHeadWeights, kv_head_count)},
    {"crossKeyDim", Kind::kFact, offsetof(MultiHeadWeights, key_dim)},
    {"crossValueDim", Kind::kFact, offsetof(MultiHeadWeights, value_dim)},
    {"memoryDim", Kind::kFact, offsetof(MultiHeadWeights, context_dim)},
};

constexpr Field kNewLinear[] = {
    {"torch", Kind::kNumber, offsetof(NewLinear, torch)},
    {"weight", Kind::kTensor, offsetof(NewLinear, weight)},
    {"bias", Kind::kTensor, offsetof(NewLinear, bias)},
    {"inDim", Kind::kFact, offsetof(NewLinear, in)},
    {"outDim", Kind::kFact, offsetof(NewLinear, out)},
    {"object", Kind::kNumber, offsetof(NewLinear, object)},
    {"objectBytes", Kind::kFact, offsetof(NewLinear, object_bytes)},
    {"bytes", Kind::kFact, offsetof(NewLinear, bytes)},
};

constexpr Field kLinearMap[] = {
    {"layer", Kind::kNumber, offsetof(LinearRequest, layer)},
    {"x", Kind::kTensor, offsetof(LinearRequest, x)},
    {"output", Kind::kResult, offsetof(LinearRequest, output)},
    {"bytes", Kind::kFact, offsetof(LinearRequest, bytes)},
};

constexpr Field kNorm[] = {
    {"x", Kind::kTensor, offsetof(NormRequest, x)},
    {"weight", Kind::kTensor, offsetof(NormRequest, weight)},
    {"bias", Kind::kTensor, offsetof(NormRequest, bias)},
    {"rms", Kind::kNumber, offsetof(NormRequest, rms)},
    {"epsilon", Kind::kNumber, offsetof(NormRequest, epsilon)},
    {"output", Kind::kResult, offsetof(NormRequest, output)},
    {"bytes", Kind::kFact, offsetof(NormRequest, bytes)},
};

constexpr Field kNewMultiHead[] = {
    {"object", Kind::kNumber, offsetof(NewMultiHead, object)},
    {"objectBytes", Kind::kFact, offsetof(NewMultiHead, object_bytes)},
    {"bytes", Kind::kFact, offsetof(NewMultiHead, bytes)},
};

constexpr Field kMultiHead[] = {
    {"layer", Kind::kNumber, offsetof(MultiHeadRequest, layer)},
    {"x", Kind::kTensor, offsetof(MultiHeadRequest, x)},
    {"context", Kind::kTensor, offsetof(MultiHeadRequest, context)},
    {"appends", Kind::kNumber, offsetof(MultiHeadRequest, appends)},
    {"wantsHeadOutputs", Kind::kNumber, offsetof(MultiHeadRequest, wants_head_outputs)},
    {"output", Kind::kResult, offsetof(MultiHeadRequest, output)},
    {"headOutputs", Kind::kResult, offsetof(MultiHeadRequest, head_outputs)},
    {"bytes", Kind::kFact, offsetof(MultiHeadRequest, bytes)},
};

constexpr Field kProject[] = {
    {"layer", Kind::kNumber, offsetof(ProjectRequest, layer)},
    {"x", Kind::kTensor, offsetof(ProjectRequest, x)},
    {"context", Kind::kTensor, offsetof(ProjectRequest, context)},
    {"query", Kind::kResult, offsetof(ProjectRequest, query)},
    {"key", Kind::kResult, offsetof(ProjectRequest, key)},
    {"value", Kind::kResult, offsetof(ProjectRequest, value)},
    {"bytes", Kind::kFact, offsetof(ProjectRequest, bytes)},
};

constexpr Field kContext[] = {
    {"layer", Kind::kNumber, offsetof(ContextRequest, layer)},
    {"cache", Kind::kNumber, offsetof(ContextRequest, cache)},
    {"cross", Kind::kNumber, offsetof(ContextRequest, cross)},
    {"context", Kind::kTensor, offsetof(ContextRequest, context)},
    {"bytes", Kind::kFact, offsetof(ContextRequest, bytes)},
    {"batch", Kind::kFact, offsetof(ContextRequest, batch)},
    {"length", Kind::kFact, offsetof(ContextRequest, length)},
};

constexpr Field kNewTransformer[] = {
    {"decoder", Kind::kNumber, offsetof(NewTransformerLayer, decoder)},
    {"normFirst", Kind::kNumber, offsetof(NewTransformerLayer, norm_first)},
    {"activation", Kind::kNumber, offsetof(NewTransformerLayer, activation)},
    {"rms", Kind::kNumber, offsetof(NewTransformerLayer, rms)},
    {"epsilon", Kind::kNumber, offsetof(NewTransformerLayer, epsilon)},
    {"widen", Kind::kTensor, offsetof(NewTransformerLayer, widen)},
    {"widenBias", Kind::kTensor, offsetof(NewTransformerLayer, widen_bias)},
    {"narrow", Kind::kTensor, offsetof(NewTransformerLayer, narrow)},
    {"narrowBias", Kind::kTensor, offsetof(NewTransformerLayer, narrow_bias)},
    {"norm1", Kind::kTensor, offsetof(NewTransformerLayer, norm_weights[0])},
    {"norm2", Kind::kTensor, offsetof(NewTransformerLayer, norm_weights[1])},
    {"norm3", Kind::kTensor, offsetof(NewTransformerLayer, norm_weights[2])},
    {"norm1Bias", Kind::kTensor, offsetof(NewTransformerLayer, norm_biases[0])},
    {"norm2Bias", Kind::kTensor, offsetof(NewTransformerLayer, norm_biases[1])},
    {"norm3Bias", Kind::kTensor, offsetof(NewTransformerLayer, norm_biases[2])},
    {"object", Kind::kNumber, offsetof(NewTransformerLayer, object)},
    {"objectBytes", Kind::kFact, offsetof(NewTransformerLayer, object_bytes)},
    {"bytes", Kind::kFact, offsetof(NewTransformerLayer, bytes)},
};

constexpr Field kTransformer[] = {
    {"layer", Kind::kNumber, offsetof(TransformerRequest, layer)},
    {"x", Kind::kTensor, offsetof(TransformerRequest, x)},
    {"key", Kind::kTensor, offsetof(TransformerRequest, self.attention.key)},
    {"value", Kind::kTensor, offsetof(TransformerRequest, self.attention.value)},
    {"appends", Kind::kNumber, offsetof(TransformerRequest, self.appends)},
    {"weights", Kind::kResult, offsetof(TransformerRequest, self.attention.weights)},
    {"memory", Kind::kTensor, offsetof(TransformerRequest, cross.context)},
    {"memoryKey", Kind::kTensor, offsetof(TransformerRequest, cross.attention.key)},
    {"memoryValue", Kind::kTensor, offsetof(TransformerRequest, cross.attention.value)},
    {"memoryCache", Kind::kNumber, offsetof(TransformerRequest, cross.attention.cache)},
    {"crossMask", Kind::kTensor, offsetof(TransformerRequest, cross.attention.mask)},
    {"crossMaskIsAdditive", Kind::kNumber,
     offsetof(TransformerRequest, cross.attention.mask_is_additive)},
    {"crossKeyLengths", Kind::kList, offsetof(TransformerRequest, cross.attention.key_lengths)},
    {"wantsCrossWeights", Kind::kNumber,
     offsetof(TransformerRequest, cross.attention.wants_weights)},
    {"crossWeights", Kind::kResult, offsetof(TransformerRequest, cross.attention.weights)},
    {"output", Kind::kResult, offsetof(TransformerRequest, output)},
    {"bytes", Kind::kFact, offsetof(TransformerRequest, bytes)},
};

constexpr Field kLayerProjection[] = {
    {"layer", Kind::kNumber, offsetof(LayerProjection, layer)},
    {"x", Kind::kTensor, offsetof(LayerProjection, x)},
    {"memory", Kind::kTensor, offsetof(LayerProjection, memory)},
    {"key", Kind::kResult, offsetof(LayerProjection, key)},
    {"value", Kind::kResult, offsetof(LayerProjection, value)},
    {"memoryKey", Kind::kResult, offsetof(LayerProjection, memory_key)},
    {"memoryValue", Kind::kResult, offsetof(LayerProjection, memory_value)},
    {"bytes", Kind::kFact, offsetof(LayerProjection, bytes)},
};

constexpr Field kParts[] = {
    {"layer", Kind::kNumber, offsetof(TransformerParts, layer)},
    {"self", Kind::kFact, offsetof(TransformerParts, self)},
    {"cross", Kind::kFact, offsetof(TransformerParts, cross)},
    {"bytes", Kind::kFact, offsetof(TransformerParts, bytes)},
};

constexpr FieldGroup kAttentionGroups[] = {
    {kTensors, 0}, {kOptions, 0}, {kMatrices, 0}, {kFacts, 0}};
constexpr FieldGroup kKernelGroups[] = {
    {kTensors, 0}, {kOptions, 0}, {kMatrices, 0}, {kFacts, 0}, {kKernel, 0}};
constexpr FieldGroup kLinearGroups[] = {
    {kTensors, 0}, {kOptions, 0}, {kMatrices, 0}, {kFacts, 0}, {kLinear, 0}};
constexpr FieldGroup kNewMultiHeadGroups[] = {{kMultiHeadWeights, offsetof(NewMultiHead, weights)},
                                              {kNewMultiHead, 0}};
constexpr FieldGroup kMultiHeadGroups[] = {{kOptions, offsetof(MultiHeadRequest, attention)},
                                           {kMatrices, offsetof(MultiHeadRequest, attention)},
                                           {kMultiHead, 0}};
constexpr FieldGroup kNewTransformerGroups[] = {
    {kMultiHeadWeights, offsetof(NewTransformerLayer, self)},
    {kCrossWeights, offsetof(NewTransformerLayer, cross)},
    {kNewTransformer, 0}};
constexpr FieldGroup kTransformerGroups[] = {
    {kOptions, offsetof(TransformerRequest, self.attention)}, {kTransformer, 0}};
constexpr FieldGroup kRotaryGroups[] = {{kRotary, 0}};
constexpr FieldGroup kPositionsGroups[] = {{kPositions, 0}};
constexpr FieldGroup kSlopesGroups[] = {{kSlopes, 0}};
constexpr FieldGroup kNewCacheGroups[] = {{kNewCache, 0}};
constexpr FieldGroup kAppendGroups[] = {{kAppend, 0}};
constexpr FieldGroup kRewindGroups[] = {{kRewind, 0}};
constexpr FieldGroup kCacheStateGroups[] = {{kCacheState, 0}};
constexpr FieldGroup kNewLinearGroups[] = {{kNewLinear, 0}};
constexpr FieldGroup kLinearMapGroups[] = {{kLinearMap, 0}};
constexpr FieldGroup kNormGroups[] = {{kNorm, 0}};
constexpr FieldGroup kProjectGroups[] = {{kProject, 0}};
constexpr FieldGroup kContextGroups[] = {{kContext, 0}};
constexpr FieldGroup kLayerProjectionGroups[] = {{kLayerProjection, 0}};
constexpr FieldGroup kPartsGroups[] = {{kParts, 0}};

template <Step step>
std::string check_step(void* record) {
  Request& request = *static_cast<Request*>(record);
  request.step = static_cast<double>(static_cast<int>(step));
  return check(request);
}

// The one rule for all objects, which stay in memory beside the block of the call that makes them.
template <class Record>
std::string check_record(void* record) {
  Record& request = *static_cast<Record*>(record);
  std::string problem = check(request);
  if constexpr (requires { request.object_bytes; }) {
    const double bytes = request.object_bytes + request.bytes;
    if (problem.empty() && !(bytes <= kMaximumBytes)) return beyond_memory(bytes);
  }
  return problem;
}

template <class Record>
void run_record(const Kernels& kernels, const void* record, void* block) {
  const Record& request = *static_cast<const Record*>(record);
  if constexpr (requires { run(kernels, request, block); }) {
    run(kernels, request, block);
  } else if constexpr (requires { run(request, block); }) {
    run(request, block);
  } else if constexpr (requires { run(request); }) {
    run(request);
  }
}

template <Step step>
constexpr FunctionEntry step_entry(std::string_view name, std::span<const FieldGroup> groups) {
  return {name, sizeof(Request), groups, &check_step<step>, &run_record<Request>};
}

template <class Record>
constexpr FunctionEntry entry(std::string_view name, std::span<const FieldGroup> groups) {
  return {name, sizeof(Record), groups, &check_record<Record>, &run_record<Record>};
}

constexpr FunctionEntry kFunctions[] = {
    step_entry<Step::kAttention>("attention", kAttentionGroups),
    step_entry<Step::kScores>("scores", kAttentionGroups),
    step_entry<Step::kSoftmax>("softmax", kAttentionGroups),
    step_entry<Step::kWeightedSum>("weightedSum", kAttentionGroups),
    step_entry<Step::kKernel>("kernelAttention", kKernelGroups),
    step_entry<Step::kLinear>("linearAttention", kLinearGroups),
    entry<RotaryRequest>("rotaryEmbedding", kRotaryGroups),
    entry<PositionsRequest>("sinusoidalPositions", kPositionsGroups),
    entry<SlopesRequest>("alibiSlopes", kSlopesGroups),
    entry<NewCache>("newCache", kNewCacheGroups),
    entry<AppendRequest>("append", kAppendGroups),
    entry<RewindRequest>("rewind", kRewindGroups),
    entry<CacheState>("cacheState", kCacheStateGroups),
    entry<NewLinear>("newLinear", kNewLinearGroups),
    entry<LinearRequest>("linear", kLinearMapGroups),
    entry<NormRequest>("norm", kNormGroups),
    entry<NewMultiHead>("newMultiHead", kNewMultiHeadGroups),
    entry<MultiHeadRequest>("multiHead", kMultiHeadGroups),
    entry<ProjectRequest>("project", kProjectGroups),
    entry<ContextRequest>("projectContext", kContextGroups),
    entry<NewTransformerLayer>("newTransformerLayer", kNewTransformerGroups),
    entry<TransformerRequest>("transformerLayer", kTransformerGroups),
    entry<LayerProjection>("projectLayer", kLayerProjectionGroups),
    entry<TransformerParts>("transformerParts", kPartsGroups),
};

}  // namespace

std::span<const FunctionEntry> functions() { return kFunctions; }

std::string describe_functions() {
  const auto slot = [](std::size_t offset) { return static_cast<double>(offset / sizeof(double)); };
  std::string lines;
  for (const FunctionEntry& function : kFunctions) {
    lines += sentence(function.name, " ", slot(function.bytes));
    for (const FieldGroup& group : function.groups) {
      for (const Field& field : group.fields) {
        const char kind = static_cast<char>(field.kind);
        lines += sentence(" ", field.name, ":", std::string_view(&kind, 1), ":",
                          slot(group.offset + field.offset));
      }
    }
    lines += '\n';
  }
  return lines;
}

void run_function(const FunctionEntry& function, const Kernels& kernels, const void* record,
                  void* block) {
  for (const FieldGroup& group : function.groups) {
    for (const Field& field : group.fields) {
      if (field.kind != Kind::kTensor) continue;
      const std::byte* at = static_cast<const std::byte*>(record) + group.offset + field.offset;
      widen(*reinterpret_cast<const TensorArgument*>(at), block);
    }
  }
  function.run(kernels, record, block);
}

}  // namespace attention
