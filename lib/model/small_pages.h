// SPDX-License-Identifier: BSD-3-Clause
//
// Memory in pages of 4 KiB. A core finds the addresses of few of them by itself, looks all others
// up in memory (on a virtual machine twice), and its prefetchers stop where a page ends: it draws
// less than from huge pages, in which roofs are measured (latency, section A.1.2 of the 2008
// roofline report).
#ifndef ROOFMARK_LIB_MODEL_SMALL_PAGES_H_
#define ROOFMARK_LIB_MODEL_SMALL_PAGES_H_

#include <string>
#include <string_view>

#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

// "bandwidth.DRAM.small_pages".
std::string SmallPagesCeilingId(std::string_view level);

// Times of loads whose page the first TLB does not have: through so many pages that the second one
// has them; that neither has, while caches have the lines; and through lines from DRAM. In huge
// pages; the same in small ones is SmallPagesId() of it.
inline constexpr std::string_view kSecondTlbId = "latency.second_tlb",
                                  kPageWalkId = "latency.page_walk",
                                  kFarPageWalkId = "latency.page_walk_dram";
std::string SmallPagesId(std::string_view ceiling);

// Of the job's memory, the share in pages of 4 KiB, as far as it was touched. Each such page takes
// a page fault, a huge one a single fault for 512 of them.
Value SmallPagesShare(const RunInfo& run);

// Whether huge pages can be had by a setting of the C library, and are not what the memory is in.
enum class HugePages : uint8_t {
  kNotKnown,  // the file does not say what the kernel does
  kOnDemand,  // the kernel makes them of memory for which a program asks (madvise)
  kAlready,   // it makes them by itself wherever it can: what is in small ones may not fit
  kNever,
  kOfStatic,  // most of the memory is static arrays, which no setting of malloc reaches
  kInFaults,  // the kernel works much for the region: supplying huge pages may cost more
};
// Of the region `path`.
HugePages HugePagesOf(const JobProfile& job, size_t path);

// By that share: nearly all of the memory, so that nothing that a region reads can lie elsewhere.
bool AllPagesAreSmall(const Value& share);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SMALL_PAGES_H_
