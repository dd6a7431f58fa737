// Rotary position embedding: numbers of a head are taken in pairs and turned by an angle that grows
// with the position, so that q_m · k_n depends on the distance m - n (Su et al., "RoFormer", arXiv
// 2104.09864).
//
//   pair c of width / 2:   angle = p · base^(-2c / width)
//   first'  = first · cos - second · sin
//   second' = first · sin + second · cos
//
// Paired: numbers c and c + width/2 (GPT-NeoX, Llama). Interleaved: 2c and 2c + 1 (the paper,
// GPT-J). Numbers from width on are left as they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct RotaryOptions {
  std::optional<std::size_t> width = {};  // even, at most the dim of a head; not given: all of it
  bool interleaved = false;
  double base = 10000;
  double offset = 0;  // the position of the first row
  // Instead of offset: positions of every row, or of every row of every batch entry.
  std::span<const double> positions = {};
  // Instead of base and positions: rows × width / 2 each.
  const float* cos = nullptr;
  const float* sin = nullptr;
};

// Turns the rows of x, batch × heads × rows × dim, in place.
void rotate(Heads<float> x, const RotaryOptions& options, Workspace& workspace);

// The angle by which a pair turns from one position to the next.
double rotary_frequency(std::size_t pair, std::size_t width, double base);

// A rotation that a layer keeps, whose frequencies may be any.
struct Rotation {
  std::size_t width = 0;  // 0: none
  bool interleaved = false;
  double* frequencies = nullptr;  // width / 2
  double factor = 1;              // of cosines and sines

  // Turns the rows of x in place. positions: of the first row, none (0), one or one per batch
  // entry.
  void turn(Heads<float> x, std::span<const double> positions) const;
};

}  // namespace attention
