// Low-precision weights, eight at a time: converted to float32 in registers, then stored, or
// multiplied with a row.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "kernels/simd/simd.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
namespace {

struct Eight {
  v128_t low;
  v128_t high;
};

// Shifts eight 16-bit numbers to the upper halves of 32 bits. A shuffle, because LLVM 14 scalarizes
// extending and shifting.
[[gnu::always_inline]] inline Eight upper_halves(v128_t bits) {
  const v128_t zero = wasm_i32x4_splat(0);
  return {wasm_i16x8_shuffle(zero, bits, 0, 8, 1, 9, 2, 10, 3, 11),
          wasm_i16x8_shuffle(zero, bits, 4, 12, 5, 13, 6, 14, 7, 15)};
}

// Types with load(), which reads eight numbers; `scales` are their eight scales.
struct Float32 {
  static constexpr std::size_t kBytes = 4;
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    return {wasm_v128_load(at), wasm_v128_load(at + 16)};
  }
};

struct Bfloat16 {
  static constexpr std::size_t kBytes = 2;
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    return upper_halves(wasm_v128_load(at));
  }
};

// Exponent and fraction are shifted to where a float has them, the sign stays; then the bias of the
// exponent is corrected.
struct Float16 {
  static constexpr std::size_t kBytes = 2;
  // Adding 1 to the exponent makes these bits 0 for the smallest and the largest exponent only.
  [[gnu::always_inline]] static v128_t is_normal(v128_t bits) {
    return wasm_v128_and(wasm_i16x8_add(bits, wasm_i16x8_splat(0x0400)), wasm_i16x8_splat(0x7800));
  }
  // The upper halves of eight floats, and the lower ones, are computed together.
  [[gnu::always_inline]] static Eight normal(v128_t bits) {
    const v128_t moved = wasm_v128_and(wasm_i16x8_shr(bits, 3), wasm_i16x8_splat(~0x7000));
    const v128_t upper = wasm_i16x8_add(moved, wasm_i16x8_splat(112 << 7));
    const v128_t lower = wasm_i16x8_shl(bits, 13);
    return {wasm_i16x8_shuffle(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11),
            wasm_i16x8_shuffle(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15)};
  }
  // Also handles subnormal numbers (multiples of 2^-24), infinities and NaN. No subnormal float
  // occurs in between: multiplying one would take a hundred times as long.
  [[gnu::always_inline]] static v128_t any_four(v128_t upper_half) {
    const v128_t moved =
        wasm_v128_and(wasm_i32x4_shr(upper_half, 3), wasm_i32x4_splat(~0x70000000));
    const v128_t sign = wasm_v128_and(upper_half, wasm_i32x4_splat(1 << 31));
    const v128_t one = wasm_v128_or(sign, wasm_f32x4_splat(0x1p-14F));
    const v128_t with_one = wasm_i32x4_add(moved, wasm_i32x4_splat(113 << 23));
    const v128_t subnormal = wasm_v128_or(sign, wasm_f32x4_sub(with_one, one));
    const v128_t largest = wasm_i32x4_splat(0x7C000000);
    const v128_t exponent = wasm_v128_and(upper_half, largest);
    const v128_t is_special = wasm_i32x4_eq(exponent, largest);
    const v128_t is_subnormal = wasm_i32x4_eq(exponent, wasm_i32x4_splat(0));
    const v128_t others = wasm_i32x4_add(moved, wasm_i32x4_splat(112 << 23));
    return wasm_v128_or(wasm_v128_bitselect(subnormal, others, is_subnormal),
                        wasm_v128_and(is_special, wasm_i32x4_splat(0x7F800000)));
  }
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    const auto [low, high] = upper_halves(wasm_v128_load(at));
    return {any_four(low), any_four(high)};
  }
  // True if the numbers at four positions, `step` bytes apart, are all normal: one branch for all.
  [[gnu::always_inline]] static bool are_normal(const std::byte* at, std::size_t step) {
    const v128_t first =
        wasm_u16x8_min(is_normal(wasm_v128_load(at)), is_normal(wasm_v128_load(at + step)));
    const v128_t second = wasm_u16x8_min(is_normal(wasm_v128_load(at + 2 * step)),
                                         is_normal(wasm_v128_load(at + 3 * step)));
    return wasm_i16x8_all_true(wasm_u16x8_min(first, second));
  }
};

// Numbers of which none is subnormal, infinite or NaN.
struct NormalFloat16 : Float16 {
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    return normal(wasm_v128_load(at));
  }
};

struct Int8 {
  static constexpr std::size_t kBytes = 1;
  // The 16 bits n + 2^15 are the low fraction bits of 2^23 + 2^15 + n, from which a subtraction
  // gives n exactly, on other execution units than the multiplications.
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float* scales) {
    const v128_t offset = wasm_v128_xor(wasm_i16x8_load8x8(at), wasm_i16x8_splat(-0x8000));
    const v128_t exponent = wasm_i16x8_splat(0x4B00);
    return {scaled(wasm_i16x8_shuffle(offset, exponent, 0, 8, 1, 9, 2, 10, 3, 11), scales),
            scaled(wasm_i16x8_shuffle(offset, exponent, 4, 12, 5, 13, 6, 14, 7, 15), scales + 4)};
  }
  [[gnu::always_inline]] static v128_t scaled(v128_t number, const float* scales) {
    return wasm_f32x4_mul(wasm_f32x4_sub(number, wasm_f32x4_splat(0x1.01p23F)),
                          wasm_v128_load(scales));
  }
};

// Calls visit(type) for four places of numbers, `step` bytes apart.
template <class Type, class Visit>
[[gnu::always_inline]] inline void visit_four(const std::byte* at, std::size_t step, Visit visit) {
  if constexpr (std::is_same_v<Type, Float16>) {
    if (Float16::are_normal(at, step)) return visit(NormalFloat16{});
  }
  visit(Type{});
}

template <class Type>
void to_float32_as(float* to, const PackedNumbers& from, std::size_t count) {
  const std::byte* at = from.data;
  const float* scales = from.scales;
  const auto store = [&](auto type) __attribute__((always_inline)) {
    const Eight wide = type.load(at, scales);
    wasm_v128_store(to, wide.low);
    wasm_v128_store(to + 4, wide.high);
    to += kPanel;
    at += kPanel * Type::kBytes;
    scales += from.scale_step;
  };
  const float* end = to + count;
  while (to + 4 * kPanel <= end) {
    visit_four<Type>(
        at, kPanel * Type::kBytes, [&](auto type) __attribute__((always_inline)) {
          for (int n = 0; n < 4; ++n) store(type);
        });
  }
  while (to != end) store(Type{});
}

// count: a multiple of kPanel.
void all_to_float32(float* to, const PackedNumbers& from, std::size_t count) {
  switch (from.type) {
    case NumberType::kFloat32:
      return to_float32_as<Float32>(to, from, count);
    case NumberType::kFloat16:
      return to_float32_as<Float16>(to, from, count);
    case NumberType::kBfloat16:
      return to_float32_as<Bfloat16>(to, from, count);
    case NumberType::kInt8:
      return to_float32_as<Int8>(to, from, count);
  }
}

// Adds the product with some rows of four adjacent panels of W.
template <class Type>
void add_panels(float* y, const float* x, std::size_t depth, const std::byte* numbers,
                std::size_t panel_bytes) {
  static_assert(kStreamedColumns == 4 * kPanel);
  const v128_t zero = wasm_f32x4_splat(0);
  // Constant indices only, so that the sums stay in registers.
  Eight sums[] = {{zero, zero}, {zero, zero}, {zero, zero}, {zero, zero}};
  for (const float* end = x + depth; x != end; ++x) {
    const v128_t number = wasm_v128_load32_splat(x);
    visit_four<Type>(
        numbers, panel_bytes, [&](auto type) __attribute__((always_inline)) {
          const auto add = [&](std::size_t panel) __attribute__((always_inline)) {
            const Eight wide = type.load(numbers + panel * panel_bytes, nullptr);
            sums[panel].low = wasm_f32x4_add(sums[panel].low, wasm_f32x4_mul(number, wide.low));
            sums[panel].high = wasm_f32x4_add(sums[panel].high, wasm_f32x4_mul(number, wide.high));
          };
          add(0);
          add(1);
          add(2);
          add(3);
        });
    numbers += kPanel * Type::kBytes;
  }
  const auto finish = [&](std::size_t panel) {
    float* to = y + panel * kPanel;
    wasm_v128_store(to, wasm_f32x4_add(wasm_v128_load(to), sums[panel].low));
    wasm_v128_store(to + 4, wasm_f32x4_add(wasm_v128_load(to + 4), sums[panel].high));
  };
  finish(0);
  finish(1);
  finish(2);
  finish(3);
}

using AddPanels = void (*)(float* y, const float* x, std::size_t depth, const std::byte* numbers,
                           std::size_t panel_bytes);

// In the order of NumberType; int8 has kernels of its own.
constexpr AddPanels kAddPanels[] = {add_panels<Float32>, add_panels<Float16>, add_panels<Bfloat16>};

}  // namespace

void widen(float* to, const PackedNumbers& from, std::size_t count) {
  const std::size_t rest = count % kPanel;
  all_to_float32(to, from, count - rest);
  if (rest == 0) return;
  PackedNumbers last = from;
  last.data += (count - rest) * bytes_each(from.type);
  last.scales += count / kPanel * from.scale_step;
  float padded[kPanel] = {};
  float wide[kPanel];
  std::memcpy(padded, last.data, rest * bytes_each(from.type));
  last.data = reinterpret_cast<const std::byte*>(padded);
  all_to_float32(wide, last, kPanel);
  std::copy_n(wide, rest, to + count - rest);
}

void add_row_product(float* y, const float* x, const PackedMatrix& w, std::size_t columns) {
  const std::size_t panel_bytes = w.depth * kPanel * bytes_each(w.type);
  for (std::size_t c = 0; c < columns; c += kStreamedColumns) {
    for (std::size_t first = 0; first < w.depth; first += kTileKeys) {
      kAddPanels[static_cast<std::size_t>(w.type)](y + c, x + first,
                                                   std::min(kTileKeys, w.depth - first),
                                                   w.panel(c / kPanel, first).data, panel_bytes);
    }
  }
}

}  // namespace attention::simd
