// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark events: which hardware events this CPU offers, and what roofmark makes of them.
#include <fmt/format.h>

#include "command/commands.h"
#include "command/events/list.h"
#include "command/files.h"

namespace roofmark::cli {

void AddEventsCommand(CLI::App& app, int& status) {
  struct Options {
    std::string cpu;
    bool pmus = false, json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "events", "List the hardware events that are counted on this CPU, and what they mean");
  auto* cpu = command->add_option("--cpu", options->cpu,
                                  "Another CPU of the table: skx, zen4, ..., or all");
  command
      ->add_flag("--pmus", options->pmus,
                 "The kernel's PMUs with their events instead, as ROOFMARK_EVENTS takes them")
      ->excludes(cpu);
  command->add_flag("--json", options->json, "For programs, see docs/file-formats.md");
  command->callback([options, &status] {
    const auto list = ListEvents(options->cpu, options->pmus);
    if (!list) {
      Say(list.error());
      status = kUsage;
      return;
    }
    fmt::print("{}", options->json ? EventListJson(**list) : EventListText(**list, options->pmus));
  });
}

}  // namespace roofmark::cli
