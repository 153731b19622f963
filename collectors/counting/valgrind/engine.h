// SPDX-License-Identifier: BSD-3-Clause
//
// The Valgrind engine as its process sees it: a software PMU, driven by client requests.
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_ENGINE_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_ENGINE_H_

#include <memory>

#include "collectors/counting/engine.h"

namespace roofmark::counting {

// Open() fails in a process that does not run under the tool: see ReExecuteUnderValgrind().
std::unique_ptr<Engine> MakeValgrindEngine();

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_VALGRIND_ENGINE_H_
