// The operations on rows and tiles that attention consists of, and its products. core/ and layers/
// are written once, over these; each implementation has a folder of its own.
//
// Every implementation guarantees:
//   - an element of a result depends on its own row and column only, and is summed in the order of
//     the index, from zero: neither its neighbors nor its position in a tile change its bits;
//   - a weight of 0 changes nothing, so an invisible key may be skipped or multiplied by 0;
//     callers of accumulate_values() skip values that are not finite;
//   - no float outside the given rows is read or written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/stored_matrix.h"

namespace attention {

// Keys (or columns of values) that lie side by side in a packed tile: two vectors of four.
inline constexpr std::size_t kPanel = 8;
// Queries that lie side by side when they are packed.
inline constexpr std::size_t kRowPanel = 4;
// Keys in a tile. Tiles start at multiples of it, regardless of visibility: their edges determine
// the order of summation, and so the bits of results.
inline constexpr std::size_t kTileKeys = 256;
// Query rows that share a packed tile while their scores stay in the first-level cache.
inline constexpr std::size_t kBlockQueries = 64;

// Rows of a smaller block, used where the visible ranges of rows differ.
inline constexpr std::size_t kBlockSplit = 16;

// Count is size_t, or uint64_t where only memory requirements are computed.
template <class Count>
constexpr Count round_up_to_panel(Count count) {
  return (count + kPanel - 1) / kPanel * kPanel;
}

// Queries in panels of rows: number (i, c) lies at
// data[(i / kRowPanel) · kRowPanel · cols + c · kRowPanel + i % kRowPanel].
struct PackedRows {
  const float* data = nullptr;
  std::size_t cols = 0;
};

// Weights of a tile: number (i, j), j < cols <= kTileKeys, at data[i · kTileKeys + j].
struct TileWeights {
  const float* data = nullptr;
  std::size_t cols = 0;
};

// The measures by which distances() compares a query and a key.
enum class Distance { kSquared, kAbsolute };

// Functions of one number. kEluPlusOne: x + 1 above 0, e^x elsewhere. kGelu: x·Φ(x), Φ the normal
// distribution; kGeluTanh: x/2 · (1 + tanh(√(2/π)·(x + 0.044715 x³))); kQuickGelu: x·σ(1.702 x), σ
// the logistic function 1 / (1 + e^-x); kSilu: x·σ(x) (all Hendrycks & Gimpel, arXiv 1606.08415).
enum class Function {
  kRelu = 1,
  kEluPlusOne = 2,
  kExp = 3,
  kGelu = 4,
  kGeluTanh = 5,
  kQuickGelu = 6,
  kSilu = 7
};

// A tile of values cut into panels of columns: value (j, c) lies at
// data[(c / kPanel) · panel_stride + j · kPanel + c % kPanel].
struct PackedValues {
  const float* data = nullptr;
  std::size_t panel_stride = 0;
};

// Numbers of a block of few rows, 128 kB: of four rows 8,192 inputs.
inline constexpr std::size_t kFewRowsScratch = 128 * kTileKeys;

// Position of a column in a panel of 16-bit numbers: columns c and c + 4 share 32 bits, from which
// two operations extract each of them, as four floats at a time.
constexpr std::size_t paired_position(std::size_t column) {
  return column % (kPanel / 2) * 2 + column / (kPanel / 2);
}

// Numbers of any type, in groups of the panel width. The value of int8 number n is its product
// with scales[n / kPanel · scale_step + n % kPanel]. paired: 16-bit number n is at
// n / kPanel · kPanel + paired_position(n % kPanel).
struct PackedNumbers {
  const std::byte* data = nullptr;
  NumberType type = NumberType::kFloat32;
  const float* scales = nullptr;
  std::size_t scale_step = 0;
  bool paired = false;
};

// depth rows of any type, packed like values. 16-bit numbers are paired in each row of a panel.
// float16: bit k % 32 of word k / 32 of panel_words() words per panel is set if row k of the panel
// has a subnormal number, an infinity or NaN. int8 has a scale per column, or per row, each stored
// kPanel times. int8 numbers are packed in pairs of rows: number
// (k, c) lies at data[(c / kPanel) · kPanel · depth + (k / 2) · 2 · kPanel + c % kPanel · 2 + k %
// 2]; depth is even; if necessary a row of zeros is added.
struct PackedMatrix {
  const std::byte* data = nullptr;
  NumberType type = NumberType::kFloat32;
  std::size_t depth = 0;
  const float* scales = nullptr;
  bool scales_of_rows = false;
  const std::uint32_t* exceptions = nullptr;

  std::size_t panel_words() const { return (depth + 31) / 32; }
  // 0 without scales, so that a null pointer is not advanced.
  std::size_t scale_step() const { return scales != nullptr && scales_of_rows ? kPanel : 0; }
  // Step of the scales from one panel of columns to the next.
  std::size_t panel_scales() const { return scales == nullptr || scales_of_rows ? 0 : kPanel; }

  // The rows of a panel from `first` on.
  PackedNumbers panel(std::size_t number, std::size_t first) const {
    return {data + (number * depth + first) * kPanel * bytes_each(type), type,
            scales + number * panel_scales() + first * scale_step(), scale_step(),
            bytes_each(type) == 2};
  }
};

// Largest absolute value of a quantized activation.
inline constexpr float kLargestInteger = 8191;
// Largest number of products of an activation and an int8 weight whose sum fits into int32:
// 8191 · 128 · 2048 < 2^31.
inline constexpr std::size_t kIntegerBlock = 2048;
// Largest number of activations, 192 kB, and of rows that are multiplied together: the more rows,
// the less often weights are widened.
inline constexpr std::size_t kIntegers = 48 * kIntegerBlock;
inline constexpr std::size_t kIntegerRows = 128;
// Panels of int8 weights, each of them `pairs` pairs of rows, a panel every `stride` bytes. adds:
// the product is added to the result, else it takes its place.
struct IntegerPanels {
  const std::byte* data = nullptr;
  std::size_t stride = 0;
  std::size_t pairs = 0;
  bool adds = false;
};

// Scales and biases of sums of integers, y (i, c) = sum · (rows_i · columns_c) + bias_c; no columns
// are ones, no bias is zeros, and without rows sums are not scaled.
struct SumScales {
  const float* rows = nullptr;
  const float* columns = nullptr;
  const float* bias = nullptr;
};

struct Kernels {
  const char* name;

  // A tile of keys cut into panels of keys: key (j, c) lies at
  // packed[(j / kPanel) · kPanel · key_dim + c · kPanel + j % kPanel]; the last panel is padded
  // with 0.
  void (*pack_keys)(float* packed, Matrix<const float> keys);

  // Packs rows as PackedRows. The missing rows of the last panel are not written, because they are
  // not read.
  void (*pack_rows)(float* packed, Matrix<const float> rows);

  // Packs values as PackedValues with panel_stride = rows · kPanel, the last panel padded with 0.
  // Returns whether every number is finite.
  bool (*pack_values)(float* packed, Matrix<const float> values);

  // scores (i, j) = factor · (query_i · packed key_j). scores.cols is a multiple of kPanel.
  void (*dot_products)(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                       float factor);

  // scores (i, j) = factor · Σ_c (query_ic - key_jc)², or of absolute differences.
  void (*distances)(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                    Distance distance, float factor);

  // output_i = carry_i · output_i + Σ_j weights (i, j) · value_j, the sum formed first.
  void (*accumulate_values)(Matrix<float> output, const float* carry, TileWeights weights,
                            PackedValues values);

  // The same in every set of kernels: a product is rounded before it is added.
  void (*accumulate_rounded)(Matrix<float> output, const float* carry, TileWeights weights,
                             PackedValues values);

  // dot_products() and accumulate_values() for one row, with keys and values read in place: packing
  // pays off only for several rows. scores: keys.rows numbers; output: values.cols.
  void (*score_row)(float* scores, const float* query, Matrix<const float> keys, float factor);
  void (*accumulate_row)(float* output, float carry, const float* weights,
                         Matrix<const float> values);

  // row = cap · tanh(row / cap). Any count.
  void (*soft_cap)(float* row, std::size_t count, float cap);

  // maxima_i = the largest number of row i that is not NaN; -inf if there is none.
  // rows.cols % kPanel == 0.
  void (*maximum)(float* maxima, Matrix<const float> rows);

  // row_i = exp(row_i - shifts_i), sums_i = its sum. rows.cols % kPanel == 0.
  void (*exponentiate)(float* sums, Matrix<float> rows, const float* shifts);

  // to = factor · from; may be in place. Any count.
  void (*scale)(float* to, const float* from, std::size_t count, float factor);

  // row = function(row). Any count.
  void (*apply)(float* row, std::size_t count, Function function);

  // Converts numbers to float32. Any count. `from` may be at the end of the memory of `to`: kPanel
  // numbers are read before they are written.
  void (*widen)(float* to, const PackedNumbers& from, std::size_t count);

  // y += x · W for up to kRowPanel rows, and the first y.cols columns of W, a multiple of kPanel. W
  // is read once, in place. Each sum of kTileKeys rows of W is formed before it is added. W is not
  // int8. scratch: kFewRowsScratch numbers.
  void (*add_few_rows)(Matrix<float> y, Matrix<const float> x, const PackedMatrix& w,
                       float* scratch);

  // The largest absolute value, compared and returned as bits: NaN is larger than infinity, and
  // infinity than every other number. 0 if there are no numbers.
  std::uint32_t (*largest_bits)(const float* x, std::size_t count);

  // x · factor, rounded to the nearest integer, ties to even; |x · factor| < 2^15. Number k goes to
  // to[k / 2 · 2 · kRowPanel + k % 2], as in a row of a panel of kRowPanel rows.
  void (*quantize)(std::int16_t* to, const float* x, std::size_t count, float factor);

  // x · factor, rounded to the nearest integer, ties to even; |x · factor| < 127.5.
  void (*quantize_weights)(std::int8_t* to, const float* x, std::size_t count, float factor);

  // y (i, c) = or += Σ_k rows (i, k) · W (k, c), an exact int32 sum rounded to float32 once; then
  // the sum is scaled. 2 · pairs <= kIntegerBlock, y.rows <= kIntegerRows, y.rows · 2 · pairs <=
  // kIntegers. Number k of row i is at
  // rows[(i / kRowPanel · pairs + k / 2) · 2 · kRowPanel + i % kRowPanel · 2 + k % 2]; of the
  // missing rows of the last panel, any numbers.
  void (*integer_product)(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                          const SumScales& scales);

  // The same for up to kRowPanel rows.
  void (*integer_rows)(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                       const SumScales& scales);
};

}  // namespace attention
