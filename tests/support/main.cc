// SPDX-License-Identifier: BSD-3-Clause
//
// PROGRAM [--share=KofN] [--seconds=N] [--here] [options of GoogleTest]
//
// The main function of test programs. --share: every N-th test from the K-th on. --seconds: how
// long a test may take. --here: all tests in this process, as GoogleTest does, for a debugger.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "tests/support/runner.h"

int main(int argc, char** argv) {
  // A death test executes the program again.
  bool here = false;
  for (int i = 1; i < argc; ++i) {
    here = here || strstr(argv[i], "--gtest_internal_run_death_test") == argv[i];
  }
  testing::InitGoogleTest(&argc, argv);
  roofmark::test::Share share;
  int seconds = 900;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--here") {
      here = true;
    } else if (option.rfind("--seconds=", 0) == 0) {
      seconds = std::atoi(option.c_str() + strlen("--seconds="));
    } else if (option.rfind("--share=", 0) != 0 ||
               !roofmark::test::ParseShare(option.substr(strlen("--share=")), &share)) {
      std::printf("%s is no option of a test program: --share=KofN, --seconds=N, --here\n",
                  option.c_str());
      return 2;
    }
  }
  if (here || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  return roofmark::test::RunEachAlone(share, seconds);
}
