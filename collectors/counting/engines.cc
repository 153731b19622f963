// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/engines.h"

#include "collectors/counting/valgrind/engine.h"
#include "collectors/counting/valgrind/reexec.h"

namespace roofmark::counting {
namespace {

constexpr EngineRow kEngines[] = {
    {"valgrind", ReExecuteUnderValgrind, MakeValgrindEngine},
};

}  // namespace

std::span<const EngineRow> Engines() { return kEngines; }

const EngineRow& ChosenEngine() { return kEngines[0]; }

}  // namespace roofmark::counting
