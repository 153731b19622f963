// SPDX-License-Identifier: BSD-3-Clause
// Draws a chart of the page's data, as lib/report/svg_chart.cc and chart_layout.cc draw the picture
// of it: what the data has at its ranges, lines cut where the view is closer.

const FEW_NARROW_DOTS = 12, NARROW_NAMES = 3, MOST_NAMES = 60, SURE_NAMES = 12, FEW_DOTS = 80;
const EDGE_MARK = 6, MARK_ROWS = 5, RIDGE_ROWS = 6;

function svgLine(css, x0, y0, x1, y1) {
  const fixed = (value) => value.toFixed(1);
  return shape('line', {class: css, x1: fixed(x0), y1: fixed(y0), x2: fixed(x1), y2: fixed(y1)});
}

function svgText(css, x, y, text, degrees) {
  const at = {class: css, x: x.toFixed(1), y: y.toFixed(1)};
  if (degrees) at.transform = `rotate(${degrees.toFixed(1)} ${at.x} ${at.y})`;
  return shape('text', at, text);
}

// A line within the view, or null.
function clip(line, range) {
  const [xMin, xMax, yMin, yMax] = range;
  let [x0, y0, x1, y1] = line.at;
  if (line.memory) {
    const slope = y0 / x0;
    x0 = Math.max(x0, xMin, yMin / slope);
    x1 = Math.min(x1, xMax, yMax / slope);
    return x0 < x1 ? {...line, at: [x0, slope * x0, x1, slope * x1]} : null;
  }
  if (y0 < yMin || y0 > yMax) return null;
  x0 = Math.max(x0, xMin);
  x1 = Math.min(x1, xMax);
  return x0 < x1 ? {...line, at: [x0, y0, x1, y1]} : null;
}

function radiusOf(dot, frame) {
  if (dot.mark) return EDGE_MARK;
  return (5 + dot.growth * Math.sqrt(dot.share)) * (frame.narrow ? 0.6 : 1);
}

function byShare(dots) {
  return dots.map((dot, i) => [dot, i])
      .sort((a, b) => b[0].share - a[0].share || a[1] - b[1]).map((pair) => pair[0]);
}

// Of one memory level alone, if that is wanted.
function slopesOf(chart, level) {
  return chart.lines.filter((line) => !level || !line.memory || line.name[0] === level);
}

// A ridge belongs to the slope that ends there.
function ridgesOf(chart, level) {
  const ends = slopesOf(chart, level).filter((line) => line.memory).map((line) => line.at[2]);
  return chart.ridges.filter((ridge) => !level ||
    ends.some((x) => Math.abs(x - ridge.x) <= 1e-6 * ridge.x));
}

// Where a dot is drawn, in pixels: one outside of the axes has a mark at the edge, which points
// there.
function spotOf(dot, plot) {
  const x = plot.X(dot.x), y = plot.Y(dot.y), inside = 9, {frame} = plot;
  if (!dot.mark) return {x, y};
  return {
    x: Math.min(Math.max(x, frame.left + inside), plot.plotRight - inside),
    y: Math.min(Math.max(y, frame.top + inside), plot.plotBottom - inside),
    right: (dot.x > plot.xMax) - (dot.x < plot.xMin),
    down: (dot.y < plot.yMin) - (dot.y > plot.yMax),
  };
}

// What of a chart lies in the view: lines, walls, dots, ridge points.
function viewOf(chart, options) {
  const range = options.range, own = options.own;
  const lines = slopesOf(chart, options.level).filter((line) => !own || !line.rung)
      .concat(own ? own.rungs : [], own && options.family ? own.family : [])
      .map((line) => clip(line, range)).filter(Boolean);
  const inX = (x) => x >= range[0] && x <= range[1];
  const inY = (y) => y >= range[2] && y <= range[3];
  const inside = (point) => inX(point.x) && inY(point.y);
  return {
    lines,
    walls: (own ? own.walls : chart.walls).filter((wall) => inX(wall.x) && wall.y1 > range[2])
        .map((wall) => ({...wall, y1: Math.min(wall.y1, range[3])})),
    ridges: ridgesOf(chart, options.level).filter(inside),
    dots: chart.dots.filter((dot) => options.visible(dot) &&
      (inside(dot) || (dot.beyond && range === chart.range)))
        .map((dot) => inside(dot) ? dot : {...dot, mark: true}),
  };
}

function gridOf(plot) {
  const made = shape('g', {'aria-hidden': 'true'});
  const grid = (least, most, draw) => {
    for (let p = Math.floor(Math.log10(least) + 1e-9); 10 ** p <= most; ++p) {
      for (let k = 1; k < 10; ++k) {
        const value = k * 10 ** p;
        if (value >= least * 0.999 && value < most * 1.01) draw(value, k === 1 ? 'decade' : 'minor');
      }
    }
  };
  grid(plot.xMin, plot.xMax, (x, css) =>
    made.append(svgLine(css, plot.X(x), plot.frame.top, plot.X(x), plot.plotBottom)));
  grid(plot.yMin, plot.yMax, (y, css) =>
    made.append(svgLine(css, plot.frame.left, plot.Y(y), plot.plotRight, plot.Y(y))));
  return made;
}

function axesOf(chart, plot) {
  const made = shape('g', {'aria-hidden': 'true'}), {frame, letter} = plot;
  const names = ticks(plot.xMin, plot.xMax);
  const apart = names.length > 1 ? plot.X(names[1]) - plot.X(names[0]) : Infinity;
  const every = Math.max(1, Math.ceil((6 * 0.64 * letter + 6) / Math.min(apart, plot.decadeWidth)));
  names.filter((x, i) => i % every === 0).forEach((x) =>
    made.append(svgText('tick mid', plot.X(x), plot.plotBottom + letter + 5, tickText(x))));
  ticks(plot.yMin, plot.yMax).forEach((y) =>
    made.append(svgText('tick end', frame.left - 6, plot.Y(y) + 4, tickText(y))));
  const name = frame.narrow ? chart.xAxisShort : chart.xAxis;
  made.append(svgText('axis mid', frame.left + plot.width / 2, plot.plotBottom + 2 * letter + 13,
      name[0]));
  made.append(svgText('axis mid', letter + 2, frame.top + plot.height / 2, 'GFLOP/s', -90));
  return made;
}

// What is attainable, within the view.
function hullOf(chart, plot) {
  if (chart.hull.length < 2) return null;
  const clampX = (x) => Math.min(Math.max(x, plot.xMin), plot.xMax);
  const clampY = (y) => Math.min(Math.max(y, plot.yMin), plot.yMax);
  const at = (x) => {
    for (let i = 1; i < chart.hull.length; ++i) {
      const [[x0, y0], [x1, y1]] = [chart.hull[i - 1], chart.hull[i]];
      if (x <= x1) return y0 * (x / x0) ** (Math.log(y1 / y0) / Math.log(x1 / x0));
    }
    return chart.hull[chart.hull.length - 1][1];
  };
  const begin = Math.max(chart.hull[0][0], plot.xMin);
  const inner = chart.hull.map((point) => point[0]).filter((x) => x > begin && x < plot.xMax);
  const xs = [begin, ...inner, plot.xMax];
  let path = `M${plot.X(clampX(begin)).toFixed(1)} ${plot.plotBottom.toFixed(1)}`;
  for (const x of xs) path += `L${plot.X(x).toFixed(1)} ${plot.Y(clampY(at(x))).toFixed(1)}`;
  return shape('path', {class: 'hull', d: `${path}V${plot.plotBottom.toFixed(1)}Z`});
}

function slopePlaces(plot, line) {
  const angle = plot.degrees * Math.PI / 180, places = [];
  const left = plot.X(line.at[0]), right = plot.X(line.at[2]);
  for (let x = left + 12; x < right; x += 20) {
    const y = plot.Y(line.at[1]) - (x - left) * Math.tan(angle);
    for (const above of [5, -(plot.letter + 2)]) {
      places.push({x: x - above * Math.sin(angle), y: y - above * Math.cos(angle),
        degrees: -plot.degrees});
    }
  }
  return places;
}

// Behind another roof a name would be read as that one's.
function roofPlaces(plot, line, away, lines) {
  const y = plot.Y(line.at[1]), left = plot.X(line.at[0]), places = [];
  const between = (top, bottom) => away > 0 && lines.some((other) => {
    const at = plot.Y(other.at[1]);
    return other !== line && !other.memory && at > top && at < bottom;
  });
  const above = !between(y - 5 - away - plot.letter, y);
  const below = !between(y, y + plot.letter + 2 + away);
  for (let x = plot.X(line.at[2]) - 6; x > left; x -= 20) {
    if (above) places.push({x, y: y - 5 - away, end: true});
    if (below) places.push({x, y: y + plot.letter + 2 + away, end: true});
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

// In its row, then in rows above and below it.
function besidePlaces(plot, x, y, reach, beyond, rows = 2) {
  const middle = y + 0.325 * plot.letter, places = [];
  const add = (shift) => {
    const at = middle + shift * (plot.letter + 3);
    places.push({x: x + reach, y: at, beyond}, {x: x - reach, y: at, end: true, beyond});
  };
  add(0);
  for (let away = 1; away <= rows; ++away) {
    add(-away);
    add(away);
  }
  return places;
}

// In ever larger circles around it.
function farPlaces(plot, spot, radius) {
  const corners = 12, places = [];
  for (const away of [24, 48, 76, 110]) {
    for (let corner = 0; corner < corners; ++corner) {
      const angle = 2 * Math.PI * (corner + 0.5) / corners;
      places.push({x: spot.x + (radius + away) * Math.cos(angle),
        y: spot.y + (radius + away) * Math.sin(angle) + 0.325 * plot.letter,
        end: Math.cos(angle) <= 0, beyond: true, from: [spot.x, spot.y]});
    }
  }
  return places;
}

// All labels of a view, in the order of lib/report/chart_layout.cc; the selected dots come first
// among the dots.
function layOut(view, plot, selected) {
  const placer = new LabelPlacer(plot), placed = [];
  const put = (css, texts, places, most) => {
    const label = placer.add(texts, places, most);
    if (label) placed.push({css, ...label});
    return label !== null;
  };
  for (const dot of view.dots) {
    const spot = spotOf(dot, plot);
    placer.addDot(spot.x, spot.y, radiusOf(dot, plot.frame));
  }
  for (const {at} of view.lines) {
    placer.addLine(plot.X(at[0]), plot.Y(at[1]), plot.X(at[2]), plot.Y(at[3]));
  }
  for (const wall of view.walls) {
    placer.addLine(plot.X(wall.x), plot.plotBottom, plot.X(wall.x),
        plot.Y(Math.max(wall.y1, plot.yMin)));
  }
  const putLines = (rungs) => {
    for (const line of view.lines) {
      if (line.rung !== rungs) continue;
      const css = rungs ? 'rung-name' : 'roof-name', texts = [line.label, line.name];
      if (line.memory) {
        put(css, texts, slopePlaces(plot, line), 2);
        continue;
      }
      const step = plot.letter + 3;
      [0, 1, 2].some((most) => [0, step, 2 * step].some((away) =>
        put(css, texts, roofPlaces(plot, line, away, view.lines), most)));
    }
  };
  putLines(false);
  for (const ridge of view.ridges) {
    if (!ridge.label[0]) continue;
    put('ridge-name', [ridge.label, ridge.name],
        besidePlaces(plot, plot.X(ridge.x), plot.Y(ridge.y), 8, false, RIDGE_ROWS), 0);
  }
  const order = byShare(view.dots), few = view.dots.length <= FEW_DOTS;
  const tight = plot.frame.narrow && view.dots.length > FEW_NARROW_DOTS;
  const putMark = (dot) => {
    const spot = spotOf(dot, plot), [name, key] = dot.beyond;
    const beside = besidePlaces(plot, spot.x, spot.y, EDGE_MARK + 3, true, MARK_ROWS);
    return put('dot-name', tight ? [key] : [name, key], beside, 1) || put('dot-name', [key, dot.key], beside, 2);
  };
  const putDot = (dot, most, whole) => {
    const spot = spotOf(dot, plot), radius = radiusOf(dot, plot.frame);
    const name = [dot.label], key = [dot.key];
    const beside = besidePlaces(plot, spot.x, spot.y, radius + 3, true);
    if (!whole) return put('dot-name', key, beside, most);
    const both = [dot.label, dot.key];
    return (few && (put('dot-name', name, beside, 0) || (!plot.frame.narrow &&
        put('dot-name', name, farPlaces(plot, spot, radius), 0)) ||
      put('dot-name', both, beside, 1))) || put('dot-name', both, beside, most);
  };
  for (const dot of order.filter((each) => each.mark)) {
    if (putMark(dot)) placed[placed.length - 1].dot = dot;
  }
  putLines(true);
  for (const wall of view.walls) {
    put('rung-name', [wall.label, wall.name], wallPlaces(plot, wall), 1);
  }
  const plain = order.filter((dot) => !dot.mark);
  const first = plain.filter((dot) => dot.region === selected);
  const others = plain.filter((dot) => dot.region !== selected);
  first.concat(others).slice(0, MOST_NAMES).forEach((dot, i) => {
    if (putDot(dot, i < SURE_NAMES ? 2 : 1, !tight || i < NARROW_NAMES)) placed[placed.length - 1].dot = dot;
  });
  return placed;
}

// From a dot to its name where that stands higher or lower.
function leadersOf(placed, plot) {
  const made = shape('g', {'aria-hidden': 'true'}), {letter} = plot, gap = 2;
  for (const {dot, place} of placed) {
    if (!dot) continue;
    const {x, y} = spotOf(dot, plot), radius = radiusOf(dot, plot.frame);
    const toX = place.x + (place.end ? gap : -gap), toY = place.y - 0.325 * letter;
    const edge = radius / Math.hypot(toX - x, toY - y);
    const near = Math.abs(toY - y) < letter && Math.abs(toX - x) < radius + letter;
    if (near || edge >= 1) continue;
    made.append(svgLine('leader', x + edge * (toX - x), y + edge * (toY - y), toX, toY));
  }
  return made;
}

function linesOf(view, plot) {
  const rungs = [], roofs = [];
  for (const {at, memory, rung} of view.lines) {
    (rung ? rungs : roofs).push(svgLine(`${rung ? 'rung' : 'roof'} ${memory ? 'memory' : 'compute'}`,
        plot.X(at[0]), plot.Y(at[1]), plot.X(at[2]), plot.Y(at[3])));
  }
  for (const wall of view.walls) {
    const x = plot.X(wall.x);
    rungs.push(svgLine('wall', x, plot.plotBottom, x, plot.Y(wall.y1)));
  }
  for (const ridge of view.ridges) {
    roofs.push(shape('path', {class: 'ridge', d:
      `M${plot.X(ridge.x).toFixed(1)} ${(plot.Y(ridge.y) - 5).toFixed(1)}l5 5l-5 5l-5 -5Z`}));
  }
  return shape('g', {'aria-hidden': 'true'}, ...rungs, ...roofs);
}

// As far as they are longer than the dot is wide.
function whiskerOf(dot, plot) {
  if (dot.mark) return null;
  const x = plot.X(dot.x), y = plot.Y(dot.y), radius = radiusOf(dot, plot.frame);
  let path = '';
  if (dot.overY) {
    const low = plot.Y(Math.max(dot.overY[0], plot.yMin));
    const high = plot.Y(Math.min(dot.overY[1], plot.yMax));
    if (Math.max(low - y, y - high) > radius) {
      path += `M${x - 4} ${low}H${x + 4}M${x} ${low}V${high}M${x - 4} ${high}H${x + 4}`;
    }
  }
  if (dot.overX) {
    const left = plot.X(Math.max(dot.overX[0], plot.xMin));
    const right = plot.X(Math.min(dot.overX[1], plot.xMax));
    if (Math.max(x - left, right - x) > radius) {
      path += `M${left} ${y - 4}V${y + 4}M${left} ${y}H${right}M${right} ${y - 4}V${y + 4}`;
    }
  }
  return path ? shape('path', {class: `whisker ${dot.by}`, d: path}) : null;
}

// A triangle whose tip points to where the dot lies.
function edgeMark(look, spot) {
  const degrees = Math.atan2(spot.down, spot.right) * 180 / Math.PI;
  return shape('path', {class: look, d: `M${EDGE_MARK} 0l${1 - 2 * EDGE_MARK} ${EDGE_MARK}v${
    -2 * EDGE_MARK}Z`, transform: `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)}) rotate(${
    degrees.toFixed(0)})`});
}

function dotOf(dot, plot, selected) {
  const spot = spotOf(dot, plot), at = {cx: spot.x.toFixed(1), cy: spot.y.toFixed(1)};
  const radius = radiusOf(dot, plot.frame), chosen = dot.region === selected;
  return shape('g', {class: chosen ? 'point selected' : 'point', role: 'button',
    tabindex: '-1', 'aria-label': `${dot.key[0]} ${dot.title}`, 'aria-pressed': String(chosen),
    'data-region': dot.region, 'data-x': at.cx},
  shape('title', {}, dot.title),
  chosen ? shape('circle', {class: 'halo', ...at, r: (radius + 5).toFixed(1)}) : null,
  dot.mark ? edgeMark(dot.look, spot) :
    shape('circle', {class: dot.look, ...at, r: radius.toFixed(1)}));
}

// With the height that the picture needs.
function legendOf(chart, plot, range) {
  const made = shape('g', {'aria-hidden': 'true'}), {frame, letter} = plot;
  let x = frame.left, y = plot.plotBottom + 3 * letter + 21;
  for (const [look, [text, ems]] of chart.legend) {
    if (look === 'beyond' && range !== chart.range) continue;
    const width = 24 + ems * letter;
    if (x > frame.left && x + width > frame.width) {
      x = frame.left;
      y += letter + 4;
    }
    const middle = y - 0.35 * letter;
    made.append(look === 'beyond' ?
      edgeMark('dot by-other', {x: x + 2, y: middle, right: 0, down: 1}) : look === 'whisker' ?
      shape('path', {class: 'whisker by-other', d: `M${x - 4} ${middle - 4}v8m0 -4h12m0 -4v8`}) :
      shape('circle', {class: look, cx: x + 2, cy: middle, r: 4.5}));
    made.append(svgText('tick', x + 12, y, text));
    x += width;
  }
  return {made, bottom: y + 6};
}

// A <g> with all of it. `options`: frame, range, visible(dot), selected (a region or null), own (its
// ceilings or null), family, level (a memory level or none).
function drawChart(chart, options) {
  const plot = plotOf(options.frame, options.range), view = viewOf(chart, options);
  const made = shape('g', {class: options.frame.narrow ? 'chart narrow' : 'chart'});
  const dots = byShare(view.dots);
  made.append(gridOf(plot));
  const hull = options.level ? null : hullOf(chart, plot);
  if (hull) made.append(hull);
  made.append(axesOf(chart, plot), linesOf(view, plot));
  const whiskers = shape('g', {'aria-hidden': 'true'});
  for (const dot of dots) {
    const whisker = whiskerOf(dot, plot);
    if (whisker) whiskers.append(whisker);
  }
  made.append(whiskers);
  const placed = layOut(view, plot, options.selected);
  made.append(leadersOf(placed, plot));
  const points = shape('g', {class: 'points'});
  for (const dot of dots) points.append(dotOf(dot, plot, options.selected));
  made.append(points);
  const names = shape('g', {class: 'names', 'aria-hidden': 'true'});
  for (const {css, text, place} of placed) {
    names.append(svgText(place.end ? `${css} end` : css, place.x, place.y, text, place.degrees));
  }
  const legend = legendOf(chart, plot, options.range);
  made.append(names, legend.made);
  return {made, plot, bottom: legend.bottom, dots: view.dots};
}
