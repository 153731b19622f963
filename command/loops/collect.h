// SPDX-License-Identifier: BSD-3-Clause
//
// Which machine code takes the time, of what was executed and sampled.
#ifndef ROOFMARK_COMMAND_LOOPS_COLLECT_H_
#define ROOFMARK_COMMAND_LOOPS_COLLECT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/found/executed.h"
#include "lib/loops/input.h"
#include "lib/profile/hot_loops.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

// Code of one module, as MeasureModule() takes it.
struct MeasuredModule {
  const ExecutedModule* executed = nullptr;
  const SampledModule* sampled = nullptr;  // null: no samples in it
  loops::Input input;
  std::function<std::string(uint64_t offset, uint64_t bytes)> code;
};

// All loops of a module, and what its functions have outside of them: with all of their blocks.
// `paths` are those of the executed code.
std::vector<HotLoop> MeasureModule(const MeasuredModule& module,
                                   const std::vector<std::string>& paths);

// Hottest first, as many as roofline files have room for.
void KeepHottest(HotLoops& hot);

// Of a job: executed code with its paths, and samples where there are any (processes are not
// looked at). Files of modules are read.
HotLoops CollectHotLoops(const Executed& executed, const Samples& samples);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_LOOPS_COLLECT_H_
