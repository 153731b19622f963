// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/launcher.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace roofmark {
namespace {

std::optional<uint32_t> FirstNumber(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    uint32_t value = 0;
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end && end != text) return value;
  }
  return std::nullopt;
}

std::string FirstText(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text != nullptr && *text != '\0') return text;
  }
  return {};
}

}  // namespace

Launcher ReadLauncher() {
  Launcher launcher;
  launcher.rank = FirstNumber({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"});
  launcher.ranks = FirstNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  launcher.local_ranks = FirstNumber(
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"});
  launcher.job_id = FirstText({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PMIX_NAMESPACE",
                               "OMPI_MCA_ess_base_jobid", "PMI_JOBID"});
  if (launcher.job_id.empty()) launcher.job_id = std::to_string(getpid());
  return launcher;
}

}  // namespace roofmark
