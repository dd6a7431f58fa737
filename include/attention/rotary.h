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

#include <string>

#include "attention/shapes.h"

namespace attention {

struct RotaryRequest {
  TensorArgument x;  // in any layout of attention()
  OptionalNumber heads, width, base, offset;
  double interleaved;
  ListArgument positions;   // of every row, or of every row of every batch entry
  TensorArgument cos, sin;  // rows × width / 2, instead of base and positions

  TensorArgument output;
  double bytes;

  // Set by check().
  double batch, head_count, rows, head_dim, rotated;
};

std::string check(RotaryRequest& request);
void run(const RotaryRequest& request, void* block);

}  // namespace attention
