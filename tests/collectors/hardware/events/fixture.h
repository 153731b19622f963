// SPDX-License-Identifier: BSD-3-Clause
//
// Machines as the kernel shows them: fixtures/NAME.machine unpacked into a directory that stands
// for the root of the file system.
#ifndef ROOFMARK_TESTS_COLLECTORS_HARDWARE_EVENTS_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_HARDWARE_EVENTS_FIXTURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "tests/support/process.h"

namespace roofmark::events {

// Lines are "PATH = CONTENT", PATH below event_source/devices unless it begins with '/'. {a-b} in
// PATH stands for each number, which '$' stands for in PATH and CONTENT; "include FILE" reads
// another one; '#' begins a comment. "\n" and "\t" in CONTENT are control characters.
class Machine {
 public:
  explicit Machine(const std::string& name);

  const std::string& root() const { return directory_.path(); }
  Sysfs sysfs() const { return Sysfs(root()); }
  void Write(const std::string& path, const std::string& content) const;
  void Remove(const std::string& path) const;

 private:
  void Unpack(const std::string& file) const;

  test::TempDir directory_;
};

// The fixture in which the events of a table exist.
std::string MachineOf(const CpuModel& cpu);

// The formulas of a table that give a quantity, by QuantityName(); none if there is none.
std::vector<Formula> Find(const EventTable& table, std::string_view name);
// "event=0x07,umask=0x38" of every term, in order.
std::vector<std::string> Fields(const Formula& formula);

}  // namespace roofmark::events

#endif  // ROOFMARK_TESTS_COLLECTORS_HARDWARE_EVENTS_FIXTURE_H_
