// Calls about a KeyValueCache: making one, appending to it, looking at it, going back.
#pragma once

#include <string>

#include "attention/key_value_cache.h"
#include "attention/shapes.h"

namespace attention {

struct NewCache {
  double batch, kv_heads, key_dim, value_dim, capacity, sliding;
  double object, object_bytes, bytes;
};

std::string check(NewCache& request);
void run(const NewCache& request);

struct AppendRequest {
  double cache;
  TensorArgument key, value;  // layouts of attention()
  double count;               // set by check()
  double bytes;
};

std::string check(AppendRequest& request);
void run(const Kernels& kernels, const AppendRequest& request, void* block);

// Forgets all from position length on.
struct RewindRequest {
  double cache, length;
  double bytes;
};

std::string check(RewindRequest& request);
void run(const RewindRequest& request);

struct CacheState {
  double cache;
  double length, kept;  // set by check()
  double bytes;
};

std::string check(CacheState& request);

}  // namespace attention
