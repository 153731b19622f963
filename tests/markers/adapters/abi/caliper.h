// SPDX-License-Identifier: BSD-3-Clause
//
// Caliper's classes for C++, as Caliper publishes them: what its macros make.
#ifndef ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_CALIPER_H_
#define ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_CALIPER_H_

namespace cali {

class Function {
 public:
  explicit Function(const char* name);
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  ~Function();
};

class ScopeAnnotation {
 public:
  explicit ScopeAnnotation(const char* name);
  ScopeAnnotation(const ScopeAnnotation&) = delete;
  ScopeAnnotation& operator=(const ScopeAnnotation&) = delete;
  ~ScopeAnnotation();
};

class Loop {
 public:
  explicit Loop(const char* name);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();
  void end();

 private:
  struct Impl;
  Impl* pI;
};

}  // namespace cali

#endif  // ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_CALIPER_H_
