// SPDX-License-Identifier: BSD-3-Clause
//
// What the events of this machine count of kernels of known work, before any formula: one number
// for each event, and the encoding with which it was opened.
#ifndef ROOFMARK_COMMAND_BUNDLE_RAW_TOTALS_H_
#define ROOFMARK_COMMAND_BUNDLE_RAW_TOTALS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collectors/hardware/events/encode.h"
#include "command/self_test/laboratory.h"
#include "command/self_test/verdict.h"

namespace roofmark::cli {

struct RawEvent {
  events::EncodedEvent event;
  uint32_t counters = 1;  // that it occupies
  int error = 0;          // errno of opening it; 0: it opens
  bool runs = true;       // and gets a counter
};

// A formula of the event table as it was then: `events` are numbers in RawEvents::events.
struct RawFormula {
  struct Weighed {
    size_t event;
    double weight;
  };
  std::string quantity;
  std::string status;
  std::vector<Weighed> events;
};

struct RawEvents {
  std::string cpu;  // key of the event table; empty: the table does not have this CPU
  std::vector<RawEvent> events;
  std::vector<RawFormula> formulas;
};

// The events of the CPU's table, and those that the kernel lists for its cores, each opened once.
RawEvents ListRawEvents();

// Of one event on one CPU, or of this thread (cpu -1).
struct RawTotal {
  size_t event = 0;
  int cpu = -1;
  int64_t value = 0, enabled_ns = 0, running_ns = 0;
};

struct RawExercise {
  Family family;
  std::string name;
  uint64_t repeats;
  Known known;  // of all repeats; without what is zero
  std::vector<RawTotal> totals;
};

using Exercises = std::function<void(Laboratory&)>;
// Those of the self-test that need one thread.
void RunPlainExercises(Laboratory& laboratory);

// Counts all events that open, a few at a time, so that none shares a counter. Regions last about
// `region_ns`.
std::vector<RawExercise> CountRaw(const RawEvents& raw, const Exercises& exercises,
                                  uint64_t region_ns);

// The members "cpu", "events", "formulas" and "exercises" of a bundle, as one object.
std::string RawToJson(const RawEvents& raw, const std::vector<RawExercise>& exercises);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_BUNDLE_RAW_TOTALS_H_
