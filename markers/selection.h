// SPDX-License-Identifier: BSD-3-Clause
//
// Which regions of this process are recorded (ROOFMARK_REGIONS). Where paths decide, it also keeps
// where the program's regions lie, those that are not recorded included.
#ifndef ROOFMARK_MARKERS_SELECTION_H_
#define ROOFMARK_MARKERS_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "lib/core/region_choice.h"
#include "markers/names.h"
#include "markers/path_table.h"

namespace roofmark::markers {

// Thread-safe after Start(). All take locks and, at first, memory: for first visits only. Each name
// and each place is decided once.
class Selection {
 public:
  // `names` must outlive this.
  explicit Selection(const Names& names) : names_(names) {}
  // Before anything is asked.
  void Start(RegionChoice choice) { choice_ = std::move(choice); }

  // True if regions of this name are left out wherever they are, and no place needs them.
  bool LeavesOut(uint32_t name);

  bool NeedsPlaces() const { return choice_.NeedsPaths(); }
  PathTable& places() { return places_; }
  const PathTable& places() const { return places_; }
  // Whether the region that lies there is recorded.
  bool Chooses(uint32_t place);

  // What was left out.
  struct LeftOut {
    size_t count = 0;
    std::vector<std::string> some;  // of them: names, or paths as in reports
  };
  LeftOut WhatIsLeftOut(size_t most) const;

 private:
  enum class Decision : uint8_t { kNone, kIn, kOut };
  // What `decide()` says the first time.
  template <typename Decide>
  static bool IsIn(std::vector<Decision>& decisions, size_t index, Decide decide);
  std::vector<std::string> NamesAt(uint32_t place) const;

  const Names& names_;
  RegionChoice choice_;
  PathTable places_;
  mutable std::mutex mutex_;
  std::vector<Decision> of_names_, of_places_;  // by id
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_SELECTION_H_
