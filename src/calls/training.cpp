// Calls of TrainableTransformer: construction, step(), run(), and access to its parameters.
#include "attention/training.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "calls/call.h"

namespace attention::calls {
namespace {

struct NewTrainableCall : ConstructorCall {
  double has_encoder, vocabulary, width, layers, heads, hidden, context, untied, seed;
  Optional scale;
  Fact count;  // of all parameters

  void fields(auto&& field) {
    ConstructorCall::fields(field);
    field("hasEncoder", has_encoder, "vocabulary", vocabulary, "width", width, "layers", layers,
          "heads", heads, "hidden", hidden, "context", context, "untied", untied, "seed", seed,
          "scale", scale, "count", count);
  }

  bool check(Rules& rules) {
    if (!(rules.count("vocabulary", vocabulary, 1) && rules.count("width", width, 1) &&
          rules.count("layers", layers, 1) && rules.count("heads", heads, 1) &&
          rules.count("hidden", hidden, 1) && rules.count("context", context, 1) &&
          rules.count("seed", seed, 0) && rules.finite_option("scale", scale))) {
      return false;
    }
    if (!is_multiple(width, heads)) {
      return rules.fail("width is # but heads is #: width must be a multiple of heads", width,
                        heads);
    }
    if (has_encoder != 0 && untied != 0) {
      return rules.fail("tied is false but an encoder-decoder shares its embedding");
    }
    // In doubles, which do not wrap.
    const double smallest =
        (vocabulary + context) * width + layers * width * (4 * width + 2 * hidden);
    constexpr double kStates = 4;  // value, gradient, two moments
    if (!can_be_addressed(kStates * sizeof(float) * smallest)) {
      return rules.fail(
          "a model of # layers of # × # needs more than the 4 GiB that WebAssembly can address",
          layers, width, hidden);
    }
    Workspace counting;
    count = static_cast<double>(TrainableTransformer::reserve(counting, shape()).count);
    object_bytes = bytes_of<TrainableTransformer>(shape());
    return true;
  }

  void run(const Kernels&, const Block&) const {
    make_at<TrainableTransformer>(object, shape()).initialize(static_cast<std::uint32_t>(seed));
  }

 private:
  TrainingShape shape() const {
    return {.has_encoder = has_encoder != 0,
            .vocabulary = size(vocabulary),
            .width = size(width),
            .layers = size(layers),
            .heads = size(heads),
            .hidden = size(hidden),
            .context = size(context),
            .tied = untied == 0,
            .scale = real(scale)};
  }
};

// The sequences of a batch, padded to the same length.
struct BatchFields : Call {
  double model;
  double length, encoder_length;
  List ids, encoder_ids, encoder_lengths;

  void fields(auto&& field) {
    Call::fields(field);
    field("model", model, "length", length, "encoderLength", encoder_length, "decoderIds", ids,
          "encoderIds", encoder_ids, "encoderLengths", encoder_lengths);
  }

 protected:
  TrainableTransformer& transformer() const { return object_at<TrainableTransformer>(model); }
  double batch() const { return length == 0 ? 0 : ids.count / length; }

  TrainingBatch sequences() const {
    return {.batch = size(batch()),
            .length = size(length),
            .ids = numbers(ids),
            .encoder_length = size(encoder_length),
            .encoder_ids = numbers(encoder_ids),
            .encoder_lengths = numbers(encoder_lengths)};
  }

  bool check_sequences(Rules& rules) const {
    if (!transformer().shape.has_encoder) return check_rows(rules, "ids", ids, length);
    return check_rows(rules, "ids", encoder_ids, encoder_length) &&
           check_rows(rules, "decoderIds", ids, length);
  }

 private:
  bool check_rows(Rules& rules, const char* name, const List& rows, double row_length) const {
    const auto context = static_cast<double>(transformer().shape.context);
    if (rows.count == 0) return rules.fail("$ is empty", name);
    if (row_length > context) {
      return rules.fail("$ has rows of # tokens but the model's context is #", name, row_length,
                        context);
    }
    const auto vocabulary = static_cast<double>(transformer().shape.vocabulary);
    double at = 0;
    for (const double id : numbers(rows)) {
      if (!(is_whole(id) && id >= 0 && id < vocabulary)) {
        const double row = std::floor(at / row_length);
        return rules.fail("$[#][#] is # but must be a whole number from 0 to vocabulary - 1 = #",
                          name, row, at - row * row_length, id, vocabulary - 1);
      }
      ++at;
    }
    return true;
  }
};

struct TrainCall : BatchFields {
  List targets;
  double learning_rate;
  Optional beta1, beta2, epsilon, weight_decay, clip;
  Result report;  // loss, gradient norm, and whether the model was updated: 1 or 0

  void fields(auto&& field) {
    BatchFields::fields(field);
    field("targets", targets, "learningRate", learning_rate, "beta1", beta1, "beta2", beta2,
          "epsilon", epsilon, "weightDecay", weight_decay, "clip", clip, "report", report);
  }

  bool check(Rules& rules) {
    if (!check_sequences(rules) || !check_targets(rules) ||
        !rules.at_least_0("learningRate", learning_rate) || !is_beta(rules, "betas[0]", beta1) ||
        !is_beta(rules, "betas[1]", beta2) || !rules.positive_option("epsilon", epsilon) ||
        !rules.at_least_0("weightDecay", weight_decay.value_or(0)) ||
        !rules.positive_option("clip", clip)) {
      return false;
    }
    rules.set_result(report, tensor_of({3}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    TrainingBatch batch = sequences();
    batch.targets = numbers(targets);
    AdamW optimizer;
    optimizer.learning_rate = real(learning_rate);
    optimizer.beta1 = beta1.value_or(optimizer.beta1);
    optimizer.beta2 = beta2.value_or(optimizer.beta2);
    optimizer.epsilon = real(epsilon.value_or(double{optimizer.epsilon}));
    optimizer.weight_decay = real(weight_decay.value_or(0));
    optimizer.clip = real(clip.value_or(0));
    const TrainingResult result = train(kernels, transformer(), batch, optimizer, workspace);
    if (workspace.counts()) return;
    block.numbers(report)[0] = real(result.loss);
    block.numbers(report)[1] = real(result.gradient_norm);
    block.numbers(report)[2] = result.is_updated ? 1 : 0;
  }

 private:
  bool check_targets(Rules& rules) const {
    const auto vocabulary = static_cast<double>(transformer().shape.vocabulary);
    bool any = false;
    double at = 0;
    for (const double target : numbers(targets)) {
      if (!(is_whole(target) && target < vocabulary)) {
        const double row = std::floor(at / length);
        return rules.fail(
            "targets[#][#] is # but must be a whole number up to vocabulary - 1 = #, or below 0 "
            "to be ignored",
            row, at - row * length, target, vocabulary - 1);
      }
      any = any || target >= 0;
      ++at;
    }
    if (any) return true;
    return rules.fail("targets are all below 0, which are ignored: there is nothing to learn");
  }

  static bool is_beta(Rules& rules, const char* name, const Optional& beta) {
    if (!beta.is_present() || (beta.value >= 0 && real(beta.value) < 1)) return true;
    return rules.fail("$ is # but must be at least 0 and below 1", name, beta.value);
  }
};

struct ForwardCall : BatchFields {
  double return_logits, return_attentions;
  Result logits;                                           // batch × length × vocabulary
  Result encoder_weights, decoder_weights, cross_weights;  // layers·batch × heads × q_len × k_len

  void fields(auto&& field) {
    BatchFields::fields(field);
    field("returnLogits", return_logits, "returnAttentions", return_attentions, "logits", logits,
          "encoderWeights", encoder_weights, "decoderWeights", decoder_weights, "crossWeights",
          cross_weights);
  }

  bool check(Rules& rules) {
    if (!check_sequences(rules)) return false;
    const TrainingShape& shape = transformer().shape;
    const auto heads = static_cast<double>(shape.heads);
    const double all = static_cast<double>(shape.layers) * batch();
    if (return_logits != 0) {
      rules.set_result(logits, tensor_of({batch(), length, static_cast<double>(shape.vocabulary)}));
    }
    if (return_attentions == 0) return true;
    rules.set_result(decoder_weights, tensor_of({all, heads, length, length}));
    if (!shape.has_encoder) return true;
    rules.set_result(encoder_weights, tensor_of({all, heads, encoder_length, encoder_length}));
    rules.set_result(cross_weights, tensor_of({all, heads, length, encoder_length}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    forward(kernels, transformer(), sequences(),
            {block.numbers(logits), block.numbers(encoder_weights), block.numbers(decoder_weights),
             block.numbers(cross_weights)},
            workspace);
  }
};

// All values, then the moments of AdamW.
struct ReadNumbersCall : Call {
  double model;
  Result numbers;

  void fields(auto&& field) {
    Call::fields(field);
    field("model", model, "numbers", numbers);
  }

  bool check(Rules& rules) {
    const double count = 3 * static_cast<double>(object_at<TrainableTransformer>(model).count);
    rules.set_result(numbers, tensor_of({count}));
    return true;
  }

  void run(const Kernels&, const Block& block) const {
    const auto& transformer = object_at<TrainableTransformer>(model);
    std::copy_n(transformer.numbers, 3 * transformer.count, block.numbers(numbers));
  }
};

struct WriteNumbersCall : Call {
  double model, step;
  Tensor data;

  void fields(auto&& field) {
    Call::fields(field);
    field("model", model, "step", step, "data", data);
  }

  bool check(Rules& rules) {
    const double count = 3 * static_cast<double>(object_at<TrainableTransformer>(model).count);
    return rules.count("step", step, 0) && rules.tensor("data", data, 1, 1) &&
           rules.same_dims("data", data, "3 numbers for each parameter", tensor_of({count}));
  }

  void run(const Kernels&, const Block& block) const {
    auto& transformer = object_at<TrainableTransformer>(model);
    transformer.steps = static_cast<std::uint64_t>(step);
    std::copy_n(block.numbers(data), 3 * transformer.count, transformer.numbers);
  }
};

const Registration kTrainingCalls{
    entry<NewTrainableCall>("newTrainable"), entry<TrainCall>("train"),
    entry<ForwardCall>("forward"),           entry<ReadNumbersCall>("readNumbers"),
    entry<WriteNumbersCall>("writeNumbers"),
};

}  // namespace
}  // namespace attention::calls
