// The trainer: forward, backward, update, each as a list of calls. Letters: B sequences, T rows of
// a stack (B × length), W width, H hidden width, V vocabulary.
#include "attention/training.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "kernels/kernels.h"
#include "training/adamw.h"
#include "training/add.h"
#include "training/cross_entropy.h"
#include "training/gelu_backward.h"
#include "training/linear_backward.h"
#include "training/norm_backward.h"

namespace attention {
namespace {

// Calls visit(parameter) in the order of the weights.
template <class Visit>
void visit_norm(NormParameters& norm, Visit& visit) {
  visit(norm.weight);
  visit(norm.bias);
}

template <class Visit>
void visit_linear(LinearParameters& map, Visit& visit) {
  visit(map.weight);
  visit(map.bias);
}

template <class Visit>
void visit_layer(LayerParameters& layer, bool has_cross, Visit& visit) {
  visit_norm(layer.self.norm, visit);
  visit_linear(layer.self.query, visit);
  visit_linear(layer.self.output, visit);
  if (has_cross) {
    visit_norm(layer.cross.norm, visit);
    visit_linear(layer.cross.query, visit);
    visit_linear(layer.cross.memory, visit);
    visit_linear(layer.cross.output, visit);
  }
  visit_norm(layer.feed_forward.norm, visit);
  visit_linear(layer.feed_forward.up, visit);
  visit_linear(layer.feed_forward.down, visit);
}

template <class Visit>
void visit_stack(const TrainingShape& shape, StackParameters& stack, bool has_cross, Visit& visit) {
  visit(stack.positions);
  if (shape.has_encoder) visit_norm(stack.embedding_norm, visit);
  for (std::size_t n = 0; n < shape.layers; ++n) visit_layer(stack.layers[n], has_cross, visit);
  visit_norm(stack.norm, visit);
}

template <class Visit>
void visit_all(TrainableTransformer& model, Visit visit) {
  visit(model.embedding);
  if (model.shape.has_encoder) visit_stack(model.shape, model.encoder, false, visit);
  visit_stack(model.shape, model.decoder, model.shape.has_encoder, visit);
  if (!model.shape.has_encoder && !model.shape.tied) visit(model.head);
}

using Kind = Parameter::Kind;

Parameter table(std::size_t rows, std::size_t cols, Kind kind) {
  Parameter parameter;
  parameter.rows = rows;
  parameter.cols = cols;
  parameter.kind = kind;
  return parameter;
}

LinearParameters linear(std::size_t in, std::size_t out, Kind kind = Kind::kMatrix) {
  return {table(in, out, kind), table(1, out, Kind::kZeros)};
}

NormParameters norm(const TrainingShape& shape) {
  return {table(1, shape.width, Kind::kOnes), table(1, shape.width, Kind::kZeros)};
}

LayerParameters layer_of(const TrainingShape& s) {
  const LinearParameters residual = linear(s.width, s.width, Kind::kResidualMatrix);
  LayerParameters layer;
  layer.self = {norm(s), linear(s.width, 3 * s.width), {}, residual};
  layer.cross = {norm(s), linear(s.width, s.width), linear(s.width, 2 * s.width), residual};
  layer.feed_forward = {norm(s), linear(s.width, s.hidden),
                        linear(s.hidden, s.width, Kind::kResidualMatrix)};
  return layer;
}

StackParameters stack_of(const TrainingShape& s) {
  return {table(s.context, s.width, Kind::kEmbedding), norm(s), nullptr, norm(s)};
}

// mulberry32, as in generate() of attention-wasm/models: numbers in [0, 1).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint32_t seed) : state_(seed) {}

  double next() {
    state_ += 0x6D2B79F5U;
    std::uint32_t x = (state_ ^ (state_ >> 15)) * (state_ | 1);
    x ^= x + (x ^ (x >> 7)) * (x | 61);
    return static_cast<double>(x ^ (x >> 14)) / 4294967296.0;
  }

 private:
  std::uint32_t state_;
};

Matrix<float> take_rows(Workspace& memory, std::size_t rows, std::size_t cols) {
  return {memory.take<float>(std::uint64_t{rows} * cols), rows, cols, cols};
}

void copy(Matrix<const float> from, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.cols, to.row(i));
}

// Values of an attention sublayer that the backward pass needs.
struct AttentionActivations {
  Matrix<float> input;       // T × W: x
  Matrix<float> normalized;  // T × W
  Matrix<float> query;       // T × 3W: queries, keys, values; cross-attention T × W: queries
  Matrix<float> memory;      // cross-attention, rows of the encoder × 2W: keys, values
  Matrix<float> heads;       // T × W: outputs of all heads
  float* log_sum_exp;        // B × heads × length
};

struct FeedForwardActivations {
  Matrix<float> input;       // T × W: x
  Matrix<float> normalized;  // T × W
  Matrix<float> hidden;      // T × H, before the activation
  Matrix<float> activated;   // T × H
};

struct LayerActivations {
  AttentionActivations self, cross;
  FeedForwardActivations feed_forward;
};

struct StackActivations {
  Matrix<float> embedded;  // T × W: before embedding_norm
  LayerActivations* layers;
  Matrix<float> input;   // T × W: x after the last layer
  Matrix<float> output;  // T × W: normalized
};

// Sequences of one stack.
struct Rows {
  std::size_t batch, length;
  std::span<const double> ids;
  std::span<const double> key_lengths;  // of its keys: none, or one per sequence

  std::size_t count() const { return batch * length; }
};

class Pass {
 public:
  Pass(const Kernels& kernels, const TrainableTransformer& model, const TrainingBatch& batch,
       Workspace& workspace, bool has_backward)
      : kernels_(kernels),
        model_(model),
        shape_(model.shape),
        batch_(batch),
        encoder_rows_{batch.batch, shape_.has_encoder ? batch.encoder_length : 0, batch.encoder_ids,
                      batch.encoder_lengths},
        decoder_rows_{batch.batch, batch.length, batch.ids, {}},
        encoder_(take_stack(workspace, encoder_rows_, false)),
        decoder_(take_stack(workspace, decoder_rows_, shape_.has_encoder)),
        linear_(workspace, largest_matrix(),
                std::max({3 * width(), shape_.hidden, shape_.vocabulary})),
        logits_(take_rows(workspace, decoder_rows_.count(), round_up_to_panel(shape_.vocabulary))) {
    logits_.cols = shape_.vocabulary;
    const std::size_t rows = std::max(encoder_rows_.count(), decoder_rows_.count());
    residual_ = take_rows(workspace, rows, width());
    if (has_backward) {
      dx_ = take_rows(workspace, rows, width());
      dmemory_ = take_rows(workspace, encoder_rows_.count(), width());
      dwide_ = take_rows(workspace, rows, std::max(3 * width(), shape_.hidden));
      dpart_ = take_rows(workspace, rows, width());
    }
    Workspace counting;
    count_attention(counting, decoder_rows_.length, decoder_rows_.length, has_backward);
    count_attention(counting, encoder_rows_.length, encoder_rows_.length, has_backward);
    if (shape_.has_encoder) {
      count_attention(counting, decoder_rows_.length, encoder_rows_.length, has_backward);
    }
    attention_scratch_ = workspace.take<std::byte>(counting.used());
  }

  // Computes the logits of the batch.
  void forward(const ForwardResults& results) {
    if (shape_.has_encoder) {
      forward(model_.encoder, encoder_rows_, encoder_, results.encoder_weights, nullptr);
    }
    forward(model_.decoder, decoder_rows_, decoder_, results.decoder_weights,
            results.cross_weights);
    transposed_forward(kernels_, head(), decoder_.output, logits_, linear_);
  }

  Matrix<float> logits() const { return logits_; }

  // Computes the gradients of all parameters; logits() must hold those of the logits.
  void backward() {
    transposed_backward(kernels_, head(), decoder_.output, logits_, rows_of(dpart_, decoder_rows_),
                        linear_);
    fill(dmemory_);
    backward(model_.decoder, decoder_rows_, decoder_);
    if (!shape_.has_encoder) return;
    copy(dmemory_, rows_of(dpart_, encoder_rows_));
    backward(model_.encoder, encoder_rows_, encoder_);
  }

 private:
  std::size_t width() const { return shape_.width; }
  bool is_decoder(const Rows& rows) const { return &rows == &decoder_rows_; }
  bool has_cross(const Rows& rows) const { return shape_.has_encoder && is_decoder(rows); }
  const Parameter& head() const {
    return shape_.has_encoder || shape_.tied ? model_.embedding : model_.head;
  }

  std::size_t largest_matrix() const {
    const std::size_t w = round_up_to_panel(width());
    const std::size_t widest =
        std::max({3 * w, round_up_to_panel(shape_.hidden), round_up_to_panel(shape_.vocabulary)});
    return w * widest;
  }

  static Matrix<float> rows_of(const Matrix<float>& buffer, const Rows& rows) {
    return buffer.block(0, rows.count());
  }
  // The same memory as rows without gaps.
  static Matrix<float> wide(const Matrix<float>& buffer, const Rows& rows, std::size_t cols) {
    return {buffer.data, rows.count(), cols, cols};
  }
  static void fill(Matrix<float> rows) { std::fill_n(rows.data, rows.rows * rows.stride, 0.0F); }

  // --- Memory

  AttentionActivations take_attention(Workspace& memory, const Rows& rows, std::size_t query_cols,
                                      std::size_t memory_rows) const {
    const std::size_t t = rows.count();
    return {take_rows(memory, t, width()),    take_rows(memory, t, width()),
            take_rows(memory, t, query_cols), take_rows(memory, memory_rows, 2 * width()),
            take_rows(memory, t, width()),    memory.take<float>(std::uint64_t{t} * shape_.heads)};
  }

  StackActivations take_stack(Workspace& memory, const Rows& rows, bool cross) const {
    const std::size_t t = rows.count();
    StackActivations stack{take_rows(memory, t, width()),
                           memory.take<LayerActivations>(shape_.layers),
                           take_rows(memory, t, width()), take_rows(memory, t, width())};
    for (std::size_t n = 0; n < shape_.layers; ++n) {
      const LayerActivations layer{
          take_attention(memory, rows, 3 * width(), 0),
          take_attention(memory, {rows.batch, cross ? rows.length : 0, {}, {}}, width(),
                         cross ? encoder_rows_.count() : 0),
          {take_rows(memory, t, width()), take_rows(memory, t, width()),
           take_rows(memory, t, shape_.hidden), take_rows(memory, t, shape_.hidden)}};
      if (!memory.counts()) stack.layers[n] = layer;
    }
    return stack;
  }

  void count_attention(Workspace& counting, std::size_t q_len, std::size_t k_len,
                       bool has_backward) const {
    const std::size_t dim = width() / shape_.heads;
    const auto q = Heads<float>::packed(nullptr, batch_.batch, shape_.heads, q_len, dim);
    const auto k = Heads<float>::packed(nullptr, batch_.batch, shape_.heads, k_len, dim);
    counting.lend([&](Workspace& lent) { attend(kernels_, q, k, k, {}, {.output = q}, lent); });
    if (!has_backward) return;
    counting.lend([&](Workspace& lent) {
      attention_backward(kernels_, {q, k, k, q, nullptr, q}, {}, {q, k, k}, lent);
    });
  }

  // --- Attention over rows of queries, keys and values side by side

  // Columns first·W to (first + 1)·W, in heads.
  Heads<float> heads(const Matrix<float>& rows, std::size_t first, std::size_t length) const {
    const std::size_t dim = width() / shape_.heads;
    return {rows.data + first * width(), batch_.batch, shape_.heads, length, dim,
            length * rows.stride,        dim,          rows.stride};
  }

  struct HeadViews {
    Heads<float> query, key, value;
  };
  HeadViews self_views(const Matrix<float>& rows, std::size_t length) const {
    return {heads(rows, 0, length), heads(rows, 1, length), heads(rows, 2, length)};
  }
  HeadViews cross_views(const Matrix<float>& query, const Matrix<float>& memory) const {
    return {heads(query, 0, decoder_rows_.length), heads(memory, 0, encoder_rows_.length),
            heads(memory, 1, encoder_rows_.length)};
  }

  AttentionOptions options(bool causal, std::span<const double> key_lengths) const {
    AttentionOptions options;
    options.scale = shape_.scale;
    options.visibility.causal = causal;
    options.visibility.key_lengths = key_lengths;
    return options;
  }

  void attend_forward(const HeadViews& views, const AttentionActivations& a,
                      const AttentionOptions& attention_options, float* weights) const {
    AttentionResults results;
    results.output = heads(a.heads, 0, views.query.rows);
    results.log_sum_exp = a.log_sum_exp;
    results.weights = weights;
    Workspace scratch(attention_scratch_);
    attend(kernels_, views.query, views.key, views.value, attention_options, results, scratch);
  }

  // dheads: gradient of the heads' outputs.
  void attend_backward(const HeadViews& views, const AttentionActivations& a,
                       const AttentionOptions& attention_options, const Matrix<float>& dheads,
                       const HeadViews& gradients) const {
    Workspace scratch(attention_scratch_);
    const std::size_t length = views.query.rows;
    attention_backward(kernels_,
                       {views.query, views.key, views.value, heads(a.heads, 0, length),
                        a.log_sum_exp, heads(dheads, 0, length)},
                       attention_options, {gradients.query, gradients.key, gradients.value},
                       scratch);
  }

  // --- Forward

  void embed(const StackParameters& stack, const Rows& rows, const StackActivations& a,
             Matrix<float> x) const {
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const float* token = model_.embedding.values + index(rows.ids[i]) * width();
      const float* position = stack.positions.values + i % rows.length * width();
      std::copy_n(token, width(), a.embedded.row(i));
      add(position, width(), a.embedded.row(i));
    }
    if (shape_.has_encoder) {
      norm_forward(stack.embedding_norm, a.embedded, x);
    } else {
      copy(a.embedded, x);
    }
  }

  static std::size_t index(double id) { return static_cast<std::size_t>(id); }

  void forward(const StackParameters& stack, const Rows& rows, const StackActivations& a,
               float* self_weights, float* cross_weights) const {
    const std::size_t self_count = batch_.batch * shape_.heads * rows.length * rows.length;
    const std::size_t cross_count =
        batch_.batch * shape_.heads * rows.length * encoder_rows_.length;
    const Matrix<float> x = a.input;
    embed(stack, rows, a, x);
    for (std::size_t n = 0; n < shape_.layers; ++n) {
      const LayerParameters& p = stack.layers[n];
      const LayerActivations& l = a.layers[n];
      self_forward(p.self, rows, l.self, x,
                   self_weights == nullptr ? nullptr : self_weights + n * self_count);
      if (has_cross(rows)) {
        cross_forward(p.cross, l.cross, x,
                      cross_weights == nullptr ? nullptr : cross_weights + n * cross_count);
      }
      feed_forward_forward(p.feed_forward, l.feed_forward, x);
    }
    norm_forward(stack.norm, x, a.output);
  }

  // x += W_O attention(norm(x))
  void self_forward(const AttentionParameters& p, const Rows& rows, const AttentionActivations& a,
                    Matrix<float> x, float* weights) const {
    copy(x, a.input);
    norm_forward(p.norm, x, a.normalized);
    linear_forward(kernels_, p.query, a.normalized, a.query, linear_);
    attend_forward(self_views(a.query, rows.length), a, self_options(rows), weights);
    linear_forward(kernels_, p.output, a.heads, rows_of(residual_, rows), linear_);
    add(rows_of(residual_, rows), x);
  }

  AttentionOptions self_options(const Rows& rows) const {
    return options(is_decoder(rows), rows.key_lengths);
  }

  // The same with keys and values of the encoder's output.
  void cross_forward(const AttentionParameters& p, const AttentionActivations& a, Matrix<float> x,
                     float* weights) const {
    copy(x, a.input);
    norm_forward(p.norm, x, a.normalized);
    linear_forward(kernels_, p.query, a.normalized, a.query, linear_);
    linear_forward(kernels_, p.memory, encoder_.output, a.memory, linear_);
    attend_forward(cross_views(a.query, a.memory), a, options(false, encoder_rows_.key_lengths),
                   weights);
    linear_forward(kernels_, p.output, a.heads, rows_of(residual_, decoder_rows_), linear_);
    add(rows_of(residual_, decoder_rows_), x);
  }

  // x += W_2 gelu(W_1 norm(x))
  void feed_forward_forward(const FeedForwardParameters& p, const FeedForwardActivations& a,
                            Matrix<float> x) const {
    copy(x, a.input);
    norm_forward(p.norm, x, a.normalized);
    linear_forward(kernels_, p.up, a.normalized, a.hidden, linear_);
    gelu_forward(kernels_, a.hidden.data, a.hidden.rows * a.hidden.cols, a.activated.data);
    const Matrix<float> residual = residual_.block(0, x.rows);
    linear_forward(kernels_, p.down, a.activated, residual, linear_);
    add(residual, x);
  }

  // --- Backward: the same calls from the last to the first. dpart_ holds the gradient of the
  // stack's output; dx_ becomes that of x.

  void backward(const StackParameters& stack, const Rows& rows, const StackActivations& a) const {
    const Matrix<float> dx = rows_of(dx_, rows);
    fill(dx);
    norm_backward(stack.norm, a.input, rows_of(dpart_, rows), dx);
    for (std::size_t n = shape_.layers; n-- > 0;) {
      const LayerParameters& p = stack.layers[n];
      const LayerActivations& l = a.layers[n];
      feed_forward_backward(p.feed_forward, l.feed_forward, rows, dx);
      if (has_cross(rows)) cross_backward(p.cross, l.cross, dx);
      self_backward(p.self, rows, l.self, dx);
    }
    embed_backward(stack, rows, a, dx);
  }

  void feed_forward_backward(const FeedForwardParameters& p, const FeedForwardActivations& a,
                             const Rows& rows, Matrix<float> dx) const {
    const Matrix<float> dhidden = wide(dwide_, rows, shape_.hidden);
    const Matrix<float> dnormalized = rows_of(dpart_, rows);
    linear_backward(kernels_, p.down, a.activated, dx, dhidden, linear_);
    gelu_backward(kernels_, a.hidden.data, a.hidden.rows * a.hidden.cols, dhidden.data);
    linear_backward(kernels_, p.up, a.normalized, dhidden, dnormalized, linear_);
    norm_backward(p.norm, a.input, dnormalized, dx);
  }

  void cross_backward(const AttentionParameters& p, const AttentionActivations& a,
                      Matrix<float> dx) const {
    const Matrix<float> dheads = rows_of(residual_, decoder_rows_);
    const Matrix<float> dquery = rows_of(dpart_, decoder_rows_);
    const Matrix<float> dmemory = wide(dwide_, encoder_rows_, 2 * width());
    linear_backward(kernels_, p.output, a.heads, dx, dheads, linear_);
    attend_backward(cross_views(a.query, a.memory), a, options(false, encoder_rows_.key_lengths),
                    dheads, cross_views(dquery, dmemory));
    const Matrix<float> dnormalized = rows_of(residual_, decoder_rows_);
    linear_backward(kernels_, p.query, a.normalized, dquery, dnormalized, linear_);
    norm_backward(p.norm, a.input, dnormalized, dx);
    const Matrix<float> dencoded = rows_of(residual_, encoder_rows_);
    linear_backward(kernels_, p.memory, encoder_.output, dmemory, dencoded, linear_);
    add(dencoded, dmemory_);
  }

  void self_backward(const AttentionParameters& p, const Rows& rows, const AttentionActivations& a,
                     Matrix<float> dx) const {
    const Matrix<float> dheads = rows_of(residual_, rows);
    const Matrix<float> dquery = wide(dwide_, rows, 3 * width());
    const Matrix<float> dnormalized = rows_of(dpart_, rows);
    linear_backward(kernels_, p.output, a.heads, dx, dheads, linear_);
    attend_backward(self_views(a.query, rows.length), a, self_options(rows), dheads,
                    self_views(dquery, rows.length));
    linear_backward(kernels_, p.query, a.normalized, dquery, dnormalized, linear_);
    norm_backward(p.norm, a.input, dnormalized, dx);
  }

  void embed_backward(const StackParameters& stack, const Rows& rows, const StackActivations& a,
                      Matrix<float> dx) const {
    Matrix<float> dembedded = dx;
    if (shape_.has_encoder) {
      dembedded = rows_of(dpart_, rows);
      fill(dembedded);
      norm_backward(stack.embedding_norm, a.embedded, dx, dembedded);
    }
    for (std::size_t i = 0; i < rows.count(); ++i) {
      float* token = model_.embedding.gradients + index(rows.ids[i]) * width();
      float* position = stack.positions.gradients + i % rows.length * width();
      add(dembedded.row(i), width(), token);
      add(dembedded.row(i), width(), position);
    }
  }

  const Kernels& kernels_;
  const TrainableTransformer& model_;
  const TrainingShape& shape_;
  const TrainingBatch& batch_;
  Rows encoder_rows_, decoder_rows_;
  StackActivations encoder_, decoder_;
  LinearScratch linear_;
  Matrix<float> logits_;    // T × V, in rows of whole panels
  Matrix<float> residual_;  // T × W: what is added to x; in the backward pass a gradient
  Matrix<float> dx_;        // T × W
  Matrix<float> dmemory_;   // gradient of the encoder's output
  Matrix<float> dwide_;     // T × max(3W, H)
  Matrix<float> dpart_;     // T × W
  std::byte* attention_scratch_ = nullptr;
};

float* gradients_of(const TrainableTransformer& model) { return model.numbers + 3 * model.count; }

double norm_of(const float* numbers, std::size_t count) {
  double sum = 0;
  for (std::size_t at = 0; at < count; ++at) sum += double{numbers[at]} * numbers[at];
  return std::sqrt(sum);
}

// Loss and norm are sums in double, which can be finite although they overflow float.
bool fits_float(double number) { return std::isfinite(static_cast<float>(number)); }

}  // namespace

TrainableTransformer TrainableTransformer::reserve(Workspace& memory, const TrainingShape& shape) {
  assert(shape.heads > 0 && shape.width % shape.heads == 0);
  TrainableTransformer model;
  model.shape = shape;
  model.embedding = table(shape.vocabulary, shape.width, Kind::kEmbedding);
  model.head = table(shape.vocabulary, shape.width, Kind::kMatrix);
  model.encoder = stack_of(shape);
  model.decoder = stack_of(shape);

  // Counts the memory of one layer, times the number of layers.
  const auto add_count = [&](const Parameter& parameter) { model.count += parameter.count(); };
  TrainingShape without_layers = shape;
  without_layers.layers = 0;
  std::swap(model.shape, without_layers);
  visit_all(model, add_count);
  std::swap(model.shape, without_layers);
  LayerParameters layer = layer_of(shape);
  for (std::size_t n = 0; n < shape.layers; ++n) {
    if (shape.has_encoder) visit_layer(layer, false, add_count);
    visit_layer(layer, shape.has_encoder, add_count);
  }

  model.encoder.layers = memory.take<LayerParameters>(shape.has_encoder ? shape.layers : 0);
  model.decoder.layers = memory.take<LayerParameters>(shape.layers);
  model.numbers = memory.take<float>(4 * std::uint64_t{model.count});
  if (memory.counts()) return model;
  if (shape.has_encoder) std::fill_n(model.encoder.layers, shape.layers, layer);
  std::fill_n(model.decoder.layers, shape.layers, layer);
  float* next = model.numbers;
  visit_all(model, [&](Parameter& parameter) {
    parameter.values = next;
    parameter.first_moments = next + model.count;
    parameter.second_moments = next + 2 * model.count;
    parameter.gradients = next + 3 * model.count;
    next += parameter.count();
  });
  return model;
}

void TrainableTransformer::initialize(std::uint32_t seed) {
  steps = 0;
  std::fill_n(numbers, 4 * count, 0.0F);
  RandomNumbers random(seed);
  constexpr double kSigma = 0.02;
  const double residual = kSigma / std::sqrt(2.0 * static_cast<double>(shape.layers));
  visit_all(*this, [&](Parameter& parameter) {
    const double sigma = parameter.kind == Kind::kResidualMatrix ? residual : kSigma;
    if (parameter.kind == Kind::kZeros) return;
    for (std::size_t at = 0; at < parameter.count(); ++at) {
      parameter.values[at] =
          parameter.kind == Kind::kOnes
              ? 1
              : static_cast<float>(sigma * std::sqrt(3.0) * (2 * random.next() - 1));
    }
  });
}

TrainingResult compute_gradients(const Kernels& kernels, const TrainableTransformer& model,
                                 const TrainingBatch& batch, Workspace& workspace) {
  Pass pass(kernels, model, batch, workspace, true);
  if (workspace.counts()) return {};
  std::fill_n(gradients_of(model), model.count, 0.0F);
  pass.forward({});
  const double loss = cross_entropy(kernels, pass.logits(), batch.targets);
  pass.backward();
  return {loss, norm_of(gradients_of(model), model.count)};
}

TrainingResult train(const Kernels& kernels, TrainableTransformer& model,
                     const TrainingBatch& batch, const AdamW& optimizer, Workspace& workspace) {
  TrainingResult result = compute_gradients(kernels, model, batch, workspace);
  if (workspace.counts()) return {};
  if (!fits_float(result.loss) || !fits_float(result.gradient_norm)) return result;
  const AdamWStep step(optimizer, model.steps + 1, result.gradient_norm);
  bool fits = true;
  visit_all(model, [&](const Parameter& parameter) { fits = fits && step.fits(parameter); });
  if (!fits) return result;
  visit_all(model, [&](const Parameter& parameter) { step.update(parameter); });
  ++model.steps;
  result.is_updated = true;
  return result;
}

void forward(const Kernels& kernels, const TrainableTransformer& model, const TrainingBatch& batch,
             const ForwardResults& results, Workspace& workspace) {
  Pass pass(kernels, model, batch, workspace, false);
  if (workspace.counts()) return;
  pass.forward(results);
  if (results.logits == nullptr) return;
  const Matrix<float> logits = pass.logits();
  copy(logits, {results.logits, logits.rows, logits.cols, logits.cols});
}

}  // namespace attention
