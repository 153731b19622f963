// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_SNAPSHOT: the spool copied to the output directory at intervals, by a thread of our own.
#ifndef ROOFMARK_MARKERS_RUNTIME_SNAPSHOTS_H_
#define ROOFMARK_MARKERS_RUNTIME_SNAPSHOTS_H_

#include <cstdint>
#include <string>

#include "collectors/hardware/threads/periodic_thread.h"
#include "lib/spool/writer.h"
#include "markers/runtime/output_place.h"

namespace roofmark::runtime {

class Snapshots {
 public:
  Snapshots() = default;
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Copies `spool` to `file` in `place` each `seconds` from now on; both must live until Remove().
  // False without resources for a thread.
  bool Start(const spool::Writer& spool, uint64_t seconds, OutputPlace& place,
             const std::string& file) noexcept;
  // Waits for a copy that is being written.
  void Stop() noexcept { thread_.Stop(); }
  // After Stop(). The data is safe elsewhere.
  void Remove() noexcept;
  // Of the last copy; empty if there is none.
  const std::string& file() const { return written_; }

 private:
  void Write();

  const spool::Writer* spool_ = nullptr;
  OutputPlace* place_ = nullptr;
  std::string name_, written_;
  threads::PeriodicThread thread_;
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_SNAPSHOTS_H_
