// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/counting/native/machine.h"

#include <cpuid.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "collectors/counting/native/pieces.h"

extern "C" {
void roof_test_run(roofmark::MachineState* state, const void* entry);
void roof_test_end();
void roof_test_return();
// What the assembly remembers while code runs; one thread at a time.
uint64_t roof_test_saved[4];
}

static_assert(offsetof(roofmark::MachineState, flags) == 128);
static_assert(offsetof(roofmark::MachineState, save_mask) == 136);
static_assert(offsetof(roofmark::MachineState, vectors) == 192);

// The code's address lies on top of its stack. `entry` takes it from there: a return, or the
// translator. saved: rsp, state, entry, one register.
__asm__(R"(
.pushsection .text
.globl roof_test_return
roof_test_return:
  ret
.globl roof_test_run
roof_test_run:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  mov %rsp, roof_test_saved(%rip)
  mov %rdi, roof_test_saved+8(%rip)
  mov %rsi, roof_test_saved+16(%rip)
  mov 136(%rdi), %rax
  mov %rax, %rdx
  shr $32, %rdx
  xrstor64 192(%rdi)
  mov 0(%rdi), %rax
  mov 8(%rdi), %rcx
  mov 16(%rdi), %rdx
  mov 24(%rdi), %rbx
  mov 40(%rdi), %rbp
  mov 48(%rdi), %rsi
  mov 64(%rdi), %r8
  mov 72(%rdi), %r9
  mov 80(%rdi), %r10
  mov 88(%rdi), %r11
  mov 96(%rdi), %r12
  mov 104(%rdi), %r13
  mov 112(%rdi), %r14
  mov 120(%rdi), %r15
  push 128(%rdi)
  popfq
  mov 32(%rdi), %rsp
  mov 56(%rdi), %rdi
  jmp *roof_test_saved+16(%rip)
.globl roof_test_end
roof_test_end:
  mov %rdi, roof_test_saved+24(%rip)
  mov roof_test_saved+8(%rip), %rdi
  mov %rsp, 32(%rdi)
  mov roof_test_saved(%rip), %rsp
  pushfq
  pop 128(%rdi)
  mov %rax, 0(%rdi)
  mov %rcx, 8(%rdi)
  mov %rdx, 16(%rdi)
  mov %rbx, 24(%rdi)
  mov %rbp, 40(%rdi)
  mov %rsi, 48(%rdi)
  mov %r8, 64(%rdi)
  mov %r9, 72(%rdi)
  mov %r10, 80(%rdi)
  mov %r11, 88(%rdi)
  mov %r12, 96(%rdi)
  mov %r13, 104(%rdi)
  mov %r14, 112(%rdi)
  mov %r15, 120(%rdi)
  mov roof_test_saved+24(%rip), %rax
  mov %rax, 56(%rdi)
  mov 136(%rdi), %rax
  mov %rax, %rdx
  shr $32, %rdx
  xsave64 192(%rdi)
  pushq $2
  popfq
  fninit
  pushq $0x1F80
  ldmxcsr (%rsp)
  add $16, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
.popsection
)");

namespace roofmark {
namespace {

constexpr uint64_t kTrapFlag = 0x100;
volatile bool faulted;
const Step* stepping;
const Arena* stepped;

void EndHere(ucontext_t* context) {
  context->uc_mcontext.gregs[REG_EFL] &= ~static_cast<long long>(kTrapFlag);
}

void OnFault(int, siginfo_t*, void* raw) {
  auto* context = static_cast<ucontext_t*>(raw);
  faulted = true;
  EndHere(context);
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(roof_test_end);
}

void OnTrap(int, siginfo_t*, void* raw) {
  auto* context = static_cast<ucontext_t*>(raw);
  const auto pc = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
  const auto begin = reinterpret_cast<uint64_t>(stepped->code());
  if (pc == reinterpret_cast<uint64_t>(roof_test_end)) EndHere(context);
  if (pc >= begin && pc < begin + Arena::kBytes) (*stepping)(context);
}

// For as long as code of a test runs.
class Handlers {
 public:
  Handlers() {
    static std::array<char, 1 << 16> stack;
    stack_t own = {stack.data(), 0, stack.size()};
    sigaltstack(&own, &old_stack_);
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (size_t i = 0; i < kSignals.size(); ++i) {
      action.sa_sigaction = kSignals[i] == SIGTRAP ? OnTrap : OnFault;
      sigaction(kSignals[i], &action, &old_[i]);
    }
    faulted = false;
  }
  ~Handlers() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &old_[i], nullptr);
    sigaltstack(&old_stack_, nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

 private:
  static constexpr std::array kSignals = {SIGILL, SIGSEGV, SIGFPE, SIGBUS, SIGTRAP};
  struct sigaction old_[kSignals.size()] = {};
  stack_t old_stack_ = {};
};

bool Run(MachineState* state, const void* code, const void* entry) {
  state->general[4] -= 8;
  *reinterpret_cast<const void**>(state->general[4]) = code;
  roof_test_run(state, entry);
  state->flags &= ~kTrapFlag;
  return !faulted;
}

}  // namespace

Arena::Arena()
    : memory_(static_cast<uint8_t*>(mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
  if (memory_ == MAP_FAILED) std::abort();
}
Arena::~Arena() { munmap(memory_, 2 * kBytes); }

const void* EndOfPrograms() { return reinterpret_cast<const void*>(roof_test_end); }

std::vector<uint8_t> JumpToEnd() {
  std::vector<uint8_t> code = {0x48, 0xB8};
  const void* end = EndOfPrograms();
  code.resize(code.size() + sizeof end);
  std::memcpy(code.data() + 2, &end, sizeof end);
  code.insert(code.end(), {0xFF, 0xE0});
  return code;
}

MachineState FreshState(const Arena& arena) {
  MachineState state;
  state.save_mask = StateMask();
  state.general[4] = reinterpret_cast<uint64_t>(arena.data() + 4096);
  state.vectors[0] = 0x7F, state.vectors[1] = 0x03;    // the x87 control word
  state.vectors[24] = 0x80, state.vectors[25] = 0x1F;  // MXCSR
  return state;
}

uint64_t StateMask() {
  uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low & 0xE7;  // without what a test must not change (protection keys)
}

bool RunNatively(MachineState* state, const void* code) {
  Handlers handlers;
  return Run(state, code, reinterpret_cast<const void*>(roof_test_return));
}

bool RunTranslated(roof_native_area* area, MachineState* state, const void* code) {
  Handlers handlers;
  roof_native_set_gs(area);
  const bool ok = Run(state, code, reinterpret_cast<const void*>(roof_native_resume));
  roof_native_set_gs(nullptr);
  return ok;
}

bool RunInSteps(MachineState* state, const void* code, const Arena& arena, const Step& step) {
  Handlers handlers;
  stepping = &step;
  stepped = &arena;
  state->flags |= kTrapFlag;
  return Run(state, code, reinterpret_cast<const void*>(roof_test_return));
}

const uint64_t* TakePieces(roof_native_area* area, const uint64_t* begin, const uint64_t* end) {
  const auto take = [](void* to, const uint64_t* words, const uint64_t* words_end) {
    const auto* piece = reinterpret_cast<const roof_descriptor*>(words[0]);
    if (words + 1 + piece->accesses != words_end) std::abort();
    for (uint32_t i = 0; i < piece->accesses; ++i)
      if (words[1 + i] != 0) static_cast<Records*>(to)->push_back(words[1 + i] | piece->tag[i]);
  };
  uint64_t words[ROOF_PIECE_WORDS];
  while (begin < end) begin = roof_native_read_pieces(begin, words, take, area->user);
  return begin;
}

void TakeRecords(void* to, roof_native_area*, const uint64_t* records, size_t count) {
  auto* all = static_cast<Records*>(to);
  all->insert(all->end(), records, records + count);
}

Translator::Translator(const Arena& arena, uint64_t cache_bytes, Records* records, bool in_pieces,
                       bool noted) {
  const roof_memory hooks = memory_.Hooks();
  int error = 0;
  native_ = roof_native_create(&hooks, 4096);
  if (noted) roof_native_keep_blocks(native_);
  roof_native_code code = {};
  code.begin = code.base = reinterpret_cast<uint64_t>(arena.code());
  code.end = code.begin + Arena::kBytes;
  code.bytes = cache_bytes;
  code.number = roof_native_file_number(native_, "the arena");  // 0 where nothing is noted
  if (!roof_native_allow_owned(native_, &code, &error)) std::abort();
  roof_native_stop_at(native_, reinterpret_cast<uint64_t>(EndOfPrograms()));
  if (records != nullptr) roof_native_trace(native_, 0, TakeRecords, records);
  if (in_pieces) roof_native_keep_code(native_, TakePieces);
  area_ = roof_native_area_create(native_, nullptr);
  area_->user = records;
}

Translator::~Translator() {
  roof_native_area_destroy(area_);
  roof_native_destroy(native_);
}

std::array<uint64_t, ROOF_COUNTERS> Translator::Counts() {
  std::array<uint64_t, ROOF_COUNTERS> counters = {};
  roof_native_fold(area_, counters.data());
  return counters;
}

}  // namespace roofmark
