// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "benchmarks/machine/gpu/driver.h"
#include "lib/core/file.h"
#include "tests/benchmarks/machine/gpu/stand_in.h"

namespace roofmark {
namespace {

using gpu_stand_in::kIterationNs;
using gpu_stand_in::kMultiprocessors;
using gpu_stand_in::Script;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kBlockThreads = 128;

struct Steps final : Progress {
  void Update(double, double, std::string_view step) override { all.emplace_back(step); }
  std::vector<std::string> all;
};

class MeasureGpusTest : public testing::Test {
 protected:
  Result<std::vector<GpuMachine>> Measure(const Script& script) {
    gpu_stand_in::Reset(script);
    const std::string image = testing::TempDir() + "roofmark-kernels-" + std::to_string(getpid());
    if (!WriteFile(image, "image", IfExists::kReplace)) return Error{"no file"};
    MeasureOptions options;
    options.effort = Effort::kQuick;
    options.stop = &stop_;
    auto machines = MeasureGpus(image, options, progress_);
    unlink(image.c_str());
    EXPECT_EQ(gpu_stand_in::Open(), 0) << "contexts, events or memory stay";
    return machines;
  }
  // Of one device.
  GpuMachine MeasureOne(const Script& script = {}) {
    auto machines = Measure(script);
    EXPECT_TRUE(machines) << machines.error();
    EXPECT_EQ(machines ? machines->size() : 0, 1);
    return machines && !machines->empty() ? (*machines)[0] : GpuMachine();
  }
  static double ValueOf(const GpuMachine& gpu, const char* id) {
    const GpuCeiling* ceiling = gpu.Find(id);
    EXPECT_NE(ceiling, nullptr) << id;
    return ceiling == nullptr ? 0 : ceiling->Best();
  }

  Steps progress_;
  std::atomic<bool> stop_{false};
};

TEST_F(MeasureGpusTest, RatesAreWorkOverTime) {
  const GpuMachine gpu = MeasureOne();
  EXPECT_THAT(gpu.warnings, IsEmpty());
  const double threads = kMultiprocessors * 16 * kBlockThreads;
  const auto expect = [&](const char* id, double amount) {
    const double rate = amount / kIterationNs;
    EXPECT_NEAR(ValueOf(gpu, id), rate, 1e-5 * rate) << id;
  };
  expect("compute.dp.fma", 256 * threads);
  expect("compute.dp.fma_1_chain", 32 * threads);
  expect("compute.sp.muladd", 128 * threads);
  expect("compute.hp.fma", 512 * threads);
  expect("compute.dp.sqrt", 8 * threads);
  expect("divergence.sp.8_ways", 256 * threads);
  expect("tensor.hp", 16 * 4096.0 / 32 * threads);
  expect("tensor.dp", 16 * 512.0 / 32 * threads);
  expect("integer.mad", 128 * threads);
  expect("shared.stride_32", 8 * 4 * threads);
  expect("atomics.int_one", 8 * threads);
  // 8 MiB: whole rounds of four times 16 bytes for each thread.
  const double bytes = 6 * 64 * threads;
  expect("bandwidth.DRAM.read", bytes);
  expect("bandwidth.DRAM.copy", 2 * bytes);
  expect("bandwidth.DRAM.triad", 3 * bytes);
  expect("bandwidth.L2.read", (1 << 20) * kMultiprocessors * 16.0);
  expect("bandwidth.L1.read", (16 << 10) * kMultiprocessors * 16.0);
  expect("sectors.random", 8 << 20);
  expect("sectors.stride_4", 2 << 20);
}

TEST_F(MeasureGpusTest, LatenciesAndCopies) {
  const GpuMachine gpu = MeasureOne();
  const double load = kIterationNs / 16;
  for (const char* id : {"latency.shared", "latency.L1", "latency.L2", "latency.DRAM"}) {
    EXPECT_NEAR(ValueOf(gpu, id), load, 1e-4 * load) << id;
  }
  EXPECT_NEAR(ValueOf(gpu, "latency.launch"), gpu_stand_in::kLaunchNs, 0.1);
  EXPECT_NEAR(ValueOf(gpu, "latency.copy"), gpu_stand_in::kLeastCopyNs, 0.1);
  EXPECT_NEAR(ValueOf(gpu, "copy.to_device"), 1 / gpu_stand_in::kCopyNsOfByte, 1e-3);
  EXPECT_NEAR(ValueOf(gpu, "copy.to_host"), 1 / gpu_stand_in::kCopyNsOfByte, 1e-3);
}

TEST_F(MeasureGpusTest, WhatTheDriverSays) {
  const GpuMachine gpu = MeasureOne();
  EXPECT_EQ(gpu.name, "NVIDIA TEST");
  EXPECT_EQ(gpu.uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_EQ(gpu.driver, "580.1");
  EXPECT_EQ(gpu.power_limit_watts, 700);
  const GpuPoint& point = gpu.Find("compute.sp.fma")->curve[0];
  EXPECT_EQ(point.ghz, 1.5);
  EXPECT_EQ(point.watts, 300);
  EXPECT_EQ(point.samples, 5);
  // 64 lanes of double precision, 2 GHz, 10 multiprocessors.
  EXPECT_DOUBLE_EQ(gpu.Find("compute.dp.fma")->data_sheet, 2 * 64 * 2 * 10);
  EXPECT_DOUBLE_EQ(gpu.Find("bandwidth.DRAM.copy")->data_sheet, 256);
}

TEST_F(MeasureGpusTest, AnInstanceOfMigHasANameOfItsOwn) {
  Script script;
  script.name = "NVIDIA TEST-40GB MIG 1g.5gb";
  const GpuMachine gpu = MeasureOne(script);
  EXPECT_EQ(gpu.uuid, "MIG-00010203-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_EQ(gpu.power_limit_watts, 700);
  EXPECT_EQ(gpu.Find("compute.sp.fma")->curve[0].ghz, 1.5);
  EXPECT_THAT(gpu.warnings, Contains(HasSubstr("those of the whole device")));
  script.failures["nvmlDeviceGetDeviceHandleFromMigDeviceHandle"] = 999;
  EXPECT_THAT(MeasureOne(script).warnings,
              Contains(HasSubstr("nvmlDeviceGetDeviceHandleFromMigDeviceHandle: error 999")));
}

TEST_F(MeasureGpusTest, OccupancyIsACurve) {
  Script script;
  script.most_blocks = 6;
  const GpuMachine gpu = MeasureOne(script);
  std::vector<uint32_t> warps;
  for (const GpuPoint& point : gpu.Find("compute.dp.fma")->curve) warps.push_back(point.warps);
  EXPECT_THAT(warps, ElementsAre(4, 8, 16, 24));
}

TEST_F(MeasureGpusTest, OlderDevicesHaveFewerCeilings) {
  Script script;
  script.major = 8;
  const GpuMachine gpu = MeasureOne(script);
  EXPECT_EQ(gpu.Find("tensor.fp8"), nullptr);
  EXPECT_EQ(gpu.Find("compute.bf16.muladd"), nullptr);
  EXPECT_NE(gpu.Find("compute.bf16.fma"), nullptr);
  EXPECT_THAT(gpu.warnings, IsEmpty());
}

TEST_F(MeasureGpusTest, WrongResultsGiveNoCeiling) {
  Script script;
  script.wrong = {"dp_add"};
  script.unfinished = {"sp_mul"};
  script.no_kernel = {"hp_add"};
  const GpuMachine gpu = MeasureOne(script);
  EXPECT_EQ(gpu.Find("compute.dp.add"), nullptr);
  EXPECT_EQ(gpu.Find("compute.sp.mul"), nullptr);
  EXPECT_EQ(gpu.Find("compute.hp.add"), nullptr);
  EXPECT_NE(gpu.Find("compute.dp.mul"), nullptr);
  EXPECT_THAT(gpu.warnings, Contains("compute.dp.add: 1 threads have a wrong result"));
  EXPECT_THAT(gpu.warnings, Contains("compute.sp.mul: 159 of 160 blocks ended"));
  EXPECT_THAT(gpu.warnings, Contains("compute.hp.add: its kernel is not there"));
}

// What copy and triad wrote, another kernel reads.
TEST_F(MeasureGpusTest, WrittenArraysAreRead) {
  Script script;
  script.wrong = {"read"};
  const GpuMachine gpu = MeasureOne(script);
  EXPECT_EQ(gpu.Find("bandwidth.DRAM.copy"), nullptr);
  EXPECT_EQ(gpu.Find("bandwidth.DRAM.triad"), nullptr);
}

TEST_F(MeasureGpusTest, WithoutNvml) {
  Script script;
  script.failures = {{"nvmlInit_v2", 9}};
  const GpuMachine gpu = MeasureOne(script);
  EXPECT_EQ(gpu.Find("compute.dp.fma")->curve[0].ghz, 0);
  EXPECT_THAT(gpu.warnings, Contains("clock and power are not known: nvmlInit_v2: error 9"));
}

TEST_F(MeasureGpusTest, SeveralDevices) {
  Script script;
  script.devices = 2;
  const auto machines = Measure(script);
  ASSERT_TRUE(machines);
  ASSERT_EQ(machines->size(), 2);
  EXPECT_NE((*machines)[0].uuid, (*machines)[1].uuid);
}

TEST_F(MeasureGpusTest, CublasGivesASecondOpinion) {
  const GpuMachine gpu = MeasureOne();
  for (const char* id :
       {"tensor.dp.cublas", "compute.sp.fma.cublas", "tensor.tf32.cublas", "tensor.hp.cublas",
        "tensor.bf16.cublas", "tensor.fp8.cublas", "tensor.int8.cublas"}) {
    EXPECT_NEAR(ValueOf(gpu, id), gpu_stand_in::kBlasFlopsOfNs, 0.1) << id;
  }
  const GpuCeiling& half = *gpu.Find("tensor.hp.cublas");
  EXPECT_DOUBLE_EQ(half.data_sheet, gpu.Find("tensor.hp")->data_sheet);
  EXPECT_EQ(half.curve[0].ghz, 1.5);
}

TEST_F(MeasureGpusTest, WhatIsTheSameStandsTogether) {
  const GpuMachine gpu = MeasureOne();
  const auto half = std::find_if(gpu.ceilings.begin(), gpu.ceilings.end(),
                                 [](const auto& each) { return each.id == "tensor.hp"; });
  ASSERT_LT(half + 2, gpu.ceilings.end());
  EXPECT_EQ(half[1].id, "tensor.hp.cublas");
  EXPECT_EQ(half[2].id, "tensor.hp.wgmma");
}

// Of 9.0 alone. What they do was never executed: it cannot cost anything else.
TEST_F(MeasureGpusTest, AsynchronousProductsComeLast) {
  Script script;
  script.no_kernel = {"tensor_hp"};
  script.no_kernel = {"tensor_hp"};
  const GpuMachine gpu = MeasureOne(script);
  const double threads = kMultiprocessors * 16 * kBlockThreads;
  const double rate = 16 * 2.0 * 64 * 128 * 16 / kBlockThreads * threads / kIterationNs;
  EXPECT_NEAR(ValueOf(gpu, "tensor.hp.wgmma"), rate, 1e-5 * rate);
  EXPECT_EQ(progress_.all.back(), "GPU 0: tensor cores, 8-bit integers, wgmma");
  const auto half = std::find_if(gpu.ceilings.begin(), gpu.ceilings.end(),
                                 [](const auto& each) { return each.id == "tensor.hp.cublas"; });
  ASSERT_LT(half + 1, gpu.ceilings.end());
  EXPECT_EQ(half[1].id, "tensor.hp.wgmma") << "without a ceiling of the kernels that all have";
  script.major = 10;
  EXPECT_EQ(MeasureOne(script).Find("tensor.hp.wgmma"), nullptr);
}

// By mma.sync on 8.9, by wgmma on 9.0, and on 10.0 by what cuBLAS has.
TEST_F(MeasureGpusTest, Fp8IsMeasuredByWhatHasIt) {
  const std::pair<int, int> capabilities[] = {{8, 0}, {8, 9}, {9, 0}, {10, 0}};
  for (const auto& [major, minor] : capabilities) {
    SCOPED_TRACE(10 * major + minor);
    Script script;
    script.major = major;
    script.minor = minor;
    const GpuMachine gpu = MeasureOne(script);
    EXPECT_EQ(gpu.Find("tensor.fp8") != nullptr, major == 8 && minor == 9);
    EXPECT_EQ(gpu.Find("tensor.fp8.wgmma") != nullptr, major == 9);
    EXPECT_EQ(gpu.Find("tensor.fp8.cublas") != nullptr, 10 * major + minor >= 89);
  }
}

TEST_F(MeasureGpusTest, WhatCublasCannotDoIsSaid) {
  Script script;
  script.no_product = {gpu::kFp8};
  GpuMachine gpu = MeasureOne(script);
  EXPECT_THAT(gpu.warnings, ElementsAre("tensor.fp8.cublas: cuBLAS has no algorithm for it"));
  EXPECT_EQ(gpu.Find("tensor.fp8.cublas"), nullptr);
  EXPECT_NE(gpu.Find("tensor.fp8.wgmma"), nullptr);
  script = {};
  script.wrong_product = true;
  gpu = MeasureOne(script);
  EXPECT_EQ(gpu.Find("tensor.hp.cublas"), nullptr);
  EXPECT_THAT(gpu.warnings, Contains("tensor.hp.cublas: the product has wrong numbers"));
  EXPECT_THAT(gpu.warnings, Contains("tensor.dp.cublas: the product has wrong numbers"));
  EXPECT_THAT(gpu.warnings, Contains("tensor.int8.cublas: the product has wrong numbers"));
}

// All else is measured.
TEST_F(MeasureGpusTest, FailingCallsOfCublasAreNamed) {
  for (const char* call :
       {"cublasLtCreate", "cublasLtMatmulPreferenceCreate", "cublasLtMatmulPreferenceSetAttribute",
        "cublasLtMatmulDescCreate", "cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutCreate",
        "cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
    Script script;
    script.failures = {{call, 13}};
    const GpuMachine gpu = MeasureOne(script);
    EXPECT_THAT(gpu.warnings, Contains(HasSubstr(std::string(call) + ": status 13")));
    EXPECT_EQ(gpu.Find("tensor.hp.cublas"), nullptr) << call;
    EXPECT_NE(gpu.Find("copy.to_host"), nullptr) << call;
  }
}

TEST(OpenBlas, WithoutTheLibraryItSaysSo) {
  gpu_stand_in::Reset({});
  gpu::Driver driver;
  const std::string none[] = {"/nowhere/libcublasLt.so.13"};
  EXPECT_THAT(gpu::OpenBlas(none, driver), HasSubstr("cuBLAS cannot be loaded"));
  const std::string other[] = {"libc.so.6"};
  EXPECT_EQ(gpu::OpenBlas(other, driver), "libc.so.6 has no cublasLtCreate");
  const auto opened = gpu::OpenDriver();
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->no_blas, "");
}

// The first one of two, with the other.
GpuMachine FirstOf(const Result<std::vector<GpuMachine>>& machines) {
  EXPECT_TRUE(machines);
  return machines && machines->size() == 2 ? (*machines)[0] : GpuMachine();
}

TEST_F(MeasureGpusTest, CopiesToAnotherDevice) {
  Script script;
  script.devices = 2;
  const GpuMachine gpu = FirstOf(Measure(script));
  EXPECT_NEAR(ValueOf(gpu, "copy.to_peer.nvlink"), 1 / gpu_stand_in::kPeerNsOfByte, 1e-3);
  EXPECT_EQ(gpu.Find("copy.to_peer"), nullptr);
  script.nvlink = false;
  const GpuMachine by_pcie = FirstOf(Measure(script));
  EXPECT_NEAR(ValueOf(by_pcie, "copy.to_peer"), 1 / gpu_stand_in::kPeerNsOfByte, 1e-3);
  EXPECT_EQ(by_pcie.Find("copy.to_peer.nvlink"), nullptr);
  EXPECT_EQ(MeasureOne().Find("copy.to_peer.nvlink"), nullptr) << "there is no other";
}

// All else is measured.
TEST_F(MeasureGpusTest, DevicesOutOfReachAreSaid) {
  Script script;
  script.devices = 2;
  script.reaches = false;
  const GpuMachine gpu = FirstOf(Measure(script));
  EXPECT_THAT(gpu.warnings, Contains("copy.to_peer: the driver says that GPU 1 is out of reach"));
  EXPECT_NE(gpu.Find("copy.to_host"), nullptr);
  script.reaches = true;
  for (const char* call : {"cuDeviceCanAccessPeer", "cuCtxEnablePeerAccess"}) {
    script.failures = {{call, 700}};
    EXPECT_THAT(FirstOf(Measure(script)).warnings,
                Contains(std::string("copy.to_peer: ") + call + ": CUDA_ERROR_OF_TEST (700)"));
  }
  script.failures = {{"cuMemcpyPeerAsync", 700}};
  EXPECT_THAT(FirstOf(Measure(script)).warnings, Contains(HasSubstr("cuMemcpyPeerAsync")));
}

TEST_F(MeasureGpusTest, Interrupted) {
  stop_ = true;
  const GpuMachine gpu = MeasureOne();
  EXPECT_THAT(gpu.ceilings, IsEmpty());
  EXPECT_THAT(gpu.warnings, Contains("interrupted: not all was measured"));
}

TEST_F(MeasureGpusTest, NothingToMeasure) {
  Script script;
  script.devices = 0;
  EXPECT_EQ(Measure(script).error(), "the driver lists no GPU here");
  script.failures = {{"cuInit", 100}};
  EXPECT_EQ(Measure(script).error(), "cuInit: CUDA_ERROR_OF_TEST (100)");
  MeasureOptions options;
  EXPECT_THAT(MeasureGpus("", options, progress_).error(), HasSubstr("built without nvcc"));
}

// Whatever fails, and from whatever call on: it is named, nothing stays, no figure is wrong.
TEST_F(MeasureGpusTest, AFailingCallIsNamed) {
  for (const char* call :
       {"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid_v2", "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent", "cuModuleLoadData", "cuEventCreate", "cuMemGetInfo_v2", "cuMemAlloc_v2",
        "cuMemHostAlloc", "cuMemsetD32_v2", "cuLaunchKernel", "cuCtxSynchronize", "cuEventRecord",
        "cuEventSynchronize", "cuEventElapsedTime", "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2"}) {
    for (const int from : {1, 3}) {
      SCOPED_TRACE(std::string(call) + " from time " + std::to_string(from));
      Script script;
      script.failures = {{call, 700}};
      script.from = {{call, from}};
      const auto machines = Measure(script);
      if (gpu_stand_in::Calls(call) < from) continue;
      ASSERT_TRUE(machines) << machines.error();
      EXPECT_THAT((*machines)[0].warnings, Contains(AllOf(HasSubstr("not measured from there on"),
                                                          HasSubstr(call), HasSubstr("(700)"))));
    }
  }
}

}  // namespace
}  // namespace roofmark
