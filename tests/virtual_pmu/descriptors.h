// SPDX-License-Identifier: BSD-3-Clause
//
// Which descriptor is what: a table in front of EventOf(), so that a read of an ordinary file costs
// one load. Entries are dropped wherever a number can come to mean something else.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_DESCRIPTORS_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_DESCRIPTORS_H_

#include <cstdint>

namespace vpmu {

struct Descriptor {
  enum Kind { kOther, kReal, kVirtual };  // kReal: an event of the real kernel
  Kind kind;
  uint32_t event;
};

Descriptor Lookup(int fd);
void Remember(int fd, uint32_t event);
void RememberReal(int fd);
void Forget(int fd);
void ForgetAll();

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_DESCRIPTORS_H_
