// The operations on rows and tiles that attention is made of, and its products. The floors above
// are written once, over these; each implementation lives in a folder of its own.
//
// Shapes and the promises that every implementation keeps:
//   - an element of a result depends on its own row and column only, and is summed in the order of
//     the index, from zero: neither its neighbours nor its place in a tile change its bits;
//   - a weight of 0 changes nothing, so an invisible key may be stepped over or carried along
//     (values that are not finite are never carried along: see weigh_values' callers);
//   - no float outside the given rows is read or written.
#pragma once

#include <cstddef>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/stored_matrix.h"

namespace attention {

// Keys (or columns of values) that lie side by side in a packed tile: two vectors of four.
inline constexpr std::size_t kPanel = 8;
// Queries that lie side by side when they are packed.
inline constexpr std::size_t kRowPanel = 4;
// Keys in a tile. Tiles start at multiples of it, whatever is visible: their edges are part of the
// order of summation, and so of the result's bits.
inline constexpr std::size_t kTileKeys = 256;
// Query rows that share a packed tile while their scores stay in the first-level cache.
inline constexpr std::size_t kBlockQueries = 64;

// Rows of a block whose rows see unlike many keys.
inline constexpr std::size_t kBlockSplit = 16;

// Of sizes, or of 64 bits where sizes are only counted.
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

// Columns that a row is multiplied with at a time where its matrix is only read: enough sums that
// none waits for the one before.
inline constexpr std::size_t kStreamedColumns = 4 * kPanel;

// Numbers of any type, a panel's width of them after another. Those of int8 stand for their product
// with a scale: number n with scales[n / kPanel · scale_step + n % kPanel].
struct PackedNumbers {
  const std::byte* data = nullptr;
  NumberType type = NumberType::kFloat32;
  const float* scales = nullptr;
  std::size_t scale_step = 0;
};

// depth rows packed as values are, of any type. The scales of int8 belong to columns, or to rows:
// then each of them is there kPanel times.
struct PackedMatrix {
  const std::byte* data = nullptr;
  NumberType type = NumberType::kFloat32;
  std::size_t depth = 0;
  const float* scales = nullptr;
  bool scales_of_rows = false;

  // 0 where there are none, so that no pointer goes beyond nothing.
  std::size_t scale_step() const { return scales != nullptr && scales_of_rows ? kPanel : 0; }
  // From one panel of columns to the next.
  std::size_t panel_scales() const { return scales == nullptr || scales_of_rows ? 0 : kPanel; }

  // Of a panel of columns the rows from first on.
  PackedNumbers panel(std::size_t number, std::size_t first) const {
    return {data + (number * depth + first) * kPanel * bytes_each(type), type,
            scales + number * panel_scales() + first * scale_step(), scale_step()};
  }
};

struct Kernels {
  const char* name;

  // A tile of keys cut into panels of keys: key (j, c) lies at
  // packed[(j / kPanel) · kPanel · key_dim + c · kPanel + j % kPanel]; the last panel is padded
  // with 0.
  void (*pack_keys)(float* packed, Matrix<const float> keys);

  // Lays rows out as PackedRows. The last panel may be left unfinished: its missing rows are not
  // read.
  void (*pack_rows)(float* packed, Matrix<const float> rows);

  // Lays the values out as PackedValues with panel_stride = rows · kPanel, the last panel padded
  // with 0. Tells whether every number is finite.
  bool (*pack_values)(float* packed, Matrix<const float> values);

  // scores (i, j) = factor · (query_i · packed key_j). scores.cols is a multiple of kPanel.
  void (*dot_products)(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                       float factor);

  // scores (i, j) = factor · Σ_c (query_ic - key_jc)², or of absolute differences.
  void (*distances)(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                    Distance distance, float factor);

  // output_i = carry_i · output_i + Σ_j weights (i, j) · value_j, the sum formed first.
  void (*weigh_values)(Matrix<float> output, const float* carry, TileWeights weights,
                       PackedValues values);

  // The same two for one row, keys and values being read where they lie: packing pays off where
  // more rows use what is packed. scores: keys.rows numbers; output: values.cols.
  void (*score_row)(float* scores, const float* query, Matrix<const float> keys, float factor);
  void (*weigh_row)(float* output, float carry, const float* weights, Matrix<const float> values);

  // row = cap · tanh(row / cap). Any count.
  void (*soft_cap)(float* row, std::size_t count, float cap);

  // maxima_i = the largest number of row i that is not NaN; -inf if there is none.
  // rows.cols % kPanel == 0.
  void (*maximum)(float* maxima, Matrix<const float> rows);

  // row_i = exp(row_i - shifts_i), sums_i = its sum. rows.cols % kPanel == 0.
  void (*exponentiate)(float* sums, Matrix<float> rows, const float* shifts);

  // to = factor · from, which may be the same place. Any count.
  void (*scale)(float* to, const float* from, std::size_t count, float factor);

  // row = function(row). Any count.
  void (*apply)(float* row, std::size_t count, Function function);

  // The numbers as float32. Any count. They may lie at the end of where they go to, kPanel of them
  // being read before any of them is written.
  void (*widen)(float* to, const PackedNumbers& from, std::size_t count);

  // y += x · W for one row and the first columns of W, a multiple of kStreamedColumns, a sum being
  // formed of kTileKeys rows of W at a time.
  void (*add_row_product)(float* y, const float* x, const PackedMatrix& w, std::size_t columns);
};

}  // namespace attention
