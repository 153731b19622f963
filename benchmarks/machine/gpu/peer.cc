// SPDX-License-Identifier: BSD-3-Clause
//
// The part of a session that reaches another device.
#include <fmt/format.h>

#include "benchmarks/machine/gpu/session.h"
#include "lib/core/device_uuid.h"

namespace roofmark::gpu {

// Instances of MIG, which NVML does not find by such a name, reach no other device.
bool Session::IsLinked(Device other) const {
  unsigned char uuid[kUuidBytes] = {};
  NvmlDevice peer = nullptr;
  if (nvml_ == nullptr || driver_.device_uuid(uuid, other) != 0 ||
      driver_.nvml_device(DeviceUuid(uuid, "").c_str(), &peer) != 0) {
    return false;
  }
  int status = 0;
  return driver_.nvml_link(nvml_, peer, kPeersByNvlink, &status) == 0 && status == kPeersAreLinked;
}

// Why not; empty: it does.
std::string Session::ReachPeer(int index, uint64_t bytes) {
  const auto explain = [this](const char* call, int result) {
    return result == 0 ? std::string() : ExplainCall(driver_, call, result);
  };
  int reaches = 0;
  std::string why = explain("cuDeviceGet", driver_.device_get(&peer_device_, index));
  if (why.empty()) {
    why = explain("cuDeviceCanAccessPeer", driver_.reaches_peer(&reaches, device_, peer_device_));
  }
  if (!why.empty()) return why;
  if (reaches == 0) return fmt::format("the driver says that GPU {} is out of reach", index);
  why = explain("cuDevicePrimaryCtxRetain", driver_.context_retain(&peer_.context, peer_device_));
  if (!why.empty()) {
    peer_.context = nullptr;
    return why;
  }
  why = explain("cuCtxEnablePeerAccess", driver_.enable_peer(peer_.context, 0));
  if (!why.empty() || !Check("cuCtxSetCurrent", driver_.context_set(peer_.context))) return why;
  why = explain("cuMemAlloc_v2", driver_.allocate(&peer_.address, bytes));
  if (!why.empty()) peer_.address = 0;
  Check("cuCtxSetCurrent", driver_.context_set(context_));
  return why;
}

Result<PeerMemory> Session::AllocateOnPeer(int index, uint64_t bytes) {
  if (!Ok()) return Error{failed_};
  std::string why = ReachPeer(index, bytes);
  if (!why.empty() || !Ok()) return Error{why.empty() ? failed_ : why};
  peer_.by_nvlink = IsLinked(peer_device_);
  return peer_;
}

void Session::LeavePeer() {
  if (peer_.context == nullptr) return;
  if (peer_.address != 0) {
    driver_.context_set(peer_.context);
    driver_.release(peer_.address);
    driver_.context_set(context_);
  }
  driver_.context_release(peer_device_);
}

bool Session::ToPeer(const PeerMemory& to, uint64_t from, uint64_t bytes) {
  return Ok() && Check("cuMemcpyPeerAsync",
                       driver_.to_peer(to.address, to.context, from, context_, bytes, nullptr));
}

}  // namespace roofmark::gpu
