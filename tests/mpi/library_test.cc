// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::mpi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(MpiLibrary, FamiliesAreKnownByWhatTheLibrarySays) {
  EXPECT_EQ(FamilyOf("Open MPI v4.1.4, package: Debian OpenMPI"), "openmpi");
  EXPECT_EQ(FamilyOf("MPICH Version: 4.0.2"), "mpich");
  EXPECT_EQ(FamilyOf("Intel(R) MPI Library 2021.9 for Linux* OS"), "mpich");
  EXPECT_EQ(FamilyOf("MVAPICH2 Version : 2.3.7"), "mpich");
  EXPECT_EQ(FamilyOf("MPI of nobody"), "");
}

TEST(MpiLibrary, ItsVersionIsOneLine) {
  EXPECT_EQ(LibraryVersion([](char* text, int*) {
              return text[0] = 'A', text[1] = '\t', text[2] = 'B', text[3] = '\n', text[4] = 'C', 0;
            }),
            "A B");
  EXPECT_EQ(LibraryVersion([](char*, int*) { return 1; }), "");
  EXPECT_EQ(LibraryVersion(), "") << "this process has no MPI";
}

TEST(MpiLibrary, WhyThereIsNoPluginIsSaid) {
  EXPECT_THAT(LoadPlugin("MPI of nobody", PLUGINS).error(),
              HasSubstr("\"MPI of nobody\" is not an MPI library for which"));
  EXPECT_THAT(LoadPlugin("MPICH Version: 4.0.2", PLUGINS).error(),
              AllOf(HasSubstr("the MPI plug-in cannot be loaded ("),
                    HasSubstr("build roofmark with mpich's development files")));
  EXPECT_THAT(LoadPlugin("Open MPI v4.1.4", PLUGINS).error(),
              HasSubstr("libroofmark_mpi_openmpi.so belongs to another version of roofmark"));
}

}  // namespace
}  // namespace roofmark::mpi
