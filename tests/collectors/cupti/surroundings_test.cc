// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/surroundings.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/process.h"

namespace roofmark::cupti {
namespace {

using testing::HasSubstr;

class CuptiSurroundings : public testing::Test {
 protected:
  void SetUp() override { Forget(); }
  void TearDown() override { Forget(); }
  // Nothing of the machine that the test runs on.
  Surroundings Read() const {
    return ReadSurroundings(
        {directory_.File("nvidia"), directory_.File("proc"), directory_.File("mps")});
  }
  static void Forget() {
    for (const char* name :
         {"CUDA_VISIBLE_DEVICES", "CUDA_MPS_PIPE_DIRECTORY", "CUDA_INJECTION64_PATH"}) {
      unsetenv(name);
    }
  }
  const test::TempDir directory_;
};

TEST_F(CuptiSurroundings, AreNothingOnAPlainMachine) {
  const Surroundings around = Read();
  EXPECT_FALSE(around.visible || around.HidesAll() || around.dcgm);
  EXPECT_TRUE(NotesOf(around).empty());
  EXPECT_EQ(SurroundingPhrase(around), "");
}

TEST_F(CuptiSurroundings, VisibleDevicesMayHideAll) {
  for (const char* hides : {"", " ", "-1", "none", "NoDevFiles", ",0", "-1,0"}) {
    setenv("CUDA_VISIBLE_DEVICES", hides, 1);
    EXPECT_TRUE(Read().HidesAll()) << hides;
    EXPECT_THAT(SurroundingPhrase(Read()), HasSubstr("hides every GPU")) << hides;
  }
  for (const char* shows : {"0", "1,-1,0", " 2", "GPU-1a", "MIG-GPU-1a/2/0", "0,1"}) {
    setenv("CUDA_VISIBLE_DEVICES", shows, 1);
    EXPECT_FALSE(Read().HidesAll()) << shows;
    EXPECT_EQ(SurroundingPhrase(Read()), "") << shows;
    ASSERT_EQ(NotesOf(Read()).size(), 1u);
    EXPECT_EQ(NotesOf(Read())[0].found, shows);
  }
}

TEST_F(CuptiSurroundings, InstancesOfMigAreCounted) {
  directory_.Write("nvidia/capabilities/mig/config", "x");  // there wherever the driver can do it
  EXPECT_EQ(Read().mig_instances, 0u);
  directory_.Write("nvidia/capabilities/gpu0/mig/gi1/access", "x");
  directory_.Write("nvidia/capabilities/gpu0/mig/gi2/access", "x");
  directory_.Write("nvidia/capabilities/gpu3/mig/gi1/access", "x");
  EXPECT_EQ(Read().mig_instances, 3u);
  EXPECT_THAT(SurroundingPhrase(Read()), HasSubstr("MIG divides GPUs"));
}

TEST_F(CuptiSurroundings, TheDaemonOfMpsIsFoundWhereItsClientsFindIt) {
  EXPECT_EQ(Read().mps, "");
  directory_.Write("mps/control", "");
  EXPECT_EQ(Read().mps, directory_.File("mps"));
  setenv("CUDA_MPS_PIPE_DIRECTORY", directory_.File("elsewhere").c_str(), 1);
  EXPECT_EQ(Read().mps, "") << "clients look there alone";
  directory_.Write("elsewhere/control", "");
  EXPECT_EQ(Read().mps, directory_.File("elsewhere"));
  EXPECT_THAT(SurroundingPhrase(Read()), HasSubstr("nvidia-cuda-mps-control"));
}

TEST_F(CuptiSurroundings, OtherProfilersAreNamed) {
  setenv("CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so", 1);
  directory_.Write("proc/7/comm", "bash\n");
  directory_.Write("proc/self/comm", "nv-hostengine\n");  // no number: no process
  EXPECT_FALSE(Read().dcgm);
  directory_.Write("proc/42/comm", "nv-hostengine\n");
  EXPECT_TRUE(Read().dcgm);
  const auto notes = NotesOf(Read());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_THAT(notes[0].found, HasSubstr("/opt/nsys/libToolsInjection64.so"));
  EXPECT_THAT(notes[1].cure, HasSubstr("dcgmi profile --pause"));
}

}  // namespace
}  // namespace roofmark::cupti
