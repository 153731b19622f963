// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/diagnose.h"

#include <fmt/format.h>

#include <cerrno>

namespace roofmark::cli {
namespace {

int MostParanoid(Target target) {
  switch (target) {
    case Target::kSoftware:
    case Target::kCore:
      return 2;
    case Target::kKernel:
      return 1;
    case Target::kPackage:
      return 0;
  }
  return 0;
}

std::string ContainerCure(const SystemFacts& facts) {
  if (facts.container == "Docker" || facts.container == "Podman") {
    const std::string_view command = facts.container == "Docker" ? "docker" : "podman";
    return fmt::format(
        "{} run --cap-add PERFMON ... (if that is not enough: --security-opt "
        "seccomp=unconfined)",
        command);
  }
  if (facts.container == "Kubernetes") {
    return "in the pod: securityContext: {capabilities: {add: [PERFMON]}, seccompProfile: {type: "
           "Unconfined}}";
  }
  return "start the container or service with a seccomp profile that allows perf_event_open";
}

Diagnosis Filtered(int error, const SystemFacts& facts) {
  return {
      State::kDenied, error,
      fmt::format("a seccomp filter{} stops perf_event_open before the operating system sees it",
                  facts.container.empty() ? std::string() : " of the container"),
      ContainerCure(facts)};
}

Diagnosis SecurityModule(int error, const SystemFacts& facts) {
  return {
      State::kDenied, error,
      fmt::format("perf_event_paranoid {} would allow it: a security module (SELinux, lockdown) "
                  "or the container forbids it",
                  facts.paranoid ? std::to_string(*facts.paranoid) : "(unreadable)"),
      "ask the administrator; `dmesg | grep -i -e avc -e lockdown` may name the rule"};
}

Diagnosis TooParanoid(int error, Target target, const SystemFacts& facts) {
  const int most = MostParanoid(target);
  std::string cure = fmt::format("sudo sysctl kernel.perf_event_paranoid={}", most);
  if (!facts.container.empty()) {
    cure += " (on the host, not in the container)";
  } else if (target == Target::kPackage || most < *facts.paranoid) {
    cure += ", or for one program: sudo setcap cap_perfmon+ep PROGRAM";
  }
  return {State::kDenied, error,
          fmt::format("kernel.perf_event_paranoid is {}; this needs {} or less, or CAP_PERFMON{}",
                      *facts.paranoid, most,
                      facts.MayCountAll()
                          ? " (the capability of this process is valid in its user namespace only)"
                          : ""),
          std::move(cure)};
}

Diagnosis Forbidden(int error, Target target, const SystemFacts& facts) {
  if (error == EPERM && facts.seccomp) return Filtered(error, facts);
  if (!facts.paranoid || *facts.paranoid <= MostParanoid(target)) {
    return SecurityModule(error, facts);
  }
  return TooParanoid(error, target, facts);
}

Diagnosis NotThere(int error, Target target, const SystemFacts& facts) {
  if (target == Target::kSoftware) {
    return {State::kUnsupported, error, "this Linux kernel has no software events", ""};
  }
  if (!facts.hypervisor.empty()) {
    return {State::kUnsupported, error,
            fmt::format("the hypervisor ({}) does not pass the PMU through to this virtual machine",
                        facts.hypervisor),
            HypervisorCure(facts.hypervisor)};
  }
  return {State::kUnsupported, error,
          fmt::format("Linux {} has no driver for this event of this CPU", facts.kernel),
          "a newer Linux kernel; `dmesg | grep -i 'performance events'` says what it found"};
}

Diagnosis NoDescriptor(int error, const SystemFacts& facts) {
  return {State::kDenied, error,
          fmt::format("no file descriptor is left: {} of {} are open", facts.open_files,
                      facts.most_files),
          facts.most_files < facts.most_files_hard
              ? "ulimit -n $(ulimit -Hn)"
              : "ask the administrator for a higher limit in /etc/security/limits.conf (nofile)"};
}

}  // namespace

std::string HypervisorCure(std::string_view hypervisor) {
  if (hypervisor == "KVM") {
    return "on the host: qemu -cpu host,pmu=on (libvirt: <pmu state='on'/>); other hypervisors, "
           "such as Firecracker, cannot";
  }
  if (hypervisor == "QEMU") return "emulated CPUs have no counters: start the machine with KVM";
  if (hypervisor == "VMware") return "in the machine's settings: vpmc.enable = \"TRUE\"";
  if (hypervisor == "Hyper-V") {
    return "on the host, machine off: Set-VMProcessor -VMName NAME -Perfmon @(\"pmu\")";
  }
  if (hypervisor == "Xen") return "boot the host's Xen with vpmu=1";
  if (hypervisor == "Amazon EC2") return "use a .metal size, or a size that fills a whole socket";
  if (hypervisor == "Google Compute Engine") {
    return "gcloud compute instances create ... --performance-monitoring-unit=standard, or a metal "
           "type";
  }
  return "ask the administrator of the host to pass the PMU through, or use a bare-metal machine";
}

Diagnosis DiagnoseOpen(int error, Target target, const SystemFacts& facts) {
  switch (error) {
    case 0:
      return {};
    case EACCES:
    case EPERM:
      return Forbidden(error, target, facts);
    case EMFILE:
    case ENFILE:
      return NoDescriptor(error, facts);
    case EBUSY:
      return {State::kDenied, error, "another profiler holds the counters exclusively",
              "end that profiler; `sudo lsof | grep perf_event` names it"};
    case ENOSYS:
      return DiagnoseSystemCall(error, facts);
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
      return NotThere(error, target, facts);
    case EINVAL:
      return {State::kUnsupported, error,
              fmt::format("Linux {} refuses this event's encoding", facts.kernel),
              "a newer Linux kernel"};
    default:
      return {State::kUnsupported, error, "the operating system refuses the event", ""};
  }
}

Diagnosis DiagnoseNeverRuns(const SystemFacts& facts) {
  if (facts.nmi_watchdog) {
    return {State::kLimited, 0,
            "can be opened but never counts: the NMI watchdog holds the counter",
            "sudo sysctl kernel.nmi_watchdog=0"};
  }
  return {
      State::kLimited, 0,
      "can be opened but never counts: other programs hold the counters (the site's monitoring, a "
      "profiler)",
      "sudo lsof | grep perf_event names them; ask the site to pause its monitoring for the job"};
}

Diagnosis DiagnoseSystemCall(int error, const SystemFacts& facts) {
  switch (error) {
    case EINVAL:
    case E2BIG:
    case EFAULT:
      return {};
    case ENOSYS:
      if (facts.seccomp) return Filtered(error, facts);
      return {
          State::kUnsupported, error,
          "this Linux kernel has no perf_event_open (CONFIG_PERF_EVENTS is off, or it is a sandbox "
          "such as gVisor)",
          "use another Linux kernel or container runtime"};
    case EPERM:
      if (facts.seccomp) return Filtered(error, facts);
      return SecurityModule(error, facts);
    case EACCES:
      return Forbidden(error, Target::kCore, facts);
    case EMFILE:
    case ENFILE:
      return NoDescriptor(error, facts);
    default:
      return {State::kUnsupported, error, "perf_event_open fails", ""};
  }
}

Diagnosis DiagnoseNoDevice(std::string_view pattern, const SystemFacts& facts) {
  if (!facts.hypervisor.empty()) {
    return {State::kUnsupported, 0,
            fmt::format("virtual machines ({}) do not see the host's counters outside the cores",
                        facts.hypervisor),
            "count on bare metal, or use the traffic that `roofmark run` models"};
  }
  struct Driver {
    std::string_view device, module, since;
  };
  constexpr Driver kDrivers[] = {
      {"uncore_", "intel-uncore", ""},
      {"amd_umc", "amd-uncore", "needs Linux 6.10"},
      {"amd_df", "amd-uncore", ""},
      {"amd_l3", "amd-uncore", ""},
      {"nvidia_scf", "nvidia_cspmu", "needs Linux 6.1 and firmware that lists it"},
      {"arm_cmn", "arm-cmn", ""},
      {"uncore_dmc", "thunderx2_pmu", ""},
  };
  const Driver* driver = nullptr;
  for (const Driver& each : kDrivers) {
    // The longest prefix: uncore_dmc is not Intel's.
    if (pattern.starts_with(each.device) &&
        (driver == nullptr || each.device.size() > driver->device.size())) {
      driver = &each;
    }
  }
  Diagnosis diagnosis{State::kMissing, 0,
                      fmt::format("no device {} in /sys/bus/event_source/devices", pattern),
                      "a Linux kernel with the driver of this device"};
  if (driver != nullptr) {
    diagnosis.cause += fmt::format(": its driver {} is not loaded", driver->module);
    diagnosis.cure = fmt::format("sudo modprobe {}{}{}", driver->module,
                                 driver->since.empty() ? "" : "; ", driver->since);
  }
  return diagnosis;
}

}  // namespace roofmark::cli
