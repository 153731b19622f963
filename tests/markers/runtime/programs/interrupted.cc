// SPDX-License-Identifier: BSD-3-Clause
//
// A program whose regions are disturbed in the way that its argument names. It prints what it
// computed, which does not depend on who counts.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

sigjmp_buf g_back;
volatile sig_atomic_t g_in_loop = 0;  // no code of libraries is executed
volatile sig_atomic_t g_signals = 0;
volatile sig_atomic_t g_outside = 0;  // the handler was shown an address that is not the program's
volatile double g_sum = 0;

extern "C" char __executable_start, etext;

__attribute__((noinline)) double Add(int n) {
  volatile double x = 1;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x;
  return sum;
}

void StartTimer(long microseconds) {
  const itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void Ticked(int, siginfo_t*, void* given) {
  if (!g_in_loop) return;
  const auto at =
      static_cast<uintptr_t>(static_cast<ucontext_t*>(given)->uc_mcontext.gregs[REG_RIP]);
  if (at < reinterpret_cast<uintptr_t>(&__executable_start) ||
      at >= reinterpret_cast<uintptr_t>(&etext))
    g_outside = g_outside + 1;
  g_signals = g_signals + 1;
  if (g_signals == 20) StartTimer(0);
}

void Handle(int number, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(number, &action, nullptr);
}

void Timer() {
  Handle(SIGALRM, &Ticked, SA_RESTART);
  StartTimer(1000);
  ROOF_REGION_BEGIN("disturbed");
  g_in_loop = 1;
  while (g_signals < 20) g_sum = g_sum + Add(100);
  g_in_loop = 0;
  ROOF_REGION_END("disturbed");
  std::printf("outside %d\n", static_cast<int>(g_outside));
}

void Jumped(int, siginfo_t*, void*) { siglongjmp(g_back, 1); }

void JumpOutOfAHandler() {
  Handle(SIGALRM, &Jumped);
  ROOF_REGION_BEGIN("disturbed");
  volatile int times = 0;
  while (times < 50) {
    times = times + 1;
    if (sigsetjmp(g_back, 1) == 0) {
      StartTimer(500);
      for (;;) g_sum = g_sum + Add(10);
    }
  }
  StartTimer(0);
  ROOF_REGION_END("disturbed");
  std::puts("jumped");
}

void Skipped(int, siginfo_t* info, void* given) {
  auto* context = static_cast<ucontext_t*>(given);
  std::printf("fault at its place: %d\n",
              info->si_addr == reinterpret_cast<void*>(context->uc_mcontext.gregs[REG_RIP]));
  context->uc_mcontext.gregs[REG_RIP] += 2;  // ud2
}

void Fault() {
  Handle(SIGILL, &Skipped);
  ROOF_REGION_BEGIN("disturbed");
  g_sum = Add(100);
  __asm__ volatile("ud2");
  ROOF_REGION_END("disturbed");
}

void Landed() { siglongjmp(g_back, 1); }

// As a garbage collector does that catches faults.
void LeadAway(int, siginfo_t*, void* given) {
  greg_t* const registers = static_cast<ucontext_t*>(given)->uc_mcontext.gregs;
  registers[REG_RSP] = (registers[REG_RSP] - 4096) / 16 * 16 - 8;
  registers[REG_RIP] = reinterpret_cast<greg_t>(&Landed);
}

// In a function that roofmark stands before.
void FaultInAnInterposedFunction() {
  Handle(SIGSEGV, &LeadAway);
  ROOF_REGION_BEGIN("disturbed");
  g_sum = Add(100);
  volatile uintptr_t no_thread = 8;
  if (sigsetjmp(g_back, 1) == 0) pthread_cancel(static_cast<pthread_t>(no_thread));
  g_sum = g_sum + Add(100);
  ROOF_REGION_END("disturbed");
  std::puts("led away");
}

void Noted(int, siginfo_t*, void*) { g_signals = g_signals + 1; }

int SetsDefault(void*) {
  struct sigaction none = {};
  none.sa_handler = SIG_DFL;
  return sigaction(SIGUSR1, &none, nullptr);
}

// As programs do that begin others by vfork: the child shares the memory, but not the handlers.
void ChildThatSharesMemory() {
  static char stack[65536] __attribute__((aligned(64)));
  Handle(SIGUSR1, &Noted);
  ROOF_REGION_BEGIN("disturbed");
  const pid_t child =
      clone(&SetsDefault, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr);
  waitpid(child, nullptr, 0);
  raise(SIGUSR1);
  ROOF_REGION_END("disturbed");
  std::printf("signals %d\n", static_cast<int>(g_signals));
}

void Innermost(int, siginfo_t*, void*) {
  ROOF_REGION_BEGIN("in handler");
  g_sum = g_sum + Add(10);
  ROOF_REGION_END("in handler");
}
void AddsAndRaises(int, siginfo_t*, void*) {
  volatile double sum = Add(10);
  raise(SIGUSR2);
  sum = sum + Add(10);
}
void* RaiseOften(void*) {
  for (int i = 0; i < 100; ++i) {
    volatile double sum = Add(10);
    raise(SIGUSR1);
    sum = sum + 1;
  }
  return nullptr;
}

void HandlersOfHandlers() {
  Handle(SIGUSR1, &AddsAndRaises);
  Handle(SIGUSR2, &Innermost);
  ROOF_REGION_BEGIN("disturbed");
  RaiseOften(nullptr);
  // One after the other: a region of the main thread is that of threads that work beside it.
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, &RaiseOften, nullptr);
    pthread_join(thread, nullptr);
  }
  ROOF_REGION_END("disturbed");
}

void Exceptions() {
  int caught = 0;
  ROOF_REGION_BEGIN("whole");
  for (int i = 0; i < 100; ++i) {
    try {
      const std::string text(static_cast<size_t>(i) + 40, 'x');
      if (i % 3 == 0) throw std::runtime_error(text);
      g_sum = g_sum + Add(10);
    } catch (const std::exception& error) {
      caught += static_cast<int>(std::strlen(error.what()));
    }
  }
  ROOF_REGION_END("whole");
  std::printf("caught %d\n", caught);
}

void Jumps() {
  static jmp_buf back;
  volatile int times = 0;
  ROOF_REGION_BEGIN("whole");
  setjmp(back);
  times = times + 1;
  g_sum = g_sum + Add(10);
  if (times < 100) longjmp(back, 1);
  ROOF_REGION_END("whole");
  std::printf("jumped %d\n", static_cast<int>(times));
}

// malloc maps and unmaps memory.
void Memory() {
  std::map<int, std::function<double(int)>> functions;
  for (int i = 0; i < 10; ++i) functions[i] = [i](int n) { return Add(n) + i; };
  ROOF_REGION_BEGIN("whole");
  for (int i = 0; i < 100; ++i) {
    std::vector<double> large(1 << 18, 0.5);
    g_sum = g_sum + functions[i % 10](10) + large[static_cast<size_t>(i)];
  }
  ROOF_REGION_END("whole");
  std::printf("%.1f\n", static_cast<double>(g_sum));
}

void Children() {
  int status = 0, sum = 0;
  ROOF_REGION_BEGIN("whole");
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(Add(10) == 10 ? 3 : 4);
    waitpid(child, &status, 0);
    sum += WEXITSTATUS(status);
    g_sum = g_sum + Add(200);
  }
  sum += WEXITSTATUS(std::system("exit 5"));
  ROOF_REGION_END("whole");
  std::printf("children %d\n", sum);
}

// As programs do that ask whether there is such a call.
void RefusedCall() {
  ROOF_REGION_BEGIN("whole");
  const bool refused = syscall(SYS_clone3, nullptr, 0L) == -1;
  ROOF_REGION_END("whole");
  std::printf("refused %d\n", refused);
}

// Made at run time: mov eax, 7; ret.
void MadeCode() {
  static const unsigned char kCode[] = {0xB8, 7, 0, 0, 0, 0xC3};
  void* code =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(code, kCode, sizeof kCode);
  ROOF_REGION_BEGIN("disturbed");
  const int got = reinterpret_cast<int (*)()>(code)();
  g_sum = Add(100);
  ROOF_REGION_END("disturbed");
  std::printf("made %d\n", got);
}

void Killed() {
  ROOF_REGION_BEGIN("whole");
  g_sum = Add(10);
  volatile int* nowhere = nullptr;
  *nowhere = 1;
  ROOF_REGION_END("whole");
}

// Threads that wait or compute are cancelled; what they leave is tidied up.
struct TidyUp {
  const char* what;
  ~TidyUp() { std::printf("%s ended\n", what); }
};
std::atomic<bool> g_began{false};

__attribute__((noinline)) void ComputeForEver() {
  int before;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  for (g_began = true;;) g_sum = Add(100);
}
__attribute__((noinline)) void WaitForEver() {
  for (g_began = true;;) usleep(10);
}
void* Compute(void*) {
  const TidyUp tidy_up{"computing"};
  ComputeForEver();
  return nullptr;
}
void* Wait(void*) {
  const TidyUp tidy_up{"waiting"};
  WaitForEver();
  return nullptr;
}

void Cancelled() {
  ROOF_REGION_BEGIN("disturbed");
  for (void* (*body)(void*) : {&Wait, &Compute, &Wait}) {
    pthread_t thread;
    void* result = nullptr;
    g_began = false;
    pthread_create(&thread, nullptr, body, nullptr);
    while (!g_began) sched_yield();
    usleep(2000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::printf("cancelled %d\n", result == PTHREAD_CANCELED);
  }
  ROOF_REGION_END("disturbed");
}

// A thread of which libc knows nothing. It has the thread-local memory of the main thread.
std::atomic<int> g_steps{0};
int Stranger(void*) {
  while (g_steps == 0) sched_yield();
  g_sum = Add(500);
  g_steps = 2;
  return 0;
}

void StrangeThread() {
  static char stack[65536] __attribute__((aligned(64)));
  constexpr int kThread =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  const int thread = clone(&Stranger, stack + sizeof stack, kThread, nullptr);
  ROOF_REGION_BEGIN("disturbed");
  g_steps = 1;
  while (g_steps != 2) sched_yield();
  ROOF_REGION_END("disturbed");
  std::puts("a strange thread");
  while (syscall(SYS_tgkill, getpid(), thread, 0) == 0) sched_yield();
}

__asm__(
    ".pushsection .text.patched, \"ax\", @progbits\n"
    ".p2align 12\n.globl PatchedCode\n.type PatchedCode, @function\nPatchedCode:\n"
    "  movl $1, %eax\n  ret\n.size PatchedCode, .-PatchedCode\n"
    ".p2align 12\n.popsection\n");
extern "C" int PatchedCode();

// The first byte of its number.
unsigned char* PatchedByte() { return reinterpret_cast<unsigned char*>(&PatchedCode) + 1; }

int Protect(int protection) {
  return mprotect(reinterpret_cast<void*>(&PatchedCode), 4096, protection);
}
// Past the function mprotect, with the key that stands for none.
int ProtectByKey(int protection) {
  const long error = syscall(SYS_pkey_mprotect, &PatchedCode, 4096L, long{protection}, -1L);
  return error == 0 ? 0 : Protect(protection);
}

void Patch(int number, int (*protect)(int)) {
  protect(PROT_READ | PROT_WRITE | PROT_EXEC);
  *PatchedByte() = static_cast<unsigned char>(number);
  protect(PROT_READ | PROT_EXEC);
}

void Patched() {
  int sum = 0;
  for (int i = 1; i <= 3; ++i) {
    ROOF_REGION_BEGIN("whole");
    sum += PatchedCode();
    ROOF_REGION_END("whole");
    Patch(10 * i, &Protect);
  }
  std::printf("patched %d\n", sum);
}

void PatchedInRegions() {
  int sum = 0;
  for (int i = 1; i <= 3; ++i) {
    ROOF_REGION_BEGIN("whole");
    sum += PatchedCode();
    Patch(10 * i, &ProtectByKey);
    ROOF_REGION_END("whole");
  }
  std::printf("patched %d\n", sum);
}

// By the kernel, as debuggers do; the code behind its end.
void PatchedInSecret() {
  ROOF_REGION_BEGIN("disturbed");
  const int sum = PatchedCode();
  ROOF_REGION_END("disturbed");
  const int memory = open("/proc/self/mem", O_RDWR);
  const unsigned char kByte = 0xCC;
  const auto at = static_cast<off_t>(reinterpret_cast<uintptr_t>(PatchedByte() + 64));
  const bool written = pwrite(memory, &kByte, 1, at) == 1;
  close(memory);
  std::printf("%d %d\n", sum, written);
}

// Other code comes to where a library was.
void Reloaded() {
  int sum = 0;
  for (const char* file : {RELOADED_ONE, RELOADED_TWO, RELOADED_ONE}) {
    void* library = dlopen(file, RTLD_NOW);
    const auto number = reinterpret_cast<int (*)(int)>(dlsym(library, "reloaded_number"));
    ROOF_REGION_BEGIN("whole");
    sum = 10 * sum + number(100);
    ROOF_REGION_END("whole");
    std::fprintf(stderr, "at %p\n", reinterpret_cast<void*>(number));
    dlclose(library);
  }
  std::printf("reloaded %d\n", sum);
}

// A file of a page with a function that returns a number.
int FileOf(char number) {
  char name[] = "/tmp/roofmark-code-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  std::string page = {'\xb8', number, 0, 0, 0, '\xc3'};  // mov eax, number; ret
  page.resize(4096, '\x90');
  return write(file, page.data(), page.size()) == 4096 ? file : -1;
}
void* Map(void* at, int flags, int file) {
  return mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | flags, file, 0);
}
int Call(void* code) {
  int number = 0;
  ROOF_REGION_BEGIN("whole");
  number = reinterpret_cast<int (*)()>(code)();
  ROOF_REGION_END("whole");
  return number;
}

// Other code comes to its place between regions, in each way that there is.
void MappedOver() {
  const int one = FileOf(1), two = FileOf(2), three = FileOf(3), four = FileOf(4);
  void* const code = Map(nullptr, 0, one);
  std::printf("%d\n", Call(code));
  Map(code, MAP_FIXED, two);
  std::printf("%d\n", Call(code));
  munmap(code, 4096);
  Map(code, MAP_FIXED_NOREPLACE, three);
  std::printf("%d\n", Call(code));
  void* const other = Map(nullptr, 0, four);
  mremap(other, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, code);
  std::printf("%d\n", Call(code));
}

// At another place each time: where it was something else is mapped.
void ReloadedElsewhere() {
  constexpr int kTimes = 300, kPage = 4096;
  int sum = 0;
  ROOF_REGION_BEGIN("whole");
  for (int i = 0; i < kTimes; ++i) {
    void* library = dlopen(RELOADED_ONE, RTLD_NOW);
    const auto number = reinterpret_cast<int (*)(int)>(dlsym(library, "reloaded_number"));
    sum += number(10);
    dlclose(library);
    // The next one finds the place taken. If it is taken already, that is as good.
    (void)mmap(reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(number) / kPage * kPage), kPage,
               PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
  ROOF_REGION_END("whole");
  std::printf("reloaded %d\n", sum);
}

}  // namespace

int main(int, char** arguments) {
  static const std::map<std::string, void (*)()> kHow = {{"timer", &Timer},
                                                         {"siglongjmp", &JumpOutOfAHandler},
                                                         {"fault", &Fault},
                                                         {"led_away", &FaultInAnInterposedFunction},
                                                         {"vfork", &ChildThatSharesMemory},
                                                         {"handlers", &HandlersOfHandlers},
                                                         {"exceptions", &Exceptions},
                                                         {"longjmp", &Jumps},
                                                         {"memory", &Memory},
                                                         {"children", &Children},
                                                         {"refused", &RefusedCall},
                                                         {"made", &MadeCode},
                                                         {"killed", &Killed},
                                                         {"cancelled", &Cancelled},
                                                         {"stranger", &StrangeThread},
                                                         {"patched", &Patched},
                                                         {"patched_in_regions", &PatchedInRegions},
                                                         {"patched_in_secret", &PatchedInSecret},
                                                         {"reloaded", &Reloaded},
                                                         {"mapped", &MappedOver},
                                                         {"elsewhere", &ReloadedElsewhere}};
  kHow.at(arguments[1])();
  ROOF_REGION_BEGIN("behind");
  g_sum = Add(1000);
  ROOF_REGION_END("behind");
  return 0;
}
