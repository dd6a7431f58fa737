// Objects are made of numbers, by which calls can be run as well.
#include "support/cpp/written_calls.h"

#include <cstdio>
#include <cstdlib>

#include "kernels/kernels.h"

namespace attention::tests {
namespace {

Recipe cache_of(double batch, double kv_heads, double key_dim, double value_dim) {
  return all({is("batch", batch), is("kvHeads", kv_heads), is("keyDim", key_dim),
              is("valueDim", value_dim), is("capacity", 9)});
}

Recipe layer_weights(double context_dim) {
  return all({is("heads", 4), is("kvHeads", 2), sized("query", {6, 12}),
              sized("key", {context_dim, 6}), sized("value", {context_dim, 4}),
              sized("output", {8, 6})});
}

Recipe feed_forward(bool out_first) {
  return out_first ? all({sized("widen", {10, 6}), sized("narrow", {6, 10})})
                   : all({sized("widen", {6, 10}), sized("narrow", {10, 6})});
}

const Recipe kNorms = all({sized("norm1", {6}), sized("norm2", {6})});

}  // namespace

WrittenCalls::WrittenCalls() {
  write_attention();
  write_caches();
  write_linear();
  write_multi_head();
  write_new_layers();
  write_layers();
}

double WrittenCalls::make(const Written& call) {
  Record record(call.function);
  call.base(record);
  numbered(record);
  objects_.push_back(std::make_unique<Object>(reference_kernels(), record));
  const Object& object = *objects_.back();
  if (object.problem().empty()) return object.address();
  std::fprintf(stderr, "%s: %s\n", call.function, object.problem().c_str());
  std::abort();
}

void WrittenCalls::write_attention() {
  const Recipe query_and_key = all({sized("query", {2, 4, 3, 5}), sized("key", {2, 2, 7, 5})});
  const Recipe tensors = all({query_and_key, sized("value", {2, 2, 7, 6})});
  attention = {"attention", tensors};
  scores = {"scores", all({query_and_key, chosen("wantsScores", "raw")})};
  softmax = {"softmax", sized("matrix", {2, 4, 3, 7})};
  weighted_sum = {"weightedSum",
                  all({sized("matrix", {2, 4, 3, 7}), sized("value", {2, 2, 7, 6})})};
  kernel_attention = {"kernelAttention", all({tensors, chosen("similarity", "polynomial")})};
  linear_attention = {"linearAttention",
                      all({tensors, chosen("featureMap", "elu"), is("wantsState", 1),
                           sized("sums", {2, 2, 5, 6}), sized("normaliser", {2, 2, 5})})};
  rotary = {"rotaryEmbedding", sized("x", {2, 3, 16})};
  sinusoidal = {"sinusoidalPositions", all({is("length", 5), is("dim", 6)})};
  slopes = {"alibiSlopes", is("heads", 4)};
  norm = {"norm", sized("x", {2, 3, 6})};
}

void WrittenCalls::write_caches() {
  new_cache = {"newCache", cache_of(2, 2, 5, 6)};
  const double cache = make(new_cache);
  append = {"append",
            all({is("cache", cache), sized("key", {2, 2, 7, 5}), sized("value", {2, 2, 7, 6})})};
  Record seven("append");
  append.base(seven);
  numbered(seven);
  seven.call(reference_kernels());
  append.base = all({append.base, sized("key", {2, 2, 2, 5}), sized("value", {2, 2, 2, 6})});
  rewind = {"rewind", all({is("cache", cache), is("length", 7)})};
  cached = {"attention", all({is("cache", cache), sized("query", {2, 4, 3, 5})})};
  layer_cache = make({"newCache", cache_of(2, 2, 3, 2)});
  other_cache = make({"newCache", cache_of(1, 1, 7, 8)});
}

void WrittenCalls::write_linear() {
  new_linear = {"newLinear", sized("weight", {6, 4})};
  reserved_linear = {"newLinear", all({is("reservedIn", 6), is("reservedOut", 4),
                                       chosen("reservedType", "int8"), is("reservesBias", 1)})};
  const double map = make(new_linear);
  const double narrow_map = make(reserved_linear);
  linear = {"linear", all({is("layer", map), sized("x", {2, 3, 6})})};
  rows = {"linearRows", all({is("layer", map), listed("ids", {0, 3})})};
  fill = {"fillLinear", all({is("layer", map), is("firstRow", 1), sized("weight", {3, 6})})};
  fill_narrow = {"fillLinear",
                 all({is("layer", narrow_map), sized("weight", {3, 6}, NarrowType::kInt8),
                      sized("bias", {3})})};
}

void WrittenCalls::write_multi_head() {
  new_multi_head = {"newMultiHead", layer_weights(5)};
  new_torch = {"newMultiHead",
               all({is("torch", 1), is("heads", 2), sized("query", {6, 6}), sized("key", {6, 5}),
                    sized("value", {4, 5}), sized("output", {6, 4})})};
  new_stacked = {"newMultiHead", all({is("torch", 1), is("heads", 2), sized("stacked", {18, 6}),
                                      sized("output", {6, 6})})};
  const Recipe layer = is("layer", make(new_multi_head));
  const Recipe x = sized("x", {2, 3, 6});
  const Recipe context = sized("context", {2, 7, 5});
  multi_head = {"multiHead", all({layer, x, context})};
  self_attention = {"multiHead", all({is("layer", make({"newMultiHead", layer_weights(6)})), x})};
  project = {"project", multi_head.base};
  const Recipe cache = is("cache", layer_cache);
  multi_head_cached = {"multiHead", all({multi_head.base, cache, is("appends", 1)})};
  project_context = {"projectContext", all({layer, context, cache})};
}

void WrittenCalls::write_new_layers() {
  const Recipe inwards = all({is("inFirst", 1), feed_forward(false), chosen("activation", "silu")});
  const Recipe gate = sized("gate", {6, 10});
  new_encoder = {"newTransformerLayer", all({layer_weights(6), inwards, gate, kNorms})};
  new_parallel = {"newTransformerLayer",
                  all({layer_weights(6), inwards, sized("norm1", {6}), is("parallel", 1)})};
  const Recipe cross = all({sized("crossQuery", {6, 12}), sized("crossKey", {5, 6}),
                            sized("crossValue", {5, 4}), sized("crossOutput", {8, 6})});
  new_decoder = {"newTransformerLayer",
                 all({new_encoder.base, is("decoder", 1), cross, sized("norm3", {6})})};
  new_torch_encoder = {"newTransformerLayer", all({new_stacked.base, feed_forward(true), kNorms})};
  new_torch_decoder = {
      "newTransformerLayer",
      all({new_torch_encoder.base, is("decoder", 1), sized("crossStacked", {18, 6}),
           sized("crossOutput", {6, 6}), sized("norm3", {6})})};
}

void WrittenCalls::write_layers() {
  const Recipe of_encoder = is("layer", make(new_encoder));
  const Recipe of_decoder = is("layer", make(new_decoder));
  const Recipe x = sized("x", {2, 3, 6});
  const Recipe memory = sized("memory", {2, 7, 5});
  encoder = {"transformerLayer", all({of_encoder, x})};
  decoder = {"transformerLayer", all({of_decoder, x, memory})};
  const Recipe some = all({x, sized("selfKey", {2, 7, 6}), sized("selfValue", {2, 7, 4})});
  rows_of_encoder = {"transformerLayer", all({of_encoder, some})};
  rows_of_decoder = {"transformerLayer", all({of_decoder, some, sized("memoryKey", {2, 7, 6}),
                                              sized("memoryValue", {2, 7, 4})})};
  project_encoder = {"projectLayer", all({of_encoder, x})};
  project_decoder = {"projectLayer", all({of_decoder, x, memory})};
  memory_of_encoder = {"memoryOfTransformer", of_encoder};
}

}  // namespace attention::tests
