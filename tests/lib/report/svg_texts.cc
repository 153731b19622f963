// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/svg_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "lib/report/letters.h"
#include "lib/report/place_labels.h"

namespace roofmark::test {
namespace {

// One element that is open.
struct Open {
  std::string name;
  double x = 0, y = 0;  // the origin within it
  bool narrow = false;
};

std::string AttributeOf(std::string_view tag, std::string_view name) {
  const std::string begin = " " + std::string(name) + "=\"";
  const size_t at = tag.find(begin);
  if (at == std::string_view::npos) return {};
  const size_t from = at + begin.size();
  return std::string(tag.substr(from, tag.find('"', from) - from));
}

double NumberAt(const std::string& text, size_t at) {
  return std::strtod(text.c_str() + at, nullptr);
}

bool HasClass(const std::string& css, const std::string& name) {
  return (" " + css + " ").find(" " + name + " ") != std::string::npos;
}

// What people must see as a whole: dots, and lines that say something.
bool IsMark(const std::string& css) {
  constexpr const char* kMarks[] = {"roof",  "rung", "wall",   "whisker", "arrow", "leader",
                                    "ridge", "dot",  "hollow", "ring",    "before"};
  if (HasClass(css, "aside") || HasClass(css, "speck")) return false;
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&css](const char* mark) { return HasClass(css, mark); });
}

// The straight parts of a path, from its commands.
class PathReader {
 public:
  explicit PathReader(const std::string& text) : at_(text.c_str()) {}

  std::vector<LabelBox> Read() {
    while (*at_ != 0) {
      if (std::isalpha(static_cast<unsigned char>(*at_)) != 0) command_ = *at_++;
      Step();
      while (*at_ == ' ' || *at_ == ',') ++at_;
    }
    return std::move(parts_);
  }

 private:
  double Number() {
    char* end = nullptr;
    const double number = std::strtod(at_, &end);
    if (end == at_ && *at_ != 0) ++end;
    at_ = end;
    return number;
  }

  void Step() {
    const bool relative = std::islower(static_cast<unsigned char>(command_)) != 0;
    const double from_x = relative ? x_ : 0, from_y = relative ? y_ : 0;
    double x = x_, y = y_;
    const char command = static_cast<char>(std::toupper(static_cast<unsigned char>(command_)));
    if (command == 'H' || command == 'M' || command == 'L') x = from_x + Number();
    if (command == 'V' || command == 'M' || command == 'L') y = from_y + Number();
    if (command == 'Z') x = begin_x_, y = begin_y_;
    if (command == 'M') {
      begin_x_ = x, begin_y_ = y;
      command_ = relative ? 'l' : 'L';
    } else {
      parts_.push_back(LineBox(x_, y_, x, y));
    }
    x_ = x, y_ = y;
  }

  const char* at_;
  char command_ = 'M';
  double x_ = 0, y_ = 0, begin_x_ = 0, begin_y_ = 0;
  std::vector<LabelBox> parts_;
};

std::string Unescaped(std::string text) {
  for (const auto& [from, to] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""),
        std::pair("&#39;", "'"), std::pair("&amp;", "&")}) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
      text.replace(at, std::string_view(from).size(), to);
    }
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& svg) : svg_(svg) {}

  DrawnPicture Read() {
    open_.push_back({});
    size_t at = 0;
    while ((at = svg_.find('<', at)) != std::string::npos) {
      const size_t end = svg_.find('>', at);
      if (end == std::string::npos) {
        Wrong("a tag does not end", at);
        break;
      }
      Tag(std::string_view(svg_).substr(at + 1, end - at - 1), end + 1);
      at = end + 1;
    }
    if (open_.size() != 1) Wrong("an element does not end: " + open_.back().name, svg_.size());
    return std::move(picture_);
  }

 private:
  void Wrong(const std::string& what, size_t at) {
    picture_.wrong.push_back(what + ", at byte " + std::to_string(at));
  }

  void Tag(std::string_view tag, size_t behind) {
    const bool ends = tag.starts_with('/'), is_alone = tag.ends_with('/');
    const std::string name(tag.substr(ends, tag.find_first_of(" /", 1) - ends));
    if (ends) {
      if (open_.back().name != name) Wrong("</" + name + "> ends " + open_.back().name, behind);
      if (open_.size() > 1) open_.pop_back();
      return;
    }
    size_t quotes = 0;
    for (const char c : tag) quotes += c == '"';
    if (quotes % 2 != 0) Wrong("quotes of <" + name, behind);
    if (name == "text") Text(tag, behind);
    if (IsMark(AttributeOf(tag, "class"))) Mark(name, tag);
    if (name == "svg") Picture(AttributeOf(tag, "viewBox"));
    if (!is_alone) open_.push_back(Inside(name, tag));
  }

  void Picture(const std::string& box) {
    const size_t width = box.find(' ', box.find(' ') + 1) + 1;
    picture_.width = NumberAt(box, width);
    picture_.height = NumberAt(box, box.find(' ', width) + 1);
  }

  Open Inside(const std::string& name, std::string_view tag) const {
    Open inside = open_.back();
    inside.name = name;
    inside.narrow |= HasClass(AttributeOf(tag, "class"), "narrow");
    const std::string moved = AttributeOf(tag, "transform");
    if (const size_t at = moved.find("translate("); at != std::string::npos) {
      inside.x += NumberAt(moved, at + 10);
      inside.y += NumberAt(moved, moved.find(' ', at) + 1);
    }
    return inside;
  }

  void Mark(const std::string& name, std::string_view tag) {
    const auto number = [tag](const char* of) { return NumberAt(AttributeOf(tag, of), 0); };
    std::vector<LabelBox> boxes;
    if (name == "circle") {
      boxes.push_back({number("cx"), number("cy"), number("r"), number("r")});
    } else if (name == "line") {
      boxes.push_back(LineBox(number("x1"), number("y1"), number("x2"), number("y2")));
    } else if (name == "path" && AttributeOf(tag, "transform").empty()) {
      boxes = PathReader(AttributeOf(tag, "d")).Read();
    }
    for (LabelBox& box : boxes) {
      box.x += open_.back().x;
      box.y += open_.back().y;
      picture_.marks.push_back({AttributeOf(tag, "class"), box});
    }
  }

  void Text(std::string_view tag, size_t behind) {
    const std::string css = AttributeOf(tag, "class");
    const std::string text = Unescaped(svg_.substr(behind, svg_.find('<', behind) - behind));
    const bool narrow = open_.back().narrow, small = HasClass(css, "small-letters");
    const double letter = small ? (narrow ? 8 : 9) : narrow ? 10 : 12;
    const double width = LettersWidth(text, letter, HasClass(css, "dot-name"));
    Place place = {open_.back().x + NumberAt(AttributeOf(tag, "x"), 0),
                   open_.back().y + NumberAt(AttributeOf(tag, "y"), 0)};
    const std::string turned = AttributeOf(tag, "transform");
    if (turned.starts_with("rotate(")) place.degrees = NumberAt(turned, 7);
    if (HasClass(css, "end")) place.anchor = Anchor::kEnd;
    LabelBox box = BoxAt(place, width, letter);
    if (HasClass(css, "mid")) {
      const LabelBox other = BoxAt({place.x, place.y, Anchor::kEnd, place.degrees}, width, letter);
      box.x = (box.x + other.x) / 2;
      box.y = (box.y + other.y) / 2;
    }
    // Ink: lines of text may be closer than their letters are high.
    box.half_height = 0.45 * letter;
    box.half_width -= 0.1;  // places are written in tenths of a pixel
    picture_.texts.push_back({text, css, box});
  }

  const std::string& svg_;
  std::vector<Open> open_;
  DrawnPicture picture_;
};

}  // namespace

DrawnPicture ReadSvg(const std::string& svg) { return Reader(svg).Read(); }

void ExpectTextsApart(const std::string& svg, const std::string& what) {
  constexpr double kEdge = 1;  // px
  const DrawnPicture picture = ReadSvg(svg);
  for (const std::string& wrong : picture.wrong) ADD_FAILURE() << what << ": " << wrong;
  EXPECT_GT(picture.texts.size(), 5u) << what;
  for (size_t i = 0; i < picture.texts.size(); ++i) {
    const DrawnText& one = picture.texts[i];
    for (const auto& [x, y] : one.box.Corners()) {
      EXPECT_TRUE(x >= -kEdge && x <= picture.width + kEdge && y >= -kEdge &&
                  y <= picture.height + kEdge)
          << what << ": \"" << one.text << "\" leaves the picture: " << x << ", " << y << " of "
          << picture.width << ", " << picture.height;
    }
    for (const DrawnMark& mark : picture.marks) {
      EXPECT_FALSE(Overlap(one.box, mark.box))
          << what << ": \"" << one.text << "\" (" << one.css << ") at " << one.box.x << ", "
          << one.box.y << " lies on a " << mark.css << " at " << mark.box.x << ", " << mark.box.y;
    }
    for (size_t k = 0; k < i; ++k) {
      const DrawnText& other = picture.texts[k];
      EXPECT_FALSE(Overlap(one.box, other.box))
          << what << ": \"" << one.text << "\" (" << one.css << ") lies on \"" << other.text
          << "\" (" << other.css << ")";
    }
  }
}

}  // namespace roofmark::test
