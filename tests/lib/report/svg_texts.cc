// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/svg_texts.h"

#include <gtest/gtest.h>

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
    for (size_t k = 0; k < i; ++k) {
      const DrawnText& other = picture.texts[k];
      EXPECT_FALSE(Overlap(one.box, other.box))
          << what << ": \"" << one.text << "\" (" << one.css << ") lies on \"" << other.text
          << "\" (" << other.css << ")";
    }
  }
}

}  // namespace roofmark::test
