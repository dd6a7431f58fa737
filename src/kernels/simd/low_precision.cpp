// Low-precision weights, eight at a time: converted to float32 in registers, then stored, or
// multiplied with a few rows.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/simd/each_vector.h"
#include "kernels/simd/simd.h"
#include "kernels/simd/transpose.h"
#include "kernels/simd/v128.h"

namespace attention::simd {
inline namespace KERNEL_SET {
namespace {

struct Eight {
  v128_t low;
  v128_t high;
};

// Eight 16-bit numbers as paired_position() orders them: four in the lower halves of 32 bits, four
// in the upper ones.
struct Paired {
  [[gnu::always_inline]] static v128_t load(const std::byte* at) { return wasm_v128_load(at); }
};

struct InOrder {
  [[gnu::always_inline]] static v128_t load(const std::byte* at) {
    const v128_t bits = wasm_v128_load(at);
    return wasm_i16x8_shuffle(bits, bits, 0, 4, 1, 5, 2, 6, 3, 7);
  }
};

// The numbers in the upper halves, zeros in the lower ones.
[[gnu::always_inline]] inline Eight upper_halves(v128_t bits) {
  return {wasm_i32x4_shl(bits, 16), wasm_v128_and(bits, wasm_i32x4_splat(-0x10000))};
}

// Types with load(), which reads eight numbers; `scales` are their eight scales. kConstants:
// registers that it needs for constants.
struct Float32 {
  static constexpr std::size_t kBytes = 4;
  static constexpr int kConstants = 0;
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    return {wasm_v128_load(at), wasm_v128_load(at + 16)};
  }
};

template <class Order>
struct Bfloat16 {
  static constexpr std::size_t kBytes = 2;
  static constexpr int kConstants = 1;
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    return upper_halves(Order::load(at));
  }
};

// Exponent and fraction are moved to where a float has them, the sign stays. This is 2^-112 times
// the number, unless that is infinite or NaN.
template <class Order>
struct ScaledFloat16 {
  static constexpr std::size_t kBytes = 2;
  static constexpr int kConstants = 2;
  // Multiplied with 2^13, the lower halves are shifted and extended by their sign in one operation.
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float*) {
    const v128_t bits = Order::load(at);
    const v128_t mask = wasm_i32x4_splat(~0x70001FFF);
    return {wasm_v128_and(wasm_i32x4_dot_i16x8(bits, wasm_i32x4_splat(1 << 13)), mask),
            wasm_v128_and(wasm_i32x4_shr(bits, 3), mask)};
  }
};

// Numbers of which none is subnormal, infinite or NaN. A zero stays zero, which a bias added to its
// exponent would make 2^-15.
template <class Order>
struct NormalFloat16 {
  static constexpr std::size_t kBytes = 2;
  static constexpr int kConstants = 3;
  [[gnu::always_inline]] static Eight load(const std::byte* at, const float* scales) {
    const Eight scaled = ScaledFloat16<Order>::load(at, scales);
    const v128_t factor = wasm_f32x4_splat(0x1p112F);
    return {wasm_f32x4_mul(scaled.low, factor), wasm_f32x4_mul(scaled.high, factor)};
  }
};

template <class Order>
struct Float16 {
  static constexpr std::size_t kBytes = 2;
  using Normal = NormalFloat16<Order>;

  // Adding 1 to the exponent makes these bits 0 for the smallest and the largest exponent only.
  [[gnu::always_inline]] static v128_t is_normal(v128_t bits) {
    return wasm_v128_and(wasm_i16x8_add(bits, wasm_i16x8_splat(0x0400)), wasm_i16x8_splat(0x7800));
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
    const auto [low, high] = upper_halves(Order::load(at));
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

// Calls visit(type) for four groups of numbers, one after another.
template <class Type, class Visit>
[[gnu::always_inline]] inline void visit_four(const std::byte* at, Visit visit) {
  if constexpr (requires { typename Type::Normal; }) {
    if (Type::are_normal(at, kPanel * Type::kBytes)) return visit(typename Type::Normal{});
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
        at, [&](auto type) __attribute__((always_inline)) {
          for (int n = 0; n < 4; ++n) store(type);
        });
  }
  while (to != end) store(Type{});
}

template <template <class> class Type>
void halves_to_float32(float* to, const PackedNumbers& from, std::size_t count) {
  if (from.paired) return to_float32_as<Type<Paired>>(to, from, count);
  to_float32_as<Type<InOrder>>(to, from, count);
}

// count: a multiple of kPanel.
void all_to_float32(float* to, const PackedNumbers& from, std::size_t count) {
  switch (from.type) {
    case NumberType::kFloat32:
      return to_float32_as<Float32>(to, from, count);
    case NumberType::kFloat16:
      return halves_to_float32<Float16>(to, from, count);
    case NumberType::kBfloat16:
      return halves_to_float32<Bfloat16>(to, from, count);
    case NumberType::kInt8:
      return to_float32_as<Int8>(to, from, count);
  }
}

// Distance of an input's numbers from those of the next one, which are side by side in a block.
constexpr std::size_t inputs_apart(std::size_t rows) {
  if (rows == 1) return 1;
  return rows == 2 ? 2 : kRowPanel;
}

// True if the numbers of an input are loaded as one vector. V8 moves a load for each row before the
// arithmetic, and then keeps a sum in memory where a product needs a register of its own and two
// constants have one each.
template <class Type, std::size_t kRows>
inline constexpr bool kLoadsAllRows = !kIsFused && kRows == 4 && Type::kConstants > 1;

// A number of x in all lanes. all: those of the input, if they were loaded.
template <class Type, std::size_t kRows, std::size_t kRow>
[[gnu::always_inline]] inline v128_t number_of(const float* x, v128_t all) {
  if constexpr (!kLoadsAllRows<Type, kRows>) return wasm_v128_load32_splat(x + kRow);
  return wasm_i32x4_shuffle(all, all, kRow, kRow, kRow, kRow);
}

// sums[p · kRows + r] += Σ_k x (r, k) · w_p (k) over `depth` inputs, and panels that are `apart`
// bytes apart. Constant indices only, so that the sums stay in registers.
template <class Type, std::size_t kRows, std::size_t kPanels>
[[gnu::always_inline]] inline void add_to(Eight (&sums)[kRows * kPanels], const float* x,
                                          std::size_t depth, const std::byte* numbers,
                                          std::size_t apart) {
  constexpr std::size_t kStep = inputs_apart(kRows);
  for (const float* end = x + depth * kStep; x != end;
       x += kStep, numbers += kPanel * Type::kBytes) {
    v128_t all = wasm_i32x4_splat(0);
    if constexpr (kLoadsAllRows<Type, kRows>) all = wasm_v128_load(x);
#pragma clang loop unroll(full)
    for (std::size_t p = 0; p < kPanels; ++p) {
      const Eight wide = Type::load(numbers + p * apart, nullptr);
      const auto add = [&](std::size_t r, v128_t number) __attribute__((always_inline)) {
        Eight& sum = sums[p * kRows + r];
        sum.low = multiply_add(number, wide.low, sum.low);
        sum.high = multiply_add(number, wide.high, sum.high);
      };
      add(0, number_of<Type, kRows, 0>(x, all));
      if constexpr (kRows > 1) add(1, number_of<Type, kRows, 1>(x, all));
      if constexpr (kRows > 2) add(2, number_of<Type, kRows, 2>(x, all));
      if constexpr (kRows > 3) add(3, number_of<Type, kRows, 3>(x, all));
    }
  }
}

// to += the products of some inputs of a tile.
template <class Type, std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void add_inputs(Eight* to, const float* x, std::size_t depth,
                                  const std::byte* numbers, std::size_t apart) {
  Eight sums[kRows * kPanels];
#pragma clang loop unroll(full)
  for (std::size_t n = 0; n < kRows * kPanels; ++n) sums[n] = to[n];
  add_to<Type, kRows, kPanels>(sums, x, depth, numbers, apart);
#pragma clang loop unroll(full)
  for (std::size_t n = 0; n < kRows * kPanels; ++n) to[n] = sums[n];
}

// to += the sum of each tile of inputs, of which the last may have fewer. With a call for each
// tile, one row of float32 takes 13 to 20 % longer.
template <class Type, std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void add_tiles(Eight* to, const float* x, std::size_t depth,
                                 const std::byte* numbers, std::size_t apart) {
  const v128_t zero = wasm_f32x4_splat(0);
  while (depth > 0) {
    Eight sums[kRows * kPanels];
#pragma clang loop unroll(full)
    for (Eight& sum : sums) sum = {zero, zero};
    const std::size_t count = std::min(kTileKeys, depth);
    add_to<Type, kRows, kPanels>(sums, x, count, numbers, apart);
    depth -= count;
    x += count * inputs_apart(kRows);
    numbers += count * kPanel * Type::kBytes;
#pragma clang loop unroll(full)
    for (std::size_t n = 0; n < kRows * kPanels; ++n) {
      to[n].low = wasm_f32x4_add(to[n].low, sums[n].low);
      to[n].high = wasm_f32x4_add(to[n].high, sums[n].high);
    }
  }
}

using AddInputs = void (*)(Eight* to, const float* x, std::size_t depth, const std::byte* numbers,
                           std::size_t apart);

// Panels that are multiplied together, as many as registers hold the sums of: they are one stream
// of memory each.
struct Group {
  AddInputs add_tiles;
  AddInputs add_inputs;
  std::size_t panels;
};

template <class Type, std::size_t kRows, std::size_t kPanels>
constexpr Group kGroup = {add_tiles<Type, kRows, kPanels>, add_inputs<Type, kRows, kPanels>,
                          kPanels};

// The group for a number of rows.
template <class Type>
Group group_of(std::size_t rows) {
  static_assert(kRowPanel == 4);
  // Two panels would be a register too many, and V8 would keep a sum in memory.
  constexpr std::size_t kOfTwo = !kIsFused && Type::kConstants > 1 ? 1 : 2;
  switch (rows) {
    case 1:
      return kGroup<Type, 1, 4>;
    case 2:
      return kGroup<Type, 2, kOfTwo>;
    case 3:
      return kGroup<Type, 3, 1>;
    default:
      return kGroup<Type, 4, 1>;
  }
}

// y += x · W, each panel from its first row to its last. W is read in one, two or four places, each
// in the order of memory: a group of several panels has one of each half or quarter of W. So every
// processor can prefetch it. x is multiplied with x_scale; weights are loaded as 1 / x_scale times
// their value.
struct RowsProduct {
  // Most sums of a group of rows and panels.
  static constexpr std::size_t kGroupSums = kRowPanel;

  Matrix<float> y;
  Matrix<const float> x;
  const PackedMatrix& w;
  float* block;
  Group group;
  float x_scale;

  // The panels of a group: `panel`, and those that are `apart` panels behind each other.
  struct Place {
    std::size_t panel;
    std::size_t apart;
  };

  void add() const;
  void copy(std::size_t first, std::size_t count) const;
  void add_panels(const Place& place, std::size_t begin, std::size_t end) const;
  void add_block(Eight* to, const Place& place, std::size_t begin, std::size_t end) const;
  void add_tile(Eight* to, const Place& place, std::size_t first, std::size_t last,
                const float* tile) const;
  void add_with(AddInputs kernel, Eight* to, const Place& place, std::size_t first,
                std::size_t last, const float* numbers) const;
  void add_exception(Eight* sums, const Place& place, std::size_t row, const float* numbers) const;
  std::size_t next_exception(const Place& place, std::size_t row, std::size_t end) const;
};

// Block by block of inputs.
void RowsProduct::add() const {
  const std::size_t depth = kFewRowsScratch / inputs_apart(x.rows) / kTileKeys * kTileKeys;
  const std::size_t all = y.cols / kPanel;
  const std::size_t apart = all / group.panels;
  for (std::size_t begin = 0; begin < w.depth; begin += depth) {
    const std::size_t end = std::min(begin + depth, w.depth);
    copy(begin, end - begin);
    for (std::size_t panel = 0; panel < apart; ++panel) add_panels({panel, apart}, begin, end);
    // A panel that is left over is multiplied as if it were all of its group.
    for (std::size_t panel = apart * group.panels; panel < all; ++panel) {
      add_panels({panel, 0}, begin, end);
    }
  }
}

// Copies inputs from `first` on to the block, the numbers of all rows side by side.
void RowsProduct::copy(std::size_t first, std::size_t count) const {
  if (x.rows == 1) return scale(block, x.row(0) + first, count, x_scale);
  const std::size_t step = inputs_apart(x.rows);
  const v128_t factor = wasm_f32x4_splat(x_scale);
  const auto row = [&](std::size_t r) { return x.row(std::min(r, x.rows - 1)) + first; };
  std::size_t k = 0;
  for (float* to = block; k + kLanes <= count; k += kLanes, to += kLanes * step) {
    const auto numbers = [&](std::size_t r) {
      return wasm_f32x4_mul(wasm_v128_load(row(r) + k), factor);
    };
    if (step == 2) {
      const v128_t rows[] = {numbers(0), numbers(1)};
      wasm_v128_store(to, wasm_i32x4_shuffle(rows[0], rows[1], 0, 4, 1, 5));
      wasm_v128_store(to + kLanes, wasm_i32x4_shuffle(rows[0], rows[1], 2, 6, 3, 7));
      continue;
    }
    const Transposed inputs = transpose_4x4(numbers(0), numbers(1), numbers(2), numbers(3));
    wasm_v128_store(to, inputs.first);
    wasm_v128_store(to + kLanes, inputs.second);
    wasm_v128_store(to + 2 * kLanes, inputs.third);
    wasm_v128_store(to + 3 * kLanes, inputs.fourth);
  }
  for (; k < count; ++k) {
    for (std::size_t r = 0; r < step; ++r) block[k * step + r] = row(r)[k] * x_scale;
  }
}

void RowsProduct::add_panels(const Place& place, std::size_t begin, std::size_t end) const {
  const auto to = [&](std::size_t n) {
    return y.row(n % y.rows) + (place.panel + n / y.rows * place.apart) * kPanel;
  };
  Eight sums[kGroupSums];
  for (std::size_t n = 0; n < group.panels * y.rows; ++n) {
    sums[n] = {wasm_v128_load(to(n)), wasm_v128_load(to(n) + 4)};
  }
  add_block(sums, place, begin, end);
  const std::size_t panels = place.apart == 0 ? 1 : group.panels;
  for (std::size_t n = 0; n < panels * y.rows; ++n) {
    wasm_v128_store(to(n), sums[n].low);
    wasm_v128_store(to(n) + 4, sums[n].high);
  }
}

// All inputs of the block. Tiles between those with exceptions are multiplied together.
void RowsProduct::add_block(Eight* to, const Place& place, std::size_t begin,
                            std::size_t end) const {
  const auto numbers = [&](std::size_t row) {
    return block + (row - begin) * inputs_apart(x.rows);
  };
  for (std::size_t first = begin; first < end;) {
    const std::size_t exception = next_exception(place, first, end);
    const std::size_t tile =
        exception == end ? end : begin + (exception - begin) / kTileKeys * kTileKeys;
    const std::size_t last = std::min(tile + kTileKeys, end);
    add_with(group.add_tiles, to, place, first, tile, numbers(first));
    if (tile < end) add_tile(to, place, tile, last, numbers(tile));
    first = last;
  }
}

// The tile from `first` to `last`, input by input where there are exceptions.
void RowsProduct::add_tile(Eight* to, const Place& place, std::size_t first, std::size_t last,
                           const float* tile) const {
  const std::size_t step = inputs_apart(x.rows);
  const v128_t zero = wasm_f32x4_splat(0);
  Eight sums[kGroupSums] = {{zero, zero}, {zero, zero}, {zero, zero}, {zero, zero}};
  for (std::size_t row = first; row < last;) {
    const std::size_t next = next_exception(place, row, last);
    add_with(group.add_inputs, sums, place, row, next, tile + (row - first) * step);
    if (next < last) add_exception(sums, place, next, tile + (next - first) * step);
    row = next + 1;
  }
  for (std::size_t n = 0; n < group.panels * y.rows; ++n) {
    to[n].low = wasm_f32x4_add(to[n].low, sums[n].low);
    to[n].high = wasm_f32x4_add(to[n].high, sums[n].high);
  }
}

// Rows of W from `first` to `last`, without exceptions.
void RowsProduct::add_with(AddInputs kernel, Eight* to, const Place& place, std::size_t first,
                           std::size_t last, const float* numbers) const {
  kernel(to, numbers, last - first, w.panel(place.panel, first).data,
         place.apart * w.depth * kPanel * bytes_each(w.type));
}

// The next row from `row` on with an exception in one of the panels, or `end`.
std::size_t RowsProduct::next_exception(const Place& place, std::size_t row,
                                        std::size_t end) const {
  if (w.exceptions == nullptr) return end;
  for (; row < end; row += 32 - row % 32) {
    std::uint32_t bits = 0;
    for (std::size_t p = 0; p < group.panels; ++p) {
      bits |= w.exceptions[(place.panel + p * place.apart) * w.panel_words() + row / 32];
    }
    bits >>= row % 32;
    if (bits != 0) return std::min(row + static_cast<std::size_t>(std::countr_zero(bits)), end);
  }
  return end;
}

// One step with float16 numbers that may be subnormal, infinite or NaN.
[[gnu::noinline]] void RowsProduct::add_exception(Eight* sums, const Place& place, std::size_t row,
                                                  const float* numbers) const {
  for (std::size_t p = 0; p < group.panels; ++p) {
    const std::byte* at = w.panel(place.panel + p * place.apart, row).data;
    const Eight wide = Float16<Paired>::load(at, nullptr);
    for (std::size_t r = 0; r < y.rows; ++r, ++sums) {
      const v128_t number = wasm_f32x4_splat(numbers[r] / x_scale);
      sums->low = multiply_add(number, wide.low, sums->low);
      sums->high = multiply_add(number, wide.high, sums->high);
    }
  }
}

// The weights are loaded as 2^-112 times their value if x · 2^112 is finite: the products are the
// same, and exponents need no bias.
void add_float16(Matrix<float> y, Matrix<const float> x, const PackedMatrix& w, float* scratch) {
  constexpr std::uint32_t kTooLarge = (127 + 16) << 23;
  std::uint32_t bits = 0;
  for (std::size_t r = 0; r < x.rows; ++r) bits = std::max(bits, largest_bits(x.row(r), x.cols));
  if (bits < kTooLarge) {
    RowsProduct{y, x, w, scratch, group_of<ScaledFloat16<Paired>>(x.rows), 0x1p112F}.add();
  } else {
    RowsProduct{y, x, w, scratch, group_of<NormalFloat16<Paired>>(x.rows), 1}.add();
  }
}

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

void add_few_rows(Matrix<float> y, Matrix<const float> x, const PackedMatrix& w, float* scratch) {
  switch (w.type) {
    case NumberType::kFloat32:
      return RowsProduct{y, x, w, scratch, group_of<Float32>(x.rows), 1}.add();
    case NumberType::kFloat16:
      return add_float16(y, x, w, scratch);
    case NumberType::kBfloat16:
      return RowsProduct{y, x, w, scratch, group_of<Bfloat16<Paired>>(x.rows), 1}.add();
    case NumberType::kInt8:
      break;
  }
}

}  // namespace KERNEL_SET
}  // namespace attention::simd
