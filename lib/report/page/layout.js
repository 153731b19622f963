// SPDX-License-Identifier: BSD-3-Clause
// Where everything with a name stands in a chart, by the rules of lib/report/chart_layout.cc.

const FEW_NARROW_DOTS = 12, NARROW_NAMES = 3, MOST_NAMES = 60, SURE_NAMES = 12, FEW_DOTS = 80;
const RIDGE_MARK = 5, MARK_ROWS = 5, RIDGE_ROWS = 6;

function slopePlaces(plot, line) {
  const angle = plot.degrees * Math.PI / 180, places = [];
  const left = plot.X(line.at[0]), right = plot.X(line.at[2]);
  for (let x = left + 12; x < right; x += 10) {
    const y = plot.Y(line.at[1]) - (x - left) * Math.tan(angle);
    for (const above of [5, -(plot.letter + 2)]) {
      places.push({x: x - above * Math.sin(angle), y: y - above * Math.cos(angle),
        degrees: -plot.degrees});
    }
  }
  return places;
}

function roofPlaces(plot, line) {
  const y = plot.Y(line.at[1]), left = plot.X(line.at[0]), places = [];
  for (let x = plot.X(line.at[2]) - 6; x > left; x -= 10) {
    places.push({x, y: y - 5, end: true}, {x, y: y + plot.letter + 2, end: true});
  }
  return places;
}

function wallPlaces(plot, wall) {
  const x = plot.X(wall.x), places = [];
  for (let y = plot.plotBottom - 6; y > plot.frame.top; y -= 16) {
    places.push({x: x - 5, y, degrees: -90}, {x: x + plot.letter + 2, y, degrees: -90});
  }
  for (let y = plot.plotBottom - 6; y > plot.frame.top; y -= 16) {
    places.push({x: x - 5, y, end: true}, {x: x + 5, y});
  }
  return places;
}

// With a line from the edge of what it names, if that is not around the line's end.
function withLeader(plot, place, from) {
  const [x, y] = leaderEnd(place, plot.letter), far = Math.hypot(x - from.x, y - from.y);
  if (far <= from.radius) return place;
  const edge = from.radius / far;
  return {...place, from: [from.x + edge * (x - from.x), from.y + edge * (y - from.y)]};
}

// In its row, then in rows above and below it.
function besidePlaces(plot, at, beyond, rows = 2) {
  const middle = at.y + 0.325 * plot.letter, reach = at.radius + 3, places = [];
  const add = (shift) => {
    const y = middle + shift * (plot.letter + 3);
    for (const place of [{x: at.x + reach, y, beyond}, {x: at.x - reach, y, end: true, beyond}]) {
      places.push(shift === 0 ? place : withLeader(plot, place, at));
    }
  };
  add(0);
  for (let away = 1; away <= rows; ++away) {
    add(-away);
    add(away);
  }
  return places;
}

// In ever larger circles around the points.
function farPlaces(plot, points) {
  const corners = 12, places = [];
  for (const away of [14, 24, 48, 76, 110, 150]) {
    for (const point of points) {
      for (let corner = 0; corner < corners; ++corner) {
        const angle = 2 * Math.PI * (corner + 0.5) / corners, reach = point.radius + away;
        places.push(withLeader(plot, {x: point.x + reach * Math.cos(angle),
          y: point.y + reach * Math.sin(angle) + 0.325 * plot.letter,
          end: Math.cos(angle) <= 0, beyond: true}, point));
      }
    }
  }
  return places;
}

// Of a line, from its second end on, but in no mark.
function pointsOn(x0, y0, x1, y1, marks) {
  const apart = 30, length = Math.hypot(x1 - x0, y1 - y0), points = [];
  for (let at = length - Math.min(apart, length) / 2; at > 0; at -= apart) {
    const x = x0 + at / length * (x1 - x0), y = y0 + at / length * (y1 - y0);
    if (!marks.some((mark) => Math.hypot(x - mark.x, y - mark.y) < mark.radius + 3)) {
      points.push({x, y, radius: 0});
    }
  }
  return points;
}

// What names lead to: its middle and its radius.
function pointOf(dot, plot) {
  return {...spotOf(dot, plot), radius: radiusOf(dot, plot.frame)};
}

function ridgeAt(ridge, plot) {
  return {x: plot.X(ridge.x), y: plot.Y(ridge.y), radius: RIDGE_MARK};
}

function addObstacles(placer, view, plot, points) {
  view.dots.forEach((dot, i) => {
    const {x, y, radius} = points[i], bars = barsOf(dot, plot);
    placer.addDot(x, y, radius);
    if (bars.overY) placer.addLine(x, bars.overY[0], x, bars.overY[1]);
    if (bars.overX) placer.addLine(bars.overX[0], y, bars.overX[1], y);
  });
  for (const ridge of view.ridges) placer.addDot(plot.X(ridge.x), plot.Y(ridge.y), RIDGE_MARK);
  for (const {at} of view.lines) {
    placer.addLine(plot.X(at[0]), plot.Y(at[1]), plot.X(at[2]), plot.Y(at[3]));
  }
  for (const wall of view.walls) {
    placer.addLine(plot.X(wall.x), plot.plotBottom, plot.X(wall.x),
        plot.Y(Math.max(wall.y1, plot.yMin)));
  }
}

// All labels of a view, in the order of lib/report/chart_layout.cc; the selected dots come first
// among the dots.
function layOut(view, plot, selected) {
  const placer = new LabelPlacer(plot), placed = [];
  const points = view.dots.map((dot) => pointOf(dot, plot));
  addObstacles(placer, view, plot, points);
  const marks = points.concat(view.ridges.map((ridge) => ridgeAt(ridge, plot)));
  const put = (css, texts, places) => {
    const label = placer.add(texts, places);
    if (label) placed.push({css, ...label});
    return label !== null;
  };
  const putLine = (css, line, places, ends) => {
    const texts = [line.label, line.name];
    if (put(css, texts, places)) return;
    const far = farPlaces(plot, pointsOn(...ends, marks));
    if (put(css, texts, far.map((place) => ({...place, avoidsLines: true})))) return;
    put(css, texts, far);
  };
  const putLines = (rungs) => {
    for (const line of view.lines.filter((each) => each.rung === rungs)) {
      const [x0, y0, x1, y1] = line.at;
      putLine(rungs ? 'rung-name' : 'roof-name', line,
          line.memory ? slopePlaces(plot, line) : roofPlaces(plot, line),
          [plot.X(x0), plot.Y(y0), plot.X(x1), plot.Y(y1)]);
    }
  };
  putLines(false);
  for (const ridge of view.ridges) {
    if (!ridge.label[0]) continue;
    put('ridge-name', [ridge.label, ridge.name],
        besidePlaces(plot, ridgeAt(ridge, plot), false, RIDGE_ROWS));
  }
  const order = byShare(view.dots), few = view.dots.length <= FEW_DOTS;
  const tight = plot.frame.narrow && view.dots.length > FEW_NARROW_DOTS;
  const putMark = (dot) => {
    const [name, ...shorter] = dot.beyond, point = pointOf(dot, plot);
    const beside = besidePlaces(plot, point, true, MARK_ROWS), far = farPlaces(plot, [point]);
    return (!tight && put('dot-name', [name], beside)) ||
      shorter.some((text) => [beside, far].some((places) => put('dot-name', [text], places))) ||
      put('dot-name', [dot.key], beside);
  };
  const putDot = (dot, named) => {
    const point = pointOf(dot, plot), beside = besidePlaces(plot, point, true);
    const far = named < SURE_NAMES || few ? farPlaces(plot, [point]) : [];
    const texts = tight && named >= NARROW_NAMES ? [dot.key] : [dot.label, dot.key];
    return texts.some((text) => [beside, far].some((places) => put('dot-name', [text], places)));
  };
  order.filter((dot) => dot.mark).forEach(putMark);
  putLines(true);
  for (const wall of view.walls) {
    const x = plot.X(wall.x);
    putLine('rung-name', wall, wallPlaces(plot, wall),
        [x, plot.plotBottom, x, plot.Y(Math.max(wall.y1, plot.yMin))]);
  }
  const plain = order.filter((dot) => !dot.mark);
  const first = plain.filter((dot) => dot.region === selected);
  const others = plain.filter((dot) => dot.region !== selected);
  first.concat(others).slice(0, MOST_NAMES).forEach(putDot);
  return placed;
}
