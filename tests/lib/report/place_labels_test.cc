// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/place_labels.h"

#include <gtest/gtest.h>

#include "lib/report/letters.h"

namespace roofmark {
namespace {

constexpr double kLetter = 12;

TEST(PlaceLabels, TheFirstFreePlaceIsTaken) {
  LabelPlacer placer(PlotFrame(), kLetter);
  const std::vector<Place> places = {{200, 200}, {200, 300}};
  const std::vector<LabelText> text = {{"sweep", 40}};
  EXPECT_EQ(placer.Add(text, places)->place.y, 200);
  EXPECT_EQ(placer.Add(text, places)->place.y, 300);
  EXPECT_FALSE(placer.Add(text, places)) << "never on another label";
}

TEST(PlaceLabels, AShorterTextWhereTheLongOneHasNoRoom) {
  LabelPlacer placer(PlotFrame(), kLetter);
  const auto label = placer.Add({{"A long", 400}, {"A", 8}}, {{600, 200}});
  ASSERT_TRUE(label);
  EXPECT_EQ(label->text, "A");
}

TEST(PlaceLabels, LinesAndDotsAreAvoided) {
  LabelPlacer placer(PlotFrame(), kLetter);
  placer.AddLine(100, 196, 400, 196);
  placer.AddDot(220, 296, 10);
  const std::vector<LabelText> text = {{"sweep", 40}};
  EXPECT_FALSE(placer.Add(text, {{200, 200}, {200, 300}}));
  EXPECT_EQ(placer.Add(text, {{200, 200}, {200, 300}, {200, 400}})->place.y, 400);
}

Place LedTo(double x, double y, double from_x, double from_y) {
  return {x, y, Anchor::kStart, 0, false, true, from_x, from_y};
}

TEST(PlaceLabels, ALeaderCrossesNoLabelAndNoOtherDot) {
  LabelPlacer placer(PlotFrame(), kLetter);
  const std::vector<LabelText> text = {{"sweep", 40}};
  placer.AddDot(150, 300, 10);
  placer.AddDot(300, 300, 10);
  ASSERT_TRUE(placer.Add(text, {{200, 400}}));
  EXPECT_FALSE(placer.Add(text, {LedTo(400, 304, 160, 300)})) << "through the other dot";
  EXPECT_FALSE(placer.Add(text, {LedTo(220, 500, 220, 300)})) << "through the label";
  EXPECT_TRUE(placer.Add(text, {LedTo(240, 304, 160, 300)})) << "from the edge of its own dot";
  EXPECT_FALSE(placer.Add(text, {LedTo(200, 250, 210, 350)})) << "through the other leader";
  EXPECT_TRUE(placer.Add(text, {LedTo(500, 250, 400, 350)}));
}

TEST(PlaceLabels, NothingLeavesThePlot) {
  LabelPlacer placer(PlotFrame(), kLetter);
  const PlotFrame frame;
  const std::vector<LabelText> text = {{"sweep", 40}};
  EXPECT_FALSE(placer.Add(text, {{frame.PlotRight() - 39, 200}}));
  EXPECT_FALSE(placer.Add(text, {{frame.left - 1, 200}}));
  EXPECT_FALSE(placer.Add(text, {{200, frame.PlotBottom() + 1}}));
  Place beyond = {frame.PlotRight() - 30, 300};
  beyond.beyond_plot = true;
  EXPECT_TRUE(placer.Add(text, {beyond}));
}

TEST(PlaceLabels, ATurnedTextCoversWhatItReaches) {
  const LabelBox box = BoxAt({100, 300, Anchor::kStart, -90}, 50, kLetter);
  EXPECT_NEAR(box.x, 100 - 0.325 * kLetter, 1e-9);
  EXPECT_NEAR(box.y, 275, 1e-9);
}

TEST(Letters, AreAsWideAsInAWideFont) {
  EXPECT_GT(LettersWidth("mmmm", 10), LettersWidth("iiii", 10));
  EXPECT_GT(LettersWidth("sweep", 10, true), LettersWidth("sweep", 10));
  EXPECT_DOUBLE_EQ(LettersWidth("", 10), 0);
  EXPECT_GE(LettersWidth("\xE6\xBC\xA2", 10), 10);  // a wide character
  EXPECT_DOUBLE_EQ(LettersWidth("ab", 20), 2 * LettersWidth("ab", 10));
}

}  // namespace
}  // namespace roofmark
