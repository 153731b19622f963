// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/cupti/errors.h"
#include "lib/core/table.h"

namespace roofmark::cupti {
namespace {

// In the order in which they are given up if a chip cannot count them in one pass, the last first.
// Of two rows of one metric the first one counts that the chip knows.
constexpr MetricRow kMetricRows[] = {
    {DeviceMetric::kDpAdd, "sm__sass_thread_inst_executed_op_dadd_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kDpMul, "sm__sass_thread_inst_executed_op_dmul_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kDpFma, "sm__sass_thread_inst_executed_op_dfma_pred_on.sum", 2, Group::kKernels},
    {DeviceMetric::kSpAdd, "sm__sass_thread_inst_executed_op_fadd_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kSpMul, "sm__sass_thread_inst_executed_op_fmul_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kSpFma, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 2, Group::kKernels},
    {DeviceMetric::kHpAdd, "sm__sass_thread_inst_executed_op_hadd_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kHpMul, "sm__sass_thread_inst_executed_op_hmul_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kHpFma, "sm__sass_thread_inst_executed_op_hfma_pred_on.sum", 1, Group::kKernels},
    {DeviceMetric::kInteger, "sm__sass_thread_inst_executed_op_integer_pred_on.sum", 1,
     Group::kKernels},
    {DeviceMetric::kGlobalBytes, "sm__sass_data_bytes_mem_global.sum", 1, Group::kKernels},
    {DeviceMetric::kSharedBytes, "sm__sass_data_bytes_mem_shared.sum", 1, Group::kKernels},
    {DeviceMetric::kLocalBytes, "sm__sass_data_bytes_mem_local.sum", 1, Group::kKernels},
    {DeviceMetric::kWarpInstructions, "sm__sass_inst_executed.sum", 1, Group::kKernels},
    {DeviceMetric::kThreadInstructions, "sm__sass_thread_inst_executed.sum", 1, Group::kKernels},
    {DeviceMetric::kGlobalSectors, "sm__sass_sectors_mem_global.sum", 1, Group::kKernels},
    {DeviceMetric::kSharedInstructions, "sm__sass_inst_executed_op_shared.sum", 1, Group::kKernels},
    {DeviceMetric::kSharedWavefronts, "sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 1,
     Group::kKernels},
    {DeviceMetric::kDramReadBytes, "dram__bytes_read.sum", 1, Group::kMemory},
    {DeviceMetric::kDramWriteBytes, "dram__bytes_write.sum", 1, Group::kMemory},
    {DeviceMetric::kL2Bytes, "lts__t_bytes.sum", 1, Group::kMemory},
    {DeviceMetric::kL1Bytes, "l1tex__t_bytes.sum", 1, Group::kMemory},
    {DeviceMetric::kTensor, "sm__inst_executed_pipe_tensor.sum", 1, Group::kMemory},
    {DeviceMetric::kSmCycles, "sm__cycles_active.sum", 1, Group::kMemory},
    {DeviceMetric::kSmCyclesMax, "sm__cycles_active.max", 1, Group::kMemory},
    {DeviceMetric::kWarpCycles, "sm__warps_active.sum", 1, Group::kMemory},
    // Tags: sectors that miss (lts__t_sectors_lookup_miss) need a pass of their own.
    {DeviceMetric::kL2Lookups, "lts__t_tag_requests.sum", 1, Group::kMemory},
    {DeviceMetric::kL2Misses, "lts__t_tag_requests_miss.sum", 1, Group::kMemory},
    // Of tensor cores, FLOPs of one type fill a pass: those in double precision alone fit into this
    // one. NVIDIA calls them math operations; an FMA is two: as many as the peaks of the white
    // papers have (device_peaks.cc).
    {DeviceMetric::kTensorDpFlops, "sm__ops_path_tensor_src_fp64.sum", 1, Group::kMemory},
    {DeviceMetric::kTensorDp, "sm__inst_executed_pipe_tensor_op_dmma.sum", 1, Group::kMemory},
    {DeviceMetric::kTensorDp, "sm__inst_executed_pipe_tensor_subpipe_dmma.sum", 1, Group::kMemory},
    // As the GPU sees it: what it reads over PCIe it receives. CUPTI says no more than "PCIe read
    // data". nvprof called these pcie_total_data_received and ..._transmitted (Nsight Compute,
    // Metric Comparison), and DCGM calls what the GPU receives "rx (read)", "so copying data from
    // host to device (HtoD) would be reflected in this metric" (dcgm_fields.h,
    // DCGM_FI_PROF_PCIE_RX_BYTES).
    {DeviceMetric::kPcieReceivedBytes, "pcie__read_bytes.sum", 1, Group::kLinks, Link::kPcie},
    {DeviceMetric::kPcieSentBytes, "pcie__write_bytes.sum", 1, Group::kLinks, Link::kPcie},
    {DeviceMetric::kNvlinkReceivedBytes, "nvlrx__bytes_data_user.sum", 1, Group::kLinks,
     Link::kNvlink},
    {DeviceMetric::kNvlinkSentBytes, "nvltx__bytes_data_user.sum", 1, Group::kLinks, Link::kNvlink},
    {DeviceMetric::kC2cReceivedBytes, "ctc__rx_bytes_data_user.sum", 1, Group::kLinks, Link::kC2c},
    {DeviceMetric::kC2cSentBytes, "ctc__tx_bytes_data_user.sum", 1, Group::kLinks, Link::kC2c},
};
// The others are those of Group::kTime; one has two rows.
static_assert(std::size(kMetricRows) - 1 + 8 == kDeviceMetrics);

// A host object that is given back.
class Host {
 public:
  Host(const Library& library, HostObject object) : library_(library), object_(object) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    auto params = Make<HostDeinitializeParams>();
    params.host = object_;
    library_.host_deinitialize(&params);
  }

  // Whether it has this metric.
  Result<bool> Knows(const char* metric) const {
    auto params = Make<MetricPropertiesParams>();
    params.host = object_;
    params.metric_name = metric;
    const CuptiResult result = library_.metric_properties(&params);
    if (result == kSuccess || result == kInvalidMetricName) return result == kSuccess;
    return Failed("cuptiProfilerHostGetMetricProperties", result);
  }

  // The image that counts these; empty if they do not fit into one pass.
  Result<std::vector<uint8_t>> Configure(std::vector<const char*> names) const {
    auto add = Make<AddMetricsParams>();
    add.host = object_;
    add.metric_names = names.data();
    add.metrics = names.size();
    // Some sets that need several passes are refused as a whole.
    const CuptiResult added = library_.add_metrics(&add);
    if (added == kNotSupported) return std::vector<uint8_t>();
    if (added != kSuccess) return Failed("cuptiProfilerHostConfigAddMetrics", added);
    auto size = Make<ConfigImageSizeParams>();
    size.host = object_;
    if (const CuptiResult result = library_.config_image_size(&size); result != kSuccess) {
      return Failed("cuptiProfilerHostGetConfigImageSize", result);
    }
    std::vector<uint8_t> image(size.size);
    auto get = Make<ConfigImageParams>();
    get.host = object_;
    get.size = image.size();
    get.image = image.data();
    if (const CuptiResult result = library_.config_image(&get); result != kSuccess) {
      return Failed("cuptiProfilerHostGetConfigImage", result);
    }
    auto passes = Make<PassesParams>();
    passes.size = image.size();
    passes.image = image.data();
    if (const CuptiResult result = library_.passes(&passes); result != kSuccess) {
      return Failed("cuptiProfilerHostGetNumOfPasses", result);
    }
    if (passes.passes != 1) image.clear();
    return image;
  }

 private:
  Error Failed(const char* call, CuptiResult result) const {
    return Error{Explain(library_, call, result)};
  }

  const Library& library_;
  HostObject object_;
};

std::string& Missing(Plan& plan, DeviceMetric metric) {
  return plan.missing[static_cast<size_t>(metric)];
}

bool Counts(const Plan& plan, DeviceMetric metric) {
  return std::ranges::any_of(plan.rows, [&](const MetricRow& row) { return row.id == metric; });
}

// What this chip knows of the group.
Result<Plan> Known(const Library& library, const std::string& chip, Group group) {
  const Result<HostObject> object = OpenHost(library, chip);
  if (!object) return Error{object.error()};
  const Host host(library, *object);
  Plan plan;
  plan.chip = chip;
  plan.missing.fill(OfOtherGroup(Group::kTime));
  for (const MetricRow& row : kMetricRows) {
    if (row.group != group) {
      Missing(plan, row.id) = OfOtherGroup(row.group);
      continue;
    }
    if (Counts(plan, row.id)) continue;
    const Result<bool> known = host.Knows(row.cupti);
    if (!known) return Error{known.error()};
    if (!*known) {
      Missing(plan, row.id) = fmt::format("CUPTI does not know {} of {}", row.cupti, chip);
    } else {
      plan.rows.push_back(row);
      Missing(plan, row.id).clear();
    }
  }
  return plan;
}

void GiveUpLast(Plan& plan, std::string why) {
  Missing(plan, plan.rows.back().id) = std::move(why);
  plan.rows.pop_back();
}

// As many of its rows as fit into one pass.
Result<Plan> Fitted(const Library& library, Plan plan) {
  while (!plan.rows.empty()) {
    const Result<HostObject> object = OpenHost(library, plan.chip);
    if (!object) return Error{object.error()};
    Result<std::vector<uint8_t>> config = Host(library, *object).Configure(plan.Names());
    if (!config) return Error{config.error()};
    if (!config->empty()) {
      plan.config = std::move(*config);
      return plan;
    }
    GiveUpLast(plan, "it does not fit into one pass with the others");
  }
  return Error{fmt::format("CUPTI knows no metric of {} that is wanted", plan.chip)};
}

}  // namespace

std::span<const MetricRow> Metrics() { return kMetricRows; }

std::string OfOtherGroup(Group group) {
  constexpr Named<Group> kGroups[] = {{Group::kKernels, "auto"},
                                      {Group::kMemory, "mem"},
                                      {Group::kLinks, "links"},
                                      {Group::kTime, "time"}};
  static_assert(InOrder(kGroups, Group::kTime));
  return fmt::format("counted by ROOFMARK_GROUP={}, in another execution",
                     RowOf(kGroups, group).name);
}

Group GroupOf(std::string_view roofmark_group) {
  if (roofmark_group == "time") return Group::kTime;
  if (roofmark_group == "links") return Group::kLinks;
  return roofmark_group == "mem" || roofmark_group == "cache" ? Group::kMemory : Group::kKernels;
}

std::vector<const char*> Plan::Names() const {
  std::vector<const char*> names;
  for (const MetricRow& row : rows) names.push_back(row.cupti);
  return names;
}

Result<HostObject> OpenHost(const Library& library, const std::string& chip) {
  auto params = Make<HostInitializeParams>();
  params.profiler_type = kTypeRangeProfiler;
  params.chip_name = chip.c_str();
  const CuptiResult result = library.host_initialize(&params);
  if (result == kSuccess) return params.host;
  return Error{
      fmt::format("{} (chip {})", Explain(library, "cuptiProfilerHostInitialize", result), chip)};
}

Result<Plan> MakePlan(const Library& library, const std::string& chip, Group group) {
  Result<Plan> plan = Known(library, chip, group);
  return plan ? Fitted(library, std::move(*plan)) : plan;
}

Result<Plan> WithLinks(const Library& library, Plan plan, std::span<const Link> links,
                       const std::string& why) {
  std::erase_if(plan.rows, [&](const MetricRow& row) {
    const bool wanted =
        row.link == Link::kNone || std::ranges::find(links, row.link) != links.end();
    if (!wanted) Missing(plan, row.id) = why;
    return !wanted;
  });
  return Fitted(library, std::move(plan));
}

}  // namespace roofmark::cupti
