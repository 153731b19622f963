// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_MESSAGES_COMMAND_RUN_H_
#define ROOFMARK_LIB_CORE_MESSAGES_COMMAND_RUN_H_

#include "lib/core/message.h"

namespace roofmark::message {

#define ROOFMARK_SECTION(title, text)
#define ROOFMARK_MESSAGE(name, text, explanation) inline constexpr Message name{text};
#include "lib/core/messages/command_run.inc"
#undef ROOFMARK_MESSAGE
#undef ROOFMARK_SECTION

}  // namespace roofmark::message

#endif  // ROOFMARK_LIB_CORE_MESSAGES_COMMAND_RUN_H_
