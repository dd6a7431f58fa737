// A key/value cache for autoregressive decoding: keys and values are packed when they are appended,
// and later queries attend to all of them.
//
// Keys are numbered by position, starting at 0, and stored in tiles of 256: key j is in tile j /
// 256. attend() processes the same tiles without a cache, so sums have the same order and results
// the same bits. A sliding cache keeps the last `capacity` keys and evicts older ones. Its tiles
// form a ring with one spare tile, so that the oldest and the newest keys never share a tile and
// its `finite` flag.
//
//   keys     batch × kv_heads × tiles × (256 × key_dim), packed as pack_keys() does
//   values   batch × kv_heads × tiles × (value_dim in panels of 8 × 256), as pack_values() does
//
// Example:
//
//   KeyValueCache cache{.kv_heads = 2, .key_dim = 64, .value_dim = 64, .capacity = 1024};
//   std::vector<std::byte> memory(cache.bytes());   // 16-byte aligned
//   cache.attach(memory.data());
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct KeyValueCache {
  std::size_t batch = 1, kv_heads = 1, key_dim = 1, value_dim = 1;
  std::size_t capacity = 0;
  bool sliding = false;

  std::size_t first = 0;   // position of the oldest key in the cache
  std::size_t length = 0;  // number of keys appended so far = position of the next key

  float* keys = nullptr;
  float* values = nullptr;
  std::uint8_t* finite = nullptr;  // per tile: 1 if all its values are finite

  // Size in bytes of the memory for keys, values and finite.
  std::uint64_t bytes() const;
  // Uses that memory for an empty cache. memory: bytes() bytes, 16-byte aligned.
  void attach(void* memory);

  // Number of keys in the cache: positions first to length - 1.
  std::size_t key_count() const { return length - first; }
  bool has_room_for(std::size_t count) const { return sliding || count <= capacity - length; }

  // The first and length the cache would have after appending count keys; copies no keys.
  KeyValueCache after_append(std::size_t count) const;

  // key: batch × kv_heads × count × key_dim, value likewise. Requires has_room_for(count).
  void append(const Kernels& kernels, Heads<const float> key, Heads<const float> value);

  // Copies all keys and values. key: batch × kv_heads × key_count() × key_dim floats;
  // value: batch × kv_heads × key_count() × value_dim.
  void read(float* key, float* value) const;

  // Removes all keys from position new_length on. Requires first <= new_length <= length, or 0.
  void rewind(std::size_t new_length);

  // Overwrites batch entry `to` with the keys and values of entry `from`.
  void copy_entry(std::size_t from, std::size_t to);

  struct Tile {
    float* keys;
    float* values;
    std::uint8_t* finite;
  };
  // The tile that holds the key of a position.
  Tile tile(std::size_t batch_entry, std::size_t kv_head, std::size_t position) const;

 private:
  std::size_t tiles() const;
  void take_memory(Workspace& memory);
  void append_row(const Tile& tile, std::size_t row, const float* key, const float* value) const;
};

}  // namespace attention
