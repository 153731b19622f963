// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/main_end.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/thread.h"

namespace roofmark::threads {
namespace {

pthread_key_t g_key;
pthread_once_t g_key_once = PTHREAD_ONCE_INIT;
bool g_has_key = false;
sigset_t g_signals;  // that the main thread blocked

// True, too, where that cannot be known.
bool OthersAreLeft() {
  const std::vector<pid_t> listed = NumbersIn("/proc/self/task");
  const pid_t main = getpid();
  return listed.empty() || std::any_of(listed.begin(), listed.end(), [main](pid_t tid) {
           return tid != main && !IsUncounted(tid);
         });
}

// Signals stay blocked until then: they are for threads of the program.
void* WaitForTheOthers(void*) try {
  constexpr long kFirstPauseNs = 10'000'000, kLongestPauseNs = 200'000'000;
  timespec pause = {0, kFirstPauseNs};
  // A thread may begin behind the place up to which the list was read, and the one that made it
  // end: so it is read twice.
  for (int times = 0; times < 2; times = OthersAreLeft() ? 0 : times + 1) {
    nanosleep(&pause, nullptr);
    pause.tv_nsec = std::min(kLongestPauseNs, pause.tv_nsec * 5 / 4);
  }
  pthread_sigmask(SIG_SETMASK, &g_signals, nullptr);
  exit(0);
} catch (const std::bad_alloc&) {
  return nullptr;
}

void MainEnds(void*) {
  pthread_sigmask(SIG_SETMASK, nullptr, &g_signals);
  pthread_t thread;
  if (CreateUncounted(&thread, &WaitForTheOthers, nullptr, Stack::kOfTheProgram)) {
    pthread_detach(thread);
  }
}

void MakeKey() { g_has_key = pthread_key_create(&g_key, &MainEnds) == 0; }

}  // namespace

void EndWithTheProgram() noexcept {
  if (ThisThread() != getpid()) return;
  pthread_once(&g_key_once, &MakeKey);
  if (g_has_key) pthread_setspecific(g_key, &g_key);
}

}  // namespace roofmark::threads
