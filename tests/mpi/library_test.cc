// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/mpi.h"
#include "tests/support/says.h"

namespace roofmark::mpi {
namespace {

using test::Says;
using testing::_;

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
              Says(message::kUnknownMpi, "MPI of nobody"));
  EXPECT_THAT(LoadPlugin("MPICH Version: 4.0.2", PLUGINS).error(),
              Says(message::kNoPlugin, _, "mpich"));
  EXPECT_THAT(LoadPlugin("Open MPI v4.1.4", PLUGINS).error(),
              Says(message::kPluginOfOtherVersion, PLUGINS "/libroofmark_mpi_openmpi.so"));
}

}  // namespace
}  // namespace roofmark::mpi
