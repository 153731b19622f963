// SPDX-License-Identifier: BSD-3-Clause
//
// A collector that keeps what single events count, for the exercises of the self-test.
#ifndef ROOFMARK_COMMAND_BUNDLE_RAW_COUNTERS_H_
#define ROOFMARK_COMMAND_BUNDLE_RAW_COUNTERS_H_

#include <map>
#include <vector>

#include "collectors/collector.h"
#include "command/bundle/raw_totals.h"

namespace roofmark::cli {

// Of the main thread only. Each visit of a path counts other events: those of one round, which are
// opened when it begins and closed when it ends.
class RawCounters final : public Collector {
 public:
  explicit RawCounters(const RawEvents& raw);
  ~RawCounters() override;

  uint32_t CountRounds() const { return static_cast<uint32_t>(rounds_.size()); }
  // In the order of the events; empty for a path that was never visited.
  std::vector<RawTotal> TotalsOf(uint32_t path) const;

  std::string_view Name() const override { return "raw"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{};
  }
  bool WantsContexts() const override { return true; }
  void EnterTeam(uint32_t path, bool measured = true,
                 const counts::FinishedVisit* finished = nullptr) noexcept override;

 private:
  struct Place {
    size_t event;
    int cpu;  // -1: this thread
  };
  struct Opened {
    Place place;
    int fd;
  };
  void Begin(uint32_t path);
  void End();

  const RawEvents& raw_;
  std::vector<std::vector<Place>> rounds_;
  std::vector<Opened> opened_;
  uint32_t path_ = 0;
  std::map<uint32_t, uint32_t> visits_;
  std::map<uint32_t, std::map<std::pair<size_t, int>, RawTotal>> totals_;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_BUNDLE_RAW_COUNTERS_H_
