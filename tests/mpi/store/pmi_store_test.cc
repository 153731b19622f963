// SPDX-License-Identifier: BSD-3-Clause
//
// A launcher that speaks PMI-1, a library that is initialised with it, and what stands between.
#include "mpi/store/pmi_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "mpi/store/pmi_wire.h"

namespace roofmark::mpi {
namespace {

using testing::ElementsAre;

bool StartPlain(pthread_t* thread, void* (*body)(void*), void* argument) {
  return pthread_create(thread, nullptr, body, argument) == 0;
}
bool StartNone(pthread_t*, void* (*)(void*), void*) { return false; }

// Answers what it understands, and keeps all that it was asked.
class Launcher {
 public:
  Launcher() {
    std::array<int, 2> ends;
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    mine_ = ends[0];
    library = ends[1];
  }
  ~Launcher() {
    close(library);
    if (thread_.joinable()) thread_.join();
    close(mine_);
  }
  void Start() { thread_ = std::thread(&Launcher::Serve, this); }
  void Stop() {
    shutdown(library, SHUT_RDWR);
    thread_.join();
  }

  int library;  // the number in PMI_FD
  bool takes_keys = true;
  std::map<std::string, std::string> keys;
  std::vector<std::string> asked;

 private:
  void Serve() {
    std::string line;
    while (PmiReadLine(mine_, line)) {
      asked.push_back(line);
      if (!PmiWrite(mine_, Answer(line))) break;
    }
  }
  std::string Answer(const std::string& line) {
    const std::string command(PmiWord(line, "cmd").value_or(""));
    const std::string key(PmiWord(line, "key").value_or(""));
    if (command == "init") return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
    if (command == "get_my_kvsname") return "cmd=my_kvsname kvsname=kvs_1\n";
    if (command == "barrier_in") return "cmd=barrier_out\n";
    if (command == "put") {
      if (takes_keys) keys[key] = PmiWord(line, "value").value_or("");
      return fmt::format("cmd=put_result rc={} msg=none\n", takes_keys ? 0 : -1);
    }
    if (command == "get") {
      return keys.contains(key)
                 ? fmt::format("cmd=get_result rc=0 msg=success value={}\n", keys[key])
                 : fmt::format("cmd=get_result rc=-1 msg=key_{}_not_found value=unknown\n", key);
    }
    return "cmd=what\n";
  }

  int mine_;
  std::thread thread_;
};

std::string Ask(int socket, const std::string& line) {
  std::string answer;
  EXPECT_TRUE(PmiWrite(socket, line + "\n"));
  EXPECT_TRUE(PmiReadLine(socket, answer));
  return answer;
}

// As an MPI library's MPI_Init does.
void InitialiseLibrary(int socket) {
  EXPECT_EQ(Ask(socket, "cmd=init pmi_version=1 pmi_subversion=1"),
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
  EXPECT_EQ(Ask(socket, "cmd=put kvsname=kvs_1 key=address-3 value=here"),
            "cmd=put_result rc=0 msg=none");
  EXPECT_EQ(Ask(socket, "cmd=barrier_in"), "cmd=barrier_out");
  EXPECT_EQ(Ask(socket, "cmd=barrier_in"), "cmd=barrier_out");
}

ino_t FileOf(int descriptor) {
  struct stat info = {};
  fstat(descriptor, &info);
  return info.st_ino;
}

TEST(PmiStore, PutsItsKeyBeforeTheFirstFence) {
  Launcher launcher;
  launcher.keys["roofmark-1"] = "1";
  launcher.Start();
  const ino_t connection = FileOf(launcher.library);
  const auto store = PmiStore::Start(launcher.library, 3, &StartPlain);
  ASSERT_TRUE(store);
  EXPECT_NE(FileOf(launcher.library), connection);
  InitialiseLibrary(launcher.library);
  store->Initialised();
  EXPECT_EQ(FileOf(launcher.library), connection) << "the library has its connection again";
  EXPECT_TRUE(store->Announced());
  EXPECT_TRUE(store->IsThere(3));
  EXPECT_TRUE(store->IsThere(1));
  EXPECT_FALSE(store->IsThere(0));
  launcher.Stop();
  launcher.asked.resize(6);
  EXPECT_THAT(launcher.asked,
              ElementsAre("cmd=init pmi_version=1 pmi_subversion=1",
                          "cmd=put kvsname=kvs_1 key=address-3 value=here", "cmd=get_my_kvsname",
                          "cmd=put kvsname=kvs_1 key=roofmark-3 value=1", "cmd=barrier_in",
                          "cmd=barrier_in"));
}

TEST(PmiStore, IsNotAnnouncedIfTheLauncherTakesNoKey) {
  Launcher launcher;
  launcher.takes_keys = false;
  launcher.Start();
  const auto store = PmiStore::Start(launcher.library, 3, &StartPlain);
  ASSERT_TRUE(store);
  EXPECT_EQ(Ask(launcher.library, "cmd=barrier_in"), "cmd=barrier_out");
  store->Initialised();
  EXPECT_FALSE(store->Announced());
}

// PMI-2 has no lines: a length of six characters, and that many.
TEST(PmiStore, HandsOnOtherProtocolsAsTheyAre) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const auto store = PmiStore::Start(ends[1], 0, &StartPlain);
  ASSERT_TRUE(store);
  const std::string request = "    19cmd=barrier_in\nxy;";
  ASSERT_TRUE(PmiWrite(ends[1], request));
  std::string got(request.size(), '\0');
  ASSERT_EQ(recv(ends[0], got.data(), got.size(), MSG_WAITALL), ssize_t(got.size()));
  EXPECT_EQ(got, request);
  ASSERT_TRUE(PmiWrite(ends[0], "    02ok"));
  got.resize(8);
  ASSERT_EQ(recv(ends[1], got.data(), got.size(), MSG_WAITALL), ssize_t(got.size()));
  EXPECT_EQ(got, "    02ok");
  store->Initialised();
  EXPECT_FALSE(store->Announced());
  close(ends[0]);
  close(ends[1]);
}

// In pieces, as a stream may.
TEST(PmiStore, FindsTheFenceInPieces) {
  Launcher launcher;
  launcher.Start();
  const auto store = PmiStore::Start(launcher.library, 3, &StartPlain);
  ASSERT_TRUE(store);
  for (const char* piece : {"c", "md=bar", "rier_in", "\n"}) {
    ASSERT_TRUE(PmiWrite(launcher.library, piece));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::string answer;
  ASSERT_TRUE(PmiReadLine(launcher.library, answer));
  EXPECT_EQ(answer, "cmd=barrier_out");
  store->Initialised();
  EXPECT_TRUE(store->Announced());
}

TEST(PmiStore, TellsTheLibraryThatTheLauncherIsGone) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const auto store = PmiStore::Start(ends[1], 0, &StartPlain);
  ASSERT_TRUE(store);
  close(ends[0]);
  std::string line;
  EXPECT_FALSE(PmiReadLine(ends[1], line));
  store->Initialised();
  EXPECT_FALSE(store->Announced());
  close(ends[1]);
}

TEST(PmiStore, LeavesTheConnectionAloneWithoutAThreadOrASocket) {
  Launcher launcher;
  launcher.Start();
  const ino_t connection = FileOf(launcher.library);
  EXPECT_EQ(PmiStore::Start(launcher.library, 3, &StartNone), nullptr);
  EXPECT_EQ(FileOf(launcher.library), connection);
  EXPECT_EQ(PmiStore::Start(-1, 3, &StartPlain), nullptr);
  const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
  EXPECT_EQ(PmiStore::Start(file, 3, &StartPlain), nullptr);
  close(file);
}

TEST(PmiWire, WordsOfALine) {
  const std::string_view line = "cmd=get_result rc=0 value=a=b empty=";
  EXPECT_EQ(PmiWord(line, "cmd"), "get_result");
  EXPECT_EQ(PmiWord(line, "rc"), "0");
  EXPECT_EQ(PmiWord(line, "value"), "a=b");
  EXPECT_EQ(PmiWord(line, "empty"), "");
  EXPECT_EQ(PmiWord(line, "md"), std::nullopt);
  EXPECT_EQ(PmiWord("", "cmd"), std::nullopt);
  EXPECT_EQ(PmiWord("   ", "cmd"), std::nullopt);
}

}  // namespace
}  // namespace roofmark::mpi
