// SPDX-License-Identifier: BSD-3-Clause
#include "command/cannot_start.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "command/child.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CannotStart : public testing::Test {
 protected:
  std::string Program(const std::string& text) {
    directory_.Write("app", text);
    const std::string path = directory_.File("app");
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return path;
  }
  // A program of this machine, but for its header.
  template <typename Change>
  std::string Binary(Change change) {
    std::string text = ReadFile("/proc/self/exe");
    Elf64_Ehdr header;
    std::memcpy(&header, text.data(), sizeof header);
    change(header, text);
    std::memcpy(text.data(), &header, sizeof header);
    return Program(text);
  }
  static std::string ReadFile(const char* path) {
    std::string text(4096, '\0');
    FILE* file = std::fopen(path, "rb");
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
  }

  test::TempDir directory_;
};

TEST_F(CannotStart, WhatCanHasNoReason) {
  EXPECT_THAT(WhyItCannotStart("/bin/sh"), IsEmpty());
  EXPECT_THAT(WhyItCannotStart(Program("#!/bin/sh -e\n")), IsEmpty());
  EXPECT_THAT(WhyItCannotStart(Program("echo a shell executes this\n")), IsEmpty());
  EXPECT_THAT(WhyItCannotStart(Binary([](Elf64_Ehdr&, std::string&) {})), IsEmpty());
}

TEST_F(CannotStart, OtherwiseTheReasonIsNamed) {
  EXPECT_THAT(WhyItCannotStart(directory_.File("absent")), HasSubstr("no such file"));
  EXPECT_THAT(WhyItCannotStart(directory_.path()), HasSubstr("a directory"));
  EXPECT_THAT(WhyItCannotStart(Program("")), HasSubstr("empty"));
  EXPECT_THAT(WhyItCannotStart(Program("#! /no/interpreter -e\n")),
              HasSubstr("its interpreter /no/interpreter is not there"));
  EXPECT_THAT(WhyItCannotStart(Program("\177ELF")), HasSubstr("cut off"));
  const auto other_machine = [](Elf64_Ehdr& header, std::string&) { header.e_machine = EM_S390; };
  EXPECT_THAT(WhyItCannotStart(Binary(other_machine)), HasSubstr("another kind of CPU"));
  const auto other_loader = [](const Elf64_Ehdr&, std::string& text) {
    const size_t at = text.find("/ld-linux");
    ASSERT_NE(at, std::string::npos);
    text[at + 1] = 'x';
  };
  EXPECT_THAT(WhyItCannotStart(Binary(other_loader)), HasSubstr("its loader"));
  const std::string plain = Program("#!/bin/sh\n");
  EXPECT_EQ(chmod(plain.c_str(), 0644), 0);
  EXPECT_THAT(WhyItCannotStart(plain), HasSubstr("chmod +x"));
}

// No shell takes the bytes of a program for a script, and the reason is not the kernel's word.
TEST_F(CannotStart, IsSaidOfTheCommand) {
  const auto ended = [](const std::string& program) {
    Child child;
    child.command = {program};
    return RunChild(child);
  };
  const auto other_machine = [](Elf64_Ehdr& header, std::string&) { header.e_machine = EM_S390; };
  const ChildEnd binary = ended(Binary(other_machine));
  EXPECT_EQ(binary.status, 126);
  EXPECT_THAT(binary.error, HasSubstr("another kind of CPU"));
  const ChildEnd script = ended(Program("#!/no/interpreter\n"));
  EXPECT_EQ(script.status, 127);
  EXPECT_THAT(script.error, HasSubstr("its interpreter /no/interpreter is not there"));
}

}  // namespace
}  // namespace roofmark::cli
