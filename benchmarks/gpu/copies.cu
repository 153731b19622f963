// SPDX-License-Identifier: BSD-3-Clause
//
// copies [BYTES [VISITS]]: copies of pinned memory to the device, in one region, and back, in
// another. What goes over the link to the host is known by its direction: a counter that means the
// other one is far off.
#include "program.cuh"

// Counters of links add what the protocol needs, and count in steps.
constexpr double kOfLinks = 0.25;

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t bytes = Argument(argc, argv, 1, size_t{1} << 28),
               visits = Argument(argc, argv, 2, 4);
  unsigned char *host = nullptr, *device = nullptr;
  Check(cudaMallocHost(&host, bytes), "cudaMallocHost");
  Check(cudaMalloc(&device, bytes), "cudaMalloc");
  for (size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i % 251);
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("to_device");
    Check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
    ROOF_REGION_END("to_device");
  }
  for (size_t i = 0; i < bytes; ++i) host[i] = 0;
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("to_host");
    Check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copy to the host");
    ROOF_REGION_END("to_host");
  }
  for (size_t i = 0; i < bytes; ++i) Expect(host[i] == i % 251, "copies");
  Check(cudaFreeHost(host), "cudaFreeHost");
  Check(cudaFree(device), "cudaFree");
  const double all = static_cast<double>(bytes) * static_cast<double>(visits);
  job.Known("to_device", "to_device_bytes", all, 0);
  job.Known("to_device", "to_host_bytes", 0, 0);
  job.Known("to_device", "kernels", 0, 0);
  job.Known("to_device", "pcie_received_bytes+c2c_received_bytes", all, kOfLinks);
  job.Known("to_host", "to_host_bytes", all, 0);
  job.Known("to_host", "to_device_bytes", 0, 0);
  job.Known("to_host", "pcie_sent_bytes+c2c_sent_bytes", all, kOfLinks);
}
