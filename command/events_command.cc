// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark events: which hardware events this CPU offers, and what roofmark makes of them.
#include <fmt/format.h>

#include "command/commands.h"
#include "command/events/list.h"
#include "command/output.h"

namespace roofmark::cli {

void AddEventsCommand(CommandLine& line) {
  struct Options {
    std::string cpu;
    bool pmus = false, json = false;
  };
  auto options = std::make_shared<Options>();
  const Command command = line.Add(
      "events", "List the hardware events that roofmark counts on this CPU, and their meaning");
  command.Value("--cpu", options->cpu, "Another CPU of the table: skx, zen4, ..., or all")
      .Shown("CPU");
  command
      .Flag("--pmus", options->pmus,
            "List the operating system's PMUs and their events instead, in the form that "
            "ROOFMARK_EVENTS takes")
      .Excludes("--cpu");
  command.Flag("--json", options->json, "JSON for programs, see docs/file-formats.md");
  command.Runs([options] {
    const auto list = ListEvents(options->cpu, options->pmus);
    if (!list) {
      PassOn(list.error());
      return kUsage;
    }
    Print(options->json ? EventListJson(**list) : EventListText(**list, options->pmus));
    return 0;
  });
}

}  // namespace roofmark::cli
