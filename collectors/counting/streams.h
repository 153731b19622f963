// SPDX-License-Identifier: BSD-3-Clause
//
// What an engine can hand over beside counts, and who takes it. A sink is called by the engine: on
// any thread that is counted, never on two at once unless it says so, between instructions of the
// program. It must not allocate from the program's heap nor take a lock that the program can hold.
#ifndef ROOFMARK_COLLECTORS_COUNTING_STREAMS_H_
#define ROOFMARK_COLLECTORS_COUNTING_STREAMS_H_

#include <cstdint>
#include <span>
#include <string>

#include "collectors/counting/schema.h"
#include "collectors/extent.h"
#include "lib/core/layer.h"

namespace roofmark::counting {

static_assert(static_cast<uint32_t>(Layer::kWork) == ROOF_LAYER_WORK &&
              static_cast<uint32_t>(Layer::kMpi) == ROOF_LAYER_MPI &&
              static_cast<uint32_t>(Layer::kRuntime) == ROOF_LAYER_RUNTIME &&
              static_cast<uint32_t>(Layer::kOwn) == ROOF_LAYER_OWN);

// What counts are charged to; see schema.h.
struct Context {
  uint32_t thread = 0;
  uint32_t path = 0;
  Layer layer = Layer::kWork;
  Extent extent = Extent::kAll;  // with which it was counted; never kNothing
};

// An executable or a shared library, as long as it is mapped.
struct Module {
  uint32_t id = 0;  // never used again for another one
  std::string file;
  std::string build_id;  // hexadecimal; empty if it has none
  uint64_t begin = 0, end = 0;
};

// A place in code that means the same in every process of a job.
struct CodePlace {
  uint32_t module = 0;
  uint64_t offset = 0;  // from the module's begin
};

// Addresses.
class AccessSink {
 public:
  // Accesses in their order, all in one context. Records: cache/record.h.
  virtual void Take(const Context& context, std::span<const uint64_t> records) = 0;

 protected:
  ~AccessSink() = default;
};

// Windows: stretches of the executed instructions of one thread, chosen evenly over the run.
struct WindowPlan {
  uint64_t instructions = 20000;  // of a window
  uint64_t warm_up = 2000;        // of these come first and only fill the state of whoever looks
  uint64_t one_in = 100;          // instructions, one is in a window
};
struct ExecutedAccess {
  uint64_t record = 0;  // cache/record.h
  uint32_t level = 0;   // where the cache model found it: 1 for L1; one more than it has: DRAM;
                        // 0: no model
};
struct ExecutedInstruction {
  CodePlace place;
  std::span<const uint8_t> bytes;
  std::span<const ExecutedAccess> accesses;
};
class WindowSink {
 public:
  // The spans are valid during the call.
  virtual void Take(const Context& context, std::span<const ExecutedInstruction> instructions) = 0;

 protected:
  ~WindowSink() = default;
};

// What happens to the process.
class EventSink {
 public:
  virtual void ThreadBegan(uint32_t thread) = 0;
  virtual void ThreadEnded(uint32_t thread) = 0;
  // In the child, whose counts start from zero.
  virtual void Forked() = 0;
  // Also for each module that is there when the engine is asked for events.
  virtual void ModuleLoaded(const Module& module) = 0;
  virtual void ModuleUnloaded(uint32_t id) = 0;

 protected:
  ~EventSink() = default;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_STREAMS_H_
