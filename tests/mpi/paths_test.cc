// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::mpi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PathInfo Info(const std::string& path, const std::string& operation = "") {
  PathInfo info;
  info.path = path;
  info.file = "solver.c";
  info.line = static_cast<uint32_t>(path.size());
  info.kind = static_cast<RegionKind>(path.size() % kRegionKindNames.size());
  info.operation = operation;
  return info;
}

std::vector<PathInfo> Some() {
  std::vector<PathInfo> paths = {Info("a"), Info("a/bc", "updates"), Info("a/bd", "updates"),
                                 Info("\xc3\xa9", "other"), Info("\xc3\xa9/b")};
  paths[2].file = "solver.f90";
  paths[2].critical = {"chain.c", 12, UINT64_MAX, 400};
  return paths;
}

std::vector<char> Packed(const std::vector<PathInfo>& paths) {
  ByteWriter writer;
  PutPaths(writer, paths);
  return writer.Take();
}

std::vector<std::string> Names(const std::vector<PathInfo>& paths) {
  std::vector<std::string> names;
  for (const PathInfo& info : paths) names.push_back(info.path + ":" + info.operation);
  return names;
}

TEST(Paths, ComeBackAsTheyWere) {
  for (const std::vector<PathInfo>& paths : {Some(), std::vector<PathInfo>()}) {
    const std::vector<char> bytes = Packed(paths);
    ByteReader reader(bytes);
    const std::vector<PathInfo> back = GetPaths(reader);
    ASSERT_TRUE(reader.IsAtEnd());
    ASSERT_EQ(back.size(), paths.size());
    for (size_t i = 0; i < back.size(); ++i) {
      const PathInfo &a = back[i], &b = paths[i];
      EXPECT_EQ(a.path, b.path);
      EXPECT_EQ(a.file, b.file);
      EXPECT_EQ(a.line, b.line);
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.operation, b.operation);
      EXPECT_EQ(a.critical.file, b.critical.file);
      EXPECT_EQ(a.critical.line, b.critical.line);
      EXPECT_EQ(a.critical.cycles, b.critical.cycles);
      EXPECT_EQ(a.critical.of_cycles, b.critical.of_cycles);
    }
  }
}

TEST(Paths, WhatNeighboursHaveInCommonTakesNoBytes) {
  std::vector<PathInfo> paths;
  for (int i = 100; i < 200; ++i) {
    paths.push_back(
        Info("a long name of a solver/and of its part " + std::to_string(i), "updates of cells"));
    paths.back().file = "/a/long/name/of/a/folder/solver.c";
  }
  EXPECT_LT(Packed(paths).size(), 100u * 20 + 200);
}

TEST(Paths, MessagesThatMakeNoSenseAreRefused) {
  const std::vector<char> bytes = Packed(Some());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<long>(size));
    ByteReader reader(cut);
    (void)GetPaths(reader);
    EXPECT_FALSE(reader.ok()) << size;
  }
  for (const std::vector<PathInfo>& paths :
       {std::vector<PathInfo>{Info("b"), Info("a")}, std::vector<PathInfo>{Info("a"), Info("a")}}) {
    const std::vector<char> wrong = Packed(paths);
    ByteReader reader(wrong);
    (void)GetPaths(reader);
    EXPECT_FALSE(reader.ok()) << "not in order, or twice";
  }
}

TEST(Paths, HashIsOfNamesAndOperations) {
  std::vector<PathInfo> paths = Some();
  paths[0].line = 1234;
  paths[0].file = "elsewhere.c";
  EXPECT_EQ(HashOfPaths(paths), HashOfPaths(Some()));
  paths[0].operation = "x";
  EXPECT_NE(HashOfPaths(paths), HashOfPaths(Some()));
  EXPECT_NE(HashOfPaths({Info("ab")}), HashOfPaths({Info("a", "b")}));
}

TEST(Paths, UniteInTheirOrder) {
  std::vector<PathInfo> paths = {Info("b", "kept"), Info("d")};
  const United united =
      UnitePaths(paths, {Info("a"), Info("b", "lost"), Info("c"), Info("d", "found"), Info("e")});
  EXPECT_THAT(united.others, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(united.own, ElementsAre(1, 3)) << "0, 2 and 4 are new";
  EXPECT_THAT(Names(paths), ElementsAre("a:", "b:kept", "c:", "d:found", "e:"));
  const United known = UnitePaths(paths, {Info("b"), Info("e")});
  EXPECT_THAT(known.others, ElementsAre(1, 4));
  EXPECT_THAT(known.own, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(UnitePaths(paths, {}).others, IsEmpty());
  EXPECT_EQ(paths.size(), 5u);
}

}  // namespace
}  // namespace roofmark::mpi
