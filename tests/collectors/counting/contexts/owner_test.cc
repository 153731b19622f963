// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/owner.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

uint32_t OfFile(const char* file) { return roof_owner_of_file(file); }

TEST(Owner, LibrariesAreKnownByTheBeginningsOfTheirNames) {
  for (const char* file :
       {"/usr/lib/x86_64-linux-gnu/libmpi.so.40.30.4", "libmpich.so.12.2.2", "libmpi_mpifh.so.40",
        "libmpifort.so.12", "libmpi_cray.so.12", "mca_btl_vader.so", "libopen-pal.so.40.30.4",
        "libpmix.so.2.5.2", "libucp.so.0.0.0", "libevent_core-2.1.so.7", "libmca_common_sm.so"}) {
    EXPECT_EQ(OfFile(file), uint32_t{ROOF_MPI}) << file;
  }
  for (const char* file : {"/usr/lib/libgomp.so.1.0.0", "/opt/llvm/lib/libomp.so", "libomp.so.5",
                           "libiomp5.so", "libomp5.so"}) {
    EXPECT_EQ(OfFile(file), uint32_t{ROOF_RUNTIME}) << file;
  }
  for (const char* file : {"libroofmark.so.0.1.0", "libroofmark_mpi_wait.so"}) {
    EXPECT_EQ(OfFile(file), uint32_t{ROOF_OWN}) << file;
  }
  for (const char* file : {"/lib64/ld-linux-x86-64.so.2", "libc.so.6", "libc-2.31.so", "ld-2.31.so",
                           "libgcc_s.so.1", "libpthread-2.31.so"}) {
    EXPECT_EQ(OfFile(file), uint32_t{ROOF_SERVICE}) << file;
  }
}

TEST(Owner, WhatLiesBelowMpiHasNoneOfItsFunctions) {
  EXPECT_EQ(roof_interface_of_file("libmpich.so.12"), uint32_t{ROOF_MPI});
  EXPECT_EQ(roof_interface_of_file("libmpi.so.40"), uint32_t{ROOF_MPI});
  EXPECT_EQ(roof_interface_of_file("libucp.so.0"), uint32_t{ROOF_PROGRAM});
  EXPECT_EQ(roof_interface_of_file("libgomp.so.1"), uint32_t{ROOF_RUNTIME});
}

// A std::thread begins in libstdc++, called by whoever interposes pthread_create: that is work.
TEST(Owner, TheCxxLibraryIsTheProgram) {
  EXPECT_EQ(OfFile("libstdc++.so.6.0.30"), uint32_t{ROOF_PROGRAM});
}

// Names that begin alike, a folder that is called so, and executables.
TEST(Owner, EverythingElseIsTheProgram) {
  for (const char* file :
       {"libmpir.so.23", "libmpiP.so", "libmpix_solver.so", "libcrypto.so.3", "libompstuff.so",
        "libm.so.6", "libopenblas.so.0", "/opt/libmpi.so/bin/solver", "libmpi", "libmpi.sofa",
        "/home/user/libroofmark_test", "", "libcblas.so.3"}) {
    EXPECT_EQ(OfFile(file), uint32_t{ROOF_PROGRAM}) << file;
  }
}

TEST(Owner, FunctionsOfLibrariesThatAreLinkedInAreKnownByTheirPrefix) {
  EXPECT_EQ(roof_owner_of_function("MPI_Allreduce"), uint32_t{ROOF_MPI});
  EXPECT_EQ(roof_owner_of_function("PMPI_Wait"), uint32_t{ROOF_MPI});
  EXPECT_EQ(roof_owner_of_function("GOMP_parallel"), uint32_t{ROOF_RUNTIME});
  EXPECT_EQ(roof_owner_of_function("__kmpc_fork_call"), uint32_t{ROOF_RUNTIME});
  EXPECT_EQ(roof_owner_of_function("roofmark_begin"), uint32_t{ROOF_OWN});
  for (const char* function : {"main", "main._omp_fn.0", "MPIX", "my_MPI_Send", "omp_stuff"}) {
    EXPECT_EQ(roof_owner_of_function(function), uint32_t{ROOF_PROGRAM}) << function;
  }
}

}  // namespace
}  // namespace roofmark
