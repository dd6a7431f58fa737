// Keys and values of all positions so far, packed as they arrive, for attention of the newest
// queries.
//
// Keys are numbered by position, from 0 on. They lie in tiles of 256, as attend() reads them: key j
// in tile j / 256, so that the order of every sum, and with it its bits, is that of attention
// without a cache. A sliding cache holds the last `capacity` keys and lets go of the others; its
// tiles lie in a ring with room for one more, so that no two tiles in use share what is known of a
// tile as a whole.
//
//   keys     batch × kv_heads × tiles × (256 × key_dim), packed as pack_keys() does
//   values   batch × kv_heads × tiles × (value_dim in panels of 8 × 256), as pack_values() does
//
// How one is made:
//
//   KeyValueCache cache{.kv_heads = 2, .key_dim = 64, .value_dim = 64, .capacity = 1024};
//   std::vector<std::byte> memory(cache.bytes());   // 16-byte aligned
//   cache.use(memory.data());
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

  std::size_t first = 0;   // position of the oldest key that is held
  std::size_t length = 0;  // keys appended so far; the next one's position

  float* keys = nullptr;
  float* values = nullptr;
  std::uint8_t* finite = nullptr;  // per tile: whether all values are

  // Bytes of the memory that holds keys, values and finite, 16-byte aligned.
  std::uint64_t bytes() const;
  // Makes that memory the cache's own: nothing is in it.
  void use(void* memory);

  // Keys that are held: those from position first on.
  std::size_t key_count() const { return length - first; }
  bool has_room_for(std::size_t count) const { return sliding || count <= capacity - length; }

  // The cache as it would be with count keys more: numbers only.
  KeyValueCache with(std::size_t count) const;

  // key: batch × kv_heads × count × key_dim, value likewise. has_room_for(count).
  void append(const Kernels& kernels, Heads<const float> key, Heads<const float> value);

  // Copies what is held. key: batch × kv_heads × key_count() × key_dim numbers, value likewise.
  void read(float* key, float* value) const;

  // Forgets all from position new_length on. first <= new_length <= length, or 0.
  void rewind(std::size_t new_length);

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
