// The calls of the module of attention-wasm.
#include "calls/entries.h"

namespace attention::calls {
namespace {

constexpr const Entries* kFiles[] = {
    &kAttentionCalls, &kStepsCalls,     &kKernelAttentionCalls, &kLinearAttentionCalls,
    &kRotaryCalls,    &kPositionsCalls, &kKeyValueCacheCalls,   &kNormCalls,
    &kLinearMapCalls, &kMultiHeadCalls, &kNewTransformerCalls,  &kTransformerCalls};

}  // namespace

constinit const EntryFiles kEntryFiles = kFiles;

}  // namespace attention::calls
