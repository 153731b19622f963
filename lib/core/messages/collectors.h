// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_MESSAGES_COLLECTORS_H_
#define ROOFMARK_LIB_CORE_MESSAGES_COLLECTORS_H_

#include "lib/core/message.h"

#define ROOFMARK_TABLE "lib/core/messages/collectors.inc"
#include "lib/core/messages/declare.inc"

#endif  // ROOFMARK_LIB_CORE_MESSAGES_COLLECTORS_H_
