// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/snapshots.h"

#include <chrono>

#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/messages/recording.h"

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
    Complain(message::kNoSnapshot, written.error());
  }
} catch (...) {
  Complain(message::kNoMemoryForSnapshot);
}

void Snapshots::Remove() noexcept try {
  if (written_.empty()) return;
  if (const Result<FilePath> file = place_->Find(written_)) RemoveFile(*file);
  written_.clear();
} catch (...) {
}

}  // namespace roofmark::runtime
