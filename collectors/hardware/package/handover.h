// SPDX-License-Identifier: BSD-3-Clause
//
// From the process that opened a package's counters to its neighbours: descriptors over a Unix
// socket, and, on the same connection, what only the owner can read (reader.h). The owner serves
// from a thread of its own, which sleeps until a process asks, so that an owner that never enters a
// region does not keep the others waiting.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_HANDOVER_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_HANDOVER_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/package/controllers.h"
#include "lib/core/descriptor.h"
#include "lib/core/event_descriptor.h"
#include "lib/core/result.h"

namespace roofmark::package {

class Server {
 public:
  Server() = default;
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves processes of this user until it is destroyed. Costs a descriptor and a sleeping thread,
  // which is not counted. False if that cannot be had. The descriptors must stay open meanwhile.
  bool Start(const std::string& job, uint32_t package, const Controllers& controllers);
  // The thread does not exist in a forked child.
  void ForgetInChild() noexcept;

 private:
  static void* Run(void* self);
  void Serve() noexcept;
  bool Accept() noexcept;
  bool Answer(int connection) const noexcept;

  KnownDescriptor listener_;
  std::vector<GroupPass> passes_;
  std::vector<EventDescriptor> descriptors_;
  std::shared_ptr<Reader> reader_;            // possibly none
  std::vector<KnownDescriptor> connections_;  // of processes that ask again; the thread's
  pthread_t thread_{};
  bool running_ = false;
  std::atomic<bool> ending_{false};
};

// Asks the owner, for a bounded time. What it sends must be events of a plan that has `events`, and
// no more than `budget`. The error is a sentence. `silent` is the package's, and outlives the
// result.
Result<Controllers> AskOwner(const std::string& job, uint32_t package, size_t events, size_t budget,
                             std::atomic<uint32_t>& silent);

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_HANDOVER_H_
