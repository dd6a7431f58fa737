// Interventions in a layer: numbers inside it are changed or copied while forward() computes.
// Places have the names of TransformerLens; n query positions, m key positions:
//
//   kResidPre           n × model_dim          input of the layer
//   kQuery              heads × n × key_dim    as used in the dot product: after bias, norm and
//                                              rotation
//
//   kKey, kValue        kv_heads × rows × dim  likewise; rows: those that the call projects, before
//                                              they enter a cache. If it projects none, all m keys,
//                                              which can only be captured
//
//   kScores             heads × n × m          just before the softmax; -inf where not visible
//   kPattern            heads × n × m          after the softmax
//   kHeads              heads × n × value_dim  weighted sums, before W_O
//   kAttentionOutput    n × out                what is added to x: after W_O, bias, the norm of the
//                                              output and LayerScale
//   kResidMid           n × model_dim          after the attention sublayers; none if parallel
//   kFeedForwardOutput  n × model_dim          what feed-forward adds to x
//   kResidPost          n × model_dim          output of the layer
//   kHeadOutputs        heads × n × out        weighted sums · W_O of their head, without bias
//   kValueOutputs       heads × m × out        values · W_O of each query head, without bias
//   kContentContent     heads × n × m          scale · q·k
//   kContentPosition    heads × n × m          the term of the queries and position vectors
//   kPositionContent    heads × n × m          the term of the keys and position vectors
//
// MultiHeadAttention has the places from kQuery to kAttentionOutput; with W_O kHeadOutputs and
// kValueOutputs, with position vectors kContentContent and one or both of the terms
// (position_vectors.h), which can only be captured. The cross-attention of a decoder layer has
// these places too.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "attention/matrix.h"
#include "attention/norm.h"
#include "attention/visibility.h"

namespace attention {

enum class Place {
  kResidPre,
  kQuery,
  kKey,
  kValue,
  kScores,
  kPattern,
  kHeads,
  kAttentionOutput,
  kResidMid,
  kFeedForwardOutput,
  kResidPost,
  kHeadOutputs,
  kValueOutputs,
  kContentContent,
  kContentPosition,
  kPositionContent
};
inline constexpr std::size_t kPlaces = static_cast<std::size_t>(Place::kPositionContent) + 1;

// Index of a place in a table of all places of a layer. is_cross: in cross-attention.
inline constexpr std::size_t kCrossPlaces = 16;
static_assert(kPlaces <= kCrossPlaces);
constexpr std::size_t index_of(Place place, bool is_cross) {
  return static_cast<std::size_t>(place) + (is_cross ? kCrossPlaces : 0);
}
template <class T>
using ByPlace = std::array<T, 2 * kCrossPlaces>;

// A change of some numbers at a place, the same in all batch entries. Edits of kScores and kPattern
// change visible pairs only; they make forward() compute scores, weights and their sum one after
// the other, with memory for all scores.
struct Edit {
  // value; number + value; number · factor; 1 / number of visible keys (kPattern only).
  enum class Operation { kSet, kAdd, kScale, kUniform };

  Place place = Place::kResidPre;
  bool is_cross = false;
  Operation operation = Operation::kSet;
  float factor = 1;
  // The value of the i-th selected head, j-th row and k-th column is at i·strides[0] +
  // j·strides[1] + k·strides[2].
  const float* values = nullptr;
  std::array<std::size_t, 3> strides = {};
  std::array<std::span<const double>, 3> indices = {};  // of heads, rows, columns; empty: all
};

struct Interventions {
  // Applied in the order of the computation, at one place in the order of the list.
  std::span<const Edit> edits = {};
  // Copies of the numbers after the edits, by index_of(): batch × heads × rows × columns, or batch
  // × rows × columns; null: none.
  ByPlace<float*> captures = {};

  // forward() of a Transformer layer sets these for its attention sublayers: which of them it is,
  // the norm of its output, or null, and then its scale, one factor per column, or null.
  bool is_cross = false;
  const Norm* output_norm = nullptr;
  const float* output_scale = nullptr;

  // Null if the place is not captured.
  float* capture(Place place) const { return captures[index_of(place, is_cross)]; }
  bool edits_at(Place place) const;
};

// Applies the edits of a place, then copies its numbers if they are captured. visibility: of the
// columns, which are keys from first_key on; null: all numbers are edited.
void intervene(const Interventions& interventions, Place place, const Heads<float>& numbers,
               const Visibility* visibility = nullptr, std::size_t first_key = 0);

// The same for rows of heads, which are first multiplied by scale: one factor per column, or null.
void intervene(const Interventions& interventions, Place place, const Sequences<float>& rows,
               std::size_t heads, const float* scale = nullptr);

// Copies the numbers of a place if they are captured.
void capture(const Interventions& interventions, Place place, const Heads<const float>& numbers);

// The shape of the numbers at a place; heads 0: there are none.
struct PlaceShape {
  std::size_t heads = 0, rows = 0, cols = 0;
};

}  // namespace attention
