// SPDX-License-Identifier: BSD-3-Clause
// The rules of lib/report/place_labels.cc.

function corners(box) {
  const angle = box.degrees * Math.PI / 180, cos = Math.cos(angle), sin = Math.sin(angle);
  const made = [];
  for (const u of [-box.halfWidth, box.halfWidth]) {
    for (const v of [-box.halfHeight, box.halfHeight]) {
      made.push([box.x + u * cos - v * sin, box.y + u * sin + v * cos]);
    }
  }
  return made;
}

function shadow(points, x, y) {
  let low = Infinity, high = -Infinity;
  for (const point of points) {
    const at = point[0] * x + point[1] * y;
    if (at < low) low = at;
    if (at > high) high = at;
  }
  return [low, high];
}

// Two rectangles are apart if a side of one of them separates them.
function meet(a, b) {
  const reach = a.reach + b.reach, dx = a.x - b.x, dy = a.y - b.y;
  if (dx * dx + dy * dy > reach * reach) return false;
  const ofA = corners(a), ofB = corners(b);
  for (const box of [a, b]) {
    const angle = box.degrees * Math.PI / 180, cos = Math.cos(angle), sin = Math.sin(angle);
    for (const [x, y] of [[cos, sin], [-sin, cos]]) {
      const one = shadow(ofA, x, y), other = shadow(ofB, x, y);
      if (one[0] > other[1] || other[0] > one[1]) return false;
    }
  }
  return true;
}

function box(x, y, halfWidth, halfHeight, degrees) {
  return {x, y, halfWidth, halfHeight, degrees, reach: Math.hypot(halfWidth, halfHeight)};
}

// Letters reach 0.95 of their height above the base line and 0.3 below it.
function boxAt(place, width, letter) {
  const angle = (place.degrees || 0) * Math.PI / 180, up = 0.325 * letter;
  const along = place.end ? -width / 2 : width / 2;
  return box(place.x + along * Math.cos(angle) + up * Math.sin(angle),
      place.y + along * Math.sin(angle) - up * Math.cos(angle), width / 2, 0.625 * letter,
      place.degrees || 0);
}

// A line has no height.
function lineBox(x0, y0, x1, y1) {
  return box((x0 + x1) / 2, (y0 + y1) / 2, Math.hypot(x1 - x0, y1 - y0) / 2, 0,
      Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI);
}

// Where the line to a label ends: in the middle of the text's side.
function leaderEnd(place, letter) {
  return [place.x + (place.end ? 2 : -2), place.y - 0.325 * letter];
}

class LabelPlacer {
  constructor(plot) {
    this.plot = plot;
    this.dots = [];
    this.lines = [];
    this.labels = [];
    this.leaders = [];  // to labels that are not right beside what they name
  }

  addDot(x, y, radius) { this.dots.push(box(x, y, radius, radius, 0)); }

  addLine(x0, y0, x1, y1) { this.lines.push(lineBox(x0, y0, x1, y1)); }

  // Leaders that nearly touch are taken for each other: they are wider than they are drawn.
  leaderBox(place) {
    const [x, y] = leaderEnd(place, this.plot.letter), [x0, y0] = place.from;
    return box((x0 + x) / 2, (y0 + y) / 2, Math.hypot(x - x0, y - y0) / 2, 2,
        Math.atan2(y - y0, x - x0) * 180 / Math.PI);
  }

  hasFreeLeader(place) {
    const leader = this.leaderBox(place), begin = box(...place.from, 0.5, 0.5, 0);
    if ([this.labels, this.leaders].some((taken) => taken.some((other) => meet(leader, other)))) {
      return false;
    }
    const crosses = (other) => !meet(begin, other) && meet(leader, other);
    return !this.dots.some(crosses) && (!place.avoidsLines || !this.lines.some(crosses));
  }

  // On no other label, dot or line, and within the plot; its leader crosses no label, no other
  // leader and no dot but that in which it begins.
  isFree(at, place) {
    const right = place.beyond ? this.plot.frame.width - 2 : this.plot.plotRight;
    for (const [x, y] of corners(at)) {
      if (x < this.plot.frame.left || x > right) return false;
      if (y < this.plot.frame.top || y > this.plot.plotBottom) return false;
    }
    const meets = (other) => meet(at, other);
    if ([this.labels, this.leaders, this.dots, this.lines].some((taken) => taken.some(meets))) {
      return false;
    }
    return !place.from || this.hasFreeLeader(place);
  }

  // `texts`: pairs of text and width in letters' heights. The first text that has a free place, at
  // the first of those; null if none has one.
  add(texts, places) {
    for (const [text, ems] of texts) {
      for (const place of places) {
        const at = boxAt(place, ems * this.plot.letter, this.plot.letter);
        if (!this.isFree(at, place)) continue;
        this.labels.push(at);
        if (place.from) this.leaders.push(this.leaderBox(place));
        return {text, place, at};
      }
    }
    return null;
  }
}
