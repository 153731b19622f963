// SPDX-License-Identifier: BSD-3-Clause
#include "lib/samples/samples_json.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/limits.h"
#include "lib/core/utf8.h"
#include "lib/profile/json_document.h"

namespace roofmark {
namespace {

constexpr int kVersion = 1;
constexpr DocumentKind kKind = {"roofmark-samples", "samples file", kVersion,
                                "give a file that ROOFMARK_SAMPLES wrote"};

// --- writing
// --------------------------------------------------------------------------------------

Json WriteTexts(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(Utf8(text));
  return json;
}

Json WriteThread(const SampledThread& thread) {
  Json json = {{"number", thread.number},
               {"method", NameOf(thread.method)},
               {"period_ns", thread.period_ns},
               {"wall_ns", thread.wall_ns},
               {"cpu_ns", thread.cpu_ns},
               {"samples", thread.samples},
               {"lost", thread.lost}};
  json["kernel"] = thread.kernel ? Json(*thread.kernel) : Json(nullptr);
  return json;
}

Json WriteCounted(const std::vector<CountedPlace>& counted) {
  Json json = Json::array();
  for (const CountedPlace& one : counted) {
    Json place = {{"file", Utf8(one.place.file)}, {"offset", one.place.offset}};
    place["times"] = one.times ? Json(*one.times) : Json(nullptr);
    json.push_back(std::move(place));
  }
  return json;
}

// Names of files once, since each stands in many frames.
Json WriteCalls(const std::vector<TimedCalls>& calls) {
  std::map<std::string, size_t> numbers;
  Json files = Json::array(), rows = Json::array();
  for (const TimedCalls& one : calls) {
    Json in_file = Json::array(), offset = Json::array();
    for (const CodePlace& frame : one.frames) {
      const auto [file, is_new] = numbers.try_emplace(frame.file, numbers.size());
      if (is_new) files.push_back(Utf8(frame.file));
      in_file.push_back(file->second);
      offset.push_back(frame.offset);
    }
    rows.push_back({{"calls", one.calls},
                    {"wall_ns", one.wall_ns},
                    {"file", std::move(in_file)},
                    {"offset", std::move(offset)}});
  }
  return {{"files", std::move(files)}, {"ways", std::move(rows)}};
}

Json WriteProcess(const SampledProcess& process) {
  Json json = {{"rank", process.rank},
               {"ranks", process.ranks},
               {"pid", process.pid},
               {"host", Utf8(process.host)},
               {"command", WriteTexts(process.command)},
               {"start_time", process.start_time},
               {"hz", process.hz},
               {"wall_ns", process.wall_ns},
               {"cpu_ns", process.cpu_ns},
               {"system_ns", process.system_ns},
               {"unknown", process.unknown}};
  if (!process.why_not_perf_event.empty()) {
    json["why_not_perf_event"] = Utf8(process.why_not_perf_event);
  }
  if (!process.why_no_kernel.empty()) json["why_no_kernel"] = Utf8(process.why_no_kernel);
  json["warnings"] = WriteTexts(process.warnings);
  json["own"] = {{"wake_ups", process.own.wake_ups}, {"cpu_ns", process.own.cpu_ns}};
  json["threads"] = Json::array();
  for (const SampledThread& thread : process.threads) {
    json["threads"].push_back(WriteThread(thread));
  }
  if (process.other_threads > 0) json["other_threads"] = process.other_threads;
  if (!process.counted.empty()) json["counted"] = WriteCounted(process.counted);
  if (!process.why_not_counted.empty()) json["why_not_counted"] = Utf8(process.why_not_counted);
  if (!process.mpi_calls.empty()) json["mpi_calls"] = WriteCalls(process.mpi_calls);
  return json;
}

Json WriteModule(const SampledModule& module) {
  Json json = {{"file", Utf8(module.file)}};
  if (!module.build_id.empty()) json["build_id"] = module.build_id;
  Json offsets = Json::array(), samples = Json::array(), cpu_ns = Json::array(),
       main_ns = Json::array(), kernel_ns = Json::array();
  for (const SampledPlace& place : module.places) {
    offsets.push_back(place.offset);
    samples.push_back(place.samples);
    cpu_ns.push_back(place.cpu_ns);
    main_ns.push_back(place.main_ns);
    kernel_ns.push_back(place.kernel_ns);
  }
  json["offset"] = std::move(offsets);
  json["samples"] = std::move(samples);
  json["cpu_ns"] = std::move(cpu_ns);
  json["main_ns"] = std::move(main_ns);
  json["kernel_ns"] = std::move(kernel_ns);
  return json;
}

// --- reading
// --------------------------------------------------------------------------------------

SampleMethod ReadMethod(const JsonNode& node) {
  const std::string name = node.Required().String();
  if (name == NameOf(SampleMethod::kTimer)) return SampleMethod::kTimer;
  if (name != NameOf(SampleMethod::kPerfEvent)) node.Fail("is neither `perf_event` nor `timer`");
  return SampleMethod::kPerfEvent;
}

SampledThread ReadThread(const JsonNode& node) {
  SampledThread thread;
  thread.number = node["number"].Required().Uint32();
  thread.method = ReadMethod(node["method"]);
  thread.period_ns = node["period_ns"].Required().Uint();
  thread.wall_ns = node["wall_ns"].Required().Uint();
  thread.cpu_ns = node["cpu_ns"].Required().Uint();
  thread.samples = node["samples"].Required().Uint();
  if (node["kernel"].present()) thread.kernel = node["kernel"].Uint();
  thread.lost = node["lost"].Required().Uint();
  if (thread.period_ns == 0) node["period_ns"].Fail("is 0");
  if (thread.kernel.value_or(0) > thread.samples)
    node["kernel"].Fail("is above `samples` beside it");
  return thread;
}

std::vector<CountedPlace> ReadCounted(const JsonNode& node) {
  std::vector<CountedPlace> counted;
  for (const JsonNode& one : node.Items(limits::kCountedPlaces)) {
    CountedPlace place;
    place.place = {one["file"].Required().String(), one["offset"].Required().Uint()};
    if (one["times"].present()) place.times = one["times"].Uint();
    counted.push_back(std::move(place));
  }
  return counted;
}

TimedCalls ReadWay(const JsonNode& node, const std::vector<std::string>& files) {
  TimedCalls way;
  way.calls = node["calls"].Required().Uint();
  way.wall_ns = node["wall_ns"].Required().Uint();
  const std::vector<JsonNode> in_file = node["file"].Required().Items(kMostTimedFrames);
  const std::vector<JsonNode> offset = node["offset"].Required().Items(kMostTimedFrames);
  if (in_file.size() != offset.size()) node["offset"].Fail("is not as long as `file` beside it");
  for (size_t i = 0; i < std::min(in_file.size(), offset.size()); ++i) {
    const uint64_t number = in_file[i].Uint();
    if (number >= files.size()) {
      in_file[i].Fail("is no index of `files`");
      return way;
    }
    way.frames.push_back({files[number], offset[i].Uint()});
  }
  return way;
}

std::vector<TimedCalls> ReadCalls(const JsonNode& node) {
  if (!node.present()) return {};
  std::vector<std::string> files;
  for (const JsonNode& file : node["files"].Required().Items(limits::kSampledModules)) {
    files.push_back(file.Required().String());
  }
  std::vector<TimedCalls> calls;
  for (const JsonNode& way : node["ways"].Required().Items(kMostTimedCalls)) {
    calls.push_back(ReadWay(way, files));
  }
  return calls;
}

SampledProcess ReadProcess(const JsonNode& node) {
  SampledProcess process;
  process.ranks = node["ranks"].Required().Within(1, limits::kRanks, 1);
  process.rank = node["rank"].Required().Within(0, process.ranks - 1, 0);
  process.pid = node["pid"].Required().Uint();
  process.host = node["host"].Required().String();
  process.command = node["command"].Strings();
  process.start_time = node["start_time"].String();
  process.hz = node["hz"].Required().Uint32();
  process.wall_ns = node["wall_ns"].Required().Uint();
  process.cpu_ns = node["cpu_ns"].Required().Uint();
  process.system_ns = node["system_ns"].Required().Uint();
  process.unknown = node["unknown"].Required().Uint();
  process.why_not_perf_event = node["why_not_perf_event"].String();
  process.why_no_kernel = node["why_no_kernel"].String();
  process.warnings = node["warnings"].Strings();
  process.own = {node["own"]["wake_ups"].Uint(), node["own"]["cpu_ns"].Uint()};
  for (const JsonNode& thread : node["threads"].Required().Items(limits::kSampledThreads)) {
    process.threads.push_back(ReadThread(thread));
    const SampledThread& last = process.threads.back();
    const size_t before = process.threads.size() - 1;
    if (before > 0 && process.threads[before - 1].number >= last.number) {
      thread["number"].Fail("is not above that of the thread before");
    }
  }
  process.other_threads = node["other_threads"].Uint32();
  process.counted = ReadCounted(node["counted"]);
  process.why_not_counted = node["why_not_counted"].String();
  process.mpi_calls = ReadCalls(node["mpi_calls"]);
  return process;
}

SampledModule ReadModule(const JsonNode& node, size_t places_left) {
  SampledModule module;
  module.file = node["file"].Required().String();
  module.build_id = node["build_id"].String();
  const bool is_hexadecimal =
      module.build_id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_hexadecimal) node["build_id"].Fail("is not hexadecimal, in lower case");
  const std::vector<JsonNode> offsets = node["offset"].Required().Items(places_left);
  const std::vector<JsonNode> samples = node["samples"].Required().Items(offsets.size());
  const std::vector<JsonNode> cpu_ns = node["cpu_ns"].Required().Items(offsets.size());
  const std::vector<JsonNode> main_ns = node["main_ns"].Required().Items(offsets.size());
  const bool has_kernel = node["kernel_ns"].present();  // earlier versions did not tell it apart
  const std::vector<JsonNode> kernel_ns = node["kernel_ns"].Items(offsets.size());
  size_t places = std::min({offsets.size(), samples.size(), cpu_ns.size(), main_ns.size()});
  if (has_kernel) places = std::min(places, kernel_ns.size());
  if (places < offsets.size()) node["offset"].Fail("is longer than a column beside it");
  for (size_t i = 0; i < places; ++i) {
    const SampledPlace place = {offsets[i].Uint(), samples[i].Uint(), cpu_ns[i].Uint(),
                                main_ns[i].Uint(), has_kernel ? kernel_ns[i].Uint() : 0};
    if (place.main_ns > place.cpu_ns) main_ns[i].Fail("is above `cpu_ns` beside it");
    if (place.kernel_ns > place.cpu_ns) kernel_ns[i].Fail("is above `cpu_ns` beside it");
    if (!module.places.empty() && module.places.back().offset >= place.offset) {
      offsets[i].Fail("is not above that of the place before");
    }
    module.places.push_back(place);
  }
  return module;
}

Samples Read(const JsonNode& root) {
  Samples samples;
  for (const JsonNode& process : root["processes"].Required().Items(limits::kRanks)) {
    samples.processes.push_back(ReadProcess(process));
  }
  size_t places = 0;
  for (const JsonNode& module : root["modules"].Required().Items(limits::kSampledModules)) {
    samples.modules.push_back(ReadModule(module, limits::kSampledPlaces - places));
    places += samples.modules.back().places.size();
  }
  return samples;
}

}  // namespace

std::string SamplesToJson(const Samples& samples) {
  Json root = {{"format", kKind.format}, {"version", kVersion}};
  root["processes"] = Json::array();
  for (const SampledProcess& process : samples.processes) {
    root["processes"].push_back(WriteProcess(process));
  }
  root["modules"] = Json::array();
  for (const SampledModule& module : samples.modules) {
    root["modules"].push_back(WriteModule(module));
  }
  return DumpDocument(root);
}

Result<Samples> SamplesFromJson(std::string_view text, const std::string& name) {
  const Result<Json> root = ParseDocument(text, name, kKind);
  if (!root) return Error{root.error()};
  std::string error;
  Samples samples = Read(JsonNode(&*root, "", &error));
  if (!error.empty()) return Damaged(name, kKind, error);
  return samples;
}

}  // namespace roofmark
