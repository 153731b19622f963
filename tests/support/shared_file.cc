// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/shared_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace roofmark::test {

SharedFile::SharedFile(const std::string& path, size_t bytes) : bytes_(bytes) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(ftruncate(fd, static_cast<off_t>(bytes)), 0);
  memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  EXPECT_NE(memory_, MAP_FAILED);
  close(fd);
}

SharedFile::~SharedFile() { munmap(memory_, bytes_); }

}  // namespace roofmark::test
