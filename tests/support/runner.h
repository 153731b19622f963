// SPDX-License-Identifier: BSD-3-Clause
//
// How test programs execute their tests: each in a process of its own, a child that is forked
// before any test ran. So tests of many files share a program, and none sees what another one left:
// variables, folders, limits, threads, what a library decided once. A child costs about a
// millisecond.
#ifndef ROOFMARK_TESTS_SUPPORT_RUNNER_H_
#define ROOFMARK_TESTS_SUPPORT_RUNNER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark::test {

struct Share {
  size_t index = 0, of = 1;
};

// "2of5" is the second fifth. Nothing else has a share; false then.
bool ParseShare(std::string_view text, Share* share);

// As GoogleTest's filters: patterns with * and ?, separated by colons; those behind a minus
// exclude.
bool MatchesFilter(const std::string& name, const std::string& filter);

// Of all tests that match, every `of`-th from `index` on.
std::vector<std::string> Chosen(const std::vector<std::string>& names, const std::string& filter,
                                Share share);

// Executes the tests of this program, for which GoogleTest has been initialised, and prints what
// failed or was skipped, and a line for each test. A test that takes longer than `seconds` is
// killed, and has failed. The exit status of the program: 0 if none failed.
int RunEachAlone(Share share, int seconds);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_RUNNER_H_
