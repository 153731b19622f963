// SPDX-License-Identifier: BSD-3-Clause
//
// Source lines of the places where windows spent most of their cycles.
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_CRITICAL_LINES_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_CRITICAL_LINES_H_

#include <cstdint>
#include <vector>

#include "collectors/counting/engine.h"

namespace roofmark::counting {

class CriticalLines {
 public:
  void Add(const Context& context, uint64_t address, uint64_t cycles) {
    places_.push_back({context, address, cycles});
  }
  // Places whose line is not known are left out. Reads debug information.
  void HandOver(CountSink& sink) const;

 private:
  struct Place {
    Context context;
    uint64_t address, cycles;
  };
  std::vector<Place> places_;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_CRITICAL_LINES_H_
