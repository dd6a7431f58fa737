// A small Transformer for training: GPT-2's decoder, or mBART's encoder and decoder. Pre-norm
// layers, learned positions, GELU (tanh):
//
//   x = embedding[id] + positions[p]      (encoder–decoder: normalized)
//   x = x + W_O attention(norm(x))        for each layer: self-attention, in a decoder with an
//                                         encoder cross-attention to the encoder's output,
//   x = x + W_2 gelu(W_1 norm(x))         and feed-forward
//   logits = norm(x) · head               the head being the embedding, or a matrix of its own
//
// train() does one step on a batch: forward, backward, update (AdamW). Its results have the same
// bits on every machine: sums have a fixed order, and weights are drawn by mulberry32.
//
//   const TrainingShape shape{.vocabulary = 3, .width = 48, .layers = 3, .heads = 3, .hidden = 192,
//                             .context = 11};
//   Workspace counting;
//   TrainableTransformer::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used()), scratch;
//   Workspace block(memory.data());
//   TrainableTransformer model = TrainableTransformer::reserve(block, shape);
//   model.initialize(1);
//   with_scratch(scratch, [&](Workspace& workspace) {
//     loss = train(simd_kernels(), model, batch, {.learning_rate = 5e-4F}, workspace).loss;
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "attention/attention_backward.h"
#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/workspace.h"

namespace attention {

struct TrainingShape {
  bool has_encoder = false;
  std::size_t vocabulary = 0;
  std::size_t width = 0;   // a multiple of heads
  std::size_t layers = 0;  // of each stack
  std::size_t heads = 0;
  std::size_t hidden = 0;           // width of the feed-forward part
  std::size_t context = 0;          // max positions
  bool tied = true;                 // the head is the embedding; with an encoder always
  std::optional<float> scale = {};  // of all scores, finite; unset: 1/√(width/heads)
};

// A trainable matrix, rows × cols, with its gradient and the moments of AdamW.
struct Parameter {
  enum class Kind { kEmbedding, kMatrix, kResidualMatrix, kZeros, kOnes };

  float* values = nullptr;
  float* gradients = nullptr;
  float* first_moments = nullptr;
  float* second_moments = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  Kind kind = Kind::kZeros;

  std::size_t count() const { return rows * cols; }
  // Weight decay acts on matrices of linear maps only.
  bool decays() const { return kind == Kind::kMatrix || kind == Kind::kResidualMatrix; }
  Matrix<const float> matrix() const { return {values, rows, cols, cols}; }
  Matrix<float> gradient() const { return {gradients, rows, cols, cols}; }
};

struct LinearParameters {
  Parameter weight, bias;  // in × out; 1 × out
};

struct NormParameters {
  Parameter weight, bias;  // 1 × width
};

struct AttentionParameters {
  NormParameters norm;
  LinearParameters query;   // self-attention: query, key and value side by side
  LinearParameters memory;  // cross-attention: key and value side by side
  LinearParameters output;
};

struct FeedForwardParameters {
  NormParameters norm;
  LinearParameters up, down;
};

struct LayerParameters {
  AttentionParameters self, cross;
  FeedForwardParameters feed_forward;
};

struct StackParameters {
  Parameter positions;            // context × width
  NormParameters embedding_norm;  // with an encoder
  LayerParameters* layers = nullptr;
  NormParameters norm;
};

struct TrainableTransformer {
  TrainingShape shape;
  Parameter embedding;  // vocabulary × width
  StackParameters encoder, decoder;
  Parameter head;            // vocabulary × width, unless tied
  std::uint64_t steps = 0;   // completed steps
  std::size_t count = 0;     // of all parameters
  float* numbers = nullptr;  // all values, then all first moments, then all second moments

  static TrainableTransformer reserve(Workspace& memory, const TrainingShape& shape);

  // Draws all weights: uniform in ±σ√3, σ = 0.02, of matrices whose output is added to x
  // 0.02/√(2·layers). Resets steps and moments.
  void initialize(std::uint32_t seed);
};

// Sequences of a batch, padded to the same length; ids and targets row after row.
struct TrainingBatch {
  std::size_t batch = 0;
  std::size_t length = 0;                // of the decoder's rows
  std::span<const double> ids = {};      // batch × length, each below vocabulary
  std::span<const double> targets = {};  // batch × length; below 0: ignored
  // With an encoder, its input:
  std::size_t encoder_length = 0;
  std::span<const double> encoder_ids = {};      // batch × encoder_length
  std::span<const double> encoder_lengths = {};  // batch: ids before the padding, at least 1
};

struct AdamW {
  float learning_rate = 1e-3F;
  double beta1 = 0.9;
  double beta2 = 0.999;
  float epsilon = 1e-8F;
  float weight_decay = 0;
  float clip = 0;  // max norm of all gradients; 0: not limited
};

struct TrainingResult {
  double loss = 0;           // mean cross entropy of the targets that are not ignored
  double gradient_norm = 0;  // before clipping
  bool is_updated = false;   // by train(); false: nothing was changed
};

// One step. Nothing is changed unless loss and gradient norm are finite in float, and the new
// values and moments are numbers that a further step can compute with (see AdamWStep::fits()).
TrainingResult train(const Kernels& kernels, TrainableTransformer& model,
                     const TrainingBatch& batch, const AdamW& optimizer, Workspace& workspace);

// The loss and the gradients of all parameters, without an update.
TrainingResult compute_gradients(const Kernels& kernels, const TrainableTransformer& model,
                                 const TrainingBatch& batch, Workspace& workspace);

// The forward pass alone. Each result is optional; weights are layers × batch × heads × q_len ×
// k_len.
struct ForwardResults {
  float* logits = nullptr;  // batch × length × vocabulary
  float* encoder_weights = nullptr;
  float* decoder_weights = nullptr;
  float* cross_weights = nullptr;
};
void forward(const Kernels& kernels, const TrainableTransformer& model, const TrainingBatch& batch,
             const ForwardResults& results, Workspace& workspace);

}  // namespace attention
