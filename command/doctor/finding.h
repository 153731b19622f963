// SPDX-License-Identifier: BSD-3-Clause
//
// What `roofmark doctor` says of one capability.
#ifndef ROOFMARK_COMMAND_DOCTOR_FINDING_H_
#define ROOFMARK_COMMAND_DOCTOR_FINDING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark::cli {

enum class State : uint8_t {
  kOk,
  kLimited,      // works, with less than the machine has
  kDenied,       // an administrator may allow it
  kUnsupported,  // this machine, kernel or hypervisor does not have it
  kMissing,      // to be installed, loaded or made
};

// "ok", "limited", "denied", "unsupported", "missing": in files and on the screen.
std::string_view StateName(State state);

// Why something does not work, and what to do: a command to type where there is one.
struct Diagnosis {
  State state = State::kOk;
  int error = 0;      // errno; 0: no system call failed
  std::string cause;  // a phrase; empty if all is well
  std::string cure;   // empty: nothing helps, or nothing is needed
};

struct Finding {
  std::string id;       // stable, for scripts: "core_events"
  std::string section;  // headline under which it stands
  std::string title;    // "core events"
  std::string found;    // what was tried, and what came of it
  Diagnosis diagnosis;

  bool Ok() const { return diagnosis.state == State::kOk; }
};

using Findings = std::vector<Finding>;

// Null if there is none.
const Finding* Find(const Findings& findings, std::string_view id);

// "EACCES"; "errno 524" for what has no name.
std::string ErrnoName(int error);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_FINDING_H_
