// Angles in double precision: at position 10^6 a float angle would be off by a twentieth of a turn.
#include "attention/rotary.h"

#include <algorithm>
#include <cmath>

#include "attention/rules.h"

namespace attention {
namespace {

class RotaryRules : public Rules {
 public:
  explicit RotaryRules(RotaryRequest& request) : r_(request) {}

  std::string check() {
    if (!(tensor("x", r_.x, 2) && is_option_whole("heads", r_.heads, 1) && shape() && width() &&
          angles())) {
      return problem();
    }
    Layout layout(0);
    for (TensorArgument* tensor : {&r_.x, &r_.cos, &r_.sin}) layout.place(*tensor);
    // The result stands where the argument stood.
    r_.output = r_.x;
    r_.bytes = layout.end();
    return layout.fits() ? "" : layout.problem();
  }

 private:
  bool shape() {
    const auto rank = static_cast<std::size_t>(r_.x.rank);
    const double last = r_.x.dims[rank - 1];
    r_.batch = rank == 2 ? 1 : r_.x.dims[0];
    r_.rows = r_.x.dims[rank == 3 ? 1 : rank - 2];
    r_.head_count = rank == 4 ? r_.x.dims[1] : 1;
    if (r_.heads.given != 0) {
      if (rank == 4 && r_.heads.value != r_.head_count) {
        return broken("heads is ", r_.heads.value, " but x has dims ", r_.x,
                      ": at 4 dimensions the second is heads");
      }
      r_.head_count = r_.heads.value;
    }
    r_.head_dim = rank == 4 ? last : last / r_.head_count;
    if (is_whole(r_.head_dim)) return true;
    return broken("x has dims ", r_.x, " but heads is ", r_.head_count,
                  ": the last axis must be heads × d");
  }

  bool width() {
    r_.rotated = r_.width.given != 0 ? r_.width.value : r_.head_dim;
    const bool even = is_whole(r_.rotated) && std::fmod(r_.rotated, 2) == 0;
    if (even && r_.rotated >= 0 && r_.rotated <= r_.head_dim) return true;
    return broken("width is ", r_.rotated,
                  " but must be an even number from 0 to d = ", r_.head_dim);
  }

  bool angles() {
    if ((r_.cos.given != 0) != (r_.sin.given != 0)) {
      return broken(r_.cos.given != 0 ? "cos" : "sin", " is given without ",
                    r_.cos.given != 0 ? "sin" : "cos");
    }
    if (r_.cos.given != 0) {
      if (r_.base.given != 0 || r_.offset.given != 0 || r_.positions.given != 0) {
        return broken("cos and sin are given and so are ",
                      r_.base.given != 0     ? "base"
                      : r_.offset.given != 0 ? "offset"
                                             : "positions",
                      ", which they replace");
      }
      const TensorArgument table = tensor_of({r_.rows, r_.rotated / 2});
      return tensor("cos", r_.cos, 2) && tensor("sin", r_.sin, 2) &&
             same_dims("cos", r_.cos, "len × width / 2", table) &&
             same_dims("sin", r_.sin, "len × width / 2", table);
    }
    if (!is_option_positive("base", r_.base)) return false;
    if (r_.offset.given != 0 && !std::isfinite(r_.offset.value)) {
      return broken("offset is ", r_.offset.value, " but must be a finite number");
    }
    return positions();
  }

  bool positions() {
    if (r_.positions.given == 0) return true;
    if (r_.offset.given != 0)
      return broken("offset and positions are given, but one replaces the other");
    if (r_.positions.count != r_.rows && r_.positions.count != r_.batch * r_.rows) {
      return broken("positions holds ", r_.positions.count, " numbers but must hold one per row, ",
                    r_.rows, ", or one per row of each batch entry, ", r_.batch * r_.rows);
    }
    double at = 0;
    for (const double position : numbers(r_.positions)) {
      if (!std::isfinite(position)) {
        return broken("positions[", at, "] is ", position, " but must be a finite number");
      }
      ++at;
    }
    return true;
  }

  RotaryRequest& r_;
};

struct Turn {
  float cos;
  float sin;
};

class Rotation {
 public:
  Rotation(const RotaryRequest& request, std::byte* block)
      : r_(request), block_(block), half_(static_cast<std::size_t>(request.rotated) / 2) {}

  void run() const {
    if (r_.x.count == 0) return;
    const auto rows = static_cast<std::size_t>(r_.rows);
    const auto heads = static_cast<std::size_t>(r_.head_count);
    const auto dim = static_cast<std::size_t>(r_.head_dim);
    const auto batch = static_cast<std::size_t>(r_.batch);
    const Heads<float> x = r_.x.rank == 4
                               ? Heads<float>::head_major(floats(r_.x), batch, heads, rows, dim)
                               : Heads<float>::packed(floats(r_.x), batch, heads, rows, dim);
    for (std::size_t entry = 0; entry < batch; ++entry) {
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t pair = 0; pair < half_; ++pair) {
          const Turn turn = turn_of(entry, row, pair);
          for (std::size_t head = 0; head < heads; ++head) {
            rotate(x.at(entry, head).row(row), pair, turn);
          }
        }
      }
    }
  }

 private:
  float* floats(const TensorArgument& tensor) const {
    return reinterpret_cast<float*>(block_ + static_cast<std::size_t>(tensor.place));
  }

  Turn turn_of(std::size_t entry, std::size_t row, std::size_t pair) const {
    if (r_.cos.given != 0) {
      const std::size_t at = row * half_ + pair;
      return {floats(r_.cos)[at], floats(r_.sin)[at]};
    }
    constexpr double kUsualBase = 10000;
    const double base = r_.base.given != 0 ? r_.base.value : kUsualBase;
    const double exponent = -2 * static_cast<double>(pair) / r_.rotated;
    const double angle = position(entry, row) * std::pow(base, exponent);
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }

  double position(std::size_t entry, std::size_t row) const {
    const std::span<const double> positions = numbers(r_.positions);
    if (positions.empty()) {
      return static_cast<double>(row) + (r_.offset.given != 0 ? r_.offset.value : 0);
    }
    const auto rows = static_cast<std::size_t>(r_.rows);
    return positions[positions.size() == rows ? row : entry * rows + row];
  }

  void rotate(float* head, std::size_t pair, Turn turn) const {
    float& first = head[r_.interleaved != 0 ? 2 * pair : pair];
    float& second = head[r_.interleaved != 0 ? 2 * pair + 1 : pair + half_];
    const float before = first;
    first = before * turn.cos - second * turn.sin;
    second = before * turn.sin + second * turn.cos;
  }

  const RotaryRequest& r_;
  std::byte* block_;
  std::size_t half_;
};

}  // namespace

std::string check(RotaryRequest& request) { return RotaryRules(request).check(); }

void run(const RotaryRequest& request, void* block) {
  Rotation(request, static_cast<std::byte*>(block)).run();
}

}  // namespace attention
