// Relative position vectors: learned vectors of distances, which queries and keys are compared with
// (disentangled attention: He et al., "DeBERTa", arXiv 2006.03654).
//
//   score_ij += scale · (q_i · key_b + k_j · query_b)     b: bucket of distance j - p
//
// The dot products of all rows and buckets are computed first, O((q_len + k_len) · buckets)
// numbers; attend() looks them up for each pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "attention/distance_runs.h"
#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct PositionVectors {
  // 1 × heads × buckets × key_dim each; no columns: none.
  Heads<float> key = {}, query = {};
  DistanceRuns runs = {};

  bool is_set() const { return key.cols != 0 || query.cols != 0; }
};

// Scaled dot products of contents and position vectors.
struct PositionScores {
  Heads<float> of_queries =
      {};  // q · key vectors, batch × heads × q_len × buckets; no columns: none
  Heads<float> of_keys = {};  // k · query vectors, batch × heads × k_len × buckets; likewise
  DistanceRuns runs = {};

  bool is_set() const { return of_queries.cols != 0 || of_keys.cols != 0; }

  // The two terms of the score of query i and key j at that distance.
  float query_term(std::size_t batch, std::size_t head, std::size_t i,
                   std::int64_t distance) const {
    return of_queries.at(batch, head).row(i)[runs.bucket_of(distance)];
  }
  float key_term(std::size_t batch, std::size_t head, std::size_t j, std::int64_t distance) const {
    return of_keys.at(batch, head).row(j)[runs.bucket_of(distance)];
  }
};

// The result's numbers are in memory of the workspace. scale: factor of the dot products; unset:
// 1/√key_dim.
PositionScores score_positions(const Kernels& kernels, const PositionVectors& vectors,
                               const Heads<const float>& query, const Heads<const float>& key,
                               std::optional<float> scale, Workspace& workspace);

}  // namespace attention
