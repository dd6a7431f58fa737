// Products with weights of every type: 16-bit weights give the bits of the same numbers as float32,
// int8 weights the same bits with every set of kernels, and a row never changes another one.
#include "attention/linear_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/kernels.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/low_precision.h"
#include "support/cpp/weights.h"

namespace attention::tests {
namespace {

class LinearMaps : public KernelsTest {};

constexpr std::size_t kPatterns = 65536;
constexpr std::size_t kRows = 20;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Numbers around every limit of the product with float16: 65,504 is its largest number, and from
// 65,536 on a number of x cannot be multiplied with 2^112.
const std::vector<float> kNumbers = {
    0.0F,      -0.0F,    65535,     65536,     -65536,     65504, 1e30F, -1e30F, 1e-40F, -1e-40F,
    0x1p-149F, 0x1p100F, 0x1p-126F, kInfinity, -kInfinity, kNaN,  1,     -1,     0.3F,   3.4e38F};

// Neither subnormal nor infinite nor NaN.
bool is_ordinary(std::uint16_t bits, LowPrecisionType type) {
  const double size = std::abs(number_of(bits, type));
  const double smallest = type == LowPrecisionType::kFloat16 ? 0x1p-14 : 0x1p-126;
  return size == 0 || (size >= smallest && std::isfinite(size));
}

// All patterns of a type in random order, with zeros of both signs until there are `count`. Those
// that are not ordinary are together at the end: kernels treat the rows of W that have one
// differently, and a column with NaN hides all else.
std::vector<std::uint16_t> all_patterns(LowPrecisionType type, std::size_t count) {
  std::vector<std::uint16_t> patterns(count);
  for (std::size_t at = 0; at < count; ++at) {
    patterns[at] = static_cast<std::uint16_t>(at < kPatterns ? at : at << 15);
  }
  std::mt19937 random(55);
  std::shuffle(patterns.begin(), patterns.end(), random);
  std::partition(patterns.begin(), patterns.end(),
                 [type](std::uint16_t bits) { return is_ordinary(bits, type); });
  return patterns;
}

// Numbers of the magnitudes of activations, and among them: none, many zeros of both signs, or a
// few of kNumbers.
std::vector<float> row_of_kind(std::size_t kind, std::size_t width, std::mt19937& random) {
  std::vector<float> row(width);
  for (float& number : row) number = static_cast<float>(random() % 4001) / 1000 - 2;
  if (kind == 1) {
    for (float& number : row) number = random() % 3 == 0 ? number : std::copysign(0.0F, number);
  }
  if (kind >= 2) {
    const float number = kNumbers[kind];
    for (std::size_t n = 0; n <= width / 100; ++n) row[random() % width] = number;
  }
  return row;
}

// Rows of all kinds, the first of them of kind `first`.
std::vector<float> rows_from(std::size_t first, std::size_t rows, std::size_t width) {
  std::mt19937 random(static_cast<unsigned>(first * 64 + rows));
  std::vector<float> x;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<float> numbers = row_of_kind((first + row) % kNumbers.size(), width, random);
    x.insert(x.end(), numbers.begin(), numbers.end());
  }
  return x;
}

// Calls visit(first kind, rows) so that up to kRowPanel rows, which are multiplied in place, have
// each kind in each number of rows, and more rows one kind each.
template <class Visit>
void for_each_row_count(Visit visit) {
  for (std::size_t rows = 1; rows <= kRows; ++rows) {
    const std::size_t kinds = rows <= kRowPanel ? kNumbers.size() : 1;
    for (std::size_t first = 0; first < kinds; first += rows) visit(first + rows / 3, rows);
  }
}

TEST_P(LinearMaps, EachOf16BitNumbersIsMultipliedExactly) {
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    const std::vector<std::uint16_t> patterns = all_patterns(type, kPatterns);
    // Products of each number of kNumbers with all weights.
    std::vector<std::vector<float>> products(kNumbers.size());
    for (const std::uint16_t bits : patterns) {
      const double exact = number_of(bits, type);
      for (std::size_t n = 0; n < kNumbers.size(); ++n) {
        products[n].push_back(0.0F + static_cast<float>(exact * kNumbers[n]));
      }
    }
    const Stored weight(tensor_of_bits({1, kPatterns}, type, patterns), 1, kPatterns, type);
    OwnMap stored({1, kPatterns, false, weight.view.type});
    OwnMap wide({1, kPatterns});
    pack_both(kernels, weight, false, stored.map, wide.map);
    for_each_row_count([&](std::size_t first, std::size_t rows) {
      std::vector<float> x;
      for (std::size_t row = 0; row < rows; ++row) {
        x.push_back(kNumbers[(first + row) % kNumbers.size()]);
      }
      const std::vector<float> got = stored.apply(kernels, x.data(), rows);
      ASSERT_EQ(difference(got, wide.apply(kernels, x.data(), rows)), "")
          << rows << " rows from " << x[0];
      for (std::size_t row = 0; row < rows; ++row) {
        const std::vector<float>& expected = products[(first + row) % kNumbers.size()];
        ASSERT_EQ(difference(got.data() + row * kPatterns, expected.data(), kPatterns), "")
            << "row " << row << " of " << rows << ", " << x[row];
      }
    });
  }
}

struct Widths {
  std::size_t in;
  std::size_t out;
};

// Around a block of inputs and around one of columns, with at least as many weights as patterns.
TEST_P(LinearMaps, SumsOf16BitNumbersAreThoseOfFloat32) {
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    for (const Widths& widths : {Widths{255, 263}, Widths{256, 256}, {257, 257}, {2049, 33}}) {
      const auto [in, out] = widths;
      const std::vector<std::uint16_t> patterns = all_patterns(type, in * out);
      const Stored weight(
          tensor_of_bits({static_cast<double>(out), static_cast<double>(in)}, type, patterns), out,
          in, type);
      OwnMap stored({in, out, false, weight.view.type});
      OwnMap wide({in, out});
      pack_both(kernels, weight, true, stored.map, wide.map);
      for_each_row_count([&, in = in, out = out](std::size_t first, std::size_t rows) {
        const std::vector<float> x = rows_from(first, rows, in);
        ASSERT_EQ(
            difference(stored.apply(kernels, x.data(), rows), wide.apply(kernels, x.data(), rows)),
            "")
            << in << " to " << out << ", " << rows << " rows from kind " << first;
      });
    }
  }
}

// A third are zeros of both signs.
VectorTensor with_zeros(std::size_t rows, std::size_t cols) {
  VectorTensor tensor = Stored::wide_of(rows, cols);
  for (std::size_t at = 0; at < tensor.numbers.size(); at += 3) {
    tensor.numbers[at] = std::copysign(0.0, tensor.numbers[at]);
  }
  return tensor;
}

struct Case {
  const char* name;
  LowPrecisionType type;
  bool is_float32;
  bool transposed;
};

const std::vector<Case> kCases = {
    {"float32", LowPrecisionType::kFloat16, true, true},
    {"float16", LowPrecisionType::kFloat16, false, true},
    {"bfloat16", LowPrecisionType::kBfloat16, false, true},
    {"int8 with scales of outputs", LowPrecisionType::kInt8, false, true},
    {"int8 with scales of inputs", LowPrecisionType::kInt8, false, false}};

// The bits of each row are those of a call with this row alone.
TEST_P(LinearMaps, RowsDoNotDependOnTheirNeighbors) {
  for (const Case& type : kCases) {
    for (const Widths& widths : {Widths{1, 40}, Widths{257, 72}, Widths{2049, 33}}) {
      const auto [in, out] = widths;
      const std::size_t rows_of_w = type.transposed ? out : in;
      const std::size_t cols_of_w = type.transposed ? in : out;
      const Stored weight(to_low_precision(with_zeros(rows_of_w, cols_of_w), type.type), rows_of_w,
                          cols_of_w, type.type);
      OwnMap stored({in, out, false, weight.view.type, !type.transposed});
      OwnMap wide({in, out});
      pack_both(kernels, weight, type.transposed, stored.map, wide.map);
      const OwnMap& map = type.is_float32 ? wide : stored;
      const std::vector<float> x = rows_from(0, kNumbers.size() + kRows, in);
      std::vector<std::vector<float>> alone;
      for (std::size_t row = 0; row < kNumbers.size() + kRows; ++row) {
        alone.push_back(map.apply(kernels, x.data() + row * in, 1));
      }
      for_each_row_count([&, in = in, out = out](std::size_t first, std::size_t rows) {
        if (first + rows > alone.size()) return;
        const std::vector<float> y = map.apply(kernels, x.data() + first * in, rows);
        for (std::size_t row = 0; row < rows; ++row) {
          ASSERT_EQ(difference(y.data() + row * out, alone[first + row].data(), out), "")
              << type.name << ", " << in << " to " << out << ", row " << row << " of " << rows;
        }
      });
    }
  }
}

// Inputs that do not fit into one block of few rows, even of one row, and halves and quarters of
// panels with one left over; with exceptions of float16 near both ends of a tile.
TEST_P(LinearMaps, FewRowsWithManyInputsEqualTheFirstOfMany) {
  constexpr std::size_t kIn = kFewRowsScratch + kTileKeys + 1;
  constexpr std::size_t kOut = 5 * kPanel + 1;
  constexpr std::size_t kMany = 5;
  const std::vector<float> x = waves_of(kMany * kIn, 7);
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    VectorTensor numbers = Stored::wide_of(kOut, kIn);
    for (std::size_t column = 0; column < kOut; ++column) {
      for (const std::size_t at : {std::size_t{0}, kTileKeys - 1, kTileKeys, kIn - 1}) {
        const bool is_infinite = at == kTileKeys && column % kPanel == 3;
        numbers.numbers[column * kIn + (at + column / kPanel) % kIn] =
            is_infinite ? std::numeric_limits<double>::infinity() : 0x1.8p-20;
      }
    }
    const Stored weight(to_low_precision(numbers, type), kOut, kIn, type);
    OwnMap stored({kIn, kOut, false, weight.view.type});
    OwnMap wide({kIn, kOut});
    pack_both(kernels, weight, true, stored.map, wide.map);
    const std::vector<float> expected = wide.apply(kernels, x.data(), kMany);
    for (std::size_t rows = 1; rows <= kRowPanel; ++rows) {
      for (const OwnMap* map : {&stored, &wide}) {
        const std::vector<float> y = map->apply(kernels, x.data(), rows);
        ASSERT_EQ(difference(y.data(), expected.data(), y.size()), "") << rows << " rows";
      }
    }
  }
}

// Also of rows that are not quantized, whose products and sums overflow.
TEST_P(LinearMaps, Int8ProductsHaveTheSameBitsWithEveryKernel) {
  std::mt19937 random(8);
  for (const float largest_scale : {1e-3F, 1e30F, 1e38F}) {
    for (const Widths& widths : {Widths{9, 40}, Widths{257, 33}}) {
      const auto [in, out] = widths;
      std::vector<std::int8_t> numbers(in * out);
      for (std::int8_t& number : numbers) {
        number = static_cast<std::int8_t>(static_cast<int>(random() % 256) - 128);
      }
      for (const bool transposed : {true, false}) {
        const std::size_t rows = transposed ? out : in;
        const std::size_t cols = transposed ? in : out;
        std::vector<float> scales(rows);
        for (float& scale : scales) scale = largest_scale / static_cast<float>(random() % 9 + 1);
        const Stored weight(
            tensor_of_int8({static_cast<double>(rows), static_cast<double>(cols)}, numbers, scales),
            rows, cols, LowPrecisionType::kInt8);
        OwnMap map({in, out, false, NumberType::kInt8, !transposed});
        OwnMap wide({in, out});
        pack_both(kernels, weight, transposed, map.map, wide.map);
        for_each_row_count([&, in = in, out = out](std::size_t first, std::size_t count) {
          std::vector<float> x = rows_from(first, count, in);
          // Small rows are not quantized either.
          for (std::size_t at = 0; at < in; ++at) x[(count - 1) * in + at] *= 0x1p-110F;
          ASSERT_EQ(difference(map.apply(kernels, x.data(), count),
                               map.apply(simd_kernels(), x.data(), count)),
                    "")
              << in << " to " << out << ", " << count << " rows from kind " << first
              << ", scales up to " << largest_scale;
        });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, LinearMaps, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
