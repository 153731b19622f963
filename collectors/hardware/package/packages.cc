// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/packages.h"

#include <fmt/format.h>
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/package/path.h"
#include "lib/core/clock.h"
#include "lib/core/hash.h"
#include "lib/core/launcher.h"
#include "lib/core/log.h"

namespace roofmark::package {
namespace {

std::atomic<Packages*> g_packages{nullptr};

// All processes of the job must mean the same by an event's number.
uint64_t FingerprintOf(const Plan& plan) {
  uint64_t hash = kHashStart;
  for (const events::EncodedEvent& event : plan.events) hash = HashOf(event.name, hash);
  return hash;
}

std::set<uint32_t> PackagesOf(const Plan& plan, const std::string& root) {
  std::set<uint32_t> packages;
  for (const uint32_t cpu : CpusOf(plan)) {
    if (const auto package = PackageOf(cpu, root)) packages.insert(*package);
  }
  return packages;
}

// What is known of a package besides its events is told by those of its traffic.
const Rule& RuleOfTraffic(const Plan& plan) {
  const auto bytes = std::find_if(plan.rules.begin(), plan.rules.end(), [](const Rule& rule) {
    return GetMetric(rule.metric).unit == "bytes";
  });
  return bytes == plan.rules.end() ? plan.rules.front() : *bytes;
}

std::vector<OfferedMetric> OfferAll(const Plan& plan, Status status, const std::string& reason) {
  std::vector<OfferedMetric> offered;
  const auto offer = [&](MetricId metric, const Rule& rule) {
    offered.push_back({metric, status, reason});
    offered.back().origin = OriginOf(plan, rule);
  };
  for (const Rule& rule : plan.rules) offer(rule.metric, rule);
  for (const MetricId id : {metric::kPackageTimeNs, metric::kPackageSharedNs,
                            metric::kPackageControllers, metric::kPackageControllerBytesMax}) {
    offer(id, RuleOfTraffic(plan));
  }
  return offered;
}

// Processes that have not taken the controllers yet get the reason instead.
void Fail(Package& shared, const std::string& reason) {
  if (shared.supply.load() == Supply::kFailed) return;
  std::strncpy(shared.reason, reason.c_str(), sizeof shared.reason - 1);
  shared.supply = Supply::kFailed;
}

}  // namespace

Packages::Packages(Plan plan, bool sync_node, std::string root)
    : plan_(std::move(plan)), sync_node_(sync_node), root_(std::move(root)) {
  const Launcher launcher = ReadLauncher();
  place_.job = NodeJobKey();
  place_.expected = place_.job.empty() ? 1 : launcher.local_ranks.value_or(0);
  // The process is alone on its node and shares with no other.
  if (place_.expected == 1) place_.job.clear();
  place_.events = static_cast<uint32_t>(plan_.events.size());
  place_.fingerprint = FingerprintOf(plan_);
  rank_ = launcher.rank.value_or(0);
  const std::set<uint32_t> packages = PackagesOf(plan_, root_);
  numbers_.assign(packages.begin(), packages.end());
  place_.packages = static_cast<uint32_t>(numbers_.size());
}

Packages::~Packages() {
  g_packages.store(nullptr);
  // Another collector was chosen: the next one may open the controllers again.
  if (counts()) GiveUp(segment_->header().member[member_].packages, Supply::kNobody);
  for (std::atomic<Path*>& chunk : paths_) delete[] chunk.load();
}

std::vector<OfferedMetric> Packages::Open(size_t budget) {
  budget_ = budget;
  const auto refuse = [&](const std::string& reason) {
    return OfferAll(plan_, Status::kDenied, reason);
  };
  if (place_.packages == 0 || place_.packages > kMostPackages) {
    return refuse(
        fmt::format("the memory controllers of {} packages are listed, but roofmark can read those "
                    "of 1 to {} packages",
                    place_.packages, kMostPackages));
  }
  Result<std::unique_ptr<Segment>> segment = Segment::Attach(place_);
  if (!segment) return refuse(segment.error());
  segment_ = std::move(*segment);
  uint32_t bits = 0;
  std::vector<uint32_t> own;
  const std::set<uint32_t> here = PackagesOfThisProcess(root_);
  for (uint32_t i = 0; i < place_.packages; ++i) {
    if (!here.contains(numbers_[i])) continue;
    own.push_back(i);
    bits |= 1u << i;
  }
  member_ = segment_->Join(rank_, bits);
  if (place_.expected > 0 && segment_->header().members.load() >= place_.expected) {
    segment_->ForgetName();
  }
  if (member_ < 0) return refuse(fmt::format("more than {} processes on the node", kMostMembers));
  for (const uint32_t package : own) {
    const std::string why_not = Take(package);
    if (!why_not.empty()) {
      GiveUp(bits, Supply::kFailed);
      return refuse(why_not);
    }
  }
  if (mine_.empty())
    return refuse("the memory controllers of the process's packages are not listed");
  static const int at_fork = pthread_atfork(nullptr, nullptr, &Packages::ForkedChild);
  static_cast<void>(at_fork);
  g_packages.store(this);
  counts_ = true;
  return OfferAll(plan_, Status::kMeasured, plan_.note);
}

// No process waits for this one any more, and none gets descriptors from it: those that took them
// before keep theirs.
void Packages::GiveUp(uint32_t packages, Supply after) {
  for (uint32_t i = 0; i < place_.packages; ++i) {
    if ((owned_ & 1u << i) != 0) segment_->package(i).supply = Supply::kLeaving;
  }
  servers_.clear();
  for (const auto& intervals : mine_) intervals->Leave();
  mine_.clear();
  for (uint32_t i = 0; i < place_.packages; ++i) {
    if ((owned_ & 1u << i) == 0) continue;
    if (after == Supply::kFailed) {
      Fail(segment_->package(i), "the process that opened them cannot read all of them");
    } else {
      segment_->package(i).supply = after;
    }
  }
  segment_->header().member[member_].done.fetch_or(packages);
}

// Of what the owner of a package listens at. Ranks that try another collector first may own the
// package in a segment that others have left already.
std::string Packages::Address() const {
  return fmt::format("{:x}/{}", segment_->header().number, place_.job);
}

// Empty, or why the package's controllers cannot be read.
std::string Packages::Take(uint32_t package) {
  Package& shared = segment_->package(package);
  for (;;) {
    Supply nobody = Supply::kNobody;
    const bool owner = shared.supply.compare_exchange_strong(nobody, Supply::kOpening);
    if (owner) return OpenAsOwner(package, shared);
    const std::string why_not = WaitForOwner(package, shared);
    // The owner has left: another collector was chosen.
    if (shared.supply.load() == Supply::kNobody) continue;
    if (!why_not.empty()) return why_not;
    Result<Controllers> taken =
        AskOwner(Address(), numbers_[package], plan_.events.size(), budget_, shared.silent);
    if (!taken && shared.supply.load() != Supply::kServing) continue;
    if (!taken) return taken.error();
    budget_ -= std::min(budget_, taken->Events().size());
    mine_.push_back(std::make_unique<Intervals>(*segment_, package, std::move(*taken)));
    return {};
  }
}

std::string Packages::OpenAsOwner(uint32_t package, Package& shared) {
  shared.number = numbers_[package];
  Result<Controllers> opened = Controllers::Open(plan_, numbers_[package], budget_, root_);
  if (!opened) {
    Fail(shared, opened.error());
    return opened.error();
  }
  owned_ |= 1u << package;
  budget_ -= std::min(budget_, opened->Events().size());
  mine_.push_back(std::make_unique<Intervals>(*segment_, package, std::move(*opened)));
  if (!place_.job.empty()) {
    auto server = std::make_unique<Server>();
    if (!server->Start(Address(), numbers_[package], mine_.back()->controllers())) {
      Fail(shared, "the process that opened them could not pass them on");
      return {};
    }
    servers_.push_back(std::move(server));
  }
  shared.supply = Supply::kServing;
  return {};
}

std::string Packages::WaitForOwner(uint32_t package, const Package& shared) const {
  constexpr uint64_t kPatienceNs = 5'000'000'000;
  const uint64_t start = NowNs();
  const auto changes = [&shared] {
    const Supply supply = shared.supply.load();
    return supply == Supply::kOpening || supply == Supply::kLeaving;
  };
  while (changes() && NowNs() - start < kPatienceNs) {
    const timespec nap{0, 200'000};
    nanosleep(&nap, nullptr);
  }
  switch (shared.supply.load()) {
    case Supply::kServing:
      return {};
    case Supply::kFailed:
      return shared.reason;
    default:
      return fmt::format("the process that opens the controllers of package {} does not finish",
                         numbers_[package]);
  }
}

std::map<std::string, std::string> Packages::Facts() const {
  std::map<std::string, std::string> facts;
  if (mine_.empty()) return facts;
  std::string packages;
  for (const auto& intervals : mine_) {
    packages += fmt::format("{}{}", packages.empty() ? "" : ",", numbers_[intervals->package()]);
  }
  facts["packages_counted"] = packages;
  facts["package_events"] = std::to_string(plan_.events.size());
  if (sync_node_) {
    facts["sync"] =
        segment_->header().barrier.off.load() != 0 ? "node, until a rank did not arrive" : "node";
  }
  return facts;
}

// The child is not the process that was asked to count.
void Packages::ForkedChild() noexcept {
  if (Packages* packages = g_packages.exchange(nullptr)) packages->DetachInChild();
}

void Packages::DetachInChild() noexcept {
  counts_ = false;
  for (const auto& intervals : mine_) intervals->CloseInChild();
  for (const auto& server : servers_) server->ForgetInChild();
}

}  // namespace roofmark::package
