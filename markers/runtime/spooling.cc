// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/spooling.h"

#include <unistd.h>

#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/place.h"
#include "markers/runtime/output.h"

namespace roofmark::runtime {

void Spooling::Open(const Settings& settings, const Launcher& launcher) {
  const bool off = settings.spool == "off";
  if (off && settings.snapshot_s == 0) return;
  const uint32_t rank = launcher.rank.value_or(0);
  spool::Writer::Options options;
  if (!off) {
    options.directory = settings.spool == "auto"
                            ? spool::DefaultDirectory(NodeJobKey())
                            : ExpandName(settings.spool, rank, launcher.job_id);
    options.name = spool::FileName(rank, HostName(), static_cast<uint32_t>(getpid()));
  }
  if (settings.spool == "auto" && rank == 0) spool::RemoveAbandoned();
  writer_ = spool::Writer::Create(std::move(options));
  if (writer_ != nullptr) count_store_.emplace(*writer_);
}

void Spooling::Describe(const JobProfile& process) {
  if (writer_ == nullptr) return;
  writer_->Append(spool::Kind::kRun, 0, 0, RooflineToJson({process, {}}));
}

void Spooling::StartSnapshots(uint64_t seconds, OutputPlace& place, const std::string& file) {
  if (seconds == 0 || writer_ == nullptr) return;
  if (!snapshots_.Start(*writer_, seconds, place, file)) {
    Complain(message::kNoSnapshotThread);
  }
}

void Spooling::Discard() noexcept {
  snapshots_.Remove();
  if (writer_ != nullptr) writer_->Remove();
}

std::string Spooling::Keep(const JobProfile& process) {
  if (writer_ == nullptr) return {};
  writer_->Append(spool::Kind::kProfile, 0, 0, RooflineToJson({process, {}}));
  if (!writer_->file().empty()) return writer_->directory();
  const std::string& copy = snapshots_.file();
  const size_t slash = copy.rfind('/');
  if (copy.empty()) return {};
  return slash == std::string::npos ? "." : copy.substr(0, slash);
}

}  // namespace roofmark::runtime
