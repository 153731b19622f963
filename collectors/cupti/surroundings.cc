// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/surroundings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace roofmark::cupti {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 100000;  // of a folder
constexpr char kHostEngine[] = "nv-hostengine";

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Names of what lies in a folder; none where there is no folder.
std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end;
       !error && at != end && names.size() < kMostEntries; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

// gpu0/mig/gi1, gpu0/mig/gi2: one folder for each instance that exists.
uint32_t MigInstances(const fs::path& driver) {
  uint32_t instances = 0;
  for (const std::string& gpu : NamesIn(driver / "capabilities")) {
    if (!gpu.starts_with("gpu")) continue;
    for (const std::string& name : NamesIn(driver / "capabilities" / gpu / "mig")) {
      if (name.starts_with("gi")) ++instances;
    }
  }
  return instances;
}

bool IsNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char character) {
    return character >= '0' && character <= '9';
  });
}

// Names of processes are cut after 15 characters; this one has 13.
bool RunsHostEngine(const fs::path& processes) {
  const std::vector<std::string> names = NamesIn(processes);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    if (!IsNumber(name)) return false;
    std::ifstream file(processes / name / "comm");
    std::string command;
    return std::getline(file, command) && command == kHostEngine;
  });
}

std::string FolderOfMps(const SurroundingRoots& roots) {
  const std::string named = FromEnvironment("CUDA_MPS_PIPE_DIRECTORY");
  const fs::path folder = named.empty() ? roots.mps : named;
  std::error_code error;
  return fs::exists(folder / "control", error) && !error ? folder.string() : std::string();
}

SurroundingNote OfVisible(const Surroundings& of) {
  SurroundingNote note = {"cuda_visible_devices",
                          "CUDA_VISIBLE_DEVICES",
                          of.visible->empty() ? "set to nothing" : *of.visible,
                          "",
                          "",
                          of.HidesAll()};
  if (of.HidesAll()) {
    note.cause = "CUDA_VISIBLE_DEVICES hides every GPU from the program";
    note.cure = "unset CUDA_VISIBLE_DEVICES, or list GPUs in it (nvidia-smi -L)";
  }
  return note;
}

SurroundingNote OfMig(const Surroundings& of) {
  return {
      "mig",
      "MIG",
      fmt::format("{} GPU instances", of.mig_instances),
      "MIG divides GPUs into instances: a process sees one of them, its multiprocessors and its "
      "memory, and its counters may be refused",
      "name the instance that is meant in CUDA_VISIBLE_DEVICES (nvidia-smi -L); for counters "
      "that are refused an administrator ends MIG (nvidia-smi -mig 0)",
      false};
}

SurroundingNote OfMps(const Surroundings& of) {
  return {"mps",
          "MPS",
          fmt::format("a control daemon in {}", of.mps),
          "MPS lets programs share a GPU: its counters may be refused, and what is counted by the "
          "device as a whole has the others' work in it",
          "end it for the measurement (echo quit | nvidia-cuda-mps-control), or take a GPU without "
          "it",
          false};
}

SurroundingNote OfInjection(const Surroundings& of) {
  return {"gpu_profiler",
          "profiler of CUDA",
          fmt::format("CUDA loads {}", of.injection),
          "CUDA_INJECTION64_PATH loads another profiler, and one at a time has the counters",
          "unset CUDA_INJECTION64_PATH",
          false};
}

SurroundingNote OfDcgm() {
  return {"dcgm",
          "DCGM",
          "its host engine runs",
          "DCGM has the counters while it samples profiling metrics",
          "dcgmi profile --pause, and afterwards --resume",
          false};
}

}  // namespace

// An entry that is no device ends the list: what stands behind it is hidden.
bool Surroundings::HidesAll() const {
  if (!visible) return false;
  const std::string_view text = *visible;
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return true;
  const std::string_view first = text.substr(begin);
  const bool index = first[0] >= '0' && first[0] <= '9';
  return !index && !first.starts_with("GPU-") && !first.starts_with("MIG-");
}

Surroundings ReadSurroundings(const SurroundingRoots& roots) {
  Surroundings surroundings;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
    surroundings.visible = visible;
  }
  surroundings.mig_instances = MigInstances(roots.driver);
  surroundings.mps = FolderOfMps(roots);
  surroundings.injection = FromEnvironment("CUDA_INJECTION64_PATH");
  surroundings.dcgm = RunsHostEngine(roots.processes);
  return surroundings;
}

std::vector<SurroundingNote> NotesOf(const Surroundings& of) {
  std::vector<SurroundingNote> notes;
  if (of.visible) notes.push_back(OfVisible(of));
  if (of.mig_instances > 0) notes.push_back(OfMig(of));
  if (!of.mps.empty()) notes.push_back(OfMps(of));
  if (!of.injection.empty()) notes.push_back(OfInjection(of));
  if (of.dcgm) notes.push_back(OfDcgm());
  return notes;
}

std::string SurroundingPhrase(const Surroundings& surroundings) {
  std::string phrase;
  for (const SurroundingNote& note : NotesOf(surroundings)) {
    if (note.cause.empty()) continue;
    if (!phrase.empty()) phrase += "; ";
    phrase += fmt::format("{}: {}", note.cause, note.cure);
  }
  return phrase;
}

}  // namespace roofmark::cupti
