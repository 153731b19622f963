// SPDX-License-Identifier: BSD-3-Clause
// Elements, and the scales of lib/report/plot_frame.h.

function node(tag, attributes, ...children) {
  const made = document.createElement(tag);
  return fill(made, attributes, children);
}

function shape(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

// Texts become text nodes: no text of a file is ever markup.
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function frameOf(width, height) {
  if (width >= 560) return {width, height, left: 70, right: 20, top: 20, bottom: 92, narrow: false};
  return {width, height, left: 48, right: 10, top: 10, bottom: 112, narrow: true};
}

// `range`: least and most of x, then of y.
function plotOf(frame, range) {
  const [xMin, xMax, yMin, yMax] = range;
  const xDecades = Math.log10(xMax / xMin), yDecades = Math.log10(yMax / yMin);
  const width = frame.width - frame.left - frame.right;
  const height = frame.height - frame.top - frame.bottom;
  return {
    frame, range, xMin, xMax, yMin, yMax, width, height,
    letter: frame.narrow ? 10 : 12,
    plotRight: frame.width - frame.right,
    plotBottom: frame.height - frame.bottom,
    X: (x) => frame.left + Math.log10(x / xMin) / xDecades * width,
    Y: (y) => frame.top + (1 - Math.log10(y / yMin) / yDecades) * height,
    // Of a pixel.
    atX: (px) => xMin * 10 ** ((px - frame.left) / width * xDecades),
    atY: (px) => yMin * 10 ** ((1 - (px - frame.top) / height) * yDecades),
    degrees: Math.atan2(height / yDecades, width / xDecades) * 180 / Math.PI,
    decadeWidth: width / xDecades,
  };
}

// Powers of ten within a range; where a range is less than a decade also what lies between.
function ticks(least, most) {
  const steps = most / least < 30 ? [1, 2, 5] : [1];
  const made = [];
  for (let p = Math.floor(Math.log10(least)); p <= Math.ceil(Math.log10(most)); ++p) {
    for (const step of steps) {
      const value = step * 10 ** p;
      if (value >= least * 0.999 && value <= most * 1.01) made.push(value);
    }
  }
  return made;
}

// As "%g".
function tickText(value) {
  if (value >= 1e6 || value < 1e-4) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(Number(value.toPrecision(6)));
}
