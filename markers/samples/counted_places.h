// SPDX-License-Identifier: BSD-3-Clause
//
// Counts how often instructions are executed, by the breakpoints of perf_event: they need no
// hardware counters and are exact. A thread has four. Each execution of such an instruction takes
// some microseconds.
#ifndef ROOFMARK_MARKERS_SAMPLES_COUNTED_PLACES_H_
#define ROOFMARK_MARKERS_SAMPLES_COUNTED_PLACES_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/core/code_place.h"
#include "lib/core/event_descriptor.h"
#include "lib/samples/samples.h"
#include "markers/samples/modules.h"

namespace roofmark::samples {

class CountedPlaces {
 public:
  CountedPlaces() = default;
  ~CountedPlaces();
  CountedPlaces(const CountedPlaces&) = delete;
  CountedPlaces& operator=(const CountedPlaces&) = delete;

  // Counts what `threads` and those that they create execute from here on. A place is not counted
  // if its file is not mapped yet, or if one thread has no breakpoint left.
  void Start(std::span<const CodePlace> places, const ModuleMap& modules,
             std::span<const pid_t> threads);

  // Once, by a process that called Start(). A place is unknown if the program closed what counts
  // it.
  std::vector<CountedPlace> Stop() noexcept;

  // Empty if this thread could count a place, else why not. Opens one breakpoint, tries it, and
  // closes it.
  static std::string WhyNot();
  // Of the places that are not counted: the first one's; empty if all are.
  const std::string& why_not_counted() const { return why_not_; }

 private:
  struct Place {
    CountedPlace counted;
    uint64_t address = 0;                 // that is guarded; 0: none
    std::vector<EventDescriptor> events;  // of each thread
  };

  static std::optional<EventDescriptor> Open(uint64_t address, pid_t thread) noexcept;
  static void Close(Place& place) noexcept;
  void Start(Place& place, const ModuleMap& modules, std::span<const pid_t> threads);

  std::vector<Place> places_;
  std::string why_not_;
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_COUNTED_PLACES_H_
