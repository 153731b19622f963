// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/threads.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>
#include <vector>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/descriptor.h"
#include "lib/core/thread.h"

namespace roofmark::threads {
namespace {

std::atomic<Threads*> g_threads{nullptr};
std::atomic<uint64_t> g_generations{0};

constexpr char kTasks[] = "/proc/self/task";

}  // namespace

size_t DescriptorBudget() {
  if (FilesAreFew()) return 0;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const size_t open = NumbersIn("/proc/thread-self/fd").size();
  return limit.rlim_cur > open ? (limit.rlim_cur - open) / 2 : 0;
}

struct Threads::Mine {
  uint64_t generation;  // of the instance that the record belongs to
  CountedThread* thread;
  bool ended;  // its last destructors run: what they do is not counted any more
};

Threads::Mine& Threads::OfThisThread() noexcept {
  static thread_local Mine mine{};
  return mine;
}

Threads::Threads(Source& source, size_t budget, bool rotate)
    : source_(source),
      budget_(budget),
      rotate_(rotate && source.Groups().size() > 1),
      generation_(++g_generations),
      tasks_(MoveOutOfTheWay(open(kTasks, O_PATH | O_DIRECTORY | O_CLOEXEC))) {
  static const ThreadEvents events{&Threads::ThreadStarted, &Threads::ThreadEnded};
  static const int at_fork = pthread_atfork(nullptr, nullptr, &Threads::DetachChild);
  static_cast<void>(at_fork);
  g_threads.store(this);
  SetThreadEvents(ThreadListener::kCounters, &events);
  Reconcile(0);
  EnterOwn(0);
}

Threads::~Threads() {
  SetThreadEvents(ThreadListener::kCounters, nullptr);
  g_threads.store(nullptr);
  for (CountedThread* each = head_.load(); each != nullptr;) {
    delete std::exchange(each, each->next);
  }
  tasks_.Close();
}

// --- boundaries -------------------------------------------------------------------------------

void Threads::EnterTeam(uint32_t path, const counts::FinishedVisit* finished) noexcept {
  const uint32_t before = team_path_.exchange(path);
  ReconcileIfChanged(before);
  CountedThread* own = Adopt(Seen::kLate);
  // Path ids grow from the root. What reading the others costs the caller is kept out of the inner
  // of both paths: it begins after it and ends before it.
  const bool begins = path > before;
  if (own != nullptr && !begins) own->EnterTeam(path, true, finished);
  for (CountedThread* each = head_.load(); each != nullptr; each = each->next) {
    // What a thread did that has ended meanwhile belongs to the visit.
    const bool concerned = each->tid() != 0 || finished != nullptr;
    if (each != own && concerned) each->EnterTeam(path, false, finished);
  }
  if (own != nullptr && begins) own->EnterTeam(path, true, finished);
}

void Threads::EnterOwn(uint32_t path, const counts::FinishedVisit* finished) noexcept {
  if (CountedThread* own = Adopt(Seen::kLate)) own->EnterOwn(path, finished);
}

Layer Threads::EnterLayer(Layer layer) noexcept {
  CountedThread* own = Adopt(Seen::kLate);
  return own == nullptr ? Layer::kWork : own->EnterLayer(layer);
}

void Threads::KeepIn(counts::CountStore& store) noexcept {
  const std::lock_guard lock(attach_mutex_);
  store_ = &store;
  if (first_failure_.error != 0) store.Lacks(counts::Lack::kWork);
  for (CountedThread* each = head_.load(); each != nullptr; each = each->next) each->KeepIn(store);
}

void Threads::SetCounting(bool on) noexcept {
  const std::lock_guard lock(attach_mutex_);
  counting_ = on;
  for (CountedThread* each = head_.load(); each != nullptr; each = each->next) {
    if (each->tid() != 0) each->SetCounting(on);
  }
}

// --- who is counted ---------------------------------------------------------------------------

CountedThread* Threads::Adopt(Seen seen) noexcept {
  Mine& mine = OfThisThread();
  if (mine.generation == generation_ || mine.ended) return mine.thread;
  const std::lock_guard lock(attach_mutex_);
  const pid_t tid = ThisThread();
  CountedThread* thread = Find(tid);
  if (thread != nullptr && seen == Seen::kFromItsStart) {
    // Nobody else attaches a new thread: the record is of an ended one, whose end went unnoticed.
    DetachLocked(thread);
    thread = nullptr;
  }
  if (thread == nullptr) {
    std::erase(ended_, tid);  // used again
    thread = Attach(tid);
    if (thread != nullptr && seen == Seen::kLate) thread->MissedWork(team_path_.load());
  }
  if (thread != nullptr) thread->PrepareOwnReads();
  mine.generation = generation_;
  mine.thread = thread;
  AnnounceEnd();
  return thread;
}

void Threads::Release() noexcept {
  Mine& mine = OfThisThread();
  if (mine.generation != generation_ || mine.thread == nullptr) return;
  const std::lock_guard lock(attach_mutex_);
  const pid_t tid = ThisThread();
  if (mine.thread->tid() != tid) return;
  DetachLocked(mine.thread);
  constexpr size_t kMost = 64;
  if (ended_.size() >= kMost) {
    std::erase_if(ended_, &IsGone);
  }
  ended_.push_back(tid);
}

CountedThread* Threads::Find(pid_t tid) noexcept {
  for (CountedThread* each = head_.load(); each != nullptr; each = each->next) {
    if (each->tid() == tid) return each;
  }
  return nullptr;
}

// Records of ended threads serve new ones, so that threads that come and go take no more memory
// than those that live at the same time.
CountedThread* Threads::Attach(pid_t tid) noexcept {
  std::optional<OpenFailure> failure;
  if (used_ + source_.KeptOpen() + source_.Descriptors() > budget_) {
    failure = OpenFailure{EMFILE, 0};
  } else {
    CountedThread* thread = Find(0);
    if (thread == nullptr) {
      thread = new (std::nothrow) CountedThread(source_, workers_, rotate_);
      if (thread != nullptr) {
        if (store_ != nullptr) thread->KeepIn(*store_);
        ++workers_;
        thread->next = head_.load();
        head_.store(thread);
      }
    }
    failure = thread == nullptr ? OpenFailure{ENOMEM, 0} : thread->Attach(tid, team_path_);
    if (!failure) {
      thread->SetCounting(counting_);
      used_ += source_.Descriptors();
      return thread;
    }
  }
  // A thread that ended meanwhile did nothing that a region could miss.
  if (failure->error != ESRCH && first_failure_.error == 0) {
    first_failure_ = *failure;
    if (store_ != nullptr) store_->Lacks(counts::Lack::kWork);
  }
  return nullptr;
}

void Threads::DetachLocked(CountedThread* thread) noexcept {
  thread->Detach();
  used_ -= source_.Descriptors();
}

std::string Threads::WhyIncomplete() const {
  for (const CountedThread* each = head_.load(); each != nullptr; each = each->next) {
    if (each->lost()) return "there was not enough memory for the counts of all regions";
  }
  const std::lock_guard lock(attach_mutex_);
  if (first_failure_.error == 0) return {};
  if (first_failure_.error == EMFILE) {
    if (const size_t kept = source_.KeptOpen(); kept > 0) {
      return fmt::format(
          "{} file descriptors of ended threads could not be closed, because the operating system "
          "took their "
          "counters away for good (another program counts, or the NMI watchdog), and roofmark uses "
          "at most half of the free ones ({}): use ROOFMARK_COLLECTOR=perf_event",
          kept, budget_);
    }
    return fmt::format(
        "a thread needs {} file descriptors, but roofmark uses at most half of the free ones ({}): "
        "raise the limit with `ulimit -n`, or choose fewer events with ROOFMARK_GROUP",
        source_.Descriptors(), budget_);
  }
  return source_.Explain(first_failure_.error);
}

// Some 300 ns by the descriptor, 1500 by the name, which is used if the program closed roofmark's
// descriptor.
uint64_t Threads::Links() const noexcept {
  struct stat task;
  const bool ours = fstat(tasks_.number(), &task) == 0 && OpenFile::Of(task) == tasks_.file() &&
                    task.st_nlink > 2;
  if (!ours && stat(kTasks, &task) != 0) return 0;
  return task.st_nlink;
}

void Threads::ReconcileIfChanged(uint32_t before) noexcept {
  if (Links() != known_links_) Reconcile(before);
}

void Threads::Reconcile(uint32_t before) noexcept try {
  known_links_ = Links();
  const int on_the_way = ThreadsOnTheWay();
  const std::vector<pid_t> listed = NumbersIn(kTasks);
  if (listed.empty()) return;
  // Threads that began, and perhaps ended, since then are not in the list.
  const auto is_gone = [&](pid_t tid) {
    return std::find(listed.begin(), listed.end(), tid) == listed.end() && IsGone(tid);
  };
  const std::lock_guard lock(attach_mutex_);
  for (CountedThread* each = head_.load(); each != nullptr; each = each->next) {
    if (each->tid() != 0 && is_gone(each->tid())) DetachLocked(each);
  }
  if (on_the_way > 0 || ThreadsOnTheWay() > 0) {
    known_links_ = 0;  // they will announce themselves: look again at the next boundary
    return;
  }
  AttachNew(listed, before);
  std::erase_if(ended_, is_gone);
} catch (const std::bad_alloc&) {
}

void Threads::AttachNew(const std::vector<pid_t>& listed, uint32_t before) noexcept {
  for (const pid_t tid : listed) {
    if (IsUncounted(tid)) continue;
    if (Find(tid) != nullptr || std::find(ended_.begin(), ended_.end(), tid) != ended_.end()) {
      continue;
    }
    if (CountedThread* thread = Attach(tid)) thread->MissedWork(before);
  }
}

// --- what the process tells us ----------------------------------------------------------------

void Threads::ThreadStarted() noexcept {
  if (Threads* threads = g_threads.load()) threads->Adopt(Seen::kFromItsStart);
}

void Threads::ThreadEnded() noexcept {
  if (Threads* threads = g_threads.load()) threads->Release();
  OfThisThread() = {0, nullptr, true};
}

// The child is not the process that was asked to count: it gives up the descriptors, so that the
// parent's events end with the parent.
void Threads::DetachChild() noexcept {
  Threads* threads = g_threads.exchange(nullptr);
  if (threads == nullptr) return;
  SetThreadEvents(ThreadListener::kCounters, nullptr);
  threads->tasks_.Close();
  for (CountedThread* each = threads->head_.load(); each != nullptr; each = each->next) {
    each->DetachInChild();
  }
}

}  // namespace roofmark::threads
