// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/why_nothing.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;

constexpr uid_t kUser = 1000;

std::string Why(const std::vector<std::string>& command, int status, bool preloaded,
                uid_t user = kUser) {
  return WhyNothing(command, status, preloaded, user);
}

TEST(WhyNothing, NamesWhatIsMostLikely) {
  EXPECT_THAT(Why({"./app"}, 0, false), HasSubstr("./app ran, but recorded nothing: is it linked"));
  EXPECT_THAT(Why({"mpirun", "/bin/sh"}, 1, false), HasSubstr("it failed before its first marker"));
}

TEST(WhyNothing, APreloadedLibraryNeedNotBeLinked) {
  EXPECT_THAT(Why({"mpirun", "/bin/sh"}, 1, true),
              HasSubstr("(status 1): the program did not begin"));
  EXPECT_THAT(Why({"mpirun", "/bin/sh"}, 0, true), HasSubstr("was preloaded: does it start"));
}

TEST(WhyNothing, NamesTheProgramThatCannotBeStarted) {
  const test::TempDir directory;
  directory.Write("hosts", "node1\n");
  const std::string hosts = directory.File("hosts"), absent = directory.File("absent");
  EXPECT_THAT(Why({"mpirun", "-f", hosts, absent, "/no/input"}, 255, false),
              HasSubstr("mpirun recorded nothing (status 255): " + absent + " cannot be started"));
  EXPECT_THAT(Why({"mpirun", "--output", absent, "/bin/sh", "/no/input"}, 3, false),
              HasSubstr("(status 3): it failed before its first marker"));
  EXPECT_THAT(Why({"sh", "-c", hosts}, 126, false), HasSubstr("chmod +x " + hosts));
  EXPECT_THAT(Why({"sh", "-c", "app"}, 127, false), HasSubstr("was not found"));
  EXPECT_THAT(Why({"sh", "-c", "app"}, 126, false), HasSubstr("cannot be executed"));
}

TEST(WhyNothing, NamesWordsThatClearTheEnvironment) {
  for (const auto& [command, who] :
       {std::pair{std::vector<std::string>{"/usr/bin/env", "-i", "./app"}, "env -i"},
        {{"sudo", "./app"}, "sudo"},
        {{"time", "ssh", "node1", "./app"}, "ssh"},
        {{"srun", "-n", "2", "--export=NONE", "./app"}, "srun --export=NONE"},
        {{"docker", "run", "image", "./app"}, "docker"}}) {
    EXPECT_THAT(Why(command, 0, false),
                HasSubstr(std::string(who) +
                          " starts a program without the variables that roofmark sets for it"));
  }
  for (const auto& command : {std::vector<std::string>{"env", "A=1", "./app"},
                              {"srun", "-n", "2", "./app"},
                              {"apptainer", "exec", "image", "./app"}}) {
    EXPECT_THAT(Why(command, 0, false), HasSubstr("is it linked"));
  }
}

// An ELF header with these segments behind it.
std::string Executable(const std::vector<uint32_t>& segments) {
  Elf64_Ehdr header = {};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = ET_EXEC;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<uint16_t>(segments.size());
  std::string text(reinterpret_cast<const char*>(&header), sizeof header);
  for (const uint32_t type : segments) {
    Elf64_Phdr segment = {};
    segment.p_type = type;
    text.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  }
  return text;
}

// Its own message is above, and says so, too.
TEST(WhyNothing, SaysThatOpenMpiRefusesRoot) {
  const test::TempDir directory;
  directory.Write("mpirun", "#!/bin/sh\n");
  const std::string launcher = directory.File("mpirun");
  ASSERT_EQ(chmod(launcher.c_str(), 0755), 0);
  for (const char* variable : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
    unsetenv(variable);
  const auto refused = HasSubstr("refuses to run as root");
  constexpr uid_t kRoot = 0;
  EXPECT_THAT(Why({launcher, "/bin/sh"}, 1, true, kRoot), testing::Not(refused)) << "another MPI's";
  directory.Write("ompi_info", "");
  EXPECT_THAT(Why({launcher, "/bin/sh"}, 1, true, kRoot),
              testing::AllOf(refused, HasSubstr("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")));
  EXPECT_THAT(Why({launcher, "/bin/sh"}, 1, true, kUser), testing::Not(refused));
  EXPECT_THAT(Why({launcher, "/bin/sh"}, 2, true, kRoot), testing::Not(refused));
  EXPECT_THAT(Why({launcher, "--allow-run-as-root", "/bin/sh"}, 1, true, kRoot),
              testing::Not(refused));
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  EXPECT_THAT(Why({launcher, "/bin/sh"}, 1, true, kRoot), testing::Not(refused));
}

TEST(WhyNothing, NamesProgramsThatAreLinkedStatically) {
  const test::TempDir directory;
  const auto why = [&directory](const std::string& text) {
    directory.Write("app", text);
    return Why({"mpirun", "-n", "2", directory.File("app")}, 0, false);
  };
  EXPECT_THAT(why(Executable({PT_LOAD})), HasSubstr("it is linked statically"));
  EXPECT_THAT(why(Executable({PT_LOAD, PT_INTERP})), HasSubstr("is it linked"));
  EXPECT_THAT(why(Executable({PT_LOAD}).substr(0, 100)), HasSubstr("is it linked")) << "damaged";
  EXPECT_THAT(why("#!/bin/sh\n"), HasSubstr("is it linked"));
}

}  // namespace
}  // namespace roofmark::cli
