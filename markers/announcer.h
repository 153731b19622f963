// SPDX-License-Identifier: BSD-3-Clause
//
// Tells the collector and the spool of new paths, and the spool of kinds of operations: each once,
// parents before children, whoever resolved them.
#ifndef ROOFMARK_MARKERS_ANNOUNCER_H_
#define ROOFMARK_MARKERS_ANNOUNCER_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "lib/spool/writer.h"
#include "markers/names.h"
#include "markers/path_table.h"

namespace roofmark::markers {

// Thread-safe after Start(). Takes a lock and memory where something is new.
class Announcer {
 public:
  // `names` and `paths` must outlive this.
  Announcer(const Names& names, const PathTable& paths) : names_(names), paths_(paths) {}

  // Both may be nullptr; before anything is announced.
  void Start(Collector* collector, spool::Writer* spool) {
    collector_ = collector;
    spool_ = spool;
  }

  // All paths up to `path` are known afterwards: their ids are dense and grow.
  void Path(uint32_t path) {
    if (path < announced_.load(std::memory_order_acquire)) return;
    NewPath(path);
  }
  // `kind` is a resolved name.
  void Kind(uint32_t kind);

 private:
  void NewPath(uint32_t path);

  const Names& names_;
  const PathTable& paths_;
  Collector* collector_ = nullptr;
  spool::Writer* spool_ = nullptr;
  std::mutex mutex_;
  std::atomic<uint32_t> announced_{1};       // paths below this one; the root needs it not
  std::vector<std::string> full_names_{""};  // of those, for the collector
  std::vector<bool> kinds_;                  // in the spool, by name
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_ANNOUNCER_H_
