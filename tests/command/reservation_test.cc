// SPDX-License-Identifier: BSD-3-Clause
#include "command/reservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>

#include "tests/support/other_user.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReservationTest : public testing::Test {
 protected:
  std::vector<std::string> Names() const { return test::ListFiles(directory_.path()); }
  const test::TempDir directory_;
  const std::string name_ = directory_.File("run.json");
};

TEST_F(ReservationTest, WithoutAFileTheNameIsFreeAgain) {
  {
    const Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_TRUE(taken);
    EXPECT_THAT(Names(), ElementsAre(".run.json.reserved"));
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ReservationTest, WhatWasWrittenStays) {
  {
    Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_EQ(*taken->Write("text"), name_);
  }
  EXPECT_EQ(*ReadFile(name_), "text");
  EXPECT_THAT(Names(), ElementsAre("run.json"));
}

TEST_F(ReservationTest, APipeIsMeantWhereTheUserNamedIt) {
  ASSERT_EQ(mkfifo(name_.c_str(), 0600), 0);
  EXPECT_EQ(Reservation::Of(OfUser(name_), false)->path(), name_);
  EXPECT_EQ(Reservation::Of(name_, false)->path(), directory_.File("run.1.json"));
}

TEST_F(ReservationTest, ASignalThatEndsTheProcessGivesTheNameUp) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(test::InChild([&] {
                const Result<Reservation> taken = Reservation::Of(name_, false);
                if (!taken) return 1;
                raise(signal);
                return 2;
              }),
              -1)
        << "it ends by the signal";
    EXPECT_THAT(Names(), IsEmpty());
  }
}

TEST_F(ReservationTest, AnIgnoredSignalStaysIgnored) {
  EXPECT_EQ(test::InChild([&] {
              signal(SIGHUP, SIG_IGN);  // as nohup does
              const Result<Reservation> taken = Reservation::Of(name_, false);
              raise(SIGHUP);
              return taken && Names().size() == 1 ? 0 : 1;
            }),
            0);
}

TEST_F(ReservationTest, ANameOfAKilledProcessIsTakenOver) {
  EXPECT_EQ(test::InChild([&] {
              const Result<Reservation> taken = Reservation::Of(name_, false);
              raise(SIGKILL);
              return taken ? 1 : 2;
            }),
            -1);
  EXPECT_THAT(Names(), ElementsAre(".run.json.reserved")) << "nothing that looks like a result";
  {
    Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->path(), name_);
    EXPECT_TRUE(taken->was_left());
    EXPECT_EQ(*taken->Write("text"), name_);
  }
  EXPECT_THAT(Names(), ElementsAre("run.json"));
}

// Another file took the name meanwhile: an empty one, or one with text.
TEST_F(ReservationTest, AnotherFileOfTheNameStays) {
  for (const char* const text : {"", "theirs"}) {
    for (const bool write : {false, true}) {
      const test::TempDir folder;
      const std::string name = folder.File("run.json");
      {
        Result<Reservation> taken = Reservation::Of(name, false);
        ASSERT_TRUE(taken);
        ASSERT_TRUE(WriteFile(name, text, IfExists::kRefuse));
        if (write) {
          EXPECT_EQ(*taken->Write("ours"), folder.File("run.1.json"));
        }
      }
      EXPECT_EQ(*ReadFile(name), text);
    }
  }
}

TEST_F(ReservationTest, WhatTheUserWroteIntoTheKeeperStays) {
  {
    const Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_TRUE(taken);
    std::ofstream(directory_.File(".run.json.reserved")) << "theirs";
  }
  EXPECT_EQ(*ReadFile(directory_.File(".run.json.reserved")), "theirs");
}

}  // namespace
}  // namespace roofmark::cli
