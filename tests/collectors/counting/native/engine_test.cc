// SPDX-License-Identifier: BSD-3-Clause
//
// The engine in this process: what it says that it has, and whoever wants addresses gets them.
#include "collectors/counting/native/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/native.h"
#include "lib/core/messages/collectors.h"
#include "tests/support/says.h"

namespace roofmark::counting {
namespace {

// Room is made before: sinks do not allocate.
class Kept final : public AccessSink {
 public:
  explicit Kept(size_t most) : records_(most) {}
  void Take(const Context& context, std::span<const uint64_t> records) override {
    if (context.path != 1) return;
    for (const uint64_t record : records)
      if (count_ < records_.size()) records_[count_++] = record;
  }
  // Stores to [begin, end).
  size_t Stores(const double* begin, const double* end) const {
    size_t stores = 0;
    for (size_t i = 0; i < count_; ++i) {
      const uint64_t at = ROOF_RECORD_ADDRESS(records_[i]);
      stores += records_[i] >> ROOF_RECORD_ADDRESS_BITS & 1 &&
                at >= reinterpret_cast<uint64_t>(begin) && at < reinterpret_cast<uint64_t>(end);
    }
    return stores;
  }

 private:
  std::vector<uint64_t> records_;
  size_t count_ = 0;
};

class Sums final : public CountSink {
 public:
  void Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) override {
    if (context.path != 1 || context.layer != Layer::kWork) return;
    dram_read += counters[ROOF_C_DRAM_READ_BYTES];
    dirty += counters[ROOF_C_DRAM_DIRTY_BYTES];
  }
  void Incomplete(const IncompletePath& path) override { incomplete = path.reason; }
  void Critical(const Context&, const SourceLine&, uint64_t) override {}
  void Entered(const Context&, uint64_t) override {}

  uint64_t dram_read = 0, dirty = 0;
  std::string incomplete;
};

TEST(NativeEngineInProcess, HandsOverAddressesAndModelsCaches) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  constexpr size_t kWords = 4096;
  alignas(64) static double array[kWords], others[kWords];
  Settings settings;
  settings.cache = "L1:48K:12,L2:1M:16";
  ASSERT_EQ(LoadNativeEngine(settings, LIBRARY), "");
  const std::unique_ptr<Engine> engine = MakeNativeEngine();
  const Result<CacheModel> model = engine->Open(settings);
  ASSERT_TRUE(model) << model.error();
  EXPECT_EQ(model->geometry.levels, 2u);
  EXPECT_EQ(model->line_sampling, 1u);
  EXPECT_FALSE(model->windows);
  EXPECT_TRUE(engine->GetLayers());
  EXPECT_TRUE(engine->GetPeriodicHarvest());
  EXPECT_THAT(engine->GetWindows().error(), test::Says(message::kNativeHasNoWindows));
  EXPECT_TRUE(engine->GetBlocks());
  EXPECT_TRUE(engine->GetNests());
  EXPECT_THAT(engine->GetEvents().error(), test::Says(message::kNativeHasNoEvents));
  Kept kept(1 << 20);
  Capability<AddressTrace> trace = engine->GetAddressTrace();
  ASSERT_TRUE(trace);
  (*trace)->Start(kept, 1);
  engine->EnterTeam(1, true);
  for (volatile double& each : array) each = 1;
  Layers& layers = **engine->GetLayers();
  layers.Enter(Layer::kMpi);  // what it does there is none of the region's work
  for (volatile double& each : others) each = 1;
  layers.Leave();
  engine->EnterTeam(0, true);
  Sums sums, so_far;
  (*engine->GetPeriodicHarvest())->HarvestSoFar(so_far);
  engine->Harvest(sums);
  EXPECT_EQ(so_far.dram_read, sums.dram_read);
  EXPECT_EQ(sums.incomplete, "");
  EXPECT_EQ(kept.Stores(array, array + kWords), kWords);
  EXPECT_GE(sums.dram_read, sizeof array);
  EXPECT_LE(sums.dram_read, sizeof array + 100 * 64);
  EXPECT_GE(sums.dirty, sizeof array);
  engine->SetCounting(Extent::kNothing);
}

TEST(NativeEngineInProcess, SaysWhatItDoesNotDo) {
  Settings settings;
  settings.count = "threec";
  EXPECT_THAT(WhyNotNative(settings), test::Says(message::kNativeTellsNoMisses));
  settings.count = "cache";
  EXPECT_EQ(WhyNotNative(settings), "");
  settings.executed = true;
  EXPECT_EQ(WhyNotNative(settings), "");
}

TEST(NativeEngineInProcess, AutoModelsFewerLinesUnlessTheUserSaysHowMany) {
  Settings settings;
  settings.engine = "auto";
  EXPECT_EQ(LinesToSample(settings), 16u);
  settings.sample_is_set = true;
  EXPECT_EQ(LinesToSample(settings), 1u);
  settings.engine = "native";
  settings.sample_is_set = false;
  EXPECT_EQ(LinesToSample(settings), 1u);
}

}  // namespace
}  // namespace roofmark::counting
