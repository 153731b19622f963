// SPDX-License-Identifier: BSD-3-Clause
//
// Counting in one CUDA context. Between two boundaries there is one range of the range profiler, of
// the innermost region, so ranges never nest: nested ones would each need a pass of their own. The
// profile adds what is below a region to it.
//
// The context is drained at each boundary, so a kernel is charged to the region in which it was
// launched, whatever the stream, and to no other. That is a wait: times are not the program's.
//
// Not thread-safe.
#ifndef ROOFMARK_COLLECTORS_CUPTI_SESSION_H_
#define ROOFMARK_COLLECTORS_CUPTI_SESSION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/cupti/library.h"
#include "collectors/cupti/metrics.h"
#include "lib/counts/device.h"

namespace roofmark::cupti {

class Session {
 public:
  // Ranges between two times that counts are fetched.
  static constexpr size_t kRanges = 512;

  // Begins to count, in no region. `library` must outlive it.
  Session(const Library& library, Context context, Plan plan);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // What is launched from here on belongs to this path; 0: to none.
  void Enter(uint32_t path);
  // Some of what the path had was not counted.
  void Lose(uint32_t path);
  // Fetches the rest, and counts nothing more.
  void Close();
  // The same, of a context that must not be touched any more.
  void Abandon(std::string_view why);

  Context context() const { return context_; }
  const Plan& plan() const { return plan_; }
  // It was enabled, but what it is to count was refused.
  bool Refused() const { return object_ != nullptr && !running_ && batch_.empty(); }
  // Why nothing is known; empty if all calls succeeded.
  const std::string& failed() const { return failed_; }
  // In each path, without those below it.
  const std::map<uint32_t, counts::DeviceSums>& sums() const { return sums_; }

 private:
  bool Check(const char* call, CuptiResult result);
  bool MakeCounterData();
  bool Resume();
  bool Drain();
  bool PopOpen();
  void Push(uint32_t path);
  void Fetch();
  bool Decode(bool& all);
  void Take(size_t range, std::vector<bool>& seen);
  std::optional<size_t> IndexOf(size_t range);
  bool Evaluate(size_t range, std::vector<double>& values);
  void Release();

  const Library& library_;
  const Context context_;
  const Plan plan_;
  std::vector<const char*> names_;
  HostObject host_ = nullptr;
  RangeObject object_ = nullptr;
  std::vector<uint8_t> counter_data_;
  std::vector<uint32_t> batch_;  // path of each range since counts were fetched
  bool running_ = false, open_ = false;
  uint32_t path_ = 0;
  std::string failed_;
  std::map<uint32_t, counts::DeviceSums> sums_;
};

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_SESSION_H_
