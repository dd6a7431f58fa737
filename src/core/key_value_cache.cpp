// Rows are written into the packed tiles one by one; whole panels of keys are packed by the kernel.
#include "attention/key_value_cache.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/kernels.h"

namespace attention {
namespace {

constexpr std::size_t tiles_of(std::size_t keys) { return (keys + kTileKeys - 1) / kTileKeys; }

}  // namespace

std::size_t KeyValueCache::tiles() const { return tiles_of(capacity) + (sliding ? 1 : 0); }

std::uint64_t KeyValueCache::bytes() const {
  KeyValueCache counted = *this;
  Workspace counting;
  counted.take_memory(counting);
  return counting.used();
}

void KeyValueCache::attach(void* memory) {
  Workspace taking(memory);
  take_memory(taking);
  first = length = 0;
  std::fill_n(finite, batch * kv_heads * tiles(), std::uint8_t{1});
}

void KeyValueCache::take_memory(Workspace& memory) {
  const std::uint64_t count = std::uint64_t{batch} * kv_heads * tiles();
  keys = memory.take<float>(count * kTileKeys * key_dim);
  values = memory.take<float>(count * kTileKeys * round_up_to_panel<std::uint64_t>(value_dim));
  finite = memory.take<std::uint8_t>(count);
}

KeyValueCache KeyValueCache::after_append(std::size_t count) const {
  KeyValueCache after = *this;
  after.length += count;
  if (after.key_count() > capacity) after.first = after.length - capacity;
  return after;
}

KeyValueCache::Tile KeyValueCache::tile(std::size_t batch_entry, std::size_t kv_head,
                                        std::size_t position) const {
  const std::size_t index =
      (batch_entry * kv_heads + kv_head) * tiles() + position / kTileKeys % tiles();
  return {keys + index * kTileKeys * key_dim,
          values + index * kTileKeys * round_up_to_panel(value_dim), finite + index};
}

void KeyValueCache::append_row(const Tile& tile, std::size_t row, const float* key,
                               const float* value) const {
  if (key != nullptr) {
    float* lane = tile.keys + row / kPanel * kPanel * key_dim + row % kPanel;
    for (std::size_t c = 0; c < key_dim; ++c) lane[c * kPanel] = key[c];
  }
  bool is_finite = row == 0 || *tile.finite != 0;
  for (std::size_t c = 0; c < round_up_to_panel(value_dim); ++c) {
    const float number = c < value_dim ? value[c] : 0;
    is_finite = is_finite && std::isfinite(number);
    tile.values[c / kPanel * kPanel * kTileKeys + row * kPanel + c % kPanel] = number;
  }
  *tile.finite = is_finite ? 1 : 0;
}

void KeyValueCache::append(const Kernels& kernels, Heads<const float> key,
                           Heads<const float> value) {
  assert(key.batch == batch && key.heads == kv_heads && key.cols == key_dim);
  assert(value.batch == batch && value.heads == kv_heads && value.cols == value_dim);
  assert(value.rows == key.rows && has_room_for(key.rows));
  const std::size_t start = length;
  *this = after_append(key.rows);
  // Skip keys that this call itself would evict.
  const std::size_t skipped = first > start ? first - start : 0;
  for (std::size_t entry = 0; entry < batch; ++entry) {
    for (std::size_t head = 0; head < kv_heads; ++head) {
      const Matrix<const float> new_keys = key.at(entry, head);
      const Matrix<const float> new_values = value.at(entry, head);
      std::size_t packed_until = 0;
      for (std::size_t i = skipped; i < key.rows; ++i) {
        const Tile to = tile(entry, head, start + i);
        const std::size_t row = (start + i) % kTileKeys;
        if (row % kPanel == 0 && i + kPanel <= key.rows) {
          kernels.pack_keys(to.keys + row * key_dim, new_keys.block(i, kPanel));
          packed_until = i + kPanel;
        }
        append_row(to, row, i < packed_until ? nullptr : new_keys.row(i), new_values.row(i));
      }
    }
  }
}

void KeyValueCache::read(float* key, float* value) const {
  for (std::size_t entry = 0; entry < batch * kv_heads; ++entry) {
    for (std::size_t position = first; position < length; ++position) {
      const Tile from = tile(0, entry, position);
      const std::size_t row = position % kTileKeys;
      const float* keys_of_panel = from.keys + row / kPanel * kPanel * key_dim + row % kPanel;
      for (std::size_t c = 0; c < key_dim; ++c) *key++ = keys_of_panel[c * kPanel];
      for (std::size_t c = 0; c < value_dim; ++c) {
        *value++ = from.values[c / kPanel * kPanel * kTileKeys + row * kPanel + c % kPanel];
      }
    }
  }
}

void KeyValueCache::rewind(std::size_t new_length) {
  length = new_length;
  if (length == 0) first = 0;
}

void KeyValueCache::copy_entry(std::size_t from, std::size_t to) {
  for (std::size_t head = 0; head < kv_heads; ++head) {
    for (std::size_t start = first / kTileKeys * kTileKeys; start < length; start += kTileKeys) {
      const Tile source = tile(from, head, start);
      const Tile target = tile(to, head, start);
      const std::size_t rows = round_up_to_panel(std::min(length - start, kTileKeys));
      std::copy_n(source.keys, rows * key_dim, target.keys);
      for (std::size_t c = 0; c < round_up_to_panel(value_dim); c += kPanel) {
        std::copy_n(source.values + c * kTileKeys, rows * kPanel, target.values + c * kTileKeys);
      }
      *target.finite = *source.finite;
    }
  }
}

}  // namespace attention
