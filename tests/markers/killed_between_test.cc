// SPDX-License-Identifier: BSD-3-Clause
//
// A process may be killed before any of its instructions: whatever the spool says there is what is
// recovered then. A child visits regions and is stepped through them; counters are played.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "collectors/collector.h"
#include "collectors/hardware/threads/threads.h"
#include "lib/core/file.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/count_store.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/read.h"
#include "markers/recorder.h"
#include "tests/support/process.h"

namespace roofmark::markers {
namespace {

volatile uint64_t g_instructions = 0;

// Two groups of one event each: instructions, and twice as many cycles.
class Played final : public threads::Source {
 public:
  const std::vector<size_t>& Groups() const override { return groups_; }
  size_t Descriptors() const override { return 0; }
  std::unique_ptr<threads::Counters> Open(pid_t, threads::OpenFailure&) noexcept override {
    return std::make_unique<Totals>();
  }
  std::string Explain(int) const override { return {}; }

 private:
  struct Totals final : threads::Counters {
    bool Read(size_t group, bool, threads::Reading& reading) noexcept override {
      reading.values[0] = g_instructions * (group + 1);
      reading.enabled_ns = reading.running_ns = g_instructions;
      return true;
    }
    void CloseInChild() noexcept override {}
  };
  std::vector<size_t> groups_ = {1, 1};
};

class PlayedCollector final : public Collector {
 public:
  std::string_view Name() const override { return "played"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{};
  }
  bool WantsContexts() const override { return true; }
  void EnterTeam(uint32_t path, bool, const counts::FinishedVisit* finished) noexcept override {
    threads_.EnterTeam(path, finished);
  }
  void EnterOwn(uint32_t path, bool, const counts::FinishedVisit* finished) noexcept override {
    threads_.EnterOwn(path, finished);
  }
  void KeepIn(counts::CountStore& store) override {
    counts::KeptPlan plan;
    plan.groups = {1, 1};
    plan.events = 2;
    plan.rules = {{metric::kInstructions, {{0, 1}}}, {metric::kCycles, {{1, 1}}}};
    ASSERT_TRUE(store.Describe(plan));
    threads_.KeepIn(store);
  }

 private:
  Played source_;
  threads::Threads threads_{source_, 1000};
};

void Visit() {
  ROOF_REGION_BEGIN("outer");
  g_instructions = g_instructions + 5;
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("inner");
    g_instructions = g_instructions + 100;
    ROOF_REGION_END("inner");
  }
  g_instructions = g_instructions + 2;
  ROOF_REGION_END("outer");
  g_instructions = g_instructions + 1000;
}

class KilledBetween : public testing::Test {
 protected:
  // Visits the regions in a child that is seen stopped before the second visit.
  void Start() {
    child_ = fork();
    if (child_ == 0) Live();
    int status = 0;
    ASSERT_EQ(waitpid(child_, &status, WUNTRACED), child_);
    ASSERT_TRUE(WIFSTOPPED(status));
    file_ = directory_.File("spool/" + test::ListFiles(directory_.File("spool")).at(0));
    bytes_ = ReadFile(file_)->size();
    const int fd = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    live_ = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    ASSERT_NE(live_, MAP_FAILED);
  }
  ~KilledBetween() override {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  [[noreturn]] void Live() {
    spool::Writer::Options options;
    options.directory = directory_.File("spool");
    options.name = "rank0.host.1.spool";
    auto writer = spool::Writer::Create(options);
    JobProfile self;
    self.run.passes.emplace_back();
    for (const MetricId id : {metric::kInstructions, metric::kCycles, metric::kVisits}) {
      self.sources[id] = {"played", Status::kMeasured, ""};
    }
    writer->Append(spool::Kind::kRun, 0, 0, RooflineToJson({self, {}}));
    spool::CountBlocks store(*writer);
    PlayedCollector collector;
    collector.KeepIn(store);
    Recorder::Get().Start({}, {}, &collector, writer.get());
    Visit();
    raise(SIGSTOP);
    Visit();
    Visit();
    _exit(0);
  }

  void ExpectExact(const std::string& bytes) const {
    const Result<spool::Spool> spool = spool::ParseSpool(bytes, "F");
    ASSERT_TRUE(spool) << spool.error();
    ASSERT_EQ(spool->problems, std::vector<std::string>{});
    ASSERT_EQ(spool->notes, std::vector<std::string>{});
    const JobProfile job = spool::FoldSpool(*spool);
    const uint64_t outer = test::Value(job, "outer", metric::kVisits);
    const uint64_t inner = test::Value(job, "outer/inner", metric::kVisits);
    ASSERT_EQ(test::Value(job, "outer", metric::kInstructions), 207 * outer);
    ASSERT_EQ(test::Value(job, "outer", metric::kCycles), 2 * 207 * outer);
    ASSERT_EQ(test::Value(job, "outer/inner", metric::kInstructions), 100 * inner);
    ASSERT_EQ(test::Value(job, "outer/inner", metric::kCycles), 2 * 100 * inner);
  }

  test::TempDir directory_;
  pid_t child_ = 0;
  std::string file_;
  size_t bytes_ = 0;
  void* live_ = nullptr;
};

TEST_F(KilledBetween, AnyTwoInstructions) {
  Start();
  if (ptrace(PTRACE_SEIZE, child_, nullptr, PTRACE_O_EXITKILL) != 0) {
    GTEST_SKIP() << "no process may be traced here";
  }
  kill(child_, SIGCONT);
  ptrace(PTRACE_INTERRUPT, child_, nullptr, nullptr);
  int status = 0;
  ASSERT_EQ(waitpid(child_, &status, 0), child_);
  std::string before(bytes_, '\0');
  uint64_t states = 0;
  while (WIFSTOPPED(status) && !HasFatalFailure()) {
    if (std::memcmp(live_, before.data(), bytes_) != 0) {
      std::memcpy(before.data(), live_, bytes_);
      ++states;
      ExpectExact(before);
    }
    ASSERT_EQ(ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr), 0);
    ASSERT_EQ(waitpid(child_, &status, 0), child_);
  }
  EXPECT_GT(states, 100u) << "each visit writes more often";
}

}  // namespace
}  // namespace roofmark::markers
