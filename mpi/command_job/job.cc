// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/command_job/job.h"

#include <dlfcn.h>

#include <filesystem>

#include "lib/core/launcher.h"
#include "lib/core/messages/mpi.h"
#include "mpi/library.h"

namespace roofmark::mpi {
namespace {

// Debian's name of MPICH's library stands before that of its other builds and of its relatives.
std::vector<const char*> LibraryNames(const std::string& family) {
  if (family == "openmpi") return {"libmpi.so.40", "libmpi.so"};
  return {"libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.so"};
}

struct Library {
  void* handle = nullptr;
  std::string version;
};

// Opened locally until its family is known, because "libmpi.so" may belong to any MPI.
Result<Library> LoadLibrary(const std::vector<std::string>& families) {
  std::string first_error;
  for (const std::string& family : families) {
    for (const char* name : LibraryNames(family)) {
      void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle == nullptr) {
        if (first_error.empty()) first_error = dlerror();
        continue;
      }
      const auto version =
          reinterpret_cast<VersionFunction*>(dlsym(handle, "MPI_Get_library_version"));
      Library library{handle, version == nullptr ? "" : LibraryVersion(version)};
      if (FamilyOf(library.version) == family) {
        dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
        return library;
      }
      dlclose(handle);
    }
  }
  return Error{InWords(message::kNoLauncherLibrary, first_error)};
}

// As installed and as built: in the library folder beside the command's own.
std::string CommandsPluginDirectory() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../" ROOFMARK_LIBDIR, "../lib"}) {
    const fs::path folder = bin / place / ROOFMARK_PLUGIN_FOLDER;
    if (fs::exists(folder, error)) return folder;
  }
  return bin / "../" ROOFMARK_LIBDIR "/" ROOFMARK_PLUGIN_FOLDER;
}

}  // namespace

std::optional<Launch> ReadLaunch() {
  Launch launch;
  const auto open_mpi = LauncherNumber({"OMPI_COMM_WORLD_SIZE"});
  const auto pmi = LauncherNumber({"PMI_SIZE"});
  if (open_mpi) {
    launch.ranks = open_mpi;
    launch.families = {"openmpi"};
  } else if (pmi) {
    launch.ranks = pmi;
    launch.families = {"mpich", "openmpi"};
  } else {
    // SLURM_NTASKS also stands in a batch script, which is one process.
    launch.ranks = LauncherNumber({"SLURM_STEP_NUM_TASKS"});
    if (!launch.ranks && !LauncherNumber({"PMIX_RANK"})) return std::nullopt;
    launch.families = {"openmpi", "mpich"};
  }
  if (launch.ranks && *launch.ranks < 2) return std::nullopt;
  launch.rank = ReadLauncher().rank.value_or(0);
  return launch;
}

Result<std::unique_ptr<Job>> Job::Join(const Launch& launch) {
  const Result<Library> library = LoadLibrary(launch.families);
  if (!library) return Error{library.error()};
  const Result<const Plugin*> plugin = LoadPlugin(library->version, CommandsPluginDirectory());
  if (!plugin) return Error{plugin.error()};
  const auto init = reinterpret_cast<int (*)(int*, char***)>(dlsym(library->handle, "MPI_Init"));
  const auto finalize = reinterpret_cast<int (*)()>(dlsym(library->handle, "MPI_Finalize"));
  if (init == nullptr || finalize == nullptr || init(nullptr, nullptr) != 0) {
    return Error{InWords(message::kMpiDoesNotStart, library->version)};
  }
  std::unique_ptr<Job> job(new Job(*plugin, finalize));
  uint32_t rank = 0, ranks = 0;
  // A library that does not know this launcher takes each process for a job of its own.
  if ((*plugin)->world(&rank, &ranks) && launch.ranks && ranks != *launch.ranks) {
    return Error{InWords(message::kRanksOfOtherLauncher, *launch.ranks,
                         library->version.substr(0, library->version.find(',')), ranks)};
  }
  job->comm_ = (*plugin)->open();
  if (job->comm_ == nullptr) return Error{InWords(message::kNoCommunicator)};
  return job;
}

Job::~Job() {
  if (comm_ != nullptr) plugin_->close(comm_);
  finalize_();
}

}  // namespace roofmark::mpi
