// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/counting.h"

#include <fmt/format.h>

#include <array>

#include "collectors/counting/valgrind/protocol.h"

namespace roofmark {
namespace {

static_assert(ROOF_C_FLOPS_COUNT == kFlopClasses);
static_assert(ROOF_C_FLOPS(ROOF_SP, ROOF_256, ROOF_FMA) ==
              FlopMetric(Precision::kSingle, Width::k256, FlopKind::kFma));

struct Mapping {
  roof_counter counter;
  MetricId metric;
};

// What the tool always counts, beside the FLOP classes (whose indices are the metrics').
constexpr std::array kInstructionMix = {
    Mapping{ROOF_C_INSTRUCTIONS, metric::kInstructions},
    Mapping{ROOF_C_FP_INSTRUCTIONS, metric::kFpInstructions},
    Mapping{ROOF_C_FP_OTHER_INSTRUCTIONS, metric::kFpOtherInstructions},
    Mapping{ROOF_C_X87_TRANSCENDENTALS, metric::kX87Transcendentals},
    Mapping{ROOF_C_LOAD_INSTRUCTIONS, metric::kLoadInstructions},
    Mapping{ROOF_C_STORE_INSTRUCTIONS, metric::kStoreInstructions},
    Mapping{ROOF_C_BRANCH_INSTRUCTIONS, metric::kBranchInstructions},
    Mapping{ROOF_C_LOAD_BYTES, metric::kLoadBytes},
    Mapping{ROOF_C_STORE_BYTES, metric::kStoreBytes},
    Mapping{ROOF_C_NT_STORE_BYTES, metric::kNtStoreBytes},
};
// Two for each level, nearest first.
constexpr std::array kLevels = {
    Mapping{ROOF_C_L1_READ_BYTES, metric::kL1ReadBytes},
    Mapping{ROOF_C_L1_WRITE_BYTES, metric::kL1WriteBytes},
    Mapping{ROOF_C_L2_READ_BYTES, metric::kL2ReadBytes},
    Mapping{ROOF_C_L2_WRITE_BYTES, metric::kL2WriteBytes},
    Mapping{ROOF_C_L3_READ_BYTES, metric::kL3ReadBytes},
    Mapping{ROOF_C_L3_WRITE_BYTES, metric::kL3WriteBytes},
};
constexpr std::array kDram = {
    Mapping{ROOF_C_DRAM_READ_BYTES, metric::kDramReadBytes},
    Mapping{ROOF_C_DRAM_WRITE_BYTES, metric::kDramWriteBytes},
    Mapping{ROOF_C_DRAM_NT_BYTES, metric::kDramNtBytes},
    Mapping{ROOF_C_DRAM_DIRTY_BYTES, metric::kDramDirtyBytes},
    Mapping{ROOF_C_STORE_FILL_BYTES, metric::kStoreFillBytes},
};
constexpr std::array kThreeCs = {
    Mapping{ROOF_C_MISSES_COMPULSORY, metric::kMissesCompulsory},
    Mapping{ROOF_C_MISSES_CAPACITY, metric::kMissesCapacity},
    Mapping{ROOF_C_MISSES_CONFLICT, metric::kMissesConflict},
};

class CountingCollector final : public Collector {
 public:
  std::string_view Name() const override { return "counting"; }
  bool WantsContexts() const override { return true; }
  bool TimesAreReal() const override { return false; }

  Result<std::vector<OfferedMetric>> Open(const Settings& settings) override {
    const uint64_t version = ROOF_REQUEST(ROOF_REQ_HELLO, ROOF_PROTOCOL_VERSION);
    if (version == 0) {
      return Error{RUNNING_ON_VALGRIND ? "the program runs under another tool of Valgrind; start "
                                         "it without that tool, because roofmark uses its own"
                                       : "the program does not run under the counting engine"};
    }
    if (version != ROOF_PROTOCOL_VERSION) {
      return Error{
          fmt::format("the counting tool speaks protocol {}, this library {}; install "
                      "both from one version of roofmark",
                      version, ROOF_PROTOCOL_VERSION)};
    }
    ROOF_REQUEST(ROOF_REQ_INFO, &info_);
    scaled_ = settings.visits.kind != VisitPolicy::Kind::kAll;
    return Offer();
  }

  // The last path takes what is not measured.
  void EnterTeam(uint32_t path, bool measured) noexcept override {
    ROOF_REQUEST(ROOF_REQ_TEAM_PATH, measured ? path : ROOF_MAX_PATHS - 1);
  }
  void EnterOwn(uint32_t path, bool measured) noexcept override {
    ROOF_REQUEST(ROOF_REQ_OWN_PATH, measured ? path : ROOF_MAX_PATHS - 1);
  }
  void SetCounting(bool on) noexcept override { ROOF_REQUEST(ROOF_REQ_COUNT, on); }

  void Harvest(HarvestSink& sink) override {
    roof_harvest harvest = {};
    ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest);
    std::vector<roof_record> records(harvest.needed);
    harvest.records = records.data();
    harvest.capacity = records.size();
    if (ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest) == 0) return;
    for (size_t i = 0; i < harvest.count; ++i) {
      for (const Mapping& mapping : mapped_) {
        const uint64_t value = records[i].counters[mapping.counter];
        if (value != 0) sink.Add(records[i].thread, records[i].path, mapping.metric, value);
      }
    }
  }

  std::map<std::string, std::string> Facts() const override {
    std::map<std::string, std::string> facts = {{"engine", "valgrind"}};
    std::string geometry;
    for (uint32_t i = 0; i < info_.levels; ++i) {
      geometry += fmt::format("{}L{}:{}K:{}", i == 0 ? "" : ",", i + 1, info_.size_bytes[i] / 1024,
                              info_.ways[i]);
    }
    facts["cache"] = info_.levels == 0 ? "not modelled" : geometry;
    if (info_.levels > 0) {
      facts["line_sampling"] = std::to_string(info_.line_sampling);
      facts["not_modelled"] =
          "traffic of prefetchers, coherence, the TLB, the kernel, and the zeroing of pages";
    }
    return facts;
  }

 private:
  // Fills mapped_ with what this run gives and says why the rest is missing.
  std::vector<OfferedMetric> Offer() {
    std::vector<OfferedMetric> offered;
    const auto give = [&](Mapping mapping, Status status) {
      mapped_.push_back(mapping);
      offered.push_back({mapping.metric, status, ""});
    };
    const auto refuse = [&](const auto& mappings, size_t from, std::string_view reason) {
      for (size_t i = from; i < mappings.size(); ++i) {
        offered.push_back({mappings[i].metric, Status::kUnsupported, std::string(reason)});
      }
    };
    const Status counted = scaled_ ? Status::kScaled : Status::kMeasured;
    for (MetricId id = 0; id < kFlopClasses; ++id)
      give({static_cast<roof_counter>(id), id}, counted);
    for (const Mapping& mapping : kInstructionMix) give(mapping, counted);
    for (size_t i = 0; i < 2 * info_.levels; ++i) give(kLevels[i], Status::kModelled);
    refuse(kLevels, 2 * info_.levels, "this cache level is not modelled in this run");
    if (info_.levels > 0) {
      for (const Mapping& mapping : kDram) give(mapping, Status::kModelled);
    } else {
      refuse(kDram, 0, "no cache model in this run: set ROOFMARK_COUNT=cache");
    }
    if (info_.levels > 0 && info_.three_cs != 0) {
      for (const Mapping& mapping : kThreeCs) give(mapping, Status::kModelled);
    } else {
      refuse(kThreeCs, 0, "misses were not classified in this run: set ROOFMARK_COUNT=threec");
    }
    return offered;
  }

  roof_tool_info info_ = {};
  bool scaled_ = false;
  std::vector<Mapping> mapped_;
};

}  // namespace

std::unique_ptr<Collector> MakeCountingCollector() { return std::make_unique<CountingCollector>(); }

}  // namespace roofmark
