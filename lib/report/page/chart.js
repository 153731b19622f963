// SPDX-License-Identifier: BSD-3-Clause
// Draws a chart of the page's data, as lib/report/svg_chart.cc draws the picture of it: what the
// data has at its ranges, lines cut where the view is closer.

const EDGE_MARK = 6;

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

// From what is named to its name, where that does not stand right beside it.
function leadersOf(placed, plot) {
  const made = shape('g', {'aria-hidden': 'true'});
  for (const {place} of placed) {
    if (place.from) made.append(svgLine('leader', ...place.from, ...leaderEnd(place, plot.letter)));
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

// The lines through a dot, as far as they are longer than the dot is wide.
function barsOf(dot, plot) {
  const bars = {}, x = plot.X(dot.x), y = plot.Y(dot.y), radius = radiusOf(dot, plot.frame);
  if (dot.mark) return bars;
  if (dot.overY) {
    const low = plot.Y(Math.max(dot.overY[0], plot.yMin));
    const high = plot.Y(Math.min(dot.overY[1], plot.yMax));
    if (Math.max(low - y, y - high) > radius) bars.overY = [low, high];
  }
  if (dot.overX) {
    const left = plot.X(Math.max(dot.overX[0], plot.xMin));
    const right = plot.X(Math.min(dot.overX[1], plot.xMax));
    if (Math.max(x - left, right - x) > radius) bars.overX = [left, right];
  }
  return bars;
}

function whiskerOf(dot, plot) {
  const x = plot.X(dot.x), y = plot.Y(dot.y), {overY, overX} = barsOf(dot, plot);
  let path = '';
  if (overY) {
    const [low, high] = overY;
    path += `M${x - 4} ${low}H${x + 4}M${x} ${low}V${high}M${x - 4} ${high}H${x + 4}`;
  }
  if (overX) {
    const [left, right] = overX;
    path += `M${left} ${y - 4}V${y + 4}M${left} ${y}H${right}M${right} ${y - 4}V${y + 4}`;
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
