// SPDX-License-Identifier: BSD-3-Clause
//
// The executions that `roofmark run` makes, each announced and with its end told.
#ifndef ROOFMARK_COMMAND_RUN_EXECUTIONS_H_
#define ROOFMARK_COMMAND_RUN_EXECUTIONS_H_

#include <string>
#include <vector>

#include "command/passes.h"
#include "command/run/expectation.h"
#include "command/run/options.h"

namespace roofmark::cli {

// What is known of an execution after the first.
struct Sequel {
  const JobProfile& time;  // of the time pass: what is still to be done
  Expectation expectation;
  bool is_work = false;  // the work pass
};

// One pass. After the first its progress is shown on a terminal. False if nothing more should be
// tried.
bool Execute(const std::string& what, const RunOptions& options, const Child& child,
             const std::string& collector, const std::string& directory, PassResult& result,
             const Sequel* sequel = nullptr);

// Executions of one command for time, one after the other. `options` and `child` must outlive it.
class TimePasses {
 public:
  TimePasses(const RunOptions& options, const Child& child) : options_(options), child_(child) {}

  // One more, in a directory that no other one has. False if nothing more should be tried.
  bool Execute(const std::string& what, const std::string& place);
  // Nothing may follow. With what ended well, and how the last one ended.
  PassResult Join();

 private:
  const RunOptions& options_;
  const Child& child_;
  std::vector<JobProfile> measured_;
  PassResult last_;
  bool unread_ = false;
};

// The executions for time, and those of further groups of counters, each in a directory of its own,
// as one result: with what ended well, and how the last one ended. False if nothing more should be
// tried.
bool ExecuteForTime(const RunOptions& options, const Child& child, const PassDirectory& directory,
                    PassResult& result);

// Why an execution that should count on GPUs counted on none; empty: it did.
std::string WhyNoGpu(const JobProfile& job);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_EXECUTIONS_H_
