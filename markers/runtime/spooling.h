// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of a process's spool and of its copies, from start to end.
#ifndef ROOFMARK_MARKERS_RUNTIME_SPOOLING_H_
#define ROOFMARK_MARKERS_RUNTIME_SPOOLING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/core/launcher.h"
#include "lib/core/settings.h"
#include "lib/profile/profile.h"
#include "lib/spool/count_store.h"
#include "lib/spool/writer.h"
#include "markers/runtime/snapshots.h"

namespace roofmark::runtime {

class Spooling {
 public:
  // As the settings say. Without memory for it there is none.
  void Open(const Settings& settings, const Launcher& launcher);
  // Who and where this process is; again when more is known.
  void Describe(const JobProfile& process);
  // To `file` in `place` each `seconds`; `seconds` 0: never.
  void StartSnapshots(uint64_t seconds, OutputPlace& place, const std::string& file);

  // nullptr: accumulators lie on the heap.
  spool::Writer* writer() const { return writer_.get(); }

  // Where a collector keeps its counts; nullptr: nowhere.
  counts::CountStore* count_store() { return count_store_ ? &*count_store_ : nullptr; }

  // The recording has ended. Later snapshots would be of no use.
  void StopSnapshots() noexcept { snapshots_.Stop(); }
  // What was recorded is in a file elsewhere: nothing is left behind.
  void Discard() noexcept;
  // It is not: takes `process` in too, as far as there is room, and gives the directory to recover
  // from; empty if nothing survives this process.
  std::string Keep(const JobProfile& process);

 private:
  std::unique_ptr<spool::Writer> writer_;
  std::optional<spool::CountBlocks> count_store_;
  Snapshots snapshots_;
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_SPOOLING_H_
