// SPDX-License-Identifier: BSD-3-Clause
//
// dies DEATH one|all in|between|start|write|end RECORD: an MPI program whose rank r visits "outer"
// 20 + r times, "inner" three times in each, and then dies: in a region, between regions, or in
// MPI_Finalize: as the merge starts, as the file is written, or after that. What each rank has done
// stands in the file RECORD, which all ranks map. No rank dies before all have done their share, so
// that nothing is left to chance. With DIES_RESTED a rank rests a second and a half before it dies:
// the counting engine hands over its counts meanwhile.
#include "tests/mpi/programs/dies.h"

#include <fcntl.h>
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <string>

#ifdef WITH_VIRTUAL_PMU
#include "virtual_pmu.h"
#endif

namespace {

using roofmark::test::DeathRecord;

std::string g_death, g_where;
bool g_victim = false;
DeathRecord* g_records = nullptr;
int g_rank = 0, g_ranks = 1;

// Of the process that a shell would say started this job.
void KillLauncher() {
  for (pid_t pid = getppid(); pid > 1;) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/stat", pid);
    FILE* file = fopen(name, "r");
    char command[64] = "";
    int parent = 0;
    if (file == nullptr || fscanf(file, "%*d (%63[^)]) %*c %d", command, &parent) != 2) return;
    fclose(file);
    if (strncmp(command, "mpirun", 6) == 0 || strncmp(command, "mpiexec", 7) == 0 ||
        strncmp(command, "orterun", 7) == 0) {
      kill(pid, SIGKILL);
      return;
    }
    pid = parent;
  }
}

[[noreturn]] void Wait() {
  alarm(20);  // if the launcher leaves it alone: yet another death
  for (;;) pause();
}

void Throw() { throw 1; }
// Out of a function that promises not to, as out of main, and inside of MPI as well.
void Uncaught() noexcept { Throw(); }

void Die() {
  if (!g_victim) Wait();
  g_records[g_rank].died = 1;
  // By another process: the counting engine sees to a signal that its program sends itself. Its
  // parent may be another one by then: the launcher kills who is left.
  const pid_t self = getpid();
  if (g_death == "kill" && fork() == 0) _exit(kill(self, SIGKILL));
  if (g_death == "segv") *static_cast<volatile int*>(nullptr) = 1;
  if (g_death == "abort") abort();
  if (g_death == "exception") Uncaught();
  if (g_death == "exit") _exit(0);
  if (g_death == "mpi_abort") MPI_Abort(MPI_COMM_WORLD, 3);
  if (g_death == "launcher") KillLauncher();
  Wait();
}

// Under the engine the program's own operations are counted, on the virtual PMU what is retired.
void Work() {
#ifdef WITH_VIRTUAL_PMU
  vpmu_retire(0, /*scalar double=*/0x1c7, roofmark::test::kFlopsPerInner);
#else
  volatile double sum = 0;
  for (uint64_t i = 0; i < roofmark::test::kFlopsPerInner; ++i) sum = sum + 1;
#endif
}

void Rest() {
  if (getenv("DIES_RESTED") == nullptr) return;
  for (int i = 0; i < 30; ++i) usleep(50'000);
}

void MeetAll() {
  Rest();
  g_records[g_rank].arrived = 1;
  for (int rank = 0; rank < g_ranks; ++rank) {
    while (g_records[rank].arrived == 0) usleep(1000);
  }
}

void Ended(std::atomic<uint64_t>& visits) { visits.fetch_add(1); }

void Visits() {
  DeathRecord& mine = g_records[g_rank];
  for (int i = 0; i < 20 + g_rank; ++i) {
    ROOF_REGION_BEGIN("outer");
    for (int k = 0; k < 3; ++k) {
      ROOF_REGION_BEGIN("inner");
      ROOF_REGION_WORK(10, 0);
      Work();
      ROOF_REGION_END("inner");
      Ended(mine.inner);
    }
    ROOF_REGION_END("outer");
    Ended(mine.outer);
  }
}

}  // namespace

// What roofmark calls while it finalizes: the program's definitions stand before all others. The
// first is what a rank begins its merge with: it sends, or receives.
extern "C" {
#define BEFORE __attribute__((visibility("default"))) int
BEFORE PMPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (g_where == "start" && g_victim) Die();
  return MPI_Send(data, count, type, to, tag, comm);
}
BEFORE PMPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
  if (g_where == "start" && g_victim) Die();
  return MPI_Recv(data, count, type, from, tag, comm, status);
}
BEFORE PMPI_Comm_free(MPI_Comm* comm) {
  if (g_where == "end" && g_victim) Die();
  return MPI_Comm_free(comm);
}
BEFORE fsync(int) {
  if (g_where == "write" && g_victim) Die();
  return 0;
}
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  g_death = argv[1];
  const bool all = strcmp(argv[2], "all") == 0;
  const std::string where = argv[3];
  const int fd = open(argv[4], O_RDWR);
  g_records = static_cast<DeathRecord*>(
      mmap(nullptr, roofmark::test::kDeathRecordBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_ranks);
  g_records[g_rank].pid = static_cast<uint64_t>(getpid());
  // Rank 0 is the one that writes the file.
  g_victim = all || g_rank == (where == "write" ? 0 : 1 % g_ranks);
  Visits();
  if (where == "in") {
    ROOF_REGION_BEGIN("outer");
    ROOF_REGION_BEGIN("inner");
    MeetAll();
    Die();
  }
  MeetAll();
  if (where == "between") Die();
  g_where = where;
  MPI_Finalize();
  return 0;
}
