// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that the doctor found, and what follows from it.
#ifndef ROOFMARK_COMMAND_DOCTOR_REPORT_H_
#define ROOFMARK_COMMAND_DOCTOR_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "command/doctor/finding.h"
#include "command/self_test/self_test.h"

namespace roofmark::cli {

// What ROOFMARK_COLLECTOR=auto does on this machine.
struct Automatic {
  std::string collector;  // "perf_event", "timer"
  std::string why;        // what the library says at start
  // Names of what it gives beyond calls and time, as a user asks for them: "FLOPs", "DRAM traffic".
  std::vector<std::string> gives, lacks;
  size_t events = 0;  // descriptors per thread

  bool Counts() const { return collector != "timer"; }
};
Automatic AskAutomatic();

struct Conclusion {
  bool counts = false;     // something beyond the timer
  std::string summary;     // what the user gets, one sentence
  std::string with;        // the command line that gets it
  std::string first;       // what to do first; empty: nothing
  std::string first_cure;  // a command to type
};
Conclusion Conclude(const Findings& findings, const Automatic& automatic);

struct DoctorReport {
  std::string host, kernel;
  Findings findings;
  Automatic automatic;
  Conclusion conclusion;
  std::optional<SelfTest> self_test;
};

// Probes everything; some 2 seconds.
DoctorReport Examine();

std::string DoctorText(const DoctorReport& report, size_t width);
std::string DoctorJson(const DoctorReport& report);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_REPORT_H_
