// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel says of a process in /proc/PID/stat (proc(5)).
#ifndef ROOFMARK_LIB_CORE_PROCESS_STAT_H_
#define ROOFMARK_LIB_CORE_PROCESS_STAT_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace roofmark {

struct ProcessStat {
  char state = 0;        // field 3; 0: there is no such process
  pid_t parent = 0;      // field 4
  uint64_t started = 0;  // field 22: clock ticks after boot; with the number it names a process

  // It has a program to execute: it is neither gone nor waits to be asked how it ended.
  bool Runs() const { return state != 0 && state != 'Z' && state != 'X'; }
};

// `process`: a number, or "self".
ProcessStat ReadProcessStat(const std::string& process);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_PROCESS_STAT_H_
