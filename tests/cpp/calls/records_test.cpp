// Robustness of records: missing fields and invalid numbers. check() must reject a record, or run()
// must succeed in a block of the size that check() computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/cpp/choices.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/low_precision.h"
#include "support/cpp/record.h"
#include "support/cpp/thorough.h"

namespace attention::tests {
namespace {

using Random = std::mt19937;
using Kind = RecordField::Kind;

VectorTensor tensor_of(std::vector<double> dims, bool bytes = false) {
  VectorTensor tensor{std::move(dims), {}, bytes};
  std::size_t count = 1;
  for (const double dim : tensor.dims) count *= static_cast<std::size_t>(dim);
  for (std::size_t at = 0; at < count; ++at) {
    tensor.numbers.push_back(bytes ? static_cast<double>(at % 3)
                                   : std::sin(static_cast<double>(at)));
  }
  return tensor;
}

// Builds a record; called again for each use, because records are not copied.
using Recipe = std::function<void(Record&)>;

struct Base {
  const char* function;
  Recipe write;
  std::vector<std::string> fields;  // fields that write() sets, except addresses of objects

  // JavaScript never writes a decoder's fields for an encoder, so they are not tested with one.
  bool takes(std::string_view field) const {
    const bool of_decoder = field.starts_with("cross") || field.starts_with("memory");
    if (!of_decoder) return true;
    return std::any_of(fields.begin(), fields.end(),
                       [](const std::string& set) { return set.starts_with("cross"); });
  }

  // JavaScript pads the sequences of a trainer to rows of the same length.
  bool pads(std::string_view field) const {
    static const std::set<std::string_view> kRows = {"length",     "encoderLength",  "decoderIds",
                                                     "encoderIds", "encoderLengths", "targets"};
    const bool has_batch =
        std::string_view(function) == "train" || std::string_view(function) == "forward";
    return has_batch && kRows.contains(field);
  }
};

void write_attention(Record& record) {
  record.set("query", tensor_of({2, 4, 3, 5}))
      .set("key", tensor_of({2, 2, 7, 5}))
      .set("value", tensor_of({2, 2, 7, 6}));
}

void write_visibility(Record& record) {
  record.set("causal", 1)
      .set("offset", 4)
      .set("window", 1)
      .set("windowLeft", 3)
      .set("windowRight", 1)
      .set_list("keyLengths", {7, 5})
      .set("mask", tensor_of({3, 7}, true))
      .set("maskIsAdditive", 0);
}

void write_score_options(Record& record) {
  record.set("scale", 0.5)
      .set("softcap", 2)
      .set_list("slopes", {1, 0.5, 0.25, 0})
      .set_list("sinks", {0, 0, 1, -1})
      .set("returnWeights", "perHead")
      .set("returnScores", "capped")
      .set("returnLogSumExp", 1);
}

void write_linear(Record& record) {
  record.set("weight", tensor_of({6, 4})).set("bias", tensor_of({4})).set("outFirst", 0);
}

void write_multi_head_weights(Record& record) {
  record.set("outFirst", 0)
      .set("heads", 4)
      .set("kvHeads", 2)
      .set("query", tensor_of({6, 12}))
      .set("key", tensor_of({6, 6}))
      .set("value", tensor_of({6, 4}))
      .set("output", tensor_of({8, 6}))
      .set("queryBias", tensor_of({12}))
      .set("keyBias", tensor_of({6}))
      .set("valueBias", tensor_of({4}))
      .set("outputBias", tensor_of({6}));
}

void write_torch_weights(Record& record) {
  record.set("heads", 2)
      .set("stacked", tensor_of({18, 6}))
      .set("stackedBias", tensor_of({18}))
      .set("output", tensor_of({6, 6}))
      .set("outputBias", tensor_of({6}));
}

void write_transformer_weights(Record& record, bool decoder) {
  write_torch_weights(record);
  record.set("decoder", decoder ? 1 : 0)
      .set("normFirst", 1)
      .set("activation", "gelu")
      .set("rms", 0)
      .set("epsilon", 1e-5)
      .set("widen", tensor_of({10, 6}))
      .set("widenBias", tensor_of({10}))
      .set("narrow", tensor_of({6, 10}))
      .set("narrowBias", tensor_of({6}));
  for (const std::string norm : {"selfNorm", "feedForwardNorm", "crossNorm"}) {
    if (norm == "crossNorm" && !decoder) continue;
    record.set(norm, tensor_of({6})).set(norm + "Bias", tensor_of({6}));
  }
  if (!decoder) return;
  record.set("crossStacked", tensor_of({18, 6}))
      .set("crossStackedBias", tensor_of({18}))
      .set("crossOutput", tensor_of({6, 6}))
      .set("crossOutputBias", tensor_of({6}));
}

// All fields of TransformerLayer that torch.nn layers lack, for a decoder or for parallel
// sublayers.
void write_general_layer(Record& record, bool decoder) {
  record.set("inFirst", 1)
      .set("decoder", decoder ? 1 : 0)
      .set("heads", 2)
      .set("kvHeads", 1)
      .set("scale", 0.5)
      .set("parallel", decoder ? 0 : 1)
      .set("normFirst", 1)
      .set("activation", "silu")
      .set("rms", 1)
      .set("epsilon", 1e-5)
      .set("query", tensor_of({6, 8}))
      .set("key", tensor_of({6, 4}))
      .set("value", tensor_of({6, 3}))
      .set("output", tensor_of({6, 6}))
      .set("queryNorm", tensor_of({4}))
      .set("keyNorm", tensor_of({4}))
      .set("rotary", 1)
      .set("rotaryWidth", 2)
      .set("rotaryFactor", 2)
      .set("widen", tensor_of({6, 10}))
      .set("gate", tensor_of({6, 10}))
      .set("gateBias", tensor_of({10}))
      .set("narrow", tensor_of({10, 6}))
      .set("selfNorm", tensor_of({6}))
      .set("feedForwardNorm", tensor_of({6}))
      .set("selfScale", tensor_of({6}))
      .set("feedForwardScale", tensor_of({6}));
  if (!decoder) {
    record.set_list("rotaryFrequencies", {0.25});
    return;
  }
  record.set("rotaryBase", 100)
      .set("relative", 1)
      .set("relativeBias", tensor_of({8, 2}))
      .set("maxDistance", 9)
      .set("bidirectional", 1)
      .set("crossNorm", tensor_of({6}))
      .set("crossQuery", tensor_of({6, 4}))
      .set("crossKey", tensor_of({6, 2}))
      .set("crossValue", tensor_of({6, 2}))
      .set("crossOutput", tensor_of({4, 6}))
      .set("crossQueryNorm", tensor_of({2}))
      .set("crossKeyNorm", tensor_of({2}));
}

void write_trainable(Record& record) {
  record.set("hasEncoder", 1)
      .set("vocabulary", 5)
      .set("width", 6)
      .set("layers", 2)
      .set("heads", 2)
      .set("hidden", 9)
      .set("context", 3)
      .set("seed", 1);
}

// WebAssembly's address space without the last page.
constexpr double kAddressable = 0x1p32 - 0x1p16;

// Memory that a checked record needs: its block and the object it constructs.
double bytes_of(const Record& record) {
  return record.bytes() + (record.has("objectBytes") ? record.fact("objectBytes") : 0);
}

class Records : public KernelsTest {
 protected:
  Records() {
    map_ = make("newLinear", write_linear);
    layer_ = make("newMultiHead", write_multi_head_weights);
    encoder_ = make("newTransformerLayer", [](Record& r) { write_transformer_weights(r, false); });
    decoder_ = make("newTransformerLayer", [](Record& r) { write_transformer_weights(r, true); });
    parallel_ = make("newTransformerLayer", [](Record& r) { write_general_layer(r, false); });
    general_ = make("newTransformerLayer", [](Record& r) { write_general_layer(r, true); });
    // Caches with sufficient capacity.
    cache_ = make("newCache", [](Record& r) { write_cache(r, 2, 5, 6); });
    layer_cache_ = make("newCache", [](Record& r) { write_cache(r, 2, 3, 2); });
    decoder_cache_ = make("newCache", [](Record& r) { write_cache(r, 2, 3, 3); });
    trainable_ = make("newTrainable", write_trainable);
    describe_attention();
    describe_layers();
    describe_training();
  }

  // Every call in all its variants.
  std::vector<Base> bases;

  std::unique_ptr<Record> record_of(const Base& base) const {
    auto record = std::make_unique<Record>(base.function);
    base.write(*record);
    return record;
  }

  // True if check() accepted the record. An accepted record is run unless it needs more than
  // most_bytes.
  bool try_record(Record& record, double most_bytes) const {
    if (!record.check().empty()) return false;
    const double bytes = bytes_of(record);
    EXPECT_GE(bytes, 0);
    EXPECT_LE(bytes, kAddressable);
    if (!(bytes <= most_bytes)) return true;
    if (record.has("objectBytes")) {
      EXPECT_EQ(Object(kernels, record).problem(), "");
    } else {
      record.run(kernels);
    }
    return true;
  }

  // Expects results that do not depend on what the memory held before. train() and calls with
  // caches change their objects.
  void expect_initialized(const Record& record, const std::string& function) const {
    const auto given = [&](const char* field) {
      return record.has(field) && record.is_given(field);
    };
    const bool changes = function == "train" || given("cache") || given("memoryCache");
    if (record.has("objectBytes") || changes) return;
    const Results first = record.run(kernels, std::byte{0xFF});
    const Results second = record.run(kernels, std::byte{0x3F});
    for (const auto& [name, result] : first) {
      EXPECT_TRUE(same_bits(result, second.at(name))) << function << ", " << name;
    }
  }

 private:
  static void write_cache(Record& record, double kv_heads, double key_dim, double value_dim) {
    record.set("batch", 2)
        .set("kvHeads", kv_heads)
        .set("keyDim", key_dim)
        .set("valueDim", value_dim)
        .set("capacity", 9)
        .set("sliding", 1);
  }

  std::unique_ptr<Object> make(const char* function, const Recipe& write) const {
    Record record(function);
    write(record);
    auto object = std::make_unique<Object>(kernels, record);
    EXPECT_EQ(object->problem(), "") << function;
    return object;
  }

  void add(const char* function, const Recipe& write, std::vector<std::string> fields) {
    bases.push_back({function, write, std::move(fields)});
  }

  void describe_attention() {
    const std::vector<std::string> tensors = {"query", "key", "value"};
    const std::vector<std::string> options = {
        "causal",     "offset", "window",         "windowLeft",   "windowRight",
        "keyLengths", "mask",   "maskIsAdditive", "scale",        "softcap",
        "slopes",     "sinks",  "returnWeights",  "returnScores", "returnLogSumExp"};
    const auto with = [](std::vector<std::string> fields, const std::vector<std::string>& more) {
      fields.insert(fields.end(), more.begin(), more.end());
      return fields;
    };
    const Recipe everything = [](Record& record) {
      write_attention(record);
      write_visibility(record);
      write_score_options(record);
    };
    add("attention", everything, with(tensors, options));
    add("scores", everything, with(tensors, options));
    add(
        "attention",
        [](Record& record) {
          record.set("query", tensor_of({3, 20}))
              .set("key", tensor_of({7, 10}))
              .set("value", tensor_of({7, 12}))
              .set("heads", 4)
              .set("kvHeads", 2)
              .set_list("offsets", {3})
              .set("causal", 1)
              .set("mask", tensor_of({4, 1, 7}))
              .set("maskIsAdditive", 1)
              .set("returnWeights", "average");
        },
        with(tensors,
             {"heads", "kvHeads", "offsets", "causal", "mask", "maskIsAdditive", "returnWeights"}));
    add("attention",
        [cache = cache_->address()](Record& record) {
          record.set("cache", cache).set("query", tensor_of({2, 4, 3, 5})).set("causal", 1);
          record.set_list("slopes", {1, 0.5, 0.25, 0})
              .set("returnWeights", "average")
              .set("window", 1);
          record.set("windowLeft", 3);
        },
        {"query", "causal", "slopes", "returnWeights", "window", "windowLeft"});
    add("softmax",
        [](Record& record) {
          record.set("matrix", tensor_of({2, 4, 3, 7}));
          write_visibility(record);
          record.set_list("sinks", {0, 0, 1, -1});
        },
        {"matrix", "causal", "offset", "window", "windowLeft", "windowRight", "keyLengths", "mask",
         "maskIsAdditive", "sinks"});
    add("weightedSum",
        [](Record& record) {
          record.set("matrix", tensor_of({4, 3, 7})).set("value", tensor_of({7, 12}));
          record.set("kvHeads", 2).set("heads", 4);
        },
        {"matrix", "value", "kvHeads", "heads"});
    const std::vector<std::pair<const char*, std::vector<std::string>>> similarities = {
        {"exponential", {"scale"}},
        {"gaussian", {"bandwidth"}},
        {"laplacian", {"bandwidth"}},
        {"cosine", {}},
        {"polynomial", {"scale", "constant", "degree"}},
        {"precomputed", {"matrix"}}};
    for (const auto& [kind, belonging] : similarities) {
      add(
          "kernelAttention",
          [kind = kind, belonging = belonging](Record& record) {
            write_attention(record);
            write_visibility(record);
            record.set("similarity", kind).set("returnWeights", "perHead");
            for (const std::string& option : belonging) {
              if (option == "matrix") {
                record.set("matrix", tensor_of({2 * 4 * 3 * 7}));
              } else {
                record.set(option, 3);
              }
            }
          },
          with(with(tensors, belonging),
               {"causal", "offset", "window", "windowLeft", "windowRight", "keyLengths", "mask",
                "maskIsAdditive", "returnWeights", "similarity"}));
    }
    for (const std::string map : {"efficient", "relu", "elu", "exp"}) {
      add(
          "linearAttention",
          [map](Record& record) {
            record.set("query", tensor_of({2, 4, 7, 5}))
                .set("key", tensor_of({2, 2, 7, 5}))
                .set("value", tensor_of({2, 2, 7, 6}))
                .set("featureMap", std::string_view(map))
                .set("returnWeights", "perHead")
                .set_list("keyLengths", {7, 5});
            if (map == "efficient") return;
            record.set("causal", 1)
                .set("epsilon", 0.1)
                .set("returnState", 1)
                .set("sums", tensor_of({2, 2, 5, 6}))
                .set("normalizer", tensor_of({2, 2, 5}));
          },
          map == "efficient" ? with(tensors, {"featureMap", "returnWeights", "keyLengths"})
                             : with(tensors, {"featureMap", "returnWeights", "keyLengths", "causal",
                                              "epsilon", "returnState", "sums", "normalizer"}));
    }
    add("rotaryEmbedding",
        [](Record& record) {
          record.set("x", tensor_of({2, 3, 16})).set("heads", 2).set("width", 6).set("base", 100);
          record.set("offset", 5).set("interleaved", 1);
        },
        {"x", "heads", "width", "base", "offset", "interleaved"});
    add("rotaryEmbedding",
        [](Record& record) {
          record.set("x", tensor_of({2, 2, 3, 8})).set_list("positions", {1, 2, 3, 4, 5, 6});
        },
        {"x", "positions"});
    add("rotaryEmbedding",
        [](Record& record) {
          record.set("x", tensor_of({3, 8})).set("cos", tensor_of({3, 4}));
          record.set("sin", tensor_of({3, 4}));
        },
        {"x", "cos", "sin"});
    add("sinusoidalPositions",
        [](Record& record) {
          record.set("length", 5).set("dim", 6).set("offset", 3).set("base", 100);
        },
        {"length", "dim", "offset", "base"});
    add("alibiSlopes", [](Record& record) { record.set("heads", 6); }, {"heads"});
    add("newCache", [](Record& record) { write_cache(record, 2, 5, 6); },
        {"batch", "kvHeads", "keyDim", "valueDim", "capacity", "sliding"});
    add("append",
        [cache = cache_->address()](Record& record) {
          record.set("cache", cache).set("key", tensor_of({2, 2, 3, 5}));
          record.set("value", tensor_of({2, 2, 3, 6}));
        },
        {"key", "value"});
    add("rewind",
        [cache = cache_->address()](Record& record) {
          record.set("cache", cache).set("length", 0);
        },
        {"length"});
    add("copyEntry",
        [cache = cache_->address()](Record& record) {
          record.set("cache", cache).set("from", 0).set("to", 1);
        },
        {"from", "to"});
    add("cacheState", [cache = cache_->address()](Record& record) { record.set("cache", cache); },
        {});
  }

  void describe_layers() {
    add("newMultiHead", write_multi_head_weights,
        {"outFirst", "heads", "kvHeads", "query", "key", "value", "output", "queryBias", "keyBias",
         "valueBias", "outputBias"});
    add("newMultiHead",
        [](Record& record) {
          write_torch_weights(record);
          record.set("outFirst", 1);
        },
        {"outFirst", "heads", "stacked", "stackedBias", "output", "outputBias"});
    add("newLinear", write_linear, {"weight", "bias", "outFirst"});
    add("newLinear",
        [](Record& record) {
          record.set("reservedIn", 6)
              .set("reservedOut", 4)
              .set("reservedType", "bfloat16")
              .set("reservesBias", 1);
        },
        {"reservedIn", "reservedOut", "reservedType", "reservesBias"});
    add("fillLinear",
        [map = map_->address()](Record& record) {
          record.set("layer", map)
              .set("firstRow", 1)
              .set("weight", tensor_of({3, 6}))
              .set("bias", tensor_of({3}));
        },
        {"firstRow", "weight", "bias"});
    add("linearRows",
        [map = map_->address()](Record& record) {
          record.set("layer", map).set_list("ids", {3, 0, 3});
        },
        {"ids"});
    for (const double width : {7, 0}) {
      add("quantizeRows",
          [width](Record& record) {
            record.set("x", tensor_of({3, width}));
          },
          {"x"});
    }
    add("linear",
        [map = map_->address()](Record& record) {
          record.set("layer", map).set("x", tensor_of({2, 5, 6}));
        },
        {"x"});
    add("norm",
        [](Record& record) {
          record.set("x", tensor_of({2, 5, 6}))
              .set("weight", tensor_of({6}))
              .set("bias", tensor_of({6}))
              .set("epsilon", 1e-5);
        },
        {"x", "weight", "bias", "epsilon", "rms"});
    const Recipe self_attention = [layer = layer_->address()](Record& record) {
      record.set("layer", layer).set("x", tensor_of({2, 5, 6})).set("returnHeadOutputs", 1);
      record.set("causal", 1);
      write_score_options(record);
    };
    const std::vector<std::string> self_fields = {
        "x",     "returnHeadOutputs", "causal",       "scale",          "softcap", "slopes",
        "sinks", "returnWeights",     "returnScores", "returnLogSumExp"};
    add("multiHead", self_attention, self_fields);
    add(
        "multiHead",
        [self_attention, cache = layer_cache_->address()](Record& record) {
          self_attention(record);
          record.set("cache", cache).set("appends", 1);
        },
        [&] {
          std::vector<std::string> fields = self_fields;
          fields.emplace_back("appends");
          return fields;
        }());
    for (const char* function : {"multiHead", "project"}) {
      add(function,
          [layer = layer_->address()](Record& record) {
            record.set("layer", layer)
                .set("x", tensor_of({2, 5, 6}))
                .set("context", tensor_of({2, 3, 6}));
          },
          {"x", "context"});
    }
    add("projectContext",
        [layer = layer_->address(), cache = layer_cache_->address()](Record& record) {
          record.set("layer", layer).set("cache", cache).set("context", tensor_of({2, 3, 6}));
          record.set("cross", 1);
        },
        {"context", "cross"});
    const std::vector<std::string> weights = {"heads",
                                              "stacked",
                                              "stackedBias",
                                              "output",
                                              "outputBias",
                                              "normFirst",
                                              "rms",
                                              "activation",
                                              "epsilon",
                                              "widen",
                                              "widenBias",
                                              "narrow",
                                              "selfNorm",
                                              "selfNormBias",
                                              "feedForwardNorm",
                                              "feedForwardNormBias",
                                              "narrowBias",
                                              "decoder"};
    add(
        "newTransformerLayer", [](Record& r) { write_transformer_weights(r, false); }, weights);
    std::vector<std::string> more = weights;
    for (const char* field : {"crossNorm", "crossNormBias", "crossStacked", "crossStackedBias",
                              "crossOutput", "crossOutputBias"}) {
      more.emplace_back(field);
    }
    add(
        "newTransformerLayer", [](Record& r) { write_transformer_weights(r, true); }, more);
    std::vector<std::string> general = {"decoder",
                                        "heads",
                                        "kvHeads",
                                        "scale",
                                        "parallel",
                                        "normFirst",
                                        "rms",
                                        "epsilon",
                                        "query",
                                        "key",
                                        "value",
                                        "output",
                                        "queryNorm",
                                        "keyNorm",
                                        "rotary",
                                        "rotaryWidth",
                                        "rotaryFactor",
                                        "gate",
                                        "gateBias",
                                        "selfNorm",
                                        "feedForwardNorm",
                                        "selfScale",
                                        "feedForwardScale",
                                        "inFirst",
                                        "rotaryFrequencies"};
    add(
        "newTransformerLayer", [](Record& r) { write_general_layer(r, false); }, general);
    general.back() = "rotaryBase";
    for (const char* field :
         {"relative", "relativeBias", "maxDistance", "bidirectional", "crossNorm", "crossQuery",
          "crossOutput", "crossQueryNorm", "crossKeyNorm"}) {
      general.emplace_back(field);
    }
    add(
        "newTransformerLayer", [](Record& r) { write_general_layer(r, true); }, general);
    const Recipe pass = [](Record& record) {
      record.set("x", tensor_of({2, 5, 6})).set("causal", 1).set("returnWeights", "perHead");
    };
    add("transformerLayer",
        [pass, layer = encoder_->address()](Record& record) {
          pass(record);
          record.set("layer", layer);
        },
        {"x", "causal", "returnWeights"});
    add("transformerLayer",
        [pass, layer = decoder_->address(), cache = decoder_cache_->address()](Record& record) {
          pass(record);
          record.set("layer", layer)
              .set("cache", cache)
              .set("memory", tensor_of({2, 3, 6}))
              .set_list("crossKeyLengths", {3, 1})
              .set("crossMask", tensor_of({5, 3}, true))
              .set("crossMaskIsAdditive", 0)
              .set("returnCrossWeights", "average");
        },
        {"x", "causal", "returnWeights", "memory", "crossKeyLengths", "crossMask",
         "crossMaskIsAdditive", "returnCrossWeights"});
    add("transformerLayer",
        [pass, layer = parallel_->address()](Record& record) {
          pass(record);
          record.set("layer", layer);
        },
        {"x", "causal", "returnWeights"});
    add("transformerLayer",
        [pass, layer = general_->address()](Record& record) {
          pass(record);
          record.set("layer", layer).set("memory", tensor_of({2, 3, 6}));
        },
        {"x", "causal", "returnWeights", "memory"});
    // Some rows of x, with the keys and values of all rows.
    const Recipe rows = [](Record& record) {
      record.set("x", tensor_of({2, 2, 6}))
          .set("selfKey", tensor_of({2, 5, 6}))
          .set("selfValue", tensor_of({2, 5, 6}))
          .set("causal", 1)
          .set_list("offsets", {3, 2});
    };
    add("transformerLayer",
        [rows, layer = encoder_->address()](Record& record) {
          rows(record);
          record.set("layer", layer);
        },
        {"x", "selfKey", "selfValue", "causal", "offsets"});
    add("transformerLayer",
        [rows, layer = decoder_->address()](Record& record) {
          rows(record);
          record.set("layer", layer)
              .set("memoryKey", tensor_of({2, 3, 6}))
              .set("memoryValue", tensor_of({2, 3, 6}));
        },
        {"x", "selfKey", "selfValue", "memoryKey", "memoryValue"});
    add("projectLayer",
        [layer = encoder_->address()](Record& record) {
          record.set("layer", layer).set("x", tensor_of({5, 6}));
        },
        {"x"});
    add("projectLayer",
        [layer = decoder_->address()](Record& record) {
          record.set("layer", layer)
              .set("x", tensor_of({2, 5, 6}))
              .set("memory", tensor_of({2, 3, 6}));
        },
        {"x", "memory"});
    add("memoryOfTransformer",
        [layer = decoder_->address()](Record& record) { record.set("layer", layer); }, {});
  }

  void describe_training() {
    const auto model = trainable_->address();
    add("attentionBackward",
        [](Record& record) {
          write_attention(record);
          write_visibility(record);
          record.set("scale", 0.5)
              .set("softcap", 2)
              .set_list("slopes", {1, 0.5, 0.25, 0})
              .set_list("sinks", {0, 0, 1, -1})
              .set("forwardOutput", tensor_of({2, 4, 3, 6}))
              .set("forwardLogSumExp", tensor_of({2, 4, 3}))
              .set("gradient", tensor_of({2, 4, 3, 6}))
              .set("mask", tensor_of({3, 7}))
              .set("maskIsAdditive", 1)
              .set("returnMaskGradient", 1)
              .set("returnSlopesGradient", 1)
              .set("returnSinksGradient", 1);
        },
        {"query",
         "key",
         "value",
         "causal",
         "offset",
         "window",
         "windowLeft",
         "windowRight",
         "keyLengths",
         "mask",
         "maskIsAdditive",
         "scale",
         "softcap",
         "slopes",
         "sinks",
         "forwardOutput",
         "forwardLogSumExp",
         "gradient",
         "returnMaskGradient",
         "returnSlopesGradient",
         "returnSinksGradient"});
    add("newTrainable", write_trainable,
        {"hasEncoder", "vocabulary", "width", "layers", "heads", "hidden", "context", "seed",
         "scale"});
    // JavaScript pads rows itself: it never writes lengths that do not fit.
    const Recipe batch = [model](Record& record) {
      record.set("model", model)
          .set("length", 2)
          .set_list("decoderIds", {0, 1, 2, 3})
          .set("encoderLength", 3)
          .set_list("encoderIds", {4, 3, 2, 1, 0, 0})
          .set_list("encoderLengths", {3, 1});
    };
    add("train",
        [batch](Record& record) {
          batch(record);
          record.set_list("targets", {1, -1, 3, 4})
              .set("learningRate", 0.01)
              .set("beta1", 0.9)
              .set("beta2", 0.95)
              .set("epsilon", 1e-8)
              .set("weightDecay", 0.1)
              .set("clip", 1);
        },
        {"learningRate", "beta1", "beta2", "epsilon", "weightDecay", "clip"});
    add("forward",
        [batch](Record& record) {
          batch(record);
          record.set("returnLogits", 1).set("returnAttentions", 1);
        },
        {"returnLogits", "returnAttentions"});
    add("readNumbers", [model](Record& record) { record.set("model", model); }, {});
    Record trainable("newTrainable");
    write_trainable(trainable);
    EXPECT_EQ(trainable.check(), "");
    const double count = trainable.fact("count");
    add("writeNumbers",
        [model, count](Record& record) {
          record.set("model", model).set("step", 2).set("data", tensor_of({3 * count}));
        },
        {"step", "data"});
  }

  std::unique_ptr<Object> map_, layer_, encoder_, decoder_, parallel_, general_, trainable_;
  std::unique_ptr<Object> cache_, layer_cache_, decoder_cache_;
};

constexpr double kMostBytes = 1 << 24;

TEST_P(Records, NamesAreUniqueAndFieldsFit) {
  std::set<std::string> names;
  for (const std::string& function : function_names()) {
    EXPECT_TRUE(names.insert(function).second) << function;
    // A fact can have the same name as an input.
    std::set<std::string> fields, facts;
    for (const RecordField& field : fields_of(function)) {
      const bool is_fact = field.kind == RecordField::Kind::kFact;
      EXPECT_TRUE((is_fact ? facts : fields).insert(field.name).second)
          << function << ": " << field.name;
      EXPECT_LE(field.slot + field.slots, slots_of(function)) << function << ": " << field.name;
    }
    EXPECT_TRUE(facts.contains("bytes")) << function;
  }
}

TEST_P(Records, EveryFunctionAcceptsItsRecord) {
  std::set<std::string> tried;
  for (const Base& base : bases) {
    const std::unique_ptr<Record> record = record_of(base);
    EXPECT_TRUE(try_record(*record, kMostBytes)) << base.function;
    expect_initialized(*record, base.function);
    tried.insert(base.function);
  }
  for (const std::string& function : function_names()) {
    EXPECT_TRUE(tried.contains(function)) << function;
  }
}

TEST_P(Records, MissingFieldsAreSafe) {
  int let_through = 0;
  int tried = 0;
  for (const Base& base : bases) {
    for (std::size_t a = 0; a < base.fields.size(); ++a) {
      for (std::size_t b = a; b < base.fields.size(); ++b) {
        SCOPED_TRACE(std::string(base.function) + " without " + base.fields[a] + " and " +
                     base.fields[b]);
        const std::unique_ptr<Record> record = record_of(base);
        for (const std::string& field : {base.fields[a], base.fields[b]}) {
          record->forget(field);
          // JavaScript always sets the type of a mask.
          const std::size_t end = field.find("IsAdditive");
          if (end != std::string::npos) record->forget(field.substr(0, end));
        }
        let_through += try_record(*record, kMostBytes) ? 1 : 0;
        ++tried;
      }
    }
  }
  // Both outcomes must be frequent.
  EXPECT_GT(let_through, tried / 10);
  EXPECT_LT(let_through, tried * 9 / 10);
}

// A record that constructs an object whose size grows with n. Its tensors have dims but no data.
struct Growing {
  const char* function;
  std::function<void(Record&, double n)> write;
};

using Dims = std::vector<double>;

void write_growing_multi_head(Record& record, const Dims& in, const Dims& out) {
  record.set("heads", 1);
  for (const char* name : {"query", "key", "value"}) {
    record.set_dims(name, in, LowPrecisionType::kInt8);
  }
  record.set_dims("output", out, LowPrecisionType::kInt8);
}

void write_growing_transformer(Record& record, double width, double feed_forward, bool decoder) {
  record.set("heads", 1).set("activation", "relu").set("epsilon", 1e-5);
  record.set("decoder", decoder);
  const auto matrix = [&](const std::string& name, double rows, double columns) {
    record.set_dims(name, {rows, columns}, LowPrecisionType::kInt8);
  };
  matrix("stacked", 3 * width, width);
  matrix("output", width, width);
  if (decoder) {
    matrix("crossStacked", 3 * width, width);
    matrix("crossOutput", width, width);
  }
  matrix("widen", feed_forward, width);
  matrix("narrow", width, feed_forward);
  record.set_dims("selfNorm", {width}).set_dims("feedForwardNorm", {width});
  if (decoder) record.set_dims("crossNorm", {width});
}

const std::vector<Growing> kGrowing = {
    {"newLinear",
     [](Record& r, double n) {
       r.set_dims("weight", {n, 3});
     }},
    {"newLinear",
     [](Record& r, double n) {
       r.set_dims("weight", {3, n});
     }},
    {"newLinear",
     [](Record& r, double n) {
       r.set_dims("weight", {n, 2}, LowPrecisionType::kInt8);
     }},
    {"newLinear",
     [](Record& r, double n) {
       r.set("outFirst", 1).set_dims("weight", {1, n}, LowPrecisionType::kInt8);
     }},
    {"newLinear",
     [](Record& r, double n) {
       r.set("reservedIn", n).set("reservedOut", 3).set("reservedType", "float16");
     }},
    {"newLinear",
     [](Record& r, double n) {
       r.set("reservedIn", 7).set("reservedOut", n).set("reservedType", "int8");
     }},
    {"newMultiHead",
     [](Record& r, double n) {
       write_growing_multi_head(r, {n, 2}, {2, n});
     }},
    {"newMultiHead",
     [](Record& r, double n) {
       write_growing_multi_head(r, {2, n}, {n, 2});
     }},
    {"newTransformerLayer", [](Record& r, double n) { write_growing_transformer(r, n, 2, false); }},
    {"newTransformerLayer", [](Record& r, double n) { write_growing_transformer(r, 2, n, true); }},
    {"newTransformerLayer", [](Record& r, double n) { write_growing_transformer(r, n, n, true); }},
    {"newTrainable",
     [](Record& r, double n) {
       write_trainable(r);
       r.set("vocabulary", n);
     }},
    {"newTrainable",
     [](Record& r, double n) {
       write_trainable(r);
       r.set("hidden", n);
     }},
    {"newCache",
     [](Record& r, double n) {
       r.set("batch", 2).set("kvHeads", 3).set("keyDim", 5).set("valueDim", 7).set("capacity", n);
     }},
};

// The object size in bytes for the largest accepted n. Every accepted size must be addressable.
double largest_let_through(const Growing& growing) {
  double fits = 1;
  double too_large = 0x1p30;
  double bytes = 0;
  while (too_large - fits > 1) {
    const double n = std::floor((fits + too_large) / 2);
    Record record(growing.function);
    growing.write(record, n);
    const std::string problem = record.check();
    if (problem.empty()) {
      bytes = bytes_of(record);
      fits = n;
    } else {
      EXPECT_NE(problem.find("4 GiB"), std::string::npos) << problem;
      too_large = n;
    }
  }
  return bytes;
}

// Close to the address space, but not above.
TEST_P(Records, ObjectSizesAreAddressable) {
  for (std::size_t at = 0; at < kGrowing.size(); ++at) {
    const double bytes = largest_let_through(kGrowing[at]);
    EXPECT_LE(bytes, kAddressable) << kGrowing[at].function << ", " << at;
    EXPECT_GT(bytes, 0.4 * kAddressable) << kGrowing[at].function << ", " << at;
  }
}

bool is_address(std::string_view field) {
  return field == "cache" || field == "layer" || field == "object" || field == "memoryCache" ||
         field == "model" || field == "gateLayer";
}

// Enum numbers, which JavaScript validates.
bool is_judged_by_name(std::string_view field) {
  return field == "similarity" || field == "featureMap" || field == "activation" ||
         field == "reservedType";
}

double strange(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const std::vector<double> kStrange = {std::numeric_limits<double>::quiet_NaN(),
                                               kInfinity,
                                               -kInfinity,
                                               -1,
                                               -0.0,
                                               0,
                                               0.5,
                                               1,
                                               1.5,
                                               2,
                                               3,
                                               5,
                                               7,
                                               1e-300,
                                               255,
                                               1 << 20,
                                               0x1p31,
                                               0x1p32 - 1,
                                               0x1p32,
                                               0x1p33,
                                               0x1p53,
                                               0x1p64,
                                               1e300,
                                               -0x1p31,
                                               -0x1p63,
                                               -1e300,
                                               std::numeric_limits<double>::max()};
  return kStrange[random() % kStrange.size()];
}

// Small records are fast, so three times as many are tested.
std::size_t round_stride() { return (sample_stride() + 2) / 3; }

// Arbitrary numbers in all fields except addresses, list lengths and enums.
TEST_P(Records, AnyNumberInAnyFieldIsSafe) {
  Random random(1);
  int refused = 0;
  for (const Base& base : bases) {
    const std::vector<RecordField> fields = fields_of(base.function);
    for (std::size_t round = 0; round < 2000; round += round_stride()) {
      const std::unique_ptr<Record> record = record_of(base);
      for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
        const RecordField& field = fields[random() % fields.size()];
        if (is_address(field.name) || field.kind == Kind::kList || is_judged_by_name(field.name)) {
          continue;
        }
        if (base.pads(field.name)) continue;
        record->slot(field.slot + random() % field.slots) = strange(random);
      }
      refused += record->check().empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000);
}

// Everything a JavaScript caller can write: any option, dims and list, and tensors with the correct
// count. Accepted records are run.
class Careless {
 public:
  explicit Careless(unsigned seed) : random_(seed) {}

  void change(Record& record, const RecordField& field) {
    switch (field.kind) {
      case Kind::kTensor:
        change_tensor(record, field);
        break;
      case Kind::kOptional: {
        const std::vector<double> choices = choices_of(field.name);
        record.set(field.name, choices.empty() ? strange(random_) : choices[below(choices.size())]);
        break;
      }
      case Kind::kList: {
        std::vector<double> list(random_() % 8);
        for (double& number : list) number = strange(random_);
        record.set_list(field.name, list);
        break;
      }
      case Kind::kNumber:
        change_number(record, field);
        break;
      default:
        break;
    }
  }

  std::size_t below(std::size_t end) { return random_() % end; }

 private:
  void change_tensor(Record& record, const RecordField& field) {
    if (record.is_given(field.name) && below(2) == 0) {
      // Different dims with the same count.
      const std::size_t axis = below(largest_rank());
      record.set_dim(field.name, axis, strange(random_));
      return;
    }
    std::vector<double> dims(below(6));
    for (double& dim : dims) dim = static_cast<double>(below(8));
    const bool is_mask = field.name == "mask" || field.name == "crossMask";
    record.set(field.name, tensor_of(dims, is_mask));
    if (is_mask) record.set(field.name + "IsAdditive", 0);
  }

  // JavaScript writes only valid enum numbers.
  void change_number(Record& record, const RecordField& field) {
    static const std::set<std::string_view> kSwitches = {
        "causal",   "window",          "returnState",       "interleaved", "sliding",
        "outFirst", "appends",         "returnHeadOutputs", "cross",       "normFirst",
        "rms",      "returnLogSumExp", "reservesBias",      "hasEncoder",  "untied"};
    // JavaScript derives the type of a mask and the kind of a layer, so they are not mutated.
    if (is_address(field.name) || field.name == "maskIsAdditive" ||
        field.name == "crossMaskIsAdditive" || field.name == "decoder") {
      return;
    }
    const std::vector<double> choices = choices_of(field.name);
    if (kSwitches.contains(field.name)) {
      record.set(field.name, static_cast<double>(below(2)));
    } else if (choices.empty()) {
      record.set(field.name, strange(random_));
    } else {
      record.set(field.name, choices[below(choices.size())]);
    }
  }

  Random random_;
};

TEST_P(Records, AcceptedRecordsCanRun) {
  Careless careless(2);
  int let_through = 0;
  for (const Base& base : bases) {
    const std::vector<RecordField> fields = fields_of(base.function);
    for (std::size_t round = 0; round < 1000; round += round_stride()) {
      const std::unique_ptr<Record> record = record_of(base);
      std::string changed = base.function;
      for (std::size_t changes = 1 + careless.below(3); changes > 0; --changes) {
        const RecordField& field = fields[careless.below(fields.size())];
        if (!base.takes(field.name) || base.pads(field.name)) continue;
        careless.change(*record, field);
        changed += " " + std::string(field.name);
      }
      SCOPED_TRACE(changed);
      let_through += try_record(*record, kMostBytes) ? 1 : 0;
    }
  }
  EXPECT_GT(let_through, 500);
}

INSTANTIATE_TEST_SUITE_P(Every, Records, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
