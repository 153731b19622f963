// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/valgrind/reexec.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <vector>

#include "collectors/counting/host_caches.h"
#include "collectors/counting/limits.h"
#include "collectors/counting/valgrind/protocol.h"
#include "lib/core/descriptor.h"
#include "lib/core/directory.h"
#include "lib/core/file.h"
#include "lib/core/launcher.h"
#include "lib/core/messages/collectors.h"
#include "lib/core/path_list.h"
#include "lib/core/start_cpus.h"

namespace roofmark::counting {
namespace {

// Carries the process id over the exec, so that a second failure is told from a first try.
constexpr char kTried[] = "ROOFMARK___REEXEC";
// Carries the program's own TMPDIR over the exec, where the engine is given another one.
constexpr char kOwnTmpdir[] = "ROOFMARK___TMPDIR";
// Carries which standard streams are closed: the engine takes the number of stderr for itself
// unless something is there.
constexpr char kClosedStreams[] = "ROOFMARK___CLOSED";
constexpr char kTool[] = "roofmark-amd64-linux";

std::string DirName(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// The engine gives the program the name it was executed by. argv[0] is kept where it names the same
// file (virtual environments of Python find themselves by it).
std::string ProgramName(const std::string& executable, const std::string& argv0) {
  struct stat ours, theirs;
  const bool same = argv0.find('/') != std::string::npos && stat(argv0.c_str(), &theirs) == 0 &&
                    stat(executable.c_str(), &ours) == 0 &&
                    OpenFile::Of(ours) == OpenFile::Of(theirs);
  return same ? argv0 : executable;
}

// The native process's stack limit; the engine's own default of 16 MB would break large arrays.
uint64_t StackBytes() {
  constexpr uint64_t kUnlimited = uint64_t{1} << 30;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return std::clamp<uint64_t>(limit.rlim_cur, uint64_t{8} << 20, uint64_t{4} << 30);
}

// How the engine would be started, or why not.
Result<std::vector<std::string>> EngineArguments(const Settings& settings) {
  std::vector<std::string> arguments = {
      "--tool=roofmark",
      "--command-line-only=yes",  // not the user's ~/.valgrindrc: it is meant for other tools
      "-q",
      "--vgdb=no",                // nobody attaches a debugger, and it would make FIFOs in TMPDIR
      "--sigill-diagnostics=no",  // the tool explains what cannot be executed, in one sentence
      "--fair-sched=try",
      fmt::format("--main-stacksize={}", StackBytes()),
      "--max-threads=5000",
      "--count=" + settings.count,
  };
  if (settings.count == "flops") return arguments;
  const Result<std::string> cache = CachesToModel(settings);
  if (!cache) return Error{cache.error()};
  arguments.push_back("--cache=" + *cache);
  arguments.push_back(fmt::format("--line-sampling={}", settings.sample));
  const Result<std::string> latencies = LatenciesToModel(settings);
  if (!latencies) return Error{latencies.error()};
  // The tool writes sampled lines alone to its trace: what is left out would seem near.
  const bool are_followed = !latencies->empty() && settings.sample == 1;
  if (are_followed) arguments.push_back("--latencies=" + *latencies);
  return arguments;
}

void SetIfUnset(const char* name, const char* value) { setenv(name, value, /*overwrite=*/0); }

// The engine writes a file when it starts and ends the program if it cannot.
std::string GiveTemporaryDirectory() {
  const std::string place = TemporaryDirectory();
  if (access(place.c_str(), W_OK | X_OK) != 0) {
    return InWords(message::kNoTemporaryDirectory);
  }
  const char* own = std::getenv("TMPDIR");
  if (place == (own == nullptr ? "/tmp" : own)) return {};
  setenv(kOwnTmpdir, own == nullptr ? "" : own, 1);
  setenv("TMPDIR", place.c_str(), 1);
  return {};
}

void TakeBackTemporaryDirectory() {
  const char* carried = std::getenv(kOwnTmpdir);
  if (carried == nullptr) return;
  const std::string own = carried;
  unsetenv(kOwnTmpdir);
  own.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", own.c_str(), 1);
}

void OpenClosedStreams() {
  std::string closed;
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0 || open("/dev/null", O_RDWR) != stream) continue;
    closed += static_cast<char>('0' + stream);
  }
  if (!closed.empty()) setenv(kClosedStreams, closed.c_str(), 1);
}

void CloseStreamsAgain() {
  const char* closed = std::getenv(kClosedStreams);
  if (closed == nullptr) return;
  for (; *closed >= '0' && *closed < '3'; ++closed) close(*closed - '0');
  unsetenv(kClosedStreams);
}

// Beside memory. The engine ends the program if it cannot have it.
constexpr Need kNeededFiles[] = {
    {RLIMIT_FSIZE, rlim_t{64} << 10, "size of a file (ulimit -f)"},
    {RLIMIT_NOFILE, kFewFiles, "open files (ulimit -n)"},
};

void PrepareEnvironment(const std::string& tool_dir) {
  setenv(kTried, std::to_string(getpid()).c_str(), 1);
  setenv("VALGRIND_LIB", tool_dir.c_str(), 1);
  setenv("VALGRIND_LAUNCHER", (tool_dir + "/" + kTool).c_str(), 1);
  // Spinning threads would fill the counts with instructions of no work.
  SetIfUnset("OMP_WAIT_POLICY", "passive");
  SetIfUnset("GOMP_SPINCOUNT", "0");
  // hwloc's x86 back end warns about the engine's CPUID.
  SetIfUnset("HWLOC_COMPONENTS", "-x86");
}

// Constructors of OpenMP's runtime may have bound this thread, and are executed again.
class BoundThread {
 public:
  BoundThread() {
    known_ = sched_getaffinity(0, sizeof mask_, &mask_) == 0;
    ReturnToStartCpus();
  }
  void Restore() const {
    if (known_) sched_setaffinity(0, sizeof mask_, &mask_);
  }

 private:
  cpu_set_t mask_;
  bool known_;
};

bool TriedBefore() {
  const char* tried = std::getenv(kTried);
  return tried != nullptr && std::to_string(getpid()) == tried;
}

}  // namespace

bool RunsUnderValgrind() { return RUNNING_ON_VALGRIND != 0; }

std::string ReExecuteUnderValgrind(const Settings& settings, const std::string& library_path) {
  if (RUNNING_ON_VALGRIND) {
    TakeBackTemporaryDirectory();
    CloseStreamsAgain();
    unsetenv(kTried);  // a program that this one executes in its place is a first try
    return {};
  }
  if (TriedBefore()) return InWords(message::kEngineDidNotTakeOver);
  const std::string executable = ReadLink("/proc/self/exe");
  if (library_path != executable && !LoadedAtStart(library_path)) {
    return InWords(message::kOpenedTooLate);
  }
  // Absolute, for the program may go elsewhere before it executes another one.
  std::error_code gone;
  const std::string tool_dir = std::filesystem::absolute(
      settings.tool_dir.empty() ? DirName(library_path) + "/" ROOFMARK_PLUGIN_FOLDER "/valgrind"
                                : settings.tool_dir,
      gone);
  const std::string tool = tool_dir + "/" + kTool;
  if (access(tool.c_str(), X_OK) != 0) {
    return InWords(message::kNoTool, tool, std::strerror(errno));
  }
  if (!FitsInPathList(tool_dir)) return InWords(message::kToolFolderNotListed, tool_dir);
  for (const std::span<const Need> needs : {std::span(kNeededMemory), std::span(kNeededFiles)}) {
    if (std::string why_not = WhyTooLittle(needs); !why_not.empty()) return why_not;
  }
  Result<std::vector<std::string>> engine = EngineArguments(settings);
  if (!engine) return engine.error();
  std::vector<std::string> arguments = CommandLine();
  if (arguments.empty() || executable.empty()) {
    return InWords(message::kNoProc);
  }
  const std::string program = ProgramName(executable, arguments[0]);
  std::vector<char*> argv = {const_cast<char*>(tool.c_str())};
  for (std::string& argument : *engine) argv.push_back(argument.data());
  argv.push_back(const_cast<char*>(program.c_str()));
  for (size_t i = 1; i < arguments.size(); ++i) argv.push_back(arguments[i].data());
  argv.push_back(nullptr);
  if (std::string why_not = GiveTemporaryDirectory(); !why_not.empty()) return why_not;
  PrepareEnvironment(tool_dir);
  OpenClosedStreams();
  const BoundThread bound;
  execv(tool.c_str(), argv.data());
  const int why_not_executed = errno;
  bound.Restore();
  unsetenv(kTried);
  CloseStreamsAgain();
  TakeBackTemporaryDirectory();
  return InWords(message::kToolNotExecuted, tool, std::strerror(why_not_executed));
}

}  // namespace roofmark::counting
