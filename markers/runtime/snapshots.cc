// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/snapshots.h"

#include <fmt/format.h>

#include <chrono>

#include "lib/core/file.h"
#include "lib/core/log.h"

namespace roofmark::runtime {

bool Snapshots::Start(const spool::Writer& spool, uint64_t seconds, OutputPlace& place,
                      const std::string& file) noexcept try {
  spool_ = &spool;
  place_ = &place;
  name_ = file;
  return thread_.Start(
      std::chrono::seconds(seconds), [](void* self) { static_cast<Snapshots*>(self)->Write(); },
      this);
} catch (...) {
  return false;
}

// Renamed into place, so that the copy before it is there until this one is whole.
void Snapshots::Write() try {
  const Result<FilePath> file = place_->Find(name_);
  const Result<std::string> written =
      file ? WriteFile(*file, spool_->Freeze(), IfExists::kReplace) : Error{file.error()};
  if (written) {
    written_ = *written;
  } else {
    Complain(fmt::format("no snapshot: {}; the next attempt follows after the interval",
                         written.error()));
  }
} catch (...) {
  Complain("no snapshot because memory is short; the next attempt follows after the interval");
}

void Snapshots::Remove() noexcept try {
  if (written_.empty()) return;
  if (const Result<FilePath> file = place_->Find(written_)) RemoveFile(*file);
  written_.clear();
} catch (...) {
}

}  // namespace roofmark::runtime
