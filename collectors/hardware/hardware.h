// SPDX-License-Identifier: BSD-3-Clause
//
// Threads and packages together: what every collector of hardware events does once its plan stands.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_H_
#define ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/hardware_plan.h"
#include "collectors/hardware/package/packages.h"
#include "collectors/hardware/threads/counters.h"
#include "collectors/hardware/threads/threads.h"

namespace roofmark {

// What a collector of hardware events has found out that it can count.
struct HardwareSource {
  std::unique_ptr<threads::Source> threads;
  HardwarePlan plan;  // its rules are of the source's events
  std::map<std::string, std::string> facts;
};

class HardwareCollector : public Collector {
 public:
  bool WantsContexts() const final { return true; }
  // What the packages give is offered besides what the plan offers.
  Result<std::vector<OfferedMetric>> Open(const Settings& settings) final;
  void DefinePath(uint32_t path, uint32_t parent, std::string_view name) final;
  void EnterTeam(uint32_t path, bool measured,
                 const counts::FinishedVisit* finished) noexcept final;
  void EnterOwn(uint32_t path, bool measured, const counts::FinishedVisit* finished) noexcept final;
  bool FollowsLayers() const final { return follows_layers_; }
  // Of threads; memory controllers do not tell whose traffic it is.
  Layer EnterLayer(Layer layer) noexcept final { return threads_->EnterLayer(layer); }
  // Memory controllers belong to the package and go on.
  void SetCounting(Extent extent) noexcept final { threads_->SetCounting(CountsAll(extent)); }
  // Those of threads.
  void KeepIn(counts::CountStore& store) final;
  void Harvest(HarvestSink& sink) final;
  std::vector<OfferedMetric> HarvestSoFar(HarvestSink& sink) final;
  std::vector<Background> BackgroundTraffic() const final;
  std::map<std::string, std::string> Facts() const final;

 private:
  // The error, one sentence with cause and cure, means that nothing at all can be counted.
  virtual Result<HardwareSource> Plan(const Settings& settings) = 0;

  std::vector<OfferedMetric> OpenPackages(const Settings& settings);
  void HarvestThreads(HarvestSink& sink);
  bool CountsPackages() const { return packages_ && packages_->counts(); }

  HardwareSource source_;
  uint32_t team_path_ = 0;  // main thread only
  bool follows_layers_ = false;
  std::optional<package::Packages> packages_;
  std::vector<MetricId> package_metrics_;  // that the controllers give
  std::optional<threads::Threads> threads_;
  double least_share_ = 1;
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_H_
