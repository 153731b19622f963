// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_SAMPLES_DRAINED_H_
#define ROOFMARK_MARKERS_SAMPLES_DRAINED_H_

#include <cstdint>
#include <vector>

namespace roofmark::samples {

// Where the addresses of samples go.
struct Addresses {
  std::vector<uint64_t>& in_user;
  std::vector<uint64_t>& in_kernel;  // of those that came there from user mode: where from
};

// What one thread's buffer held. Several threads' may be added up.
struct Drained {
  uint64_t samples = 0;  // all that arrived
  uint64_t kernel = 0;   // of these, in the kernel
  uint64_t nowhere = 0;  // of these, without an address
  uint64_t lost = 0;

  void TakeWithoutAddress() noexcept {
    ++samples;
    ++nowhere;
  }
  void Take(uint64_t address, std::vector<uint64_t>& addresses) noexcept {
    try {
      addresses.push_back(address);
      ++samples;
    } catch (...) {
      ++lost;
    }
  }
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_DRAINED_H_
