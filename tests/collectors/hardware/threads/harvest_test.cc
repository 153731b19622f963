// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/harvest.h"

#include <gtest/gtest.h>

#include <optional>

namespace roofmark::threads {
namespace {

TEST(InLayer, WorkIsWhatWasCounted) {
  for (const MetricId metric : {metric::kFlops, metric::kCycles, metric::kDramReadBytes}) {
    EXPECT_EQ(InLayer(metric, Layer::kWork), metric);
  }
}

// What MPI and runtimes do stands beside the program's work, and is no part of it.
TEST(InLayer, OfMpiAndRuntimesEachHasAMetricOfItsOwn) {
  const std::pair<MetricId, MetricId> kApart[] = {
      {MetricId{0}, metric::kFlopsApart},  // the first class of FLOPs
      {metric::kInstructions, metric::kInstructionsApart},
      {metric::kLoadBytes, metric::kLoadsApart},
      {metric::kStoreBytes, metric::kStoresApart},
      {metric::kDramReadBytes, metric::kDramApart},
      {metric::kDramWriteBytes, metric::kDramApart}};
  for (const auto& [of_work, apart] : kApart) {
    EXPECT_EQ(InLayer(of_work, Layer::kMpi), InMpi(apart)) << GetMetric(of_work).name;
    EXPECT_EQ(InLayer(of_work, Layer::kRuntime), InRuntime(apart)) << GetMetric(of_work).name;
  }
}

TEST(InLayer, WhatHasNoneIsLeftOut) {
  EXPECT_EQ(InLayer(metric::kCycles, Layer::kMpi), std::nullopt);
}

}  // namespace
}  // namespace roofmark::threads
