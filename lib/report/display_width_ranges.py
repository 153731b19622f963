# SPDX-License-Identifier: BSD-3-Clause
"""Writes the ranges of display_width_ranges.inc from the Unicode data that Python has:

    python3 display_width_ranges.py [FILE to compare with]

A character is wide if its East_Asian_Width is W or F. It has no width if it is a mark that does not
advance (Mn, Me), a format character (Cf), or a vowel or final consonant of Hangul that joins the
consonant before it. The soft hyphen and the signs of numbers in Arabic scripts are format characters
that are seen. Code points that are not assigned belong to the range around them: the tables stay
short."""
import pathlib
import sys
import unicodedata

SEEN = {0xAD, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
JOINING = {*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC)}


def has_no_width(point):
    if point in JOINING:
        return True
    return unicodedata.category(chr(point)) in ("Mn", "Me", "Cf") and point not in SEEN


def is_wide(point):
    return unicodedata.east_asian_width(chr(point)) in "WF" and not has_no_width(point)


def ranges(belongs):
    found = []
    gap = False  # an assigned character since the last one that belongs
    for point in range(0x110000):
        unassigned = unicodedata.category(chr(point)) in ("Cn", "Cs", "Co")
        if unassigned:
            continue
        if not belongs(point):
            gap = True
        elif found and not gap:
            found[-1][1] = point
        else:
            found.append([point, point])
            gap = False
    return found


def lines(found):
    line = ""
    for first, last in found:
        item = f"{{0x{first:04X}, 0x{last:04X}}},"
        if line and len(line) + 1 + len(item) > 100:
            yield line
            line = item
        else:
            line = f"{line} {item}".strip()
    yield line


def text():
    yield "// SPDX-License-Identifier: BSD-3-Clause"
    yield f"// Unicode {unicodedata.unidata_version}, written by display_width_ranges.py."
    for name, belongs in (("kNoWidth", has_no_width), ("kWide", is_wide)):
        yield f"constexpr Range {name}[] = {{"
        yield from lines(ranges(belongs))
        yield "};"


def main():
    written = "\n".join(text()) + "\n"
    if len(sys.argv) < 2:
        print(written, end="")
        return 0
    kept = pathlib.Path(sys.argv[1]).read_text()
    if written == kept:
        print("ok")
        return 0
    if written.split("\n")[1] != kept.split("\n")[1]:
        print(f"SKIP: this Python has Unicode {unicodedata.unidata_version}")
        return 77
    print(f"{sys.argv[1]} differs from what display_width_ranges.py writes")
    return 1


if __name__ == "__main__":
    sys.exit(main())
