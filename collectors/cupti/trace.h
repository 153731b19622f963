// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels and copies of this process with the time that each took, by CUPTI's activity records, in
// all contexts. Records are fetched at each boundary of a region, after all contexts were drained:
// so whatever is there then was launched in the region that ends, whatever thread and stream. That
// is a wait: times of the host are not the program's, and kernels of two regions never overlap.
//
// One at a time. Not thread-safe, but for the records, which a thread of CUPTI may hand over. Until
// the next boundary a record takes 40 bytes.
#ifndef ROOFMARK_COLLECTORS_CUPTI_TRACE_H_
#define ROOFMARK_COLLECTORS_CUPTI_TRACE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/cupti/library.h"
#include "lib/counts/device.h"

namespace roofmark::cupti {

class Trace {
 public:
  // Begins to record. `library` must outlive it.
  explicit Trace(const Library& library);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace();

  // Takes part from here on. False if nothing will be known of it: see failed().
  bool Add(Context context);
  // What is launched from here on belongs to this path; 0: to none.
  void Enter(uint32_t path);
  // The same before the first context is added: there is nothing to fetch. Else nothing.
  void BeginIn(uint32_t path);
  // Some of what the path did in this context was not recorded.
  void Lose(Context context, uint32_t path);
  // Fetches the rest of a context that is about to end, and leaves it alone from here on.
  void Close(Context context);
  // The same without fetching: it must not be touched any more.
  void Abandon(Context context, std::string_view why);
  // Fetches the rest of all, and records nothing more.
  void End();

  // Why nothing is known; empty if all calls succeeded.
  const std::string& failed() const { return failed_; }
  // In each path, without those below it. Of a context that was added.
  const std::map<uint32_t, counts::DeviceSums>& SumsOf(size_t added) const {
    return contexts_[added].sums;
  }
  // Contexts that were added: the next one has this number.
  size_t added() const { return contexts_.size(); }

  // Why a metric is not among those that are recorded; empty: it is.
  static std::array<std::string, kDeviceMetrics> Missing();

 private:
  struct One {
    Context context;  // nullptr: it is gone
    uint32_t id;      // as records name it
    std::map<uint32_t, counts::DeviceSums> sums;
  };
  struct Activity {
    uint32_t context;
    enum class Kind : uint8_t { kKernel, kToDevice, kToHost, kOtherCopy } kind;
    uint64_t amount, start, end;  // a kernel, or bytes
  };

  static Activity::Kind KindOf(uint8_t copy);
  static void Request(uint8_t** buffer, size_t* size, size_t* records);
  static void Completed(Context, uint32_t, uint8_t* buffer, size_t size, size_t valid);
  void TakeRecords(uint8_t* buffer, size_t valid);
  bool Check(const char* call, CuptiResult result);
  bool Drain(Context context);
  void Fetch();
  void AddUp(const Activity& activity);
  void AddBusy(const std::vector<Activity>& activities);
  One* Live(Context context);

  const Library& library_;
  std::vector<One> contexts_;
  uint32_t path_ = 0;
  uint64_t begin_ns_ = 0;  // of the region, by CUPTI's clock
  bool running_ = false;
  std::string failed_;

  // Of one lock of all traces.
  std::vector<Activity> records_;
  bool dropped_ = false;
};

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_TRACE_H_
