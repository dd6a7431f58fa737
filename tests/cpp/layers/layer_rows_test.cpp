// Layers constructed by calls: some rows with the keys and values of all rows, returned
// projections, and the same weights in all accepted forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/low_precision.h"
#include "support/cpp/rules.h"

namespace attention::tests {
namespace {

class LayerRows : public KernelsTest {
 protected:
  // given: replaces tensors of the recipe.
  Results run(const char* function, const Recipe& recipe, const Recipe& given = as_it_is) const {
    Record record(function);
    recipe(record);
    numbered(record);
    given(record);
    Answer answer = record.call(kernels);
    EXPECT_EQ(answer.problem, "") << function;
    return std::move(answer.results);
  }
};

Recipe holding(const std::string& field, const Result& result) {
  return [=](Record& record) {
    record.set(field, VectorTensor{result.dims, {result.numbers.begin(), result.numbers.end()}});
  };
}

// Selects rows of every batch entry.
Result rows_of(const Result& all, std::size_t first, std::size_t count) {
  const auto rows = static_cast<std::size_t>(all.dims[1]);
  const auto width = static_cast<std::size_t>(all.dims[2]);
  Result part{{all.dims[0], static_cast<double>(count), all.dims[2]}, {}};
  for (std::size_t entry = 0; entry * rows * width < all.numbers.size(); ++entry) {
    const auto begin = all.numbers.begin() + static_cast<long>((entry * rows + first) * width);
    part.numbers.insert(part.numbers.end(), begin, begin + static_cast<long>(count * width));
  }
  return part;
}

Result as_result(const VectorTensor& tensor) {
  return {tensor.dims, {tensor.numbers.begin(), tensor.numbers.end()}};
}

TEST_P(LayerRows, WithAllKeysEqualThoseOfTheWholeLayer) {
  const Recipe positions =
      all({is("rotary", 1), is("rotaryWidth", 2), is("relative", 1), sized("relativeBias", {8, 4}),
           is("bidirectional", 1), is("maxDistance", 5)});
  for (const bool decoder : {false, true}) {
    for (const double norm_first : {0, 1}) {
      Record record("newTransformerLayer");
      all({rule_table().call(decoder ? "newDecoder" : "newEncoder").base, positions,
           is("normFirst", norm_first), numbered})(record);
      const Object layer(kernels, record);
      ASSERT_EQ(layer.problem(), "");
      const Recipe of_layer = all({is("layer", layer.address()), sized("x", {2, 7, 6})});
      const Recipe memory = decoder ? sized("memory", {2, 5, 5}) : as_it_is;
      const Recipe causal = is("causal", 1);
      const Result whole = run("transformerLayer", all({of_layer, memory, causal})).at("output");
      const Results projected = run("projectLayer", all({of_layer, memory}));
      ASSERT_EQ(projected.size(), decoder ? 4U : 2U);
      const Result x = as_result(numbers_of("x", {2, 7, 6}));
      for (const auto& [first, count] : {std::pair{0U, 3U}, {2U, 1U}, {3U, 4U}}) {
        std::vector<Recipe> given = {holding("x", rows_of(x, first, count))};
        for (const auto& [name, result] : projected) given.push_back(holding(name, result));
        const Recipe rows = [&](Record& part) {
          for (const Recipe& recipe : given) recipe(part);
        };
        const Result part =
            run("transformerLayer",
                all({is("layer", layer.address()), causal, is("offset", first)}), rows)
                .at("output");
        EXPECT_TRUE(same_bits(part, rows_of(whole, first, count)))
            << (decoder ? "decoder" : "encoder") << ", norm first " << norm_first << ", rows from "
            << first;
      }
    }
  }
}

// x·W for W in × out, split into heads.
void expect_product(const Result& got, const std::string& x, const std::string& matrix) {
  const auto heads = static_cast<std::size_t>(got.dims[1]);
  const auto rows = static_cast<std::size_t>(got.dims[2]);
  const auto dim = static_cast<std::size_t>(got.dims[3]);
  const std::size_t in = x == "x" ? 6 : 5;
  for (std::size_t at = 0; at < got.numbers.size(); ++at) {
    const std::size_t row = at / dim % rows;
    const std::size_t head = at / dim / rows % heads;
    const std::size_t entry = at / dim / rows / heads;
    double sum = 0;
    for (std::size_t i = 0; i < in; ++i) {
      sum += number_of(x, (entry * rows + row) * in + i) *
             number_of(matrix, (i * heads + head) * dim + at % dim);
    }
    ASSERT_NEAR(got.numbers[at], sum, 1e-6) << x << " times " << matrix << ", " << at;
  }
}

TEST_P(LayerRows, ProjectionsEqualTheReturnedOnes) {
  const Results projected = run("project", rule_table().call("project").base);
  expect_product(projected.at("query"), "x", "query");
  expect_product(projected.at("key"), "context", "key");
  expect_product(projected.at("value"), "context", "value");
  // The queries of cross-attention are normalized first, the memory is not.
  const Results shown =
      run("transformerLayer", all({rule_table().call("decoder").base, is("returnProjections", 1)}));
  expect_product(shown.at("query"), "x", "query");
  expect_product(shown.at("key"), "x", "key");
  expect_product(shown.at("value"), "x", "value");
  expect_product(shown.at("crossKey"), "memory", "crossKey");
  expect_product(shown.at("crossValue"), "memory", "crossValue");
}

// A loop over all of them would take minutes.
TEST_P(LayerRows, BillionsOfEmptySequencesReturnAtOnce) {
  const Recipe empty = all({sized("x", {4294967295, 0, 6}), sized("context", {4294967295, 0, 5})});
  const Results projected = run("project", all({rule_table().call("project").base, empty}));
  EXPECT_EQ(projected.at("query").dims, (Dims{4294967295, 4, 0, 3}));
}

// Weights in every type.
Recipe stored(const std::string& field, const VectorTensor& tensor, int type) {
  return [=](Record& record) {
    if (type < 0) {
      record.set(field, tensor);
    } else {
      record.set(field, to_low_precision(tensor, static_cast<LowPrecisionType>(type)));
    }
  };
}

VectorTensor transposed(const VectorTensor& tensor) {
  const auto rows = static_cast<std::size_t>(tensor.dims[0]);
  const auto cols = static_cast<std::size_t>(tensor.dims[1]);
  VectorTensor turned{{tensor.dims[1], tensor.dims[0]}, Dims(tensor.numbers.size())};
  for (std::size_t at = 0; at < tensor.numbers.size(); ++at) {
    turned.numbers[at % cols * rows + at / cols] = tensor.numbers[at];
  }
  return turned;
}

TEST_P(LayerRows, DoNotDependOnTheLayoutOfWeights) {
  const std::vector<std::string> names = {"query", "key", "value"};
  VectorTensor together{{18, 6}, {}};
  VectorTensor together_bias{{18}, numbers_of("stackedBias", {18}).numbers};
  for (const std::string& name : names) {
    const Dims one = numbers_of(name, {6, 6}).numbers;
    together.numbers.insert(together.numbers.end(), one.begin(), one.end());
  }
  const auto forwarded = [&](const Recipe& weights) {
    Record record("newMultiHead");
    all({is("heads", 2), weights})(record);
    const Object layer(kernels, record);
    EXPECT_EQ(layer.problem(), "");
    return run("multiHead", all({is("layer", layer.address()), sized("x", {2, 5, 6})}))
        .at("output");
  };
  for (int type = -1; type < 3; ++type) {
    std::vector<Recipe> apart, turned;
    for (std::size_t at = 0; at < names.size(); ++at) {
      const VectorTensor matrix = numbers_of(names[at], {6, 6});
      const auto begin = together_bias.numbers.begin() + static_cast<long>(6 * at);
      const Recipe bias = stored(names[at] + "Bias", {{6}, {begin, begin + 6}}, -1);
      apart.push_back(all({bias, stored(names[at], matrix, type)}));
      turned.push_back(all({bias, stored(names[at], transposed(matrix), type)}));
    }
    const Recipe stacked =
        all({stored("stacked", together, type), stored("stackedBias", together_bias, -1)});
    const Result expected = forwarded(all({is("outFirst", 1), apart[0], apart[1], apart[2]}));
    EXPECT_TRUE(same_bits(forwarded(all({is("outFirst", 1), stacked})), expected)) << type;
    // The stacked matrix is always out × in, as in PyTorch.
    EXPECT_TRUE(same_bits(forwarded(stacked), expected)) << type;
    if (static_cast<LowPrecisionType>(type) == LowPrecisionType::kInt8)
      continue;  // has other scales when transposed
    EXPECT_TRUE(same_bits(forwarded(all({turned[0], turned[1], turned[2]})), expected)) << type;
  }
}

// A LinearMap gives the same bits if it is packed as in × out, as out × in, or in several ranges.
TEST_P(LayerRows, OfALinearMapEqualRowsOfItsWeight) {
  constexpr std::size_t kIn = 300;
  constexpr std::size_t kOut = 21;
  const char* const types[] = {"float32", "float16", "bfloat16", "int8"};
  const VectorTensor weight = numbers_of("weight", {kOut, kIn});
  const auto rows_of_map = [&](const Recipe& recipe, const std::vector<Recipe>& fills) {
    Record record("newLinear");
    recipe(record);
    const Object map(kernels, record);
    EXPECT_EQ(map.problem(), "");
    for (const Recipe& fill : fills) run("fillLinear", is("layer", map.address()), fill);
    return run("linearRows", all({is("layer", map.address()), listed("ids", {20, 0, 7, 8})}))
        .at("output");
  };
  for (int type = -1; type < 3; ++type) {
    const auto low_precision = static_cast<LowPrecisionType>(type);
    const VectorTensor numbers =
        type < 0 ? weight : to_float32(to_low_precision(weight, low_precision));
    Result expected{{4, kIn}, {}};
    for (const std::size_t row : {20U, 0U, 7U, 8U}) {
      const auto begin = numbers.numbers.begin() + static_cast<long>(row * kIn);
      expected.numbers.insert(expected.numbers.end(), begin, begin + kIn);
    }
    const Result at_once =
        rows_of_map(all({is("outFirst", 1), stored("weight", weight, type)}), {});
    EXPECT_TRUE(same_bits(at_once, expected)) << type;
    std::vector<Recipe> fills;
    for (const auto& [first, last] : {std::pair{9, 21}, {0, 9}}) {
      const VectorTensor part{{static_cast<double>(last - first), kIn},
                              {weight.numbers.begin() + static_cast<long>(first * kIn),
                               weight.numbers.begin() + static_cast<long>(last * kIn)}};
      fills.push_back(all({is("firstRow", first), stored("weight", part, type)}));
    }
    const Recipe reserved = all(
        {is("reservedIn", kIn), is("reservedOut", kOut), chosen("reservedType", types[type + 1])});
    EXPECT_TRUE(same_bits(rows_of_map(reserved, fills), expected)) << type;
    if (low_precision == LowPrecisionType::kInt8) continue;
    const Result turned = rows_of_map(stored("weight", transposed(weight), type), {});
    EXPECT_TRUE(same_bits(turned, expected)) << type;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, LayerRows, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
