// SPDX-License-Identifier: BSD-3-Clause
//
// A program that does in regions what is hard to follow; its argument names it. It prints what it
// computed, which does not depend on who counts.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace {

volatile double g_sum = 0;
sigjmp_buf g_back;

// n scalar double additions.
__attribute__((noinline)) double Add(int n) {
  volatile double x = 1;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x;
    __asm__ volatile("" : "+x"(sum));
  }
  return sum;
}

void Handle(int number, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(number, &action, nullptr);
}

// --- a storm of signals ------------------------------------------------------------------------

std::atomic<long> g_signals{0};
void Count(int, siginfo_t*, void*) { g_signals.fetch_add(1, std::memory_order_relaxed); }

// Calls, exceptions, the heap and text: where the signals come is anywhere in it.
__attribute__((noinline)) long Work(int round) {
  long sum = static_cast<long>(Add(200));
  try {
    const auto text = std::make_unique<std::string>(std::to_string(round) + std::string(40, 'x'));
    if (round % 3 == 0) throw std::runtime_error(*text);
    sum += static_cast<long>(text->size());
  } catch (const std::exception& error) {
    sum += static_cast<long>(std::strlen(error.what()));
  }
  char line[64];
  std::snprintf(line, sizeof line, "%.3f", static_cast<double>(round) / 8);
  return sum + static_cast<long>(std::strtod(line, nullptr));
}

std::atomic<long> g_wrong{0};

// 1000 a second, to the calling thread. The kernel's timers of CPU time come less often.
timer_t StartStorm() {
  timer_t timer;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const itimerspec every_ms = {{0, 1000000}, {0, 1000000}};
  timer_settime(timer, 0, &every_ms, nullptr);
  return timer;
}

// On a busy machine they come more slowly: while a thread has no CPU several are one.
constexpr long kManySignals = 500;

void* WorkInTheStorm(void*) {
  const char* given = std::getenv("STORM_SECONDS");
  const time_t seconds = given ? std::atol(given) : 2;
  std::vector<long> known;
  for (int round = 0; round < 50; ++round) known.push_back(Work(round));
  timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const timer_t timer = StartStorm();
  do {
    for (int round = 0; round < 50; ++round)
      if (Work(round) != known[static_cast<size_t>(round)]) ++g_wrong;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - begin.tv_sec <= seconds || g_signals <= kManySignals);
  timer_delete(timer);
  return nullptr;
}

void Storm() {
  Handle(SIGPROF, &Count, SA_RESTART);
  ROOF_REGION_BEGIN("disturbed");
  pthread_t other;
  pthread_create(&other, nullptr, &WorkInTheStorm, nullptr);
  WorkInTheStorm(nullptr);
  pthread_join(other, nullptr);
  ROOF_REGION_END("disturbed");
  std::fprintf(stderr, "signals %ld\n", g_signals.load());
  std::printf("wrong %ld, many signals %d\n", g_wrong.load(), g_signals > kManySignals);
}

// --- handlers on a stack of their own ----------------------------------------------------------

char g_other_stack[1 << 16];
volatile int g_on_other = 0;
void WorkOnOtherStack(int, siginfo_t*, void*) {
  char here;
  if (&here >= g_other_stack && &here < g_other_stack + sizeof g_other_stack)
    g_on_other = g_on_other + 1;
  g_sum = g_sum + Add(10);
}
void LeaveOtherStack(int number, siginfo_t* info, void* context) {
  WorkOnOtherStack(number, info, context);
  siglongjmp(g_back, 1);
}

void Alternate() {
  const stack_t stack = {g_other_stack, 0, sizeof g_other_stack};
  sigaltstack(&stack, nullptr);
  Handle(SIGUSR1, &WorkOnOtherStack, SA_ONSTACK);
  Handle(SIGUSR2, &LeaveOtherStack, SA_ONSTACK);
  ROOF_REGION_BEGIN("disturbed");
  volatile int times = 0;
  while (times < 20) {
    times = times + 1;
    raise(SIGUSR1);
    if (sigsetjmp(g_back, 1) == 0) raise(SIGUSR2);
    g_sum = g_sum + Add(10);
  }
  ROOF_REGION_END("disturbed");
  std::printf("on the other stack %d, sum %.0f\n", g_on_other, static_cast<double>(g_sum));
}

// --- traps of arithmetic -----------------------------------------------------------------------

int g_places = 0;
void Trapped(int, siginfo_t* info, void* given) {
  const auto* context = static_cast<ucontext_t*>(given);
  g_places += info->si_code == FPE_FLTDIV &&
              info->si_addr == reinterpret_cast<void*>(context->uc_mcontext.gregs[REG_RIP]);
  siglongjmp(g_back, 1);
}

void Divided() {
  volatile double zero = 0, one = 1;
  Handle(SIGFPE, &Trapped);
  ROOF_REGION_BEGIN("disturbed");
  volatile int times = 0;
  while (times < 20) {
    times = times + 1;
    feenableexcept(FE_DIVBYZERO);
    if (sigsetjmp(g_back, 1) == 0) g_sum = one / zero;
    std::feclearexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
  }
  ROOF_REGION_END("disturbed");
  std::printf("trapped at the division %d\n", g_places);
}

// --- exceptions that end regions ---------------------------------------------------------------

__attribute__((noinline)) void ThrowOut(int depth) {
  ROOF_REGION_SCOPE("thrown");
  g_sum = g_sum + Add(10);
  if (depth == 0) throw std::runtime_error("out");
  ThrowOut(depth - 1);
}

void Across() {
  int caught = 0;
  for (int i = 0; i < 20; ++i) {
    ROOF_REGION_SCOPE("whole");
    try {
      ThrowOut(3);
    } catch (const std::exception&) {
      ++caught;
    }
    g_sum = g_sum + Add(100);
  }
  std::printf("caught %d\n", caught);
}

// --- other processes ---------------------------------------------------------------------------

int WaitFor(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

__attribute__((noinline)) pid_t ExecuteByVfork(char* const* arguments) {
  const pid_t child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork): it is tested
  if (child == 0) {
    execv("/bin/sh", arguments);
    _exit(9);
  }
  return child;
}

void Spawned() {
  char shell[] = "sh", option[] = "-c", command[] = "exit 3";
  char* const arguments[] = {shell, option, command, nullptr};
  int sum = 0;
  ROOF_REGION_BEGIN("whole");
  for (int i = 0; i < 5; ++i) {
    pid_t child = 0;
    posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ);
    sum += WaitFor(child);
    g_sum = g_sum + Add(100);
    sum += WaitFor(ExecuteByVfork(arguments));
    g_sum = g_sum + Add(100);
  }
  ROOF_REGION_END("whole");
  std::printf("ended with %d\n", sum);
}

// --- threads -----------------------------------------------------------------------------------

void* AddAsMany(void* given) {
  Add(*static_cast<int*>(given));
  return nullptr;
}

// They begin in the region.
void Threads(int number) {
  std::vector<pthread_t> threads(static_cast<size_t>(number));
  std::vector<int> work;
  for (int i = 0; i < number; ++i) work.push_back(1000 + i);
  ROOF_REGION_BEGIN("whole");
  for (size_t i = 0; i < threads.size(); ++i)
    pthread_create(&threads[i], nullptr, &AddAsMany, &work[i]);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  ROOF_REGION_END("whole");
  std::printf("threads %d\n", number);
}
void Born() { Threads(3); }
void Crowd() { Threads(64); }

// --- a sandbox ---------------------------------------------------------------------------------

// Ends the process at its next open(2); what libc does is openat.
bool EnterSandbox() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void Sandboxed() {
  ROOF_REGION_BEGIN("disturbed");
  g_sum = Add(10);
  const bool inside = EnterSandbox();
  // Of a library of which nothing was executed before.
  const long sum = Work(3);
  ROOF_REGION_END("disturbed");
  std::printf("sandbox %d, sum %ld\n", inside, sum);
}

// As libraries do that want to know what the kernel has: it refuses a filter that is not there.
void Probing() {
  ROOF_REGION_BEGIN("whole");
  g_sum = Add(10);
  const bool refused = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == -1 &&
                       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr) == -1;
  g_sum = g_sum + Add(100);
  ROOF_REGION_END("whole");
  std::printf("refused %d\n", refused);
}

}  // namespace

int main(int, char** arguments) {
  static const std::map<std::string, void (*)()> kHow = {
      {"storm", &Storm},   {"alternate", &Alternate}, {"divided", &Divided},
      {"across", &Across}, {"spawned", &Spawned},     {"born", &Born},
      {"crowd", &Crowd},   {"sandboxed", &Sandboxed}, {"probing", &Probing}};
  kHow.at(arguments[1])();
  ROOF_REGION_BEGIN("behind");
  g_sum = Add(1000);
  ROOF_REGION_END("behind");
  return 0;
}
