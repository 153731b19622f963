// SPDX-License-Identifier: BSD-3-Clause
//
// A stack for functions of other libraries that need more than a thread of the application may have
// left.
#ifndef ROOFMARK_LIB_CORE_OWN_STACK_H_
#define ROOFMARK_LIB_CORE_OWN_STACK_H_

#include <cstddef>

namespace roofmark {

// 256 KiB of addresses, above a page that cannot be touched. Memory is taken where it is used.
class OwnStack {
 public:
  OwnStack() noexcept;
  ~OwnStack();
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;

  // False: there are no addresses for one.
  bool Exists() const { return memory_ != nullptr; }

  // Calls `body`, which must not throw, where there is room for it: on the stack of the calling
  // thread if that has 32 KiB left (some ns), else on this one (four system calls). One call at a
  // time. On this stack signals wait, except those that instructions raise: a handler of the
  // application could leave by siglongjmp, which is checked against the stack of the thread.
  template <typename Body>
  void Call(Body body) noexcept {
    if (ThreadHasRoom()) {
      body();
    } else {
      Switch([](void* given) { (*static_cast<Body*>(given))(); }, &body);
    }
  }

 private:
  static bool ThreadHasRoom() noexcept;
  void Switch(void (*body)(void*), void* argument) noexcept;

  char* memory_ = nullptr;
  size_t size_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_OWN_STACK_H_
