// SPDX-License-Identifier: BSD-3-Clause
//
// What `roofmark events` shows, as data: the event table of a CPU with what this machine makes of
// it, and the kernel's own PMUs.
#ifndef ROOFMARK_COMMAND_EVENTS_LIST_H_
#define ROOFMARK_COMMAND_EVENTS_LIST_H_

#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "command/doctor/event_probe.h"
#include "lib/core/result.h"

namespace roofmark::cli {

struct CpuEvents {
  events::EventTable table;
  bool here = false;                  // this machine's own
  std::vector<ProbedFormula> probed;  // of `table`, in its order; only if `here`
};

struct NamedEvent {
  std::string name;  // as ROOFMARK_EVENTS takes it
  Diagnosis diagnosis;
};

struct EventList {
  std::string here;      // key of this machine's CPU; empty: no table has it
  std::string why_none;  // then why
  std::vector<CpuEvents> cpus;
  std::vector<NamedEvent> software;
  std::string why_no_names;  // of libpfm4; empty: they can be used
  std::vector<events::Device> pmus;
};

// `cpu`: a key ("skx"), "all", or empty for this machine's. Error: no such key; names those there
// are.
Result<std::unique_ptr<EventList>> ListEvents(const std::string& cpu, bool with_pmus);

std::string EventListText(const EventList& list, bool with_pmus);
// docs/events.schema.json.
std::string EventListJson(const EventList& list);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_EVENTS_LIST_H_
