// SPDX-License-Identifier: BSD-3-Clause
// The rules of lib/report/place_labels.cc. A test compares where both put labels.

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

class LabelPlacer {
  constructor(plot) {
    this.plot = plot;
    this.dots = [];
    this.lines = [];
    this.labels = [];
    this.leaders = [];  // to labels that are far from their dots
  }

  addDot(x, y, radius) { this.dots.push(box(x, y, radius, radius, 0)); }

  addLine(x0, y0, x1, y1) { this.lines.push(lineBox(x0, y0, x1, y1)); }

  // Of a box: on no other label and within the plot, and the least crowding at which it may stand.
  crowding(at, place) {
    const right = place.beyond ? this.plot.frame.width - 2 : this.plot.plotRight;
    for (const [x, y] of corners(at)) {
      if (x < this.plot.frame.left || x > right) return 3;
      if (y < this.plot.frame.top || y > this.plot.plotBottom) return 3;
    }
    const meets = (other) => meet(at, other);
    if (this.labels.some(meets)) return 3;
    if (this.leaders.some(meets)) return 3;
    if (place.from) {
      const leader = lineBox(...place.from, place.x, place.y);
      const crosses = (other) => meet(leader, other);
      if (this.labels.some(crosses) || this.leaders.some(crosses)) return 3;
    }
    if (this.dots.some(meets)) return 2;
    return this.lines.some(meets) ? 1 : 0;
  }

  // `texts`: pairs of text and width in letters' heights. `most`: 0 on nothing, 1 on lines, 2 on
  // dots.
  add(texts, places, most) {
    let best = null;
    for (const [text, ems] of texts) {
      for (const place of places) {
        const at = boxAt(place, ems * this.plot.letter, this.plot.letter);
        const crowding = this.crowding(at, place);
        if (crowding <= most && (!best || crowding < best.crowding)) {
          best = {text, place, at, crowding};
        }
        if (crowding === 0) break;
      }
      if (best && best.crowding === 0) break;
    }
    if (!best) return null;
    this.labels.push(best.at);
    const {from, x, y} = best.place;
    if (from) this.leaders.push(lineBox(...from, x, y));
    return best;
  }
}
