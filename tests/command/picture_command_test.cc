// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures for papers, as users ask roofmark report for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class PictureCommand : public ::testing::Test {
 protected:
  test::Ended Report(const std::vector<std::string>& options, const std::string& path = "",
                     const char* file = RECORDED) {
    std::vector<std::string> command = {ROOFMARK, "report", file};
    command.insert(command.end(), options.begin(), options.end());
    const char* own = std::getenv("PATH");
    return test::Run(command,
                     {{"XDG_CACHE_HOME", directory_.path()},
                      {"LC_ALL", "C.UTF-8"},
                      {"PATH", path.empty() && own != nullptr ? own : path}},
                     directory_.path());
  }
  std::string Text(const std::string& name) { return *ReadFile(directory_.File(name)); }
  // A program of this name in a folder of its own, which is returned.
  std::string FolderWith(const std::string& name, const std::string& script) {
    const std::string file = directory_.File(name);
    EXPECT_TRUE(WriteFile(file, "#!/bin/sh\n" + script, IfExists::kRefuse));
    EXPECT_EQ(chmod(file.c_str(), 0755), 0);
    return directory_.path();
  }
  bool HasConverter() {
    return test::Run({"sh", "-c", "command -v rsvg-convert"}, {}, directory_.path()).status == 0;
  }
  test::TempDir directory_;
};

TEST_F(PictureCommand, ShowsWhatAFigureNeeds) {
  const test::Ended ended =
      Report({"--svg", "a.svg", "--regions", "stencil", "--no-table", "--no-title", "--aspect",
              "4:3", "--width", "8.5cm", "--width", "100"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const std::string svg = Text("a.svg");
  EXPECT_THAT(svg, HasSubstr("width=\"85mm\" height=\"63.75mm\""));
  EXPECT_THAT(svg, HasSubstr(" stencil</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("halo")));
  EXPECT_THAT(svg, Not(HasSubstr(">region<"))) << "the table";
  EXPECT_THAT(svg, Not(HasSubstr("stencil.json"))) << "the title";
  EXPECT_THAT(ended.out, HasSubstr("halo")) << "the table of the terminal has all regions";
}

TEST_F(PictureCommand, AnUnknownRegionIsNamedWithTheNearestOne) {
  const test::Ended ended = Report({"--svg", "a.svg", "--regions", "halo,stensil"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.err, test::LineOf(message::kUnknownDrawnRegion,
                                    "no region is called stensil: did you mean stencil?"));
  EXPECT_EQ(ended.out, "");
}

TEST_F(PictureCommand, WithoutTheConverterNothingIsDone) {
  for (const char* option : {"--pdf", "--png"}) {
    const test::Ended ended = Report({option, "-"}, directory_.path(), "/no/such/file");
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.err, test::LineOf(message::kNoPictureConverter,
                                      "rsvg-convert cannot be started: No such file or directory"));
  }
  EXPECT_EQ(Report({"--svg", "a.svg"}, directory_.path()).status, 0) << "SVG needs none";
}

TEST_F(PictureCommand, WhatTheConverterSaysIsPassedOn) {
  const std::string folder =
      FolderWith("rsvg-convert", "[ \"$1\" = --version ] || { echo no font >&2; exit 3; }\n");
  const test::Ended ended = Report({"--pdf", "a.pdf"}, folder);
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kPictureNotConverted, "no font")));
}

uint32_t BigEndian(const std::string& text, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

TEST_F(PictureCommand, ConvertsToPdfAndPng) {
  if (!HasConverter()) GTEST_SKIP() << "rsvg-convert is not installed";
  const test::Ended ended = Report({"--pdf", "a.pdf", "--png", "a.png", "--width", "85mm"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(Text("a.pdf"), StartsWith("%PDF-"));
  EXPECT_THAT(Text("a.png"), StartsWith("\x89PNG"));
  EXPECT_EQ(BigEndian(Text("a.png"), 16), 1004u) << "85 mm at 300 dots per inch";
  EXPECT_EQ(BigEndian(Report({"--png", "-", "--width", "640px"}).out, 16), 640u);
}

}  // namespace
}  // namespace roofmark
