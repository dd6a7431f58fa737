// The parts that calls are written in. Every number is a double: a JavaScript number arrives as it
// is, so that 2^33, -1, 1.5 and NaN are still themselves when the rules look at them. The caller
// writes all but results, facts, places and bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/stored_matrix.h"

namespace attention::calls {

inline constexpr std::size_t kMaximumRank = 4;
// WebAssembly's 32-bit memory, less a page that keeps sizes from wrapping to 0.
inline constexpr double kMaximumBytes = 4294967296.0 - 65536.0;
inline constexpr double kMaximumDimension = 4294967295.0;

struct Optional {
  double given;  // 0 or 1
  double value;

  bool is_given() const { return given != 0; }
  double value_or(double usual) const { return is_given() ? value : usual; }
};

struct Tensor {
  double given;  // 0 or 1
  double rank;
  double dims[kMaximumRank];  // the first kMaximumRank of them
  double count;               // numbers that came with it
  double place;               // bytes from the start of the block: where its numbers are written
  double type;                // the NumberType as which they come
  double bytes;               // from the place on that belong to the tensor

  bool is_given() const { return given != 0; }
  // An axis counted from the last, which is 0.
  double from_last(std::size_t axis) const {
    return dims[static_cast<std::size_t>(rank) - 1 - axis];
  }
  double last() const { return from_last(0); }
  // The axis of positions in a layout of attention(), and the one of sequences.
  double length() const { return rank == 3 ? dims[1] : from_last(1); }
  double batch() const { return rank > 2 ? dims[0] : 1; }
};

// How narrow numbers come: those of int8 row by row, each row's scale, a float, before its numbers;
// a row is the last axis. They lie at the end of a room for float32 and are widened there before
// anything else happens; those of weights stay as they came, and have no more room than they need.
struct WeightTensor : Tensor {
  double widens;  // the call's rules find out: float32 is wanted all the same
};

// Bytes, not 0 = may attend, or floats to add.
struct MaskTensor : Tensor {
  double additive;
};

// A tensor that goes out.
struct Result : Tensor {};

struct List {
  double given;  // 0 or 1
  double count;
  double address;  // of count doubles

  bool is_given() const { return given != 0; }
};

inline std::span<const double> numbers(const List& list) {
  if (!list.is_given()) return {};
  return {reinterpret_cast<const double*>(static_cast<std::uintptr_t>(list.address)),
          static_cast<std::size_t>(list.count)};
}

// A number that the rules find out, for the caller to read.
struct Fact {
  double value;

  operator double() const { return value; }
  Fact& operator=(double number) {
    value = number;
    return *this;
  }
};

// The beginning of every record.
struct Call {
  Fact bytes;         // of the block
  Fact parts;         // in which arguments may come and results go, one after another
  Fact slices;        // runs that each part takes, and in which its results may go
  double runs;        // that there have been
  double workspace;   // place of the scratch memory
  Fact object_bytes;  // of the object that the call makes, 0 if it makes none
  double object;      // its address

  void fields(auto&& field) { field("bytes", bytes, "parts", parts, "slices", slices); }
};

// Makes an object: its caller reads objectBytes, allocates them 16-byte aligned, and calls again.
struct MakingCall : Call {
  void fields(auto&& field) {
    Call::fields(field);
    field("object", object, "objectBytes", object_bytes);
  }
};

}  // namespace attention::calls
