// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/sampler.h"

#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/clock.h"
#include "lib/core/kernel_counts.h"
#include "lib/core/limits.h"
#include "lib/core/thread.h"

namespace roofmark::samples {
namespace {

constexpr char kTasks[] = "/proc/self/task";
constexpr auto kUsualInterval = std::chrono::milliseconds(100);

std::atomic<Sampler*> g_sampler{nullptr};

// Every thread can fill its buffer only to a sixth in between.
std::chrono::milliseconds IntervalFor(uint64_t period_ns) {
  const size_t capacity = std::min<size_t>(PerfRing::Capacity(), SignalBuffer::kEntries);
  const std::chrono::nanoseconds sixth(capacity / 6 * period_ns);
  return std::min(kUsualInterval, std::chrono::duration_cast<std::chrono::milliseconds>(sixth));
}

// It changes with the number of threads; 0 where it cannot be read.
uint64_t Links() noexcept {
  struct stat task;
  return stat(kTasks, &task) == 0 ? task.st_nlink : 0;
}

template <typename T>
bool Has(const std::vector<T>& all, T one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

Sampler::Sampler(const SamplePlan& plan, const std::vector<CodePlace>& counted)
    : plan_(plan),
      wanted_(counted),
      known_changes_(ReadModuleChanges()),
      places_(ReadModules()),
      methods_(plan) {
  for (Batches* batches : {&arrived_, &resolving_}) {
    for (size_t of = 0; of < kBatches; ++of) {
      const bool by_timer = of % kOfOne == kTimer;
      (*batches)[of].period_ns =
          methods_.PeriodOf(by_timer ? SampleMethod::kTimer : SampleMethod::kPerfEvent);
      (*batches)[of].of_main = of >= kOfOne;
      (*batches)[of].in_kernel = of % kOfOne == kInKernel;
    }
  }
}

// --- start and end
// ---------------------------------------------------------------------------------

std::string Sampler::Start(std::function<void()> each_time) {
  each_time_ = std::move(each_time);
  static const threads::ThreadEvents events{&Sampler::ThreadStarted, &Sampler::ThreadEnded};
  static const int at_fork = pthread_atfork(nullptr, nullptr, &Sampler::DetachChild);
  static_cast<void>(at_fork);
  start_ns_ = NowNs();
  start_cpu_ns_ = ProcessCpuNs().value_or(0);
  start_system_ns_ = ReadKernelCounts(KernelCountsOf::kProcess).system_ns;
  g_sampler.store(this);
  SetThreadEvents(threads::ThreadListener::kSamples, &events);
  std::string why_not;
  {
    const std::lock_guard lock(mutex_);
    running_ = true;
    AttachThoseThatThereAre();
    if (live_.empty()) {
      why_not = methods_.WhyNotPerfEvent() + "; timers: " + methods_.WhyNotTimer();
    }
  }
  const auto body = [](void* self) { static_cast<Sampler*>(self)->Wake(); };
  const auto interval = IntervalFor(methods_.PeriodOf(SampleMethod::kPerfEvent));
  if (why_not.empty() && !helper_.Start(interval, body, this)) {
    why_not = "there are no resources for another thread";
  }
  if (!why_not.empty()) {
    Stop();
  } else {
    CountPlaces();
  }
  return why_not;
}

// Where none is to be counted, who reads the samples learns whether some could be.
void Sampler::CountPlaces() {
  if (wanted_.empty()) {
    why_not_counted_ = CountedPlaces::WhyNot();
    return;
  }
  std::vector<pid_t> threads;
  for (const pid_t tid : NumbersIn(kTasks)) {
    if (!threads::IsUncounted(tid)) threads.push_back(tid);
  }
  counted_.Start(wanted_, ReadModules(), threads);
}

void Sampler::AttachThoseThatThereAre() {
  Attach(getpid());
  for (const pid_t tid : NumbersIn(kTasks)) {
    if (tid != getpid() && !threads::IsUncounted(tid)) Attach(tid);
  }
}

roofmark::Samples Sampler::Stop() {
  helper_.Stop();
  threads::SetThreadEvents(threads::ThreadListener::kSamples, nullptr);
  g_sampler.store(nullptr);
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
    DrainAll();
    while (!live_.empty()) Retire(live_.begin());
    if (methods_.uses_timers()) SignalTimer::Uninstall();
    std::swap(arrived_, resolving_);
  }
  Resolve();
  return {{Describe()}, places_.Take()};
}

SampledProcess Sampler::Describe() {
  const std::lock_guard lock(mutex_);
  SampledProcess process;
  process.pid = static_cast<uint64_t>(getpid());
  process.hz = plan_.hz;
  process.wall_ns = NowNs() - start_ns_;
  process.cpu_ns = ProcessCpuNs().value_or(0) - start_cpu_ns_;
  process.system_ns = ReadKernelCounts(KernelCountsOf::kProcess).system_ns - start_system_ns_;
  process.unknown = places_.unknown() + nowhere_;
  process.why_not_perf_event = methods_.WhyNotPerfEvent();
  process.threads = std::move(ended_);
  std::sort(process.threads.begin(), process.threads.end(),
            [](const SampledThread& a, const SampledThread& b) { return a.number < b.number; });
  for (const SampledThread& thread : process.threads) {
    if (thread.kernel) continue;
    process.why_no_kernel =
        thread.method == SampleMethod::kTimer
            ? "a timer's signal comes when the thread leaves the operating system"
            : "/proc/sys/kernel/perf_event_paranoid allows samples in user mode only";
    break;
  }
  process.other_threads = other_threads_;
  process.own = cost_;
  process.warnings = Warnings();
  process.counted = counted_.Stop();
  process.why_not_counted = why_not_counted_ + counted_.why_not_counted();
  process.mpi_calls = mpi_calls_.Take();
  return process;
}

void Sampler::MpiCallEnded(uint64_t ticks, const void* frame, const void* caller) noexcept {
  Sampler* sampler = g_sampler.load(std::memory_order_acquire);
  if (sampler != nullptr) sampler->mpi_calls_.Add(ticks, frame, caller);
}

// --- threads that come and go
// ----------------------------------------------------------------------

void Sampler::ThreadStarted() noexcept {
  Sampler* sampler = g_sampler.load();
  if (sampler == nullptr) return;
  const std::lock_guard lock(sampler->mutex_);
  if (!sampler->running_) return;
  // The number may be one that a thread had whose end was not noticed.
  const pid_t tid = ThisThread();
  const auto stale = sampler->Find(tid);
  if (stale != sampler->live_.end()) sampler->Retire(stale);
  sampler->Attach(tid);
}

void Sampler::ThreadEnded() noexcept {
  Sampler* sampler = g_sampler.load();
  if (sampler == nullptr) return;
  const std::lock_guard lock(sampler->mutex_);
  const auto own = sampler->Find(ThisThread());
  if (own == sampler->live_.end()) return;
  sampler->Drain(*own);
  sampler->ReadTimes(*own, NowNs());
  sampler->Retire(own);
}

// Rings are not mapped in the child, and timers do not exist there. What the parent's threads held
// a lock on is never asked for.
void Sampler::DetachChild() noexcept {
  const Sampler* sampler = g_sampler.exchange(nullptr);
  if (sampler == nullptr) return;
  threads::SetThreadEvents(threads::ThreadListener::kSamples, nullptr);
  SignalTimer::Uninstall();
}

std::list<Sampler::Live>::iterator Sampler::Find(pid_t tid) noexcept {
  return std::find_if(live_.begin(), live_.end(),
                      [tid](const Live& each) { return each.tid == tid; });
}

void Sampler::Attach(pid_t tid) noexcept try {
  const uint64_t now_ns = NowNs();
  const std::optional<uint64_t> cpu_ns = ThreadCpuNs(tid);
  if (!cpu_ns) return;  // it ended
  std::optional<Methods::Source> source = methods_.Open(tid);
  if (!source) {
    if (!ThreadCpuNs(tid)) return;
    ++not_sampled_;
    refused_.push_back(tid);
    return;
  }
  SampledThread row;
  row.number = next_number_++;
  const bool by_timer = std::holds_alternative<SignalTimer>(*source);
  row.method = by_timer ? SampleMethod::kTimer : SampleMethod::kPerfEvent;
  row.period_ns = methods_.PeriodOf(row.method);
  if (!by_timer && methods_.with_kernel()) row.kernel = 0;
  live_.push_back({tid, now_ns, *cpu_ns, *cpu_ns, std::move(*source), row});
} catch (...) {
  ++not_sampled_;
}

std::list<Sampler::Live>::iterator Sampler::Retire(std::list<Live>::iterator thread) noexcept {
  constexpr uint64_t kMany = 20;
  const SampledThread& row = thread->row;
  const bool worked = row.cpu_ns > kMany * row.period_ns;
  const bool by_timer = row.method == SampleMethod::kTimer && methods_.uses_timers();
  if (by_timer && worked && row.samples + row.lost == 0) ++silent_;
  try {
    if (ended_.size() >= limits::kSampledThreads) throw std::bad_alloc();
    ended_.push_back(row);
  } catch (...) {
    ++other_threads_;
  }
  return live_.erase(thread);
}

void Sampler::Drain(Live& thread) noexcept {
  const bool is_main = thread.tid == getpid();
  Batch* batches = &arrived_[is_main ? size_t{kOfOne} : 0];
  Drained drained;
  if (auto* ring = std::get_if<PerfRing>(&thread.source)) {
    ring->Drain({batches[kPerfEvent].addresses, batches[kInKernel].addresses}, drained);
  }
  if (auto* timer = std::get_if<SignalTimer>(&thread.source)) {
    timer->Drain(batches[kTimer].addresses, drained);
  }
  thread.row.samples += drained.samples;
  thread.row.lost += drained.lost;
  if (thread.row.kernel) *thread.row.kernel += drained.kernel;
  nowhere_ += drained.nowhere;
}

bool Sampler::ReadTimes(Live& thread, uint64_t now_ns) const noexcept {
  const std::optional<uint64_t> cpu_ns = ThreadCpuNs(thread.tid);
  if (!cpu_ns || *cpu_ns < thread.last_cpu_ns) return false;
  thread.last_cpu_ns = *cpu_ns;
  thread.row.cpu_ns = *cpu_ns - thread.since_cpu_ns;
  thread.row.wall_ns = now_ns - thread.since_ns;
  return true;
}

// --- the helper
// ------------------------------------------------------------------------------------

void Sampler::Wake() noexcept {
  try {
    if (each_time_) each_time_();
    LookForThreads();
    {
      const std::lock_guard lock(mutex_);
      GiveUpTimersIfReplaced();
      DrainAll();
      std::swap(arrived_, resolving_);
    }
    Resolve();
  } catch (...) {
    memory_was_short_ = true;
  }
  ++cost_.wake_ups;
  cost_.cpu_ns = ThreadCpuNs(ThisThread()).value_or(0);
}

void Sampler::DrainAll() noexcept {
  const uint64_t now_ns = NowNs();
  for (auto each = live_.begin(); each != live_.end();) {
    Drain(*each);
    each = ReadTimes(*each, now_ns) ? std::next(each) : Retire(each);
  }
}

void Sampler::GiveUpTimersIfReplaced() noexcept {
  if (!methods_.uses_timers() || SignalTimer::IsInstalled()) return;
  methods_.GiveUpTimers();
  for (auto each = live_.begin(); each != live_.end();) {
    if (each->row.method != SampleMethod::kTimer) {
      ++each;
      continue;
    }
    Drain(*each);
    ReadTimes(*each, NowNs());
    each = Retire(each);
    ++cut_short_;
  }
}

void Sampler::LookForThreads() {
  const uint64_t links = Links();
  if (links == known_links_ && strangers_.empty()) return;
  known_links_ = links;
  const std::vector<pid_t> listed = NumbersIn(kTasks);
  if (!listed.empty()) AttachStrangers(listed);
}

// Threads that come by pthread_create announce themselves, those that go stay in the list for a
// moment: only who was a stranger the last time, too, came in another way.
void Sampler::AttachStrangers(const std::vector<pid_t>& listed) {
  const std::lock_guard lock(mutex_);
  std::erase_if(refused_, [&](pid_t tid) { return !Has(listed, tid); });
  std::vector<pid_t> strangers;
  for (const pid_t tid : listed) {
    if (threads::IsUncounted(tid) || Has(refused_, tid) || Find(tid) != live_.end()) continue;
    Has(strangers_, tid) ? Attach(tid) : strangers.push_back(tid);
  }
  strangers_ = std::move(strangers);
}

// Without the lock: who waits for it must not wait for the dynamic linker's.
void Sampler::Resolve() {
  const ModuleChanges changes = ReadModuleChanges();
  if (changes == known_changes_) {
    places_.Add(resolving_, nullptr);
  } else {
    known_changes_ = changes;
    const ModuleMap now = ReadModules();
    places_.Add(resolving_, &now);
  }
  for (Batch& batch : resolving_) batch.addresses.clear();
}

}  // namespace roofmark::samples
