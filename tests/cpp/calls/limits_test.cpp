// How much an argument may be: the last that is let through, and the sentence about the next.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/cpp/written_calls.h"

namespace attention::tests {
namespace {

const WrittenCalls& calls() {
  static const WrittenCalls made;
  return made;
}

// An argument of a call; name: in sentences.
struct Argument {
  Written call;
  const char* field;
  const char* name;
};

std::string dims_of_twos(std::size_t rank) {
  const char* const all[] = {"(none)", "2", "2×2", "2×2×2", "2×2×2×2", "2×2×2×2×…"};
  return all[rank];
}

void expect_ranks(const Argument& argument, std::size_t least, std::size_t most) {
  const std::string wanted = least == most
                                 ? std::to_string(least)
                                 : "from " + std::to_string(least) + " to " + std::to_string(most);
  for (std::size_t rank = 0; rank <= 5; ++rank) {
    const std::string refused = std::string(argument.name) + " has " + std::to_string(rank) +
                                (rank == 1 ? " dimension (" : " dimensions (") +
                                dims_of_twos(rank) + ") but must have " + wanted;
    const std::string problem = argument.call.problem(sized(argument.field, Dims(rank, 2)));
    EXPECT_EQ(problem == refused, rank < least || rank > most)
        << argument.call.function << ", " << argument.name << ": " << problem;
  }
}

TEST(Limits, DimensionsOfQueriesKeysAndValues) {
  const WrittenCalls& c = calls();
  for (const Written& call : {c.attention, c.kernel_attention, c.linear_attention}) {
    for (const char* name : {"query", "key", "value"}) expect_ranks({call, name, name}, 2, 4);
  }
  for (const char* name : {"query", "key"}) expect_ranks({c.scores, name, name}, 2, 4);
  for (const char* name : {"key", "value"}) expect_ranks({c.append, name, name}, 2, 4);
  expect_ranks({c.cached, "query", "query"}, 2, 4);
  expect_ranks({c.softmax, "matrix", "scores"}, 2, 4);
  expect_ranks({c.weighted_sum, "matrix", "weights"}, 2, 4);
  expect_ranks({c.weighted_sum, "value", "value"}, 2, 4);
  expect_ranks({c.attention, "mask", "mask"}, 1, 4);
  expect_ranks({c.linear_attention, "sums", "state.S"}, 4, 4);
  expect_ranks({c.linear_attention, "normaliser", "state.z"}, 3, 3);
}

TEST(Limits, DimensionsOfRowsAndTables) {
  const WrittenCalls& c = calls();
  const Written tables = {"rotaryEmbedding",
                          all({c.rotary.base, sized("cos", {3, 8}), sized("sin", {3, 8})})};
  expect_ranks({c.rotary, "x", "x"}, 2, 4);
  for (const char* name : {"cos", "sin"}) expect_ranks({tables, name, name}, 2, 4);
  expect_ranks({c.norm, "x", "x"}, 1, 4);
  for (const char* name : {"weight", "bias"}) expect_ranks({c.norm, name, name}, 1, 1);
  expect_ranks({c.linear, "x", "x"}, 1, 3);
  expect_ranks({c.new_linear, "weight", "weight"}, 2, 2);
  expect_ranks({c.new_linear, "bias", "bias"}, 1, 1);
  expect_ranks({c.fill, "weight", "weightRows"}, 2, 2);
  expect_ranks({c.fill_narrow, "bias", "biasPart"}, 1, 1);
}

TEST(Limits, DimensionsOfSequences) {
  const WrittenCalls& c = calls();
  for (const Written& call : {c.multi_head, c.self_attention, c.project, c.encoder, c.decoder,
                              c.project_encoder, c.project_decoder}) {
    expect_ranks({call, "x", "x"}, 2, 3);
  }
  for (const Written& call : {c.multi_head, c.project, c.project_context}) {
    expect_ranks({call, "context", "context"}, 2, 3);
  }
  for (const Written& call : {c.decoder, c.project_decoder}) {
    expect_ranks({call, "memory", "memory"}, 2, 3);
  }
  expect_ranks({c.rows_of_encoder, "selfKey", "key"}, 2, 3);
  expect_ranks({c.rows_of_encoder, "selfValue", "value"}, 2, 3);
  expect_ranks({c.rows_of_decoder, "memoryKey", "key"}, 2, 3);
  expect_ranks({c.rows_of_decoder, "memoryValue", "value"}, 2, 3);
  expect_ranks({c.decoder, "crossMask", "crossMask"}, 1, 4);
}

TEST(Limits, DimensionsOfWeights) {
  const WrittenCalls& c = calls();
  for (const char* name : {"query", "key", "value", "output"}) {
    expect_ranks({c.new_multi_head, name, name}, 2, 2);
    const std::string of_self = std::string("self.") + name;
    expect_ranks({c.new_encoder, name, of_self.c_str()}, 2, 2);
  }
  for (const char* name : {"queryBias", "keyBias", "valueBias", "outputBias"}) {
    expect_ranks({c.new_multi_head, name, name}, 1, 1);
  }
  expect_ranks({c.new_torch, "query", "q_proj_weight"}, 2, 2);
  expect_ranks({c.new_torch, "key", "k_proj_weight"}, 2, 2);
  expect_ranks({c.new_torch, "value", "v_proj_weight"}, 2, 2);
  expect_ranks({c.new_torch, "output", "out_proj.weight"}, 2, 2);
  expect_ranks({c.new_torch, "outputBias", "out_proj.bias"}, 1, 1);
  expect_ranks({c.new_stacked, "stacked", "in_proj_weight"}, 2, 2);
  expect_ranks({c.new_stacked, "stackedBias", "in_proj_bias"}, 1, 1);
  expect_ranks({c.new_torch_encoder, "stacked", "self_attn.in_proj_weight"}, 2, 2);
  expect_ranks({c.new_torch_encoder, "output", "self_attn.out_proj.weight"}, 2, 2);
  expect_ranks({c.new_torch_decoder, "crossStacked", "multihead_attn.in_proj_weight"}, 2, 2);
  expect_ranks({c.new_torch_decoder, "crossOutput", "multihead_attn.out_proj.weight"}, 2, 2);
  expect_ranks({c.new_decoder, "crossQuery", "cross.query"}, 2, 2);
  for (const char* name : {"widen", "narrow", "gate"}) {
    expect_ranks({c.new_encoder, name, name}, 2, 2);
  }
  for (const char* name :
       {"widenBias", "gateBias", "narrowBias", "selfScale", "feedForwardScale"}) {
    expect_ranks({c.new_encoder, name, name}, 1, 1);
  }
  expect_ranks({c.new_torch_encoder, "widen", "linear1.weight"}, 2, 2);
  expect_ranks({c.new_torch_encoder, "narrow", "linear2.weight"}, 2, 2);
  const Written biased = {"newTransformerLayer", all({c.new_encoder.base, is("relative", 1)})};
  expect_ranks({biased, "relativeBias", "self.relativeBias"}, 2, 2);
}

constexpr double kLargestDimension = 4294967295;

// A count: a whole number from the least on, and no more than a dimension may be.
void expect_count(const Argument& argument, double least) {
  const auto problem = [&](double number) {
    return argument.call.problem(is(argument.field, number));
  };
  const std::string name = argument.name;
  const std::string must = " but must be a whole number of at least " + std::to_string(int(least));
  const std::string below = name + " is " + (least == 0 ? "-1" : least == 1 ? "0" : "1") + must;
  const std::string above = name + " is 4294967296 but must be at most 4294967295";
  EXPECT_EQ(problem(least - 1), below);
  EXPECT_EQ(problem(least).find(must), std::string::npos) << problem(least);
  EXPECT_EQ(problem(9.5), name + " is 9.5" + must);
  EXPECT_EQ(problem(std::nan("")), name + " is NaN" + must);
  EXPECT_EQ(problem(kLargestDimension).find(above.substr(above.find(" but"))), std::string::npos);
  EXPECT_EQ(problem(kLargestDimension + 1), above);
}

TEST(Limits, Counts) {
  const WrittenCalls& c = calls();
  expect_count({c.slopes, "heads", "heads"}, 1);
  expect_count({c.sinusoidal, "length", "length"}, 0);
  expect_count({c.sinusoidal, "dim", "dim"}, 0);
  expect_count({c.rotary, "heads", "heads"}, 1);
  expect_count({c.weighted_sum, "kvHeads", "kvHeads"}, 1);
  expect_count({c.new_cache, "batch", "batch"}, 0);
  for (const char* name : {"kvHeads", "keyDim", "valueDim", "capacity"}) {
    expect_count({c.new_cache, name, name}, 1);
  }
  expect_count({c.reserved_linear, "reservedIn", "inDim"}, 1);
  expect_count({c.reserved_linear, "reservedOut", "outDim"}, 1);
  expect_count({c.fill, "firstRow", "firstRow"}, 0);
}

TEST(Limits, CountsThatAreOptions) {
  const WrittenCalls& c = calls();
  constexpr double kLargestWhole = 0x1p53 - 1;
  for (const Argument& argument :
       {Argument{c.attention, "heads", "heads"}, Argument{c.attention, "kvHeads", "kvHeads"},
        Argument{c.cached, "heads", "heads"}, Argument{c.new_multi_head, "heads", "heads"},
        Argument{c.new_multi_head, "kvHeads", "kvHeads"},
        Argument{c.kernel_attention, "degree", "degree"}}) {
    const auto problem = [&](double number) {
      return argument.call.problem(is(argument.field, number));
    };
    const std::string name = argument.name;
    const std::string must = " but must be a whole number of at least 1";
    EXPECT_EQ(problem(0), name + " is 0" + must);
    EXPECT_EQ(problem(1).find(must), std::string::npos) << problem(1);
    EXPECT_EQ(problem(1.5), name + " is 1.5" + must);
    if (name == "degree") continue;
    EXPECT_EQ(problem(kLargestWhole).find(must), std::string::npos) << problem(kLargestWhole);
    EXPECT_EQ(problem(kLargestWhole + 1), name + " is 9007199254740992" + must);
  }
}

// Numbers that become a float.
TEST(Limits, FiniteNumbers) {
  const WrittenCalls& c = calls();
  constexpr double kLargest = std::numeric_limits<float>::max();
  const Written turned = {"newTransformerLayer",
                          all({c.new_encoder.base, is("rotary", 1), is("rotaryWidth", 2)})};
  for (const Argument& argument :
       {Argument{c.attention, "scale", "scale"}, Argument{c.scores, "scale", "scale"},
        Argument{c.multi_head, "scale", "scale"}, Argument{c.new_encoder, "scale", "scale"},
        Argument{c.kernel_attention, "constant", "constant"},
        Argument{turned, "rotaryFactor", "rotary.factor"}}) {
    const auto problem = [&](double number) {
      return argument.call.problem(is(argument.field, number));
    };
    const std::string must = " but must be a finite float32 number";
    EXPECT_EQ(problem(kLargest), "");
    EXPECT_EQ(problem(-kLargest), "");
    EXPECT_EQ(problem(2 * kLargest), std::string(argument.name) + " is more than 10^18" + must);
    EXPECT_EQ(problem(-2 * kLargest), std::string(argument.name) + " is -more than 10^18" + must);
    EXPECT_EQ(problem(std::nan("")), std::string(argument.name) + " is NaN" + must);
  }
}

TEST(Limits, NumbersAboveZero) {
  const WrittenCalls& c = calls();
  constexpr double kSmallest = std::numeric_limits<float>::denorm_min();
  const Written gaussian = {"kernelAttention",
                            all({c.kernel_attention.base, chosen("similarity", "gaussian")})};
  const Written turned = {"newTransformerLayer",
                          all({c.new_encoder.base, is("rotary", 1), is("rotaryWidth", 2)})};
  for (const Argument& argument :
       {Argument{c.attention, "softcap", "softcap"}, Argument{c.scores, "softcap", "softcap"},
        Argument{gaussian, "bandwidth", "bandwidth"}, Argument{c.rotary, "base", "base"},
        Argument{c.sinusoidal, "base", "base"}, Argument{turned, "rotaryBase", "rotary.base"}}) {
    const auto problem = [&](double number) {
      return argument.call.problem(is(argument.field, number));
    };
    const std::string must = " but must be a finite float32 number above 0";
    EXPECT_EQ(problem(kSmallest), "");
    EXPECT_EQ(problem(kSmallest / 4), std::string(argument.name) + " is 0" + must);
    EXPECT_EQ(problem(0), std::string(argument.name) + " is 0" + must);
    EXPECT_EQ(problem(-1), std::string(argument.name) + " is -1" + must);
    EXPECT_EQ(problem(1e39), std::string(argument.name) + " is more than 10^18" + must);
  }
}

TEST(Limits, NumbersFromZero) {
  const WrittenCalls& c = calls();
  for (const Written& call : {c.norm, c.linear_attention, c.new_encoder}) {
    const std::string must = " but must be a finite float32 number of at least 0";
    EXPECT_EQ(call.problem(is("epsilon", 0)), "");
    EXPECT_EQ(call.problem(is("epsilon", -0.5)), "epsilon is -0.5" + must);
    EXPECT_EQ(call.problem(is("epsilon", 1e39)), "epsilon is more than 10^18" + must);
  }
}

// Rows, whose width follows from other arguments.
TEST(Limits, WidthsOfRows) {
  struct Row {
    Argument argument;
    const char* meaning;
    double width;
  };
  const WrittenCalls& c = calls();
  for (const auto& [argument, meaning, width] :
       {Row{{c.norm, "weight", "weight"}, "the last axis of x", 6},
        Row{{c.norm, "bias", "bias"}, "the last axis of x", 6},
        Row{{c.new_linear, "bias", "bias"}, "out", 4},
        Row{{c.fill_narrow, "bias", "biasPart"}, "one for each of weightRows", 3},
        Row{{c.new_multi_head, "queryBias", "queryBias"}, "out", 12},
        Row{{c.new_multi_head, "keyBias", "keyBias"}, "out", 6},
        Row{{c.new_multi_head, "valueBias", "valueBias"}, "out", 4},
        Row{{c.new_multi_head, "outputBias", "outputBias"}, "out", 6},
        Row{{c.new_torch, "outputBias", "out_proj.bias"}, "out", 6},
        Row{{c.new_torch, "stackedBias", "in_proj_bias"}, "out", 16},
        Row{{c.new_stacked, "stackedBias", "in_proj_bias"}, "out", 18},
        Row{{c.new_encoder, "keyBias", "self.keyBias"}, "out", 6},
        Row{{c.new_encoder, "queryNorm", "self.queryNorm"}, "d_k", 3},
        Row{{c.new_encoder, "keyNorm", "self.keyNorm"}, "d_k", 3},
        Row{{c.new_decoder, "crossQueryNorm", "cross.queryNorm"}, "d_k", 3},
        Row{{c.new_decoder, "crossKeyNorm", "cross.keyNorm"}, "d_k", 3},
        Row{{c.new_encoder, "widenBias", "widenBias"}, "out", 10},
        Row{{c.new_encoder, "gateBias", "gateBias"}, "out", 10},
        Row{{c.new_encoder, "narrowBias", "narrowBias"}, "out", 6},
        Row{{c.new_torch_encoder, "widenBias", "linear1.bias"}, "out", 10},
        Row{{c.new_torch_encoder, "narrowBias", "linear2.bias"}, "out", 6},
        Row{{c.new_encoder, "selfScale", "selfScale"}, "d_model", 6},
        Row{{c.new_encoder, "feedForwardScale", "feedForwardScale"}, "d_model", 6},
        Row{{c.new_encoder, "norm1", "selfNorm"}, "out", 6},
        Row{{c.new_encoder, "norm1Bias", "selfNormBias"}, "out", 6},
        Row{{c.new_encoder, "norm2", "feedForwardNorm"}, "out", 6},
        Row{{c.new_encoder, "norm2Bias", "feedForwardNormBias"}, "out", 6},
        Row{{c.new_decoder, "norm2", "crossNorm"}, "out", 6},
        Row{{c.new_decoder, "norm2Bias", "crossNormBias"}, "out", 6},
        Row{{c.new_decoder, "norm3", "feedForwardNorm"}, "out", 6},
        Row{{c.new_torch_decoder, "norm1", "norm1.weight"}, "out", 6},
        Row{{c.new_torch_decoder, "norm2Bias", "norm2.bias"}, "out", 6},
        Row{{c.new_torch_decoder, "norm3", "norm3.weight"}, "out", 6}}) {
    const std::string name = argument.name;
    EXPECT_EQ(argument.call.problem(sized(argument.field, {width})), "") << name;
    for (const double other : {width - 1, width + 1}) {
      EXPECT_EQ(argument.call.problem(sized(argument.field, {other})),
                name + " has dims " + std::to_string(int(other)) + " but must be " + meaning +
                    " = " + std::to_string(int(width)));
    }
  }
}

TEST(Limits, DimensionsThemselves) {
  const Written& attention = calls().attention;
  const std::string must = " but must be a whole number from 0 to 4294967295";
  EXPECT_EQ(attention.problem(sized("value", {2, 2, 7, kLargestDimension})).find(must),
            std::string::npos);
  EXPECT_EQ(attention.problem(sized("value", {2, 2, 7, kLargestDimension + 1})),
            "value.dims[3] is 4294967296" + must);
  EXPECT_EQ(attention.problem(sized("value", {2, 2, 7, 0})), "");
  EXPECT_EQ(attention.problem(sized("value", {2, 2, 7, -1})), "value.dims[3] is -1" + must);
  EXPECT_EQ(attention.problem(sized("value", {2, 2.5, 7, 6})), "value.dims[1] is 2.5" + must);
}

}  // namespace
}  // namespace attention::tests
