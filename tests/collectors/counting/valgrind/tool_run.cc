// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/counting/valgrind/tool_run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace roofmark {
namespace {

std::string ReadAll(FILE* file) {
  std::string text;
  char buffer[4096];
  std::rewind(file);
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

[[noreturn]] void Become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, int out, int err) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  for (const std::string& setting : environment) putenv(const_cast<char*>(setting.c_str()));
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

void ReadReport(ToolRun* run) {
  std::istringstream lines(run->out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string word;
    fields >> word;
    if (word == "lost_paths") fields >> run->lost_paths;
    if (word != "record" && word != "layer" && word != "cheap") continue;
    unsigned layer = ROOF_LAYER_WORK, thread = 0, path = 0;
    Counters counters(ROOF_COUNTERS);
    if (word == "layer") fields >> layer;
    fields >> thread >> path;
    for (uint64_t& counter : counters) fields >> counter;
    (word == "cheap" ? run->cheap : run->layers[layer])[{thread, path}] = counters;
  }
}

// Files, not pipes: nothing can block on a full one.
ToolRun Run(const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment) {
  ToolRun run;
  FILE* out = std::tmpfile();
  FILE* err = std::tmpfile();
  pid_t child = fork();
  if (child == 0) Become(arguments, environment, fileno(out), fileno(err));
  int status = 0;
  waitpid(child, &status, 0);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = ReadAll(out);
  run.err = ReadAll(err);
  std::fclose(out);
  std::fclose(err);
  ReadReport(&run);
  return run;
}

std::string Guest(const std::string& name) { return std::string(ROOFMARK_GUESTS) + "/" + name; }

std::vector<std::string> ToolCommand(const std::vector<std::string>& options,
                                     const std::vector<std::string>& command) {
  std::vector<std::string> arguments = {std::string(ROOFMARK_TOOL_DIR) + "/roofmark-amd64-linux",
                                        "--tool=roofmark", "--quiet", "--fair-sched=try"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(Guest(command[0]));
  arguments.insert(arguments.end(), command.begin() + 1, command.end());
  return arguments;
}

std::vector<std::string> ToolEnvironment(const std::vector<std::string>& more) {
  std::vector<std::string> settings = {std::string("VALGRIND_LIB=") + ROOFMARK_TOOL_DIR,
                                       "VALGRIND_LAUNCHER=/usr/bin/valgrind.bin",
                                       "OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=0"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace

Counters ToolRun::At(unsigned thread, unsigned path) const {
  return InLayer(ROOF_LAYER_WORK, thread, path);
}

Counters ToolRun::InLayer(unsigned layer, unsigned thread, unsigned path) const {
  const Contexts& contexts = layers[layer];
  auto found = contexts.find({thread, path});
  return found == contexts.end() ? Counters(ROOF_COUNTERS) : found->second;
}

Counters ToolRun::OfPath(unsigned path) const {
  Counters sum(ROOF_COUNTERS);
  for (const auto& [key, counters] : layers[ROOF_LAYER_WORK])
    for (size_t i = 0; key.second == path && i < sum.size(); ++i) sum[i] += counters[i];
  return sum;
}

ToolRun RunTool(const std::vector<std::string>& options, const std::vector<std::string>& command,
                const std::vector<std::string>& environment) {
  return Run(ToolCommand(options, command), ToolEnvironment(environment));
}

ToolRun RunToolUnder(const std::vector<std::string>& launcher,
                     const std::vector<std::string>& options,
                     const std::vector<std::string>& command) {
  std::vector<std::string> arguments = launcher;
  const std::vector<std::string> tool = ToolCommand(options, command);
  arguments.insert(arguments.end(), tool.begin(), tool.end());
  // Open MPI: as root, and more ranks than cores. The x86 back end of hwloc dislikes the CPUID.
  return Run(arguments,
             ToolEnvironment({"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                              "OMPI_MCA_rmaps_base_oversubscribe=1", "HWLOC_COMPONENTS=-x86"}));
}

ToolRun RunNative(const std::vector<std::string>& command) {
  std::vector<std::string> arguments = {Guest(command[0])};
  arguments.insert(arguments.end(), command.begin() + 1, command.end());
  return Run(arguments, {});
}

uint64_t Flops(const Counters& counters, int precision, int width, int kind) {
  uint64_t sum = 0;
  for (int p = 0; p < ROOF_PRECISIONS; ++p)
    for (int w = 0; w < ROOF_WIDTHS; ++w)
      for (int k = 0; k < ROOF_KINDS; ++k)
        if ((precision < 0 || p == precision) && (width < 0 || w == width) &&
            (kind < 0 || k == kind))
          sum += counters[static_cast<size_t>(ROOF_C_FLOPS(p, w, k))];
  return sum;
}

std::vector<std::string> SmallCaches(const std::string& count) {
  return {"--count=" + count, "--cache=L1:32K:8,L2:256K:8,L3:1M:16"};
}

}  // namespace roofmark
