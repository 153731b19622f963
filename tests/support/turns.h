// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_TURNS_H_
#define ROOFMARK_TESTS_SUPPORT_TURNS_H_

#include <atomic>
#include <thread>

namespace roofmark::test {

// Two threads, one after the other: each awaits a turn and passes the next one on.
class Turns {
 public:
  void Await(int turn) {
    while (turn_ < turn) std::this_thread::yield();
  }
  void Pass() { ++turn_; }

 private:
  std::atomic<int> turn_{0};
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_TURNS_H_
