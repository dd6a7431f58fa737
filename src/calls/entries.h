// Every call by the file that holds it.
#pragma once

#include "calls/call.h"

namespace attention::calls {

extern const Entry sinusoidal_call;
extern const Entry slopes_call;
extern const Entry scores_call;
extern const Entry softmax_call;
extern const Entry weighted_sum_call;
extern const Entry new_transformer_call;
extern const Entry transformer_call;
extern const Entry project_layer_call;
extern const Entry memory_of_transformer_call;
extern const Entry new_cache_call;
extern const Entry append_call;
extern const Entry rewind_call;
extern const Entry cache_state_call;
extern const Entry rotary_call;
extern const Entry kernel_attention_call;
extern const Entry new_linear_call;
extern const Entry linear_call;
extern const Entry fill_linear_call;
extern const Entry linear_rows_call;
extern const Entry norm_call;
extern const Entry linear_attention_call;
extern const Entry new_multi_head_call;
extern const Entry multi_head_call;
extern const Entry project_call;
extern const Entry project_context_call;
extern const Entry attention_call;

}  // namespace attention::calls
