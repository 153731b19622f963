// SPDX-License-Identifier: BSD-3-Clause
//
// sample_cost work|threads: executes a fixed amount of work on the main thread, or begins and ends
// many threads, and prints the CPU time of all its threads so far, in ns, which the other programs
// of a busy machine lengthen least.
#include <pthread.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

// About 0.4 s, with loads and stores that hit the caches: what an interrupt displaces counts.
void Work() {
  constexpr int kDoubles = 1 << 15, kTimes = 12000;
  static double values[kDoubles];
  for (int time = 0; time < kTimes; ++time) {
    for (double& value : values) value = value * 0.999 + 1;
    asm volatile("" ::: "memory");
  }
}

void Threads() {
  constexpr int kThreads = 4000;
  const auto body = [](void*) -> void* { return nullptr; };
  for (int i = 0; i < kThreads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, body, nullptr) == 0) pthread_join(thread, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool threads = argc > 1 && std::strcmp(argv[1], "threads") == 0;
  threads ? Threads() : Work();
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  std::printf("%lld\n", static_cast<long long>(used.tv_sec) * 1'000'000'000 + used.tv_nsec);
  return 0;
}
