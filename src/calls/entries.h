// The calls that each source file defines.
#pragma once

#include <span>

#include "calls/call.h"

namespace attention::calls {

using Entries = std::span<const Entry>;

extern const Entries kAttentionCalls;
extern const Entries kStepsCalls;
extern const Entries kKernelAttentionCalls;
extern const Entries kLinearAttentionCalls;
extern const Entries kRotaryCalls;
extern const Entries kPositionsCalls;
extern const Entries kKeyValueCacheCalls;
extern const Entries kNormCalls;
extern const Entries kLinearMapCalls;
extern const Entries kMultiHeadCalls;
extern const Entries kNewTransformerCalls;
extern const Entries kTransformerCalls;
extern const Entries kAttentionBackwardCalls;
extern const Entries kTrainingCalls;

// The calls of a module, in the order of their numbers: one list for each module, linked into it.
using EntryFiles = std::span<const Entries* const>;
extern const EntryFiles kEntryFiles;

}  // namespace attention::calls
