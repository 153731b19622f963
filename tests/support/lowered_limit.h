// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_LOWERED_LIMIT_H_
#define ROOFMARK_TESTS_SUPPORT_LOWERED_LIMIT_H_

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace roofmark::test {

// As long as it lives, this process has no more than so much of it.
class LoweredLimit {
 public:
  using Resource = decltype(RLIMIT_NOFILE);

  LoweredLimit(Resource resource, rlim_t most) : resource_(resource) {
    EXPECT_EQ(getrlimit(resource_, &before_), 0);
    const rlimit low = {most, before_.rlim_max};
    EXPECT_EQ(setrlimit(resource_, &low), 0);
  }
  ~LoweredLimit() { EXPECT_EQ(setrlimit(resource_, &before_), 0); }
  LoweredLimit(const LoweredLimit&) = delete;
  LoweredLimit& operator=(const LoweredLimit&) = delete;

 private:
  const Resource resource_;
  rlimit before_{};
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_LOWERED_LIMIT_H_
