// Sizes are chosen around those of lanes, panels and tiles.
#include "fuzz/attention_input.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace fuzz {
namespace {

using attention::Heads;
using attention::Mask;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kKeyCounts[] = {0,  1,  2,  3,   4,   5,   7,   8,  9,
                                      16, 17, 31, 255, 256, 257, 300, 513};
constexpr std::size_t kQueryCounts[] = {0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17, 33};
constexpr std::size_t kWidths[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 33};
constexpr std::size_t kLargestPairs = 2048;
// Special numbers. Products of the large ones are finite.
constexpr float kStrange[] = {kNan,   kInfinity, -kInfinity, 0.0F,  -0.0F,
                              1e-45F, -1e-40F,   1e-30F,     1e12F, -1e12F};

// Random numbers from a seed, with special numbers at positions that the fuzzer chooses.
void fill(FuzzedDataProvider& input, Numbers& numbers) {
  std::mt19937 random(input.ConsumeIntegral<std::uint16_t>());
  std::normal_distribution<float> normal(0, input.PickValueInArray({1.0F, 0.0F, 0.1F, 8.0F}));
  for (std::size_t at = 0; at < numbers.count; ++at) numbers.data()[at] = normal(random);
  if (numbers.count == 0) return;
  for (std::size_t strange = input.ConsumeIntegralInRange(0, 3); strange > 0; --strange) {
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, numbers.count - 1);
    numbers.data()[at] = input.PickValueInArray(kStrange);
  }
}

Heads<const float> view(const Numbers& numbers, bool packed, std::size_t batch, std::size_t heads,
                        std::size_t rows, std::size_t cols) {
  const float* data = numbers.data();
  return packed ? Heads<const float>::packed(data, batch, heads, rows, cols)
                : Heads<const float>::head_major(data, batch, heads, rows, cols);
}

auto reader(const Heads<const float>& tensor) {
  return [tensor](std::size_t b, std::size_t h, std::size_t i, std::size_t c) {
    return tensor.at(b, h).row(i)[c];
  };
}

}  // namespace

AttentionInput::AttentionInput(const std::uint8_t* bytes, std::size_t count) {
  FuzzedDataProvider input(bytes, count);
  Problem& p = problem;
  p.batch = input.ConsumeIntegralInRange<std::size_t>(1, 2);
  p.kv_heads = input.ConsumeIntegralInRange<std::size_t>(1, 2);
  p.heads = p.kv_heads * input.ConsumeIntegralInRange<std::size_t>(1, 3);
  p.q_len = input.PickValueInArray(kQueryCounts);
  p.k_len = input.PickValueInArray(kKeyCounts);
  // Many keys with few queries, or the reverse, because the oracle is slow.
  const std::size_t pairs = p.batch * p.heads * p.k_len;
  if (p.q_len * pairs > kLargestPairs) p.q_len = std::max<std::size_t>(1, kLargestPairs / pairs);
  p.key_dim = input.PickValueInArray(kWidths);
  p.value_dim = input.ConsumeBool() ? input.PickValueInArray(kWidths) : p.key_dim - 1;

  const auto tensor = [&](std::size_t heads, std::size_t rows, std::size_t cols) {
    numbers_.push_back(std::make_unique<Numbers>(p.batch * heads * rows * cols));
    fill(input, *numbers_.back());
    return view(*numbers_.back(), input.ConsumeBool(), p.batch, heads, rows, cols);
  };
  query = tensor(p.heads, p.q_len, p.key_dim);
  key = tensor(p.kv_heads, p.k_len, p.key_dim);
  value = tensor(p.kv_heads, p.k_len, p.value_dim);
  p.query = reader(query);
  p.key = reader(key);
  p.value = reader(value);

  if (input.ConsumeBool()) p.scale = input.PickValueInArray({0.0F, 1.0F, -0.5F, 4.0F, 1e-20F});
  if (input.ConsumeBool()) p.softcap = input.PickValueInArray({0.1F, 1.0F, 30.0F});
  p.causal = input.ConsumeBool();
  if (input.ConsumeBool()) p.left = input.ConsumeIntegralInRange<long>(0, 300);
  if (input.ConsumeBool()) p.right = input.ConsumeIntegralInRange<long>(0, 300);
  const auto offset = [&] { return input.ConsumeIntegralInRange<long>(-40, 520); };
  const bool one_offset = input.ConsumeBool();
  for (std::size_t b = 0; b < p.batch; ++b) {
    p.offsets.push_back(b > 0 && one_offset ? p.offsets[0] : offset());
    p.lengths.push_back(p.k_len);
  }
  const auto last = static_cast<std::ptrdiff_t>(one_offset ? 1 : p.batch);
  offsets_.assign(p.offsets.begin(), p.offsets.begin() + last);
  if (input.ConsumeBool()) {
    for (std::size_t& length : p.lengths)
      length = input.ConsumeIntegralInRange<std::size_t>(0, p.k_len);
    lengths_.assign(p.lengths.begin(), p.lengths.end());
  }
  const auto per_head = [&](std::vector<double>& list, double smallest) {
    if (!input.ConsumeBool()) return;
    for (std::size_t h = 0; h < p.heads; ++h) {
      list.push_back(input.ConsumeFloatingPointInRange<double>(smallest, 4));
    }
  };
  per_head(p.slopes, 0);
  per_head(p.sinks, -4);
  slopes_ = p.slopes;
  sinks_ = p.sinks;

  Mask mask;
  if (input.ConsumeBool()) {
    std::size_t size = 1;
    const auto axis = [&](std::size_t length, std::size_t& stride) {
      const bool repeats = input.ConsumeBool();
      stride = repeats ? 0 : size;
      if (!repeats) size *= length;
    };
    axis(p.k_len, mask.key_stride);
    axis(p.q_len, mask.query_stride);
    axis(p.heads, mask.head_stride);
    axis(p.batch, mask.batch_stride);
    std::mt19937 random(input.ConsumeIntegral<std::uint16_t>());
    const unsigned hidden = input.ConsumeIntegralInRange(0U, 4U);  // of 4
    const auto hides = [&] { return random() % 4 < hidden; };
    if (input.ConsumeBool()) {
      mask_bytes_.resize(size);
      std::uint8_t* allowed = mask_bytes_.data();
      for (std::size_t at = 0; at < size; ++at) allowed[at] = hides() ? 0 : 1 + random() % 255;
      mask.allowed = allowed;
      p.allows = [mask](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
        return mask.allowed[mask.index(b, h, i, j)] != 0;
      };
    } else {
      numbers_.push_back(std::make_unique<Numbers>(size));
      float* bias = numbers_.back()->data();
      for (std::size_t at = 0; at < size; ++at) {
        bias[at] = hides() ? -kInfinity : static_cast<float>(random() % 64) / 8 - 4;
      }
      mask.bias = bias;
      p.adds = [mask](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
        return mask.bias[mask.index(b, h, i, j)];
      };
    }
  }

  options.scale = p.scale;
  options.softcap = p.softcap;
  options.visibility.causal = p.causal;
  if (p.left) options.visibility.window_left = *p.left;
  if (p.right) options.visibility.window_right = *p.right;
  options.visibility.offsets = offsets_;
  options.visibility.key_lengths = lengths_;
  options.visibility.mask = mask;
  options.slopes = slopes_;
  options.sinks = sinks_;

  for (std::size_t left = p.k_len; left > 0; left -= appends.back()) {
    appends.push_back(input.ConsumeIntegralInRange<std::size_t>(1, left));
  }
  if (p.q_len > 0) lone_row = input.ConsumeIntegralInRange<std::size_t>(0, p.q_len - 1);
}

}  // namespace fuzz
