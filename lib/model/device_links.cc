// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_links.h"

#include <algorithm>
#include <functional>

#include "lib/model/work.h"

namespace roofmark {
namespace {

using Moved = DeviceMetric;

struct HostDirection {
  DeviceMetric pcie, c2c, copied;
  DeviceRoof roof;
};
constexpr HostDirection kToDevice = {Moved::kPcieReceivedBytes, Moved::kC2cReceivedBytes,
                                     Moved::kToDeviceBytes, DeviceRoof::kToDevice};
constexpr HostDirection kToHost = {Moved::kPcieSentBytes, Moved::kC2cSentBytes, Moved::kToHostBytes,
                                   DeviceRoof::kToHost};

Value LongerOf(const Value& a, const Value& b) {
  return Combine(a, b, [](double first, double second) { return std::max(first, second); });
}

Value SecondsOn(const DeviceDerivation& of, const Value& bytes, DeviceRoof roof) {
  return Times(Combine(bytes, of.roofs.Of(roof), std::divides<>()), 1e-9);
}

// Both may lead to the host: so much went over one of them at least. Few devices have the second.
Value BytesOfHost(const DeviceDerivation& of, const HostDirection& direction) {
  const double c2c = StoredOr0(of, direction.c2c);
  const Value pcie = StoredOf(of, direction.pcie);
  return Combine(pcie, pcie, [c2c](double bytes, double) { return std::max(bytes, c2c); });
}

Value BytesOfKernels(const DeviceDerivation& of, const HostDirection& direction) {
  return Combine(BytesOfHost(of, direction), StoredOf(of, direction.copied),
                 [](double all, double copied) { return std::max(0.0, all - copied); });
}

Value NvlinkSeconds(const DeviceDerivation& of) {
  return SecondsOn(
      of,
      LongerOf(StoredOf(of, Moved::kNvlinkReceivedBytes), StoredOf(of, Moved::kNvlinkSentBytes)),
      DeviceRoof::kNvlink);
}

Value ShareOfRegion(const DeviceDerivation& of, const Value& seconds) {
  return Quotient(seconds, SlowestTime(of.job, of.path), Reason::kNoTime);
}

}  // namespace

Value PcieBytesOnDevice(const DeviceDerivation& of) {
  return Plus(StoredOf(of, Moved::kPcieReceivedBytes), StoredOf(of, Moved::kPcieSentBytes));
}

Value C2cBytesOnDevice(const DeviceDerivation& of) {
  return Plus(StoredOf(of, Moved::kC2cReceivedBytes), StoredOf(of, Moved::kC2cSentBytes));
}

Value NvlinkBytesOnDevice(const DeviceDerivation& of) {
  return Plus(StoredOf(of, Moved::kNvlinkReceivedBytes), StoredOf(of, Moved::kNvlinkSentBytes));
}

Value HostLinkUseOnDevice(const DeviceDerivation& of) {
  return ShareOfRegion(of, LongerOf(SecondsOn(of, BytesOfHost(of, kToDevice), kToDevice.roof),
                                    SecondsOn(of, BytesOfHost(of, kToHost), kToHost.roof)));
}

Value NvlinkUseOnDevice(const DeviceDerivation& of) { return ShareOfRegion(of, NvlinkSeconds(of)); }

double HostLinkSecondsOfKernels(const DeviceDerivation& of) {
  double longest = 0;
  for (const HostDirection& direction : {kToDevice, kToHost}) {
    const Value seconds = SecondsOn(of, BytesOfKernels(of, direction), direction.roof);
    longest = std::max(longest, seconds.number.value_or(0));
  }
  return longest;
}

double NvlinkSecondsOfKernels(const DeviceDerivation& of) {
  return NvlinkSeconds(of).number.value_or(0);
}

Value LinkShareOnDevice(const DeviceDerivation& of) {
  const Value host = Plus(BytesOfKernels(of, kToDevice), BytesOfKernels(of, kToHost));
  const double others = NvlinkBytesOnDevice(of).number.value_or(0);
  const Value links = Combine(host, host, [others](double own, double) { return own + others; });
  const Value dram =
      Plus(StoredOf(of, Moved::kDramReadBytes), StoredOf(of, Moved::kDramWriteBytes));
  return Quotient(links, Plus(links, dram), Reason::kNoBytes);
}

Value CopyEfficiencyOnDevice(const DeviceDerivation& of) {
  const Value least = Plus(SecondsOn(of, StoredOf(of, kToDevice.copied), kToDevice.roof),
                           SecondsOn(of, StoredOf(of, kToHost.copied), kToHost.roof));
  const Value taken =
      Times(Plus(StoredOf(of, Moved::kToDeviceNs), StoredOf(of, Moved::kToHostNs)), 1e-9);
  return Quotient(least, taken, Reason::kNoBytes);
}

}  // namespace roofmark
