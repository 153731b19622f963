// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/stack_bounds.h"

#include <pthread.h>

#include <cstddef>

namespace roofmark {
namespace {

StackBounds Find() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  const auto address = reinterpret_cast<uintptr_t>(low);
  return known ? StackBounds{address, address + size} : StackBounds{};
}

}  // namespace

const StackBounds& StackBoundsOfThisThread() noexcept {
  static thread_local StackBounds bounds;
  if (bounds.high == 0) bounds = Find();
  return bounds;
}

}  // namespace roofmark
