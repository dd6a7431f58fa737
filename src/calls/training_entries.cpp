// The calls of the module of attention-wasm/training, in place of those of attention_entries.cpp.
#include "calls/entries.h"

namespace attention::calls {
namespace {

constexpr const Entries* kFiles[] = {&kAttentionBackwardCalls, &kTrainingCalls};

}  // namespace

constinit const EntryFiles kEntryFiles = kFiles;

}  // namespace attention::calls
