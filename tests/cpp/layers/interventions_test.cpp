// Edits and captures in layers, compared with the formulas of attention/transformer.h and
// attention/interventions.h in double precision, and the identities between them.
#include "attention/interventions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/rules.h"

namespace attention::tests {
namespace {

constexpr std::size_t kBatch = 2, kLength = 5, kMemory = 7, kWidth = 6;
constexpr std::size_t kHeads = 4, kKvHeads = 2, kKeyDim = 3, kValueDim = 2, kHidden = 10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The numbers of a place in one batch entry.
struct Numbers {
  Numbers() = default;
  Numbers(std::size_t head_count, std::size_t row_count, std::size_t col_count)
      : heads(head_count),
        rows(row_count),
        cols(col_count),
        numbers(head_count * row_count * col_count) {}

  double& at(std::size_t head, std::size_t row, std::size_t col) {
    return numbers[(head * rows + row) * cols + col];
  }

  std::size_t heads = 0, rows = 0, cols = 0;
  std::vector<double> numbers;
};

enum Operation { kSet, kAdd, kScale, kUniform };

std::size_t place_number(Place place, bool is_cross = false) { return index_of(place, is_cross); }

// An edit. values: of the selected heads × rows × columns, or of one head or row if it is the same
// for all.
struct TestEdit {
  std::size_t place;
  Operation operation;
  double factor = 1;
  std::vector<double> heads = {}, rows = {}, columns = {};
  bool same_heads = false, same_rows = false;
  std::vector<double> values = {};
};

std::vector<std::size_t> selected(const std::vector<double>& indices, std::size_t all) {
  std::vector<std::size_t> list;
  for (const double index : indices) list.push_back(static_cast<std::size_t>(index));
  for (std::size_t index = 0; indices.empty() && index < all; ++index) list.push_back(index);
  return list;
}

// Strides of heads, rows and columns in the values.
std::vector<std::size_t> strides_of(const TestEdit& edit, const Numbers& shape) {
  const std::size_t cols = selected(edit.columns, shape.cols).size();
  const std::size_t rows = edit.same_rows ? 1 : selected(edit.rows, shape.rows).size();
  return {edit.same_heads ? 0 : rows * cols, edit.same_rows ? 0 : cols, 1};
}

// Key positions that a query sees.
using Visible = bool (*)(std::size_t query, std::size_t key);
bool is_causal(std::size_t query, std::size_t key) { return key <= query; }
bool is_any(std::size_t, std::size_t) { return true; }

// Applies edits in double precision and keeps what is at each place.
struct Visitor {
  const std::vector<TestEdit>& edits;
  std::map<std::size_t, Numbers> captured = {};

  void visit(std::size_t place, Numbers& numbers, Visible visible = is_any) {
    for (const TestEdit& edit : edits) {
      if (edit.place == place) apply(edit, numbers, visible);
    }
    captured[place] = numbers;
  }

  static void apply(const TestEdit& edit, Numbers& numbers, Visible visible) {
    const std::vector<std::size_t> strides = strides_of(edit, numbers);
    const auto heads = selected(edit.heads, numbers.heads);
    const auto rows = selected(edit.rows, numbers.rows);
    const auto columns = selected(edit.columns, numbers.cols);
    for (std::size_t i = 0; i < heads.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        double count = 0;
        for (std::size_t c = 0; c < numbers.cols; ++c) count += visible(rows[j], c) ? 1 : 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
          if (!visible(rows[j], columns[k])) continue;
          double& number = numbers.at(heads[i], rows[j], columns[k]);
          if (edit.operation == kScale) number *= edit.factor;
          if (edit.operation == kUniform) number = 1 / count;
          if (edit.operation > kAdd) continue;
          const double value = edit.values[i * strides[0] + j * strides[1] + k * strides[2]];
          number = edit.operation == kAdd ? number + value : value;
        }
      }
    }
  }
};

// The optional features of a layer.
struct Kind {
  const char* name;
  bool norm_first = false, parallel = false, decoder = false;
};

std::string named(const char* name, bool is_cross) {
  std::string whole = name;
  if (!is_cross) return whole;
  whole[0] = static_cast<char>(whole[0] - 'a' + 'A');
  return "cross" + whole;
}

// x·W + b, W: in × out.
Numbers mapped(Numbers x, const std::string& name, std::size_t out, bool has_bias) {
  Numbers y(1, x.rows, out);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t o = 0; o < out; ++o) {
      double sum = has_bias ? number_of(name + "Bias", o) : 0;
      for (std::size_t c = 0; c < x.cols; ++c) sum += x.at(0, i, c) * number_of(name, c * out + o);
      y.at(0, i, o) = sum;
    }
  }
  return y;
}

Numbers normed(Numbers x, const std::string& name) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0;
    const auto size = static_cast<double>(x.cols);
    for (std::size_t c = 0; c < x.cols; ++c) mean += x.at(0, i, c) / size;
    for (std::size_t c = 0; c < x.cols; ++c) variance += std::pow(x.at(0, i, c) - mean, 2) / size;
    for (std::size_t c = 0; c < x.cols; ++c) {
      x.at(0, i, c) = (x.at(0, i, c) - mean) / std::sqrt(variance + 0.1) * number_of(name, c);
    }
  }
  return x;
}

Numbers split(Numbers x, std::size_t heads) {
  Numbers y(heads, x.rows, x.cols / heads);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t c = 0; c < y.cols; ++c) y.at(h, i, c) = x.at(0, i, h * y.cols + c);
    }
  }
  return y;
}

void scale_columns(Numbers& x, const char* name) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t c = 0; c < x.cols; ++c) x.at(0, i, c) *= number_of(name, c);
  }
}

void add(Numbers& x, const Numbers& added) {
  for (std::size_t at = 0; at < x.numbers.size(); ++at) x.numbers[at] += added.numbers[at];
}

// Each head's rows times its rows of W_O, without bias.
Numbers per_head(Numbers rows, const std::string& output) {
  Numbers y(kHeads, rows.rows, kWidth);
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      for (std::size_t o = 0; o < kWidth; ++o) {
        for (std::size_t c = 0; c < kValueDim; ++c) {
          y.at(h, i, o) += rows.at(h * rows.heads / kHeads, i, c) *
                           number_of(output, (h * kValueDim + c) * kWidth + o);
        }
      }
    }
  }
  return y;
}

Numbers attended(const Numbers& x, const Numbers& context, bool is_cross, Visitor& visitor) {
  const Visible visible = is_cross ? is_any : is_causal;
  const auto visit = [&](Place place, Numbers& numbers, Visible pairs = is_any) {
    visitor.visit(place_number(place, is_cross), numbers, pairs);
  };
  const std::string output = named("output", is_cross);
  Numbers q = split(mapped(x, named("query", is_cross), 12, !is_cross), kHeads);
  Numbers k = split(mapped(context, named("key", is_cross), 6, !is_cross), kKvHeads);
  Numbers v = split(mapped(context, named("value", is_cross), 4, !is_cross), kKvHeads);
  visit(Place::kQuery, q);
  visit(Place::kKey, k);
  visit(Place::kValue, v);
  Numbers scores(kHeads, x.rows, context.rows);
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t j = 0; j < context.rows; ++j) {
        double& score = scores.at(h, i, j);
        for (std::size_t c = 0; c < kKeyDim; ++c) score += q.at(h, i, c) * k.at(h / 2, j, c);
        score = visible(i, j) ? score / std::sqrt(kKeyDim) : -kInfinity;
      }
    }
  }
  visit(Place::kScores, scores, visible);
  Numbers weights = scores;
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < weights.cols; ++j) sum += std::exp(scores.at(h, i, j));
      for (std::size_t j = 0; j < weights.cols; ++j) {
        weights.at(h, i, j) = sum == 0 ? 0 : std::exp(scores.at(h, i, j)) / sum;
      }
    }
  }
  visit(Place::kPattern, weights, visible);
  Numbers z(kHeads, x.rows, kValueDim);
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t j = 0; j < weights.cols; ++j) {
        for (std::size_t c = 0; c < kValueDim; ++c) {
          z.at(h, i, c) += weights.at(h, i, j) * v.at(h / 2, j, c);
        }
      }
    }
  }
  visit(Place::kHeads, z);
  Numbers outputs = per_head(z, output);
  Numbers of_values = per_head(v, output);
  visit(Place::kHeadOutputs, outputs);
  visit(Place::kValueOutputs, of_values);
  Numbers sum(1, x.rows, kWidth);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t c = 0; c < kWidth; ++c) {
      sum.at(0, i, c) = is_cross ? 0 : number_of(output + "Bias", c);
      for (std::size_t h = 0; h < kHeads; ++h) sum.at(0, i, c) += outputs.at(h, i, c);
    }
  }
  if (!is_cross) scale_columns(sum, "selfScale");
  visit(Place::kAttentionOutput, sum);
  return sum;
}

Numbers fed_forward(const Numbers& x, Visitor& visitor) {
  Numbers hidden = mapped(x, "widen", kHidden, false);
  const Numbers gate = mapped(x, "gate", kHidden, false);
  for (std::size_t at = 0; at < hidden.numbers.size(); ++at) {
    hidden.numbers[at] *= gate.numbers[at] / (1 + std::exp(-gate.numbers[at]));
  }
  Numbers output = mapped(hidden, "narrow", kWidth, false);
  scale_columns(output, "feedForwardScale");
  visitor.visit(place_number(Place::kFeedForwardOutput), output);
  return output;
}

void compute(Numbers x, const Numbers& memory, const Kind& kind, Visitor& visitor) {
  const bool first = kind.norm_first;
  visitor.visit(place_number(Place::kResidPre), x);
  Numbers input = first ? normed(x, "selfNorm") : x;
  Numbers attention = attended(input, input, false, visitor);
  if (kind.parallel) {
    add(attention, fed_forward(normed(x, "feedForwardNorm"), visitor));
    add(x, attention);
    return visitor.visit(place_number(Place::kResidPost), x);
  }
  add(x, attention);
  if (!first) x = normed(x, "selfNorm");
  if (kind.decoder) {
    input = first ? normed(x, "crossNorm") : x;
    add(x, attended(input, memory, true, visitor));
    if (!first) x = normed(x, "crossNorm");
  }
  visitor.visit(place_number(Place::kResidMid), x);
  add(x, fed_forward(first ? normed(x, "feedForwardNorm") : x, visitor));
  if (!first) x = normed(x, "feedForwardNorm");
  visitor.visit(place_number(Place::kResidPost), x);
}

// Places of layers without position vectors.
constexpr std::size_t kLayerPlaces = static_cast<std::size_t>(Place::kContentContent);

// Every place of a layer.
std::vector<std::size_t> places_in(const Kind& kind) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < kLayerPlaces; ++at) {
    if (static_cast<Place>(at) != Place::kResidMid || !kind.parallel) places.push_back(at);
  }
  for (std::size_t at = 0; kind.decoder && at < kLayerPlaces; ++at) {
    const auto place = static_cast<Place>(at);
    const bool is_attention = place >= Place::kQuery && place <= Place::kAttentionOutput;
    if (is_attention || place >= Place::kHeadOutputs) places.push_back(at + kCrossPlaces);
  }
  return places;
}

bool can_be_edited(std::size_t place) {
  return static_cast<Place>(place % kCrossPlaces) < Place::kHeadOutputs;
}

bool is_matrix(std::size_t place) {
  const auto at = static_cast<Place>(place % kCrossPlaces);
  return at == Place::kScores || at == Place::kPattern;
}

// Sets the fields of edits. shapes: of the places, as captured.
Recipe edited(const std::vector<TestEdit>& edits, const std::map<std::size_t, Numbers>& shapes) {
  std::vector<double> list, values;
  for (const TestEdit& edit : edits) {
    const std::vector<std::size_t> strides = strides_of(edit, shapes.at(edit.place));
    const double is_cross = edit.place >= kCrossPlaces ? 1 : 0;
    list.insert(list.end(), {static_cast<double>(edit.place % kCrossPlaces), is_cross,
                             static_cast<double>(edit.operation), edit.factor});
    const bool has_values = edit.operation <= kAdd;
    list.push_back(has_values ? static_cast<double>(values.size()) : 0);
    for (const std::size_t stride : strides) {
      list.push_back(has_values ? static_cast<double>(stride) : 0);
    }
    for (const auto* indices : {&edit.heads, &edit.rows, &edit.columns}) {
      list.push_back(static_cast<double>(indices->size()));
      list.insert(list.end(), indices->begin(), indices->end());
    }
    values.insert(values.end(), edit.values.begin(), edit.values.end());
  }
  return [=](Record& record) {
    if (list.empty()) return;
    record.set_list("edits", list);
    const auto count = static_cast<double>(values.size());
    if (!values.empty()) record.set("editValues", VectorTensor{{count}, values});
  };
}

class InterventionsTest : public KernelsTest {
 protected:
  static Recipe weights_of(const Kind& kind) {
    const Recipe norm_first = kind.norm_first ? is("normFirst", 1) : as_it_is;
    return all({rule_table().call(kind.decoder ? "newDecoder" : "newEncoder").base,
                is("parallel", kind.parallel), norm_first, is("epsilon", 0.1),
                sized("selfScale", {kWidth}), sized("feedForwardScale", {kWidth}),
                sized("queryBias", {12}), sized("keyBias", {6}), sized("valueBias", {4}),
                sized("outputBias", {6}), numbered});
  }

  void make(const Kind& kind) {
    Record weights("newTransformerLayer");
    weights_of(kind)(weights);
    layer_ = std::make_unique<Object>(kernels, weights);
    ASSERT_EQ(layer_->problem(), "");
    kind_ = kind;
    places_ = places_in(kind);
    // The shapes of all places.
    expected_ = expected({});
  }

  Recipe call_of(const std::vector<TestEdit>& edits) const {
    const Recipe memory = kind_.decoder ? sized("memory", {kBatch, kMemory, 5}) : as_it_is;
    const std::vector<double> captures(places_.begin(), places_.end());
    return all({is("layer", layer_->address()), is("causal", 1), is("returnWeights", 1),
                sized("x", {kBatch, kLength, kWidth}), memory, numbered,
                listed("captures", captures), edited(edits, expected_[0])});
  }

  Results run(const Recipe& recipe) const {
    Record record("transformerLayer");
    recipe(record);
    Answer answer = record.call(kernels);
    EXPECT_EQ(answer.problem, "") << kind_.name;
    return std::move(answer.results);
  }

  // For each batch entry.
  std::vector<std::map<std::size_t, Numbers>> expected(const std::vector<TestEdit>& edits) const {
    std::vector<std::map<std::size_t, Numbers>> entries;
    for (std::size_t entry = 0; entry < kBatch; ++entry) {
      Numbers x(1, kLength, kWidth), memory(1, kMemory, 5);
      for (std::size_t at = 0; at < x.numbers.size(); ++at) {
        x.numbers[at] = number_of("x", entry * x.numbers.size() + at);
      }
      for (std::size_t at = 0; at < memory.numbers.size(); ++at) {
        memory.numbers[at] = number_of("memory", entry * memory.numbers.size() + at);
      }
      Visitor visitor{edits};
      compute(x, memory, kind_, visitor);
      entries.push_back(std::move(visitor.captured));
    }
    return entries;
  }

  // The captured numbers of a place, all batch entries.
  std::vector<float> captured(const Results& results, std::size_t place) const {
    const std::vector<float>& all = results.at("captured").numbers;
    std::size_t first = 0;
    for (const std::size_t other : places_) {
      const std::size_t count = kBatch * expected_[0].at(other).numbers.size();
      if (other == place) return {all.begin() + first, all.begin() + first + count};
      first += count;
    }
    ADD_FAILURE() << "not captured";
    return {};
  }

  void expect_formulas(const std::vector<TestEdit>& edits, const std::string& where) const {
    const Results results = run(call_of(edits));
    const auto entries = expected(edits);
    for (const std::size_t place : places_) {
      const std::vector<float> numbers = captured(results, place);
      std::vector<double> formula;
      for (const auto& entry : entries) {
        const std::vector<double>& own = entry.at(place).numbers;
        formula.insert(formula.end(), own.begin(), own.end());
      }
      ASSERT_EQ(numbers.size(), formula.size());
      for (std::size_t at = 0; at < numbers.size(); ++at) {
        const double number = formula[at];
        const bool is_near = number == -kInfinity
                                 ? numbers[at] == -kInfinity
                                 : std::abs(numbers[at] - number) <= 2e-5 * (1 + std::abs(number));
        ASSERT_TRUE(is_near) << kind_.name << ", " << where << ": place " << place << ", " << at
                             << ": " << numbers[at] << ", expected " << number;
      }
    }
    EXPECT_TRUE(
        same_bits(captured(results, place_number(Place::kResidPost)), results.at("output").numbers))
        << kind_.name << ", " << where;
    EXPECT_TRUE(
        same_bits(captured(results, place_number(Place::kPattern)), results.at("weights").numbers))
        << kind_.name << ", " << where;
  }

  static std::vector<double> values(std::size_t count) {
    return numbers_of("editValues", {static_cast<double>(count)}).numbers;
  }

  // Edits of one place with each operation, of all numbers and of some.
  std::vector<TestEdit> edits_of(std::size_t place) const {
    const Numbers& shape = expected_[0].at(place);
    const auto last_row = static_cast<double>(shape.rows - 1);
    const auto last_head = static_cast<double>(shape.heads - 1);
    const auto last_col = static_cast<double>(shape.cols - 1);
    std::vector<TestEdit> edits = {
        {.place = place, .operation = kSet, .values = values(shape.numbers.size())},
        {.place = place,
         .operation = kAdd,
         .rows = {last_row, 0},
         .same_heads = true,
         .same_rows = true,
         .values = values(shape.cols)},
        {.place = place, .operation = kScale, .factor = -0.5, .heads = {last_head}},
        {.place = place,
         .operation = kSet,
         .heads = {last_head},
         .rows = {1, last_row},
         .columns = {last_col, 0},
         .values = values(4)},
    };
    if (static_cast<Place>(place % kCrossPlaces) == Place::kPattern) {
      edits.push_back({.place = place, .operation = kUniform, .rows = {1}});
    }
    return edits;
  }

  std::unique_ptr<Object> layer_;
  Kind kind_ = {};
  std::vector<std::size_t> places_;
  std::vector<std::map<std::size_t, Numbers>> expected_;
};

const Kind kKinds[] = {{"post-norm"},
                       {.name = "pre-norm", .norm_first = true},
                       {.name = "parallel", .norm_first = true, .parallel = true},
                       {.name = "post-norm decoder", .decoder = true},
                       {.name = "pre-norm decoder", .norm_first = true, .decoder = true}};

TEST_P(InterventionsTest, MatchTheirFormulas) {
  for (const Kind& kind : kKinds) {
    make(kind);
    expect_formulas({}, "no edits");
    for (const std::size_t place : places_) {
      if (!can_be_edited(place)) continue;
      for (const TestEdit& edit : edits_of(place)) {
        expect_formulas({edit}, "place " + std::to_string(place) + ", operation " +
                                    std::to_string(edit.operation));
      }
    }
  }
}

TEST_P(InterventionsTest, ApplyInTheOrderOfTheList) {
  make({.name = "pre-norm decoder", .norm_first = true, .decoder = true});
  std::vector<TestEdit> edits;
  for (const std::size_t place : places_) {
    if (!can_be_edited(place)) continue;
    edits.push_back({.place = place,
                     .operation = kAdd,
                     .same_heads = true,
                     .same_rows = true,
                     .values = values(expected_[0].at(place).cols)});
    edits.insert(edits.begin(), {.place = place, .operation = kScale, .factor = 0.5});
  }
  expect_formulas(edits, "all places");
}

TEST_P(InterventionsTest, OfAPlacesOwnNumbersChangeNothing) {
  for (const Kind& kind : kKinds) {
    make(kind);
    const Results plain = run(all({call_of({}), without("captures")}));
    const Results capturing = run(call_of({}));
    EXPECT_TRUE(same_bits(capturing.at("output"), plain.at("output")));
    EXPECT_TRUE(same_bits(capturing.at("weights"), plain.at("weights")));
    const Results only_capturing = run(all({call_of({}), is("returnWeights", 0)}));
    EXPECT_TRUE(same_bits(only_capturing.at("captured"), capturing.at("captured")));
    for (const std::size_t place : places_) {
      if (!can_be_edited(place)) continue;
      // Batch entries are edited alike, so both get the numbers of the first.
      const std::vector<float> numbers = captured(capturing, place);
      TestEdit edit{.place = place, .operation = kSet};
      const std::size_t count = numbers.size() / kBatch;
      for (std::size_t at = 0; at < count; ++at) {
        edit.values.push_back(double{numbers[at]});
      }
      const Results patched = run(call_of({edit}));
      const std::vector<float>& output = patched.at("output").numbers;
      for (std::size_t at = 0; at < output.size() / kBatch; ++at) {
        const float number = plain.at("output").numbers[at];
        if (is_matrix(place)) {
          EXPECT_NEAR(output[at], number, 2e-6) << kind.name << ", place " << place;
        } else {
          EXPECT_EQ(output[at], number) << kind.name << ", place " << place;
        }
      }
    }
  }
}

TEST_P(InterventionsTest, ThatChangeNoScoreHaveTheBitsOfThoseThatChangeNoWeight) {
  make({.name = "post-norm decoder", .decoder = true});
  const Results plain = run(call_of({}));
  for (const bool is_cross : {false, true}) {
    const Results added = run(call_of({{.place = place_number(Place::kScores, is_cross),
                                        .operation = kAdd,
                                        .columns = {0},
                                        .same_heads = true,
                                        .same_rows = true,
                                        .values = {0}}}));
    const Results scaled =
        run(call_of({{.place = place_number(Place::kPattern, is_cross), .operation = kScale}}));
    for (const char* result : {"output", "weights", "captured"}) {
      EXPECT_TRUE(same_bits(added.at(result), scaled.at(result))) << result;
      const std::vector<float>& numbers = added.at(result).numbers;
      for (std::size_t at = 0; at < numbers.size(); ++at) {
        const float number = plain.at(result).numbers[at];
        EXPECT_TRUE(numbers[at] == number || std::abs(numbers[at] - number) <= 2e-6) << result;
      }
    }
  }
}

TEST_P(InterventionsTest, ThatHideAllKeysButOneReturnItsValue) {
  make({.name = "pre-norm", .norm_first = true});
  std::vector<TestEdit> edits;
  for (double row = 0; row < kLength; ++row) {
    std::vector<double> others;
    for (double key = 0; key < kLength; ++key) {
      if (key != row) others.push_back(key);
    }
    edits.push_back({.place = place_number(Place::kScores),
                     .operation = kSet,
                     .rows = {row},
                     .columns = others,
                     .same_heads = true,
                     .same_rows = true,
                     .values = std::vector<double>(others.size(), -kInfinity)});
  }
  const Results results = run(call_of(edits));
  const std::vector<float> values = captured(results, place_number(Place::kValue));
  const std::vector<float> heads = captured(results, place_number(Place::kHeads));
  for (std::size_t at = 0; at < heads.size(); ++at) {
    const std::size_t head_rows = kLength * kValueDim;
    const std::size_t head = at / head_rows;
    EXPECT_EQ(heads[at], values[head / 2 * head_rows + at % head_rows]);
  }
}

// Steps with a cache, whose keys and values are edited in the row that a step appends.
TEST_P(InterventionsTest, OfStepsAreThoseOfTheWholeSequence) {
  make({.name = "pre-norm decoder", .norm_first = true, .decoder = true});
  Record cache_fields("newCache");
  all({is("batch", kBatch), is("kvHeads", kKvHeads), is("keyDim", kKeyDim),
       is("valueDim", kValueDim), is("capacity", kLength)})(cache_fields);
  const Object cache(kernels, cache_fields);
  ASSERT_EQ(cache.problem(), "");
  std::vector<TestEdit> edits;
  for (const std::size_t place : places_) {
    if (!can_be_edited(place)) continue;
    edits.push_back({.place = place, .operation = kScale, .factor = 0.75});
  }
  const std::vector<float> whole = run(call_of(edits)).at("output").numbers;
  for (std::size_t step = 0; step < kLength; ++step) {
    VectorTensor x{{kBatch, 1, kWidth}, {}};
    for (std::size_t at = 0; at < kBatch * kWidth; ++at) {
      const std::size_t row = at / kWidth * kLength + step;
      x.numbers.push_back(number_of("x", row * kWidth + at % kWidth));
    }
    const Results results = run(all({call_of(edits), is("cache", cache.address()),
                                     [&](Record& record) { record.set("x", x); }}));
    for (std::size_t at = 0; at < kBatch * kWidth; ++at) {
      const std::size_t row = at / kWidth * kLength + step;
      EXPECT_NEAR(results.at("output").numbers[at], whole[row * kWidth + at % kWidth], 2e-6);
    }
  }
}

// Keys and values of the memory that were projected before the call.
TEST_P(InterventionsTest, CaptureTheKeysAndValuesOfAProjectedMemory) {
  make({.name = "pre-norm decoder", .norm_first = true, .decoder = true});
  const Results whole = run(call_of({}));
  Record cache_fields("newCache");
  all({is("batch", kBatch), is("kvHeads", kKvHeads), is("keyDim", kKeyDim),
       is("valueDim", kValueDim), is("capacity", kMemory)})(cache_fields);
  const Object cache(kernels, cache_fields);
  Record layer("memoryOfTransformer");
  ASSERT_EQ(layer.set("layer", layer_->address()).check(), "");
  Record projection("projectContext");
  all({is("layer", layer.fact("cross")), is("cache", cache.address()), is("cross", 1)})(projection);
  projection.set("context", numbers_of("memory", {kBatch, kMemory, 5}));
  ASSERT_EQ(projection.call(kernels).problem, "");
  const std::vector<double> captures(places_.begin(), places_.end());
  const Results results =
      run(all({is("layer", layer_->address()), is("memoryCache", cache.address()), is("causal", 1),
               is("returnWeights", 1), sized("x", {kBatch, kLength, kWidth}), numbered,
               listed("captures", captures)}));
  EXPECT_TRUE(same_bits(results.at("captured"), whole.at("captured")));
}

// A cache that has evicted its first keys: edits see the remaining ones.
TEST_P(InterventionsTest, OfASlidingCacheChangeTheVisibleKeys) {
  make({.name = "pre-norm", .norm_first = true});
  const auto make_cache = [&] {
    Record fields("newCache");
    all({is("batch", kBatch), is("kvHeads", kKvHeads), is("keyDim", kKeyDim),
         is("valueDim", kValueDim), is("capacity", 3), is("sliding", 1)})(fields);
    return std::make_unique<Object>(kernels, fields);
  };
  const auto plain_cache = make_cache();
  const auto edited_cache = make_cache();
  const auto scaled_cache = make_cache();
  for (int step = 0; step < 3; ++step) {
    const auto step_of = [&](const Object& cache, const std::vector<TestEdit>& edits) {
      return run(
          all({call_of(edits), is("cache", cache.address()), is("window", 1), is("windowLeft", 1),
               sized("x", {kBatch, 2, kWidth}), numbered, listed("captures", {5})}));
    };
    const Results plain = step_of(*plain_cache, {});
    const Results uniform =
        step_of(*edited_cache, {{.place = place_number(Place::kPattern), .operation = kUniform}});
    const Results scaled =
        step_of(*scaled_cache, {{.place = place_number(Place::kPattern), .operation = kScale}});
    const std::vector<float>& weights = plain.at("captured").numbers;
    for (std::size_t at = 0; at < weights.size(); ++at) {
      EXPECT_NEAR(scaled.at("captured").numbers[at], weights[at], 1e-6);
    }
    const std::vector<float>& edited = uniform.at("captured").numbers;
    const auto k_len = static_cast<std::size_t>(plain.at("weights").dims[3]);
    ASSERT_EQ(edited.size(), weights.size());
    for (std::size_t row = 0; row < weights.size() / k_len; ++row) {
      const float* of_row = weights.data() + row * k_len;
      const auto count = std::count_if(of_row, of_row + k_len, [](float w) { return w > 0; });
      EXPECT_EQ(count, step == 0 && row % 2 == 0 ? 1 : 2);
      for (std::size_t key = 0; key < k_len; ++key) {
        EXPECT_EQ(edited[row * k_len + key], of_row[key] > 0 ? 1 / static_cast<float>(count) : 0.0F)
            << "step " << step << ", row " << row << ", key " << key;
      }
    }
  }
}

// More rows than feed-forward computes together.
TEST_P(InterventionsTest, SeeAllRowsOfFeedForward) {
  make({.name = "pre-norm", .norm_first = true});
  constexpr std::size_t kRows = 100;
  const auto call = [&](const Recipe& change) {
    return run(all(
        {is("layer", layer_->address()), sized("x", {kBatch, kRows, kWidth}), numbered, change}));
  };
  const Results plain = call(as_it_is);
  const Results parts = call(listed("captures", {8, 9}));
  EXPECT_TRUE(same_bits(parts.at("output"), plain.at("output")));
  const std::vector<float>& numbers = parts.at("captured").numbers;
  const std::size_t count = kBatch * kRows * kWidth;
  ASSERT_EQ(numbers.size(), 2 * count);
  for (std::size_t at = 0; at < count; ++at) {
    EXPECT_EQ(numbers[at] + numbers[count + at], plain.at("output").numbers[at]);
  }
  // Without the output of feed-forward, row 70 is what attention left.
  const Results cut = call(listed("edits", {9, 0, 2, 0, 0, 0, 0, 0, 0, 1, 70, 0}));
  for (std::size_t at = 0; at < count; ++at) {
    const bool is_cut = at / kWidth % kRows == 70;
    EXPECT_EQ(cut.at("output").numbers[at], is_cut ? numbers[at] : plain.at("output").numbers[at]);
  }
}

// Low-precision weights: each head's output is what attention returns when the others are 0.
TEST_P(InterventionsTest, HaveTheHeadOutputsOfEachTypeOfWeights) {
  for (const bool is_bfloat16 : {false, true}) {
    Record weights("newMultiHead");
    all({rule_table().call("newMultiHead").base, without("outputBias"), numbered})(weights);
    if (is_bfloat16) {
      LowPrecisionTensor output{weights.dims("output"), LowPrecisionType::kBfloat16, {}};
      for (std::size_t at = 0; at < count_of(output.dims); ++at) {
        output.bytes.push_back(std::byte{0});
        output.bytes.push_back(static_cast<std::byte>(0x3D + at % 3));
      }
      weights.set("output", output);
    }
    const Object layer(kernels, weights);
    ASSERT_EQ(layer.problem(), "");
    const auto call = [&](const Recipe& change) {
      Record record("multiHead");
      all({rule_table().call("multiHead").base, is("layer", layer.address()), numbered, change})(
          record);
      Answer answer = record.call(kernels);
      EXPECT_EQ(answer.problem, "");
      return std::move(answer.results);
    };
    const std::vector<float> all_heads = call(listed("captures", {11})).at("captured").numbers;
    for (std::size_t head = 0; head < kHeads; ++head) {
      std::vector<double> edit = {6, 0, 2, 0, 0, 0, 0, 0, 3};
      for (std::size_t other = 0; other < kHeads; ++other) {
        if (other != head) edit.push_back(static_cast<double>(other));
      }
      edit.insert(edit.end(), {0, 0});
      const Result output = call(listed("edits", edit)).at("output");
      const auto rows_width = static_cast<std::size_t>(output.dims[1] * output.dims[2]);
      for (std::size_t at = 0; at < output.numbers.size(); ++at) {
        const std::size_t entry = at / rows_width;
        const std::size_t of_head = (entry * kHeads + head) * rows_width + at % rows_width;
        EXPECT_EQ(output.numbers[at], all_heads[of_head]) << "head " << head << ", " << at;
      }
    }
  }
}

// Requested results of MultiHeadAttention come from the edited scores and weights.
TEST_P(InterventionsTest, ShowInTheResultsOfMultiHeadAttention) {
  Record weights("newMultiHead");
  all({rule_table().call("newMultiHead").base, numbered})(weights);
  const Object layer(kernels, weights);
  ASSERT_EQ(layer.problem(), "");
  const auto call = [&](double return_weights, const Recipe& change) {
    Record record("multiHead");
    all({rule_table().call("multiHead").base, is("layer", layer.address()),
         is("returnWeights", return_weights), is("returnScores", 7), is("returnLogSumExp", 1),
         listed("sinks", {0.5, -1, 0, 2}), numbered, change})(record);
    Answer answer = record.call(kernels);
    EXPECT_EQ(answer.problem, "");
    return std::move(answer.results);
  };
  // Adds 1 to the scores of key 2, and halves all weights.
  const Recipe change =
      all({listed("edits", {4, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 5, 0, 2, 0.5, 0, 0, 0, 0, 0, 0, 0}),
           [](Record& record) {
             record.set("editValues", VectorTensor{{1}, {1}});
           }});
  const Results plain = call(1, as_it_is);
  const Results edited = call(1, change);
  const Results average = call(2, change);
  EXPECT_TRUE(same_bits(edited.at("rawScores"), plain.at("rawScores")));
  EXPECT_TRUE(same_bits(edited.at("cappedScores"), plain.at("cappedScores")));
  const Result& scores = edited.at("biasedScores");
  const auto heads = static_cast<std::size_t>(scores.dims[1]);
  const auto rows = static_cast<std::size_t>(scores.dims[2]);
  const auto k_len = static_cast<std::size_t>(scores.dims[3]);
  const double sinks[] = {0.5, -1, 0, 2};
  std::vector<double> means(scores.numbers.size() / heads);
  for (std::size_t row = 0; row < scores.numbers.size() / k_len; ++row) {
    const std::size_t head = row / rows % heads;
    double sum = std::exp(sinks[head]);
    for (std::size_t key = 0; key < k_len; ++key) {
      const std::size_t at = row * k_len + key;
      EXPECT_EQ(scores.numbers[at], plain.at("biasedScores").numbers[at] + (key == 2 ? 1 : 0));
      sum += std::exp(double{scores.numbers[at]});
    }
    EXPECT_NEAR(edited.at("logSumExp").numbers[row], std::log(sum), 1e-6);
    for (std::size_t key = 0; key < k_len; ++key) {
      const double weight = 0.5 * std::exp(double{scores.numbers[row * k_len + key]}) / sum;
      EXPECT_NEAR(edited.at("weights").numbers[row * k_len + key], weight, 1e-6);
      const std::size_t mean_row = row / rows / heads * rows + row % rows;
      means[mean_row * k_len + key] += weight / static_cast<double>(heads);
    }
  }
  for (std::size_t at = 0; at < means.size(); ++at) {
    EXPECT_NEAR(average.at("weights").numbers[at], means[at], 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, InterventionsTest, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
