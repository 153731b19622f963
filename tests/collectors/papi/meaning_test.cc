// SPDX-License-Identifier: BSD-3-Clause
//
// What presets mean, by definitions as PAPI 7.0 and 7.3 have them for CPUs of all kinds.
#include "collectors/papi/meaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/papi/flops.h"

namespace roofmark::papi {
namespace {

using papi_test::kDouble;
using papi_test::kMixed;
using papi_test::kSingle;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Definition Of(std::vector<std::string> natives, std::string derived = "NOT_DERIVED",
              std::string postfix = "") {
  return {0, std::move(natives), std::move(derived), std::move(postfix)};
}

const Definition kSkylakeDouble = Of({"FP_ARITH:SCALAR_DOUBLE", "FP_ARITH:128B_PACKED_DOUBLE",
                                      "FP_ARITH:256B_PACKED_DOUBLE", "FP_ARITH:512B_PACKED_DOUBLE"},
                                     "DERIVED_POSTFIX", "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|");

TEST(Meaning, RetiredFlopsOfOnePrecisionAreThat) {
  EXPECT_EQ(MeaningOf("PAPI_DP_OPS", kSkylakeDouble)->metric, kDouble);
  EXPECT_EQ(MeaningOf("PAPI_DP_OPS", kSkylakeDouble)->status, Status::kMeasured);
  EXPECT_EQ(MeaningOf("PAPI_SP_OPS", Of({"FP_ARITH_INST_RETIRED:SCALAR_SINGLE"}))->metric, kSingle);
  EXPECT_EQ(MeaningOf("PAPI_DP_OPS", Of({"PM_DP_QP_FLOP_CMPL"}))->metric, kDouble);
  EXPECT_EQ(
      MeaningOf("PAPI_DP_OPS", Of({"RETIRED_SSE_AVX_OPERATIONS:DP_ADD_SUB_FLOPS:DP_MULT_FLOPS"}))
          ->metric,
      kDouble);
}

TEST(Meaning, AmdMixesPrecisions) {
  const auto meaning = MeaningOf("PAPI_FP_OPS", Of({"RETIRED_SSE_AVX_FLOPS:ANY"}));
  EXPECT_EQ(meaning->metric, kMixed);
  EXPECT_EQ(meaning->status, Status::kMixedPrecision);
  // Commented out in PAPI's own table, and rightly so.
  EXPECT_FALSE(MeaningOf("PAPI_DP_OPS", Of({"RETIRED_SSE_AVX_FLOPS:ANY"})));
  EXPECT_FALSE(
      MeaningOf("PAPI_DP_OPS", Of({"RETIRED_SSE_AVX_OPERATIONS:DP_ADD_SUB_FLOPS:SP_MULT_FLOPS"})));
}

TEST(Meaning, ExecutedOperationsSayThatTheyOvercount) {
  const auto meaning = MeaningOf(
      "PAPI_DP_OPS", Of({"FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE",
                         "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE", "SIMD_FP_256:PACKED_DOUBLE"}));
  EXPECT_EQ(meaning->metric, kDouble);
  EXPECT_THAT(meaning->note, HasSubstr("executed"));
}

// Sandy Bridge's leaves packed operations out; Nehalem's and POWER8's double precision counts
// single precision too.
TEST(Meaning, PresetsThatDoNotCountWhatTheirNameSaysGiveNoFlops) {
  EXPECT_FALSE(MeaningOf("PAPI_FP_OPS",
                         Of({"FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE",
                             "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE", "FP_COMP_OPS_EXE:X87"})));
  EXPECT_FALSE(MeaningOf("PAPI_DP_OPS", Of({"FP_COMP_OPS_EXE:SSE_DOUBLE_PRECISION",
                                            "FP_COMP_OPS_EXE:SSE_FP_PACKED"})));
  EXPECT_FALSE(MeaningOf("PAPI_DP_OPS", Of({"PM_VSU0_2FLOP", "PM_VSU0_4FLOP"})));
  EXPECT_FALSE(MeaningOf("PAPI_DP_OPS", Of({})));
}

TEST(Meaning, RatesAndRatiosAreNoTotals) {
  EXPECT_TRUE(IsTotal(kSkylakeDouble));
  EXPECT_TRUE(IsTotal(Of({"A", "B"}, "DERIVED_POSTFIX", "N0|512|128|/|*|N1|+|")));
  EXPECT_FALSE(IsTotal(Of({"A", "B"}, "DERIVED_POSTFIX", "N0|N1|/|")));
  EXPECT_FALSE(IsTotal(Of({"A", "B"}, "DERIVED_POSTFIX", "N0|100|*|N1|/|")));
  EXPECT_FALSE(IsTotal(Of({"A"}, "DERIVED_PS")));
  EXPECT_FALSE(IsTotal(Of({"A", "B"}, "DERIVED_INFIX", "N0/N1")));
}

TEST(Meaning, GroupsAskForTheirOwnPrecisionOnly) {
  EXPECT_THAT(PresetsOfGroup("dp"), Contains("PAPI_DP_OPS"));
  EXPECT_THAT(PresetsOfGroup("dp"), Not(Contains("PAPI_SP_OPS")));
  EXPECT_THAT(PresetsOfGroup("mem"), Not(Contains(HasSubstr("_OPS"))));
  for (const char* group : {"auto", "dp", "sp", "mem", "cache", "mix", "all"}) {
    EXPECT_THAT(PresetsOfGroup(group), Contains("PAPI_TOT_CYC")) << group;
  }
}

}  // namespace
}  // namespace roofmark::papi
