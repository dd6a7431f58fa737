// A C++ program with the installed library: attention on three tokens, then a layer of two heads
// whose cache grows.
#include <attention/attention.h>

#include <cstdio>
#include <vector>
using namespace attention;
int main() {
  const Kernels& kernels = simd_kernels();
  const AttentionOptions options{.visibility = {.causal = true}};
  // Causal self-attention of three tokens of width 4. The caller provides all memory.
  const std::vector<float> x = {1, 0, 1, 0, 0, 2, 0, 2, 1, 1, 1, 1};
  std::vector<float> output(12), weights(9);
  const auto rows = Heads<const float>::packed(x.data(), 1, 1, 3, 4);
  const auto to = Heads<float>::packed(output.data(), 1, 1, 3, 4);
  std::vector<std::byte> scratch;
  with_scratch(scratch, [&](Workspace& memory) {
    attend(kernels, rows, rows, rows, options, {.output = to, .weights = weights.data()}, memory);
  });
  std::printf("%.3f %.3f %.3f\n", weights[6], weights[7], weights[8]);  // prints 0.155 0.422 0.422
  const LinearShape square{.in = 4, .out = 4};
  const MultiHeadShape shape{2, 2, square, square, square, square};  // two heads
  Workspace counting;
  MultiHeadAttention::reserve(counting, shape);
  std::vector<std::byte> parameters(counting.used());
  Workspace block(parameters.data());
  MultiHeadAttention layer = MultiHeadAttention::reserve(block, shape);
  const float identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  for (auto* map : {&layer.query, &layer.key, &layer.value, &layer.output})
    map->pack(kernels, {identity, 4, 4, 4});
  KeyValueCache cache{.kv_heads = 2, .key_dim = 2, .value_dim = 2, .capacity = 16};
  std::vector<std::byte> kept(cache.bytes());
  cache.attach(kept.data());
  for (std::size_t step = 0; step < 3; ++step) {
    const Sequences<const float> row{x.data() + 4 * step, 1, 1, 4};
    const Context context{.rows = row, .cache = &cache};
    with_scratch(scratch, [&](Workspace& memory) {
      forward(kernels, layer, row, context, options, {.output = {output.data(), 1, 1, 4}}, memory);
    });
  }
  std::printf("%zu: %.3f %.3f\n", cache.length, output[0], output[1]);  // prints 3: 0.599 1.203
}
