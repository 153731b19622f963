// SPDX-License-Identifier: BSD-3-Clause
#include "processor.h"

#include <cpuid.h>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "machine.h"
#include "page.h"
#include "real.h"
#include "state.h"

namespace vpmu {
namespace {

constexpr uint8_t kCpuid[] = {0x0f, 0xa2}, kRdpmc[] = {0x0f, 0x33}, kUndefined[] = {0x0f, 0x0b};

const char* no_cpuid = "libpfm.so.4 is not installed";
const char* no_rdpmc = "not tried";
std::atomic<uint64_t> rdpmcs{0};
struct sigaction next_illegal, next_fault;
const uint8_t* replaced[256];
size_t replaced_count = 0;
std::atomic<bool> probing{false};

void CallNext(const struct sigaction& next, int signal, siginfo_t* info, void* context) {
  if ((next.sa_flags & SA_SIGINFO) != 0) return next.sa_sigaction(signal, info, context);
  if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) return next.sa_handler(signal);
  struct sigaction fatal {};  // the instruction runs again and ends the process
  fatal.sa_handler = SIG_DFL;
  REAL(sigaction)(signal, &fatal, nullptr);
}

greg_t& Register(void* context, int number) {
  return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[number];
}

const uint8_t* Instruction(void* context) {
  return reinterpret_cast<const uint8_t*>(Register(context, REG_RIP));
}

void AnswerCpuid(uint32_t leaf, uint32_t subleaf, uint32_t (&registers)[4]) {
  if (const Machine* machine = Current(); machine != nullptr) {
    for (const CpuidLeaf& known : machine->cpuid) {
      if (known.leaf == leaf) {
        memcpy(registers, known.registers, sizeof(registers));
        return;
      }
    }
  }
  __cpuid_count(leaf, subleaf, registers[0], registers[1], registers[2], registers[3]);
}

void OnIllegal(int signal, siginfo_t* info, void* context) {
  for (size_t i = 0; i < replaced_count; ++i) {
    if (replaced[i] != Instruction(context)) continue;
    uint32_t registers[4];
    AnswerCpuid(static_cast<uint32_t>(Register(context, REG_RAX)),
                static_cast<uint32_t>(Register(context, REG_RCX)), registers);
    const int names[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX};
    for (int r = 0; r < 4; ++r) Register(context, names[r]) = registers[r];
    Register(context, REG_RIP) += sizeof(kCpuid);
    return;
  }
  CallNext(next_illegal, signal, info, context);
}

uint64_t AnswerRdpmc(uint32_t index) {
  if (probing.load() || Current() == nullptr) return 0;
  ++rdpmcs;
  const Locked lock;
  return ReadHardwareCounter(index, gettid());
}

// A general protection fault has no address, and its instruction has been fetched: it can be read.
void OnFault(int signal, siginfo_t* info, void* context) {
  if (info->si_code == SI_KERNEL && info->si_addr == nullptr &&
      memcmp(Instruction(context), kRdpmc, sizeof(kRdpmc)) == 0) {
    const uint64_t value = AnswerRdpmc(static_cast<uint32_t>(Register(context, REG_RCX)));
    Register(context, REG_RAX) = static_cast<greg_t>(value & 0xffffffff);
    Register(context, REG_RDX) = static_cast<greg_t>(value >> 32);
    Register(context, REG_RIP) += sizeof(kRdpmc);
    if (probing.load()) no_rdpmc = nullptr;
    return;
  }
  CallNext(next_fault, signal, info, context);
}

void ProbeRdpmc() {
  no_rdpmc = "the instruction does not trap on this CPU";
  probing = true;
  uint32_t low = 0, high = 0;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(kFirstIndex));
  probing = false;
}

bool ReplaceIn(uint8_t* start, size_t size) {
  const auto page = reinterpret_cast<uintptr_t>(start) & ~uintptr_t{4095};
  const size_t span = reinterpret_cast<uintptr_t>(start) + size - page;
  auto* text = reinterpret_cast<void*>(page);
  if (mprotect(text, span, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  for (size_t i = 0; i + 1 < size && replaced_count < std::size(replaced); ++i) {
    if (memcmp(start + i, kCpuid, sizeof(kCpuid)) != 0) continue;
    replaced[replaced_count++] = start + i;
    memcpy(start + i, kUndefined, sizeof(kUndefined));
  }
  mprotect(text, span, PROT_READ | PROT_EXEC);
  return true;
}

bool IsWanted(const char* library) {
  if (strstr(library, "/libpfm.so") != nullptr) return true;
  const char* names = getenv("VPMU_CPUID");
  std::string rest = names == nullptr ? "" : names;
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const std::string name = rest.substr(0, end);
    if (!name.empty() && strstr(library, name.c_str()) != nullptr) return true;
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return false;
}

int ReplaceInLibrary(dl_phdr_info* library, size_t, void*) {
  if (!IsWanted(library->dlpi_name)) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    auto* start = reinterpret_cast<uint8_t*>(library->dlpi_addr + part.p_vaddr);
    no_cpuid = ReplaceIn(start, part.p_memsz) ? nullptr : "libpfm's text cannot be written";
  }
  return 0;
}

void Install(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& next) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  REAL(sigaction)(signal, &action, &next);
}

}  // namespace

void StartProcessor() {
  static bool started = false;
  if (started) return;
  started = true;
  Install(SIGILL, OnIllegal, next_illegal);
  Install(SIGSEGV, OnFault, next_fault);
  ProbeRdpmc();
  dlopen("libpfm.so.4", RTLD_LAZY);  // what loads it later gets this one
  dl_iterate_phdr(ReplaceInLibrary, nullptr);
}

const char* NoCpuid() { return no_cpuid; }
const char* NoRdpmc() { return no_rdpmc; }
uint64_t CountRdpmc() { return rdpmcs; }

bool ChainHandler(int signal, const struct sigaction* action, struct sigaction* old) {
  if (signal != SIGILL && signal != SIGSEGV) return false;
  struct sigaction& next = signal == SIGILL ? next_illegal : next_fault;
  if (old != nullptr) *old = next;
  if (action != nullptr) next = *action;
  return true;
}

}  // namespace vpmu
