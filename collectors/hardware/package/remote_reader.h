// SPDX-License-Identifier: BSD-3-Clause
//
// Events that the owner of a package reads for its neighbours, because nobody else can: one message
// there and one back for each reading, on a connection that stays. It takes the time to wake a
// thread of the owner.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_REMOTE_READER_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_REMOTE_READER_H_

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "collectors/hardware/package/reader.h"
#include "lib/core/clock.h"
#include "lib/core/descriptor.h"

namespace roofmark::package {

// Sends and receives on the socket give up after that.
void LimitPatience(int socket, uint64_t ns);

// With a limited patience no call goes on by itself after a signal of the application's (a
// profiler's timer); the limit begins anew at each.
template <typename Call>
auto DespiteSignals(Call call, uint64_t patience_ns) {
  const uint64_t start = NowNs();
  auto result = call();
  while (result < 0 && errno == EINTR && NowNs() - start < patience_ns) result = call();
  return result;
}

// The neighbour's end. An owner that has ended is noticed at once. One that is stopped is waited
// for once, by one process of the package and for less time than others wait for the package's
// mutex; then `silent` says that nobody asks again. Calls are serialised by the caller.
class RemoteReader final : public Reader {
 public:
  // Takes the connection.
  RemoteReader(int connection, std::vector<uint32_t> events, std::atomic<uint32_t>& silent);
  ~RemoteReader() override;
  RemoteReader(const RemoteReader&) = delete;
  RemoteReader& operator=(const RemoteReader&) = delete;

  const std::vector<uint32_t>& Events() const override { return events_; }
  bool Read(threads::Total* totals) noexcept override;
  void CloseInChild() noexcept override { Close(); }

 private:
  void Close() noexcept;

  KnownDescriptor connection_;
  const std::vector<uint32_t> events_;
  std::atomic<uint32_t>& silent_;
  uint64_t asked_ = 0;
};

// The owner's end: reads a question and answers it. False: the neighbour has gone, or sends
// something else.
bool AnswerReading(int connection, Reader& reader) noexcept;

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_REMOTE_READER_H_
