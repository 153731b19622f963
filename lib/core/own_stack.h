// SPDX-License-Identifier: BSD-3-Clause
//
// A stack for functions that need more of it than a thread of the application may have left.
#ifndef ROOFMARK_LIB_CORE_OWN_STACK_H_
#define ROOFMARK_LIB_CORE_OWN_STACK_H_

#include <cstddef>

namespace roofmark {

// Twice the bytes that are needed, above a page that cannot be touched. Memory is taken where it is
// used.
class OwnStack {
 public:
  enum class Signals {
    kWait,  // except those that instructions raise
    kCome,
  };
  // Those that wait while the program is executed anew would wait for ever: kCome is for that.
  explicit OwnStack(size_t needed, Signals signals = Signals::kWait) noexcept;
  ~OwnStack();
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;

  // False: there are no addresses for one.
  bool Exists() const { return memory_ != nullptr; }

  // The calling thread has so much left on the stack that it was started with (some ns).
  static bool ThreadHas(size_t needed) noexcept;
  // False where the stack of the main thread may not grow as far as it could when that was found
  // out: its limit was lowered, or addresses are limited (three system calls).
  static bool ThreadMayUseIt() noexcept;

  // Calls `body`, which must not throw, where there is room for it: on the stack of the calling
  // thread if that has it, else on this one (four system calls). One call at a time. On this stack
  // signals should wait: a handler of the application could leave by siglongjmp, which is checked
  // against the stack of the thread.
  template <typename Body>
  void Call(Body body) noexcept {
    if (ThreadHas(needed_)) {
      body();
    } else {
      CallHere(body);
    }
  }

  // Calls `body` on this stack, whatever the calling thread has.
  template <typename Body>
  void CallHere(Body body) noexcept {
    Switch([](void* given) { (*static_cast<Body*>(given))(); }, &body);
  }

 private:
  void Switch(void (*body)(void*), void* argument) noexcept;

  const size_t needed_;
  const Signals signals_;
  char* memory_ = nullptr;
  size_t size_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_OWN_STACK_H_
