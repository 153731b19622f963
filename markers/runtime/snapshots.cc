// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/snapshots.h"

#include <fmt/format.h>

#include <chrono>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/file.h"
#include "lib/core/log.h"

namespace roofmark::runtime {

bool Snapshots::Start(const spool::Writer& spool, uint64_t seconds, OutputPlace& place,
                      const std::string& file) noexcept try {
  spool_ = &spool;
  place_ = &place;
  seconds_ = seconds;
  name_ = file;
  running_ = threads::CreateUncounted(&thread_, &Run, this);
  return running_;
} catch (...) {
  return false;
}

void* Snapshots::Run(void* self) {
  static_cast<Snapshots*>(self)->Loop();
  return nullptr;
}

void Snapshots::Loop() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::seconds(seconds_), [this] { return stop_; })) {
    lock.unlock();
    Write();
    lock.lock();
  }
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

void Snapshots::Stop() noexcept {
  if (!running_) return;
  running_ = false;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  pthread_join(thread_, nullptr);
}

void Snapshots::Remove() noexcept try {
  if (written_.empty()) return;
  if (const Result<FilePath> file = place_->Find(written_)) RemoveFile(*file);
  written_.clear();
} catch (...) {
}

}  // namespace roofmark::runtime
