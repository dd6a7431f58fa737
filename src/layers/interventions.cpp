// Edits and captures, number by number.
#include "attention/interventions.h"

#include <algorithm>

#include "layers/copy_heads.h"

namespace attention {
namespace {

using Operation = Edit::Operation;

struct Indices {
  std::span<const double> indices;  // empty: all
  std::size_t all;

  std::size_t count() const { return indices.empty() ? all : indices.size(); }
  std::size_t at(std::size_t i) const {
    return indices.empty() ? i : static_cast<std::size_t>(indices[i]);
  }
};

// The numbers of a place. visibility: of the columns, which are keys from first_key on, or null.
struct EditedNumbers {
  const Heads<float>& numbers;
  const Visibility* visibility;
  std::size_t first_key;

  bool is_visible(std::size_t batch, std::size_t head, std::size_t row, std::size_t column) const {
    return visibility == nullptr || visibility->is_visible({first_key, first_key + numbers.cols},
                                                           batch, head, row, first_key + column);
  }

  void apply(const Edit& edit) const {
    const Indices heads{edit.indices[0], numbers.heads};
    const Indices rows{edit.indices[1], numbers.rows};
    for (std::size_t batch = 0; batch < numbers.batch; ++batch) {
      for (std::size_t i = 0; i < heads.count(); ++i) {
        for (std::size_t j = 0; j < rows.count(); ++j) {
          edit_row(edit, batch, heads.at(i), rows.at(j),
                   edit.values + i * edit.strides[0] + j * edit.strides[1]);
        }
      }
    }
  }

  void edit_row(const Edit& edit, std::size_t batch, std::size_t head, std::size_t row,
                const float* values) const {
    float factor = edit.factor;
    if (edit.operation == Operation::kUniform) {
      float count = 0;
      for (std::size_t column = 0; column < numbers.cols; ++column) {
        if (is_visible(batch, head, row, column)) ++count;
      }
      factor = 1 / count;
    }
    const Indices columns{edit.indices[2], numbers.cols};
    for (std::size_t k = 0; k < columns.count(); ++k, values += edit.strides[2]) {
      const std::size_t column = columns.at(k);
      if (!is_visible(batch, head, row, column)) continue;
      float& number = numbers.at(batch, head).row(row)[column];
      if (edit.operation == Operation::kSet) number = *values;
      if (edit.operation == Operation::kAdd) number += *values;
      if (edit.operation == Operation::kScale) number *= factor;
      if (edit.operation == Operation::kUniform) number = factor;
    }
  }
};

bool is_at(const Edit& edit, const Interventions& interventions, Place place) {
  return edit.place == place && edit.is_cross == interventions.is_cross;
}

}  // namespace

float* copy_heads(const Heads<const float>& from, float* to) {
  if (from.rows == 0) return to;
  for (std::size_t batch = 0; batch < from.batch; ++batch) {
    for (std::size_t head = 0; head < from.heads; ++head) {
      const Matrix<const float> rows = from.at(batch, head);
      for (std::size_t i = 0; i < rows.rows; ++i) to = std::copy_n(rows.row(i), rows.cols, to);
    }
  }
  return to;
}

bool Interventions::edits_at(Place place) const {
  for (const Edit& edit : edits) {
    if (is_at(edit, *this, place)) return true;
  }
  return false;
}

void capture(const Interventions& interventions, Place place, const Heads<const float>& numbers) {
  float* to = interventions.capture(place);
  if (to != nullptr && to != numbers.data) copy_heads(numbers, to);
}

void intervene(const Interventions& interventions, Place place, const Heads<float>& numbers,
               const Visibility* visibility, std::size_t first_key) {
  for (const Edit& edit : interventions.edits) {
    // batch can be in the billions when there are no rows.
    if (is_at(edit, interventions, place) && numbers.rows > 0) {
      EditedNumbers{numbers, visibility, first_key}.apply(edit);
    }
  }
  capture(interventions, place, numbers);
}

void intervene(const Interventions& interventions, Place place, const Sequences<float>& rows,
               std::size_t heads, const float* scale) {
  const std::size_t count = rows.batch * rows.rows * rows.cols;
  for (std::size_t at = 0; scale != nullptr && at < count; ++at) {
    rows.data[at] *= scale[at % rows.cols];
  }
  intervene(interventions, place, rows.split(heads));
}

}  // namespace attention
