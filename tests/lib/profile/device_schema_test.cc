// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "lib/profile/roofline_json.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

TEST(DeviceSchema, FilesWithDevicesObeyIt) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  RooflineFile file;
  PathInfo info;
  info.path = "a";
  file.job.paths = {info};
  file.job.cells = CellTable(1);
  DeviceInfo device;
  device.uuid = "GPU-1";
  device.sources[0].counted = 1;
  device.sources[1].reason = "of another group";
  device.rows = {{"a", 1, 0, {5}}};
  device.properties.multiprocessors = 132;
  file.job.run.devices = {device};
  const std::string text = RooflineToJson(file);
  EXPECT_TRUE(test::MatchesSchema(text, "roofline.schema.json"));
  std::string bad = text;
  bad.replace(bad.find("\"lost\": 0"), 9, "\"lost\": -1");
  EXPECT_FALSE(test::MatchesSchema(bad, "roofline.schema.json"));
}

}  // namespace
}  // namespace roofmark
