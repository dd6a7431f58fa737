// Runs of distances with one bucket. The number of buckets bounds their number, so memory and work
// do not depend on the largest distance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/visibility.h"

namespace attention {

// The distances j - p (key minus query position) from `first` up to the first one of the next run.
struct DistanceRun {
  std::int64_t first = 0;
  std::uint32_t bucket = 0;
};

// Runs in ascending order. Distances below the first run belong to it, too.
struct DistanceRuns {
  DistanceRun* runs = nullptr;
  std::size_t count = 0;

  const DistanceRun* at(std::int64_t distance) const {
    return std::upper_bound(
               runs + 1, runs + count, distance,
               [](std::int64_t one, const DistanceRun& run) { return one < run.first; }) -
           1;
  }

  std::size_t bucket_of(std::int64_t distance) const { return at(distance)->bucket; }

  // Calls each(keys, bucket) for consecutive ranges of keys with one bucket. position: that of the
  // query, counted from key 0.
  void split(KeyRange keys, std::int64_t position, auto&& each) const {
    if (keys.empty()) return;
    const DistanceRun* run = at(static_cast<std::int64_t>(keys.first) - position);
    for (std::size_t first = keys.first; first < keys.last; ++run) {
      std::size_t last = keys.last;
      if (run + 1 < runs + count) {
        const std::int64_t next = run[1].first + position;
        last = static_cast<std::size_t>(std::min(next, static_cast<std::int64_t>(last)));
      }
      each(KeyRange{first, last}, std::size_t{run->bucket});
      first = last;
    }
  }
};

}  // namespace attention
