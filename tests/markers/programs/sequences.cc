// SPDX-License-Identifier: BSD-3-Clause
//
// sequences SEED: executes the sequence of a seed, while signals come at any moment whose handler
// visits a region. Prints how many were handled, and of how many it cannot say whether the
// recording was paused meanwhile.
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/markers/programs/sequence.h"

namespace {

using roofmark::test::Act;
using roofmark::test::kNames;
using roofmark::test::kWorkers;
using roofmark::test::Sequence;
using roofmark::test::Step;
using roofmark::test::Steps;

std::atomic<uint64_t> g_handled{0}, g_doubtful{0}, g_pauses{0};
std::atomic<bool> g_may_be_paused{false};

void Handle(int) {
  const uint64_t pauses = g_pauses;
  const bool may_be_paused = g_may_be_paused;
  roofmark_begin(roofmark::test::kHandlerName);
  roofmark_work(0, roofmark::test::kHandlerBytes);
  roofmark_end(roofmark::test::kHandlerName);
  ++g_handled;
  if (may_be_paused || pauses != g_pauses) ++g_doubtful;
}

void BeginLiteral(uint32_t name) {
  switch (name) {
    case 0:
      return [] { ROOF_REGION_BEGIN("a"); }();
    case 1:
      return [] { ROOF_REGION_BEGIN("b"); }();
    case 2:
      return [] { ROOF_REGION_BEGIN("c/d"); }();
    default:
      return [] { ROOF_REGION_BEGIN("e"); }();
  }
}

void EndLiteral(uint32_t name) {
  switch (name) {
    case 0:
      return [] { ROOF_REGION_END("a"); }();
    case 1:
      return [] { ROOF_REGION_END("b"); }();
    case 2:
      return [] { ROOF_REGION_END("c/d"); }();
    default:
      return [] { ROOF_REGION_END("e"); }();
  }
}

void Execute(const Step& step) {
  switch (step.act) {
    case Act::kBegin:
      return BeginLiteral(step.name);
    case Act::kBeginNamed:
      return roofmark_begin(kNames[step.name]);
    case Act::kEnd:
      return EndLiteral(step.name);
    case Act::kEndNamed:
      return roofmark_end(kNames[step.name]);
    case Act::kWork:
      return roofmark_work(step.amount, 0);
    case Act::kOperations:
      return roofmark_operations("updates", step.amount);
    case Act::kPause:
      g_may_be_paused = true;
      ++g_pauses;
      return roofmark_pause();
    case Act::kResume:
      return roofmark_resume();
  }
}

void Execute(const Steps& steps) {
  for (const Step& step : steps) Execute(step);
}

void LetSignals(bool come) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(come ? SIG_UNBLOCK : SIG_BLOCK, &signals, nullptr);
}

// Signals for the thread that makes one, until it ends.
class SignalsOfThread {
 public:
  SignalsOfThread() {
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR1;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) std::abort();
    constexpr timespec kPeriod = {0, 50'000};
    const itimerspec often = {kPeriod, kPeriod};
    timer_settime(timer_, 0, &often, nullptr);
  }
  ~SignalsOfThread() { timer_delete(timer_); }
  SignalsOfThread(const SignalsOfThread&) = delete;
  SignalsOfThread& operator=(const SignalsOfThread&) = delete;

 private:
  timer_t timer_ = nullptr;
};

// Pauses that are open after `steps`, if `open` are before.
int PausesOpen(int open, const Steps& steps) {
  for (const Step& step : steps) {
    if (step.act == Act::kPause) ++open;
    if (step.act == Act::kResume && open > 0) --open;
  }
  return open;
}

void Run(const Sequence& sequence) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kWorkers + 1);
  std::vector<std::thread> threads;
  for (const auto& rounds : sequence.workers) {
    threads.emplace_back([&rounds, &barrier] {
      const SignalsOfThread signals;
      LetSignals(true);
      for (const Steps& steps : rounds) {
        pthread_barrier_wait(&barrier);
        Execute(steps);
        pthread_barrier_wait(&barrier);
      }
    });
  }
  const SignalsOfThread signals;
  int open = 0;
  for (const Steps& steps : sequence.main) {
    // Regions of the main thread are those of all: its handler's, too, so it has none meanwhile.
    LetSignals(true);
    Execute(steps);
    LetSignals(false);
    open = PausesOpen(open, steps);
    if (open == 0) g_may_be_paused = false;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
  }
  for (std::thread& thread : threads) thread.join();
  pthread_barrier_destroy(&barrier);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  struct sigaction action = {};
  action.sa_handler = &Handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  LetSignals(false);
  Run(roofmark::test::SequenceOf(static_cast<uint32_t>(std::atol(argv[1]))));
  std::printf("handled %llu doubtful %llu\n", static_cast<unsigned long long>(g_handled),
              static_cast<unsigned long long>(g_doubtful));
  return 0;
}
