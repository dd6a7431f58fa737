// Rotary position embedding: pairs of numbers of a head are rotated by an angle proportional to the
// position, so that q_m · k_n depends only on the distance m - n (Su et al., "RoFormer", arXiv
// 2104.09864).
//
//   pair c of width / 2:   angle = p · base^(-2c / width)
//   first'  = first · cos - second · sin
//   second' = first · sin + second · cos
//
// Pairs are numbers c and c + width/2 (GPT-NeoX, Llama) or, interleaved, 2c and 2c + 1 (the paper,
// GPT-J). Numbers from index width on are not rotated.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct RotaryOptions {
  std::optional<std::size_t> width = {};  // even, at most the head's dim; unset: the dim
  bool interleaved = false;
  double base = 10000;
  double offset = 0;  // position of the first row
  // Instead of offset: one position per row, or one per row of each batch entry.
  std::span<const double> positions = {};
  // Instead of base and positions: tables of rows × width / 2.
  const float* cos = nullptr;
  const float* sin = nullptr;
};

// Rotates the rows of x, batch × heads × rows × dim, in place.
void rotate(Heads<float> x, const RotaryOptions& options, Workspace& workspace);

// Writes width / 2 frequencies: the angle in radians of each pair per position.
void rotary_frequencies(double* to, std::size_t width, double base);

// The rotation of a layer, with arbitrary frequencies.
struct Rotation {
  std::size_t width = 0;  // 0: none
  bool interleaved = false;
  double* frequencies = nullptr;  // width / 2
  double factor = 1;              // multiplies cosines and sines

  // Rotates the rows of x in place. positions: position of the first row, empty (0), one for all
  // batch entries or one each.
  void apply(Heads<float> x, std::span<const double> positions) const;
};

}  // namespace attention
