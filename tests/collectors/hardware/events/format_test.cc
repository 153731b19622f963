// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/hardware/events/event_text.h"

namespace roofmark::events {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FormatField Field(std::string_view text) {
  const Result<FormatField> field = ParseFormatField(text);
  EXPECT_TRUE(field) << field.error();
  return field ? *field : FormatField{};
}

TEST(FormatTest, ReadsBitsAndRanges) {
  EXPECT_EQ(Field("config:0-7,32-35").Bits(), 12u);
  EXPECT_EQ(Field("config1:3").word, 1u);
  EXPECT_EQ(Field("config2:0-63").Bits(), 64u);
  for (const char* bad : {"", "config", "config:", "config3:0-7", "config:7-0", "config:0-64",
                          "config:x", "event:0-7"})
    EXPECT_FALSE(ParseFormatField(bad)) << bad;
}

TEST(FormatTest, LowBitsGoToTheFirstRange) {
  const Format format = {{"event", Field("config:0-7,32-35")}};
  const auto words = SetField({}, format, "event", 0x107, "amd_df");
  ASSERT_TRUE(words) << words.error();
  EXPECT_THAT(*words, ElementsAre(0x100000007u, 0u, 0u));
}

TEST(FormatTest, AFieldReplacesWhatWasThere) {
  const Format format = {{"umask", Field("config:8-15")}};
  const auto words = SetField({0xff01, 0, 0}, format, "umask", 0x20, "cpu");
  ASSERT_TRUE(words);
  EXPECT_EQ((*words)[0], 0x2001u);
}

TEST(FormatTest, WholeWordsBitsAndFullWidth) {
  const Format format = {{"inv", Field("config:23")}, {"all", Field("config1:0-63")}};
  EXPECT_EQ((*SetField({}, format, "inv", 1, "cpu"))[0], 1u << 23);
  EXPECT_EQ((*SetField({}, format, "all", ~uint64_t{0}, "cpu"))[1], ~uint64_t{0});
  EXPECT_EQ((*SetField({}, format, "config2", 7, "cpu"))[2], 7u);
}

TEST(FormatTest, ErrorsNameTheFieldAndWhatIsThere) {
  const Format format = {{"event", Field("config:0-7")}, {"umask", Field("config:8-15")}};
  EXPECT_THAT(SetField({}, format, "mask", 1, "cpu").error(),
              testing::AllOf(HasSubstr("\"mask\""), HasSubstr("cpu"), HasSubstr("event, umask")));
  EXPECT_THAT(SetField({}, format, "event", 0x107, "cpu").error(),
              testing::AllOf(HasSubstr("event=0x107"), HasSubstr("8 bits")));
}

TEST(EventTextTest, FieldsWithAndWithoutValue) {
  const auto fields = ParseFields("event=0x04, umask=12,inv\n");
  ASSERT_TRUE(fields) << fields.error();
  ASSERT_EQ(fields->size(), 3u);
  EXPECT_EQ((*fields)[0].value, 4u);
  EXPECT_EQ((*fields)[1].value, 12u);
  EXPECT_FALSE((*fields)[2].value);
  for (const char* bad :
       {"", "event=", "event=?", "event=4x", "=3", "event=0x", "event=1,,umask=2"})
    EXPECT_FALSE(ParseFields(bad)) << bad;
}

TEST(EventTextTest, PmuTextNeedsBothSlashes) {
  const auto text = ParsePmuText("uncore_imc/event=0x04,umask=3/");
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(text->device, "uncore_imc");
  EXPECT_EQ(text->fields.size(), 2u);
  EXPECT_FALSE(ParsePmuText("cpu/event=1"));
  EXPECT_FALSE(ParsePmuText("/event=1/"));
  EXPECT_FALSE(ParsePmuText("cpu//"));
  EXPECT_THAT(ParsePmuText("cpu/event=1/k").error(), HasSubstr("ROOFMARK_KERNEL"));
}

TEST(EventTextTest, ListsAreSplitOutsideOfSlashes) {
  EXPECT_THAT(
      SplitEventList("PAPI_DP_OPS, cpu/event=1,umask=2/,skx_unc_imc0::UNC_M_CAS_COUNT:RD,"),
      ElementsAre("PAPI_DP_OPS", "cpu/event=1,umask=2/", "skx_unc_imc0::UNC_M_CAS_COUNT:RD"));
  EXPECT_THAT(SplitEventList(" , "), ElementsAre());
}

}  // namespace
}  // namespace roofmark::events
