// The calls of both modules, in place of those of attention_entries.cpp.
#include "calls/entries.h"

namespace attention::calls {
namespace {

constexpr const Entries* kFiles[] = {
    &kAttentionCalls,         &kStepsCalls,          &kKernelAttentionCalls,
    &kLinearAttentionCalls,   &kRotaryCalls,         &kPositionsCalls,
    &kKeyValueCacheCalls,     &kNormCalls,           &kLinearMapCalls,
    &kMultiHeadCalls,         &kNewTransformerCalls, &kTransformerCalls,
    &kAttentionBackwardCalls, &kTrainingCalls};

}  // namespace

constinit const EntryFiles kEntryFiles = kFiles;

}  // namespace attention::calls
