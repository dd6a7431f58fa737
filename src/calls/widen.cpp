// From the front, so that nothing is written where something is still to be read. Of 16 bits,
// number i goes to bytes 4i, and the unread ones start at 2n + 2(i + 1), never before its end. Of
// int8, row r of w goes to bytes 4wr, and the unread rows start at their number times 4 + w before
// the end, which is no more than 4w each.
#include "calls/widen.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace attention::calls {
namespace {

// std::bit_cast, which the oldest Emscripten in use does not have.
template <class To, class From>
To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

float from_bfloat16(std::uint16_t bits) { return bits_of<float>(std::uint32_t{bits} << 16); }

// The exponent and fraction are put where a float has them; multiplying by 2^112 corrects the bias
// of the exponent and makes subnormal numbers normal.
float from_float16(std::uint16_t bits) {
  constexpr std::uint32_t kSign = 0x8000;
  constexpr std::uint32_t kInfinity = 0x7C00;
  constexpr std::uint32_t kFloatInfinity = 0x7F800000;
  const std::uint32_t sign = (bits & kSign) << 16;
  const std::uint32_t size = bits & ~kSign;
  if (size >= kInfinity) {
    return bits_of<float>(sign | kFloatInfinity | (size - kInfinity) << 13);
  }
  const float number = bits_of<float>(size << 13) * 0x1p112F;
  return bits_of<float>(sign | bits_of<std::uint32_t>(number));
}

// rows × (a float, width int8 numbers) at the end of rows × width floats.
void scale_rows(std::byte* to, std::size_t rows, std::size_t width) {
  const std::byte* from = to + rows * (width * sizeof(float) - (sizeof(float) + width));
  for (std::size_t r = 0; r < rows; ++r) {
    float scale = 0;
    std::memcpy(&scale, from, sizeof scale);
    from += sizeof scale;
    for (std::size_t c = 0; c < width; ++c, ++from, to += sizeof(float)) {
      const float number = static_cast<float>(static_cast<std::int8_t>(*from)) * scale;
      std::memcpy(to, &number, sizeof number);
    }
  }
}

}  // namespace

void widen(const Tensor& tensor, void* block) {
  const auto type = static_cast<NumberType>(static_cast<int>(tensor.type));
  if (!tensor.is_given() || type == NumberType::kFloat32) return;
  const auto count = static_cast<std::size_t>(tensor.count);
  std::byte* to = static_cast<std::byte*>(block) + static_cast<std::size_t>(tensor.place);
  if (type == NumberType::kInt8) {
    const auto width = static_cast<std::size_t>(tensor.last());
    if (count > 0) scale_rows(to, count / width, width);
    return;
  }
  const std::byte* from = to + count * sizeof(std::uint16_t);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    const float number = type == NumberType::kFloat16 ? from_float16(bits) : from_bfloat16(bits);
    std::memcpy(to + i * sizeof number, &number, sizeof number);
  }
}

}  // namespace attention::calls
