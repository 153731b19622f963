// SPDX-License-Identifier: BSD-3-Clause
// What is known of the selected region.

const FEW_RANKS = 3;  // all of them have their line

function listOf(lines) {
  return node('ul', {}, ...lines.map((line) => node('li', {}, line)));
}

function part(title, ...children) {
  return node('section', {}, node('h4', {}, title), ...children.filter(Boolean));
}

function tableOf(label, heads, rows) {
  return node('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': label},
      node('table', {}, node('thead', {}, node('tr', {}, ...heads.map((head) =>
        node('th', {scope: 'col'}, head)))),
      node('tbody', {}, ...rows.map((row) => node('tr', {}, ...row.map((cell) =>
        node('td', {}, cell)))))));
}

// Those that cost the region something, then the others, then those that are not known.
function ceilingsOf(region, texts) {
  const known = region.ceilings.filter((ceiling) => !texts[ceiling[6]]);
  const table = (rows) => {
    const made = tableOf('Ceilings of this run', ['what holds it', 'at', 'gain', 'saves'],
        rows.map(([label, , height, unit, gain, saves]) =>
          [texts[label], `${height} ${texts[unit]}`, gain, saves]));
    made.classList.add('ceilings');
    return made;
  };
  const costs = known.filter((ceiling) => ceiling[7]), free = known.filter((ceiling) => !ceiling[7]);
  const missing = new Map();
  for (const [label, , , , , , reason] of region.ceilings) {
    if (!texts[reason]) continue;
    missing.set(texts[reason], [...(missing.get(texts[reason]) || []), texts[label]]);
  }
  const parts = [];
  if (costs.length) parts.push(table(costs));
  if (free.length) {
    parts.push(disclosure('', [`${free.length} that cost it nothing`], () => [table(free)]));
  }
  if (missing.size) {
    parts.push(disclosure('', ['Not known'], () => [
      listOf([...missing].map(([reason, labels]) => `${labels.join(', ')}: ${reason}`))]));
  }
  return parts.length ? part('Ceilings of this run', ...parts) : null;
}

// How many ranks lie where, from the least to the most.
function histogramOf(spread) {
  const width = 320, height = 74, low = spread.low[0][2], high = spread.high[0][2];
  const over = high > low ? high - low : 1, X = (value) => 4 + (value - low) / over * (width - 8);
  const made = shape('svg', {viewBox: `0 0 ${width} ${height}`, class: 'histogram', role: 'img',
    'aria-label': `${spread.of} of ${spread.ranks} ranks: ` + spread.quantiles.map(
        ([percentile, , text]) => `${percentile}th percentile ${text}`).join(', ')});
  const base = height - 18;
  if (spread.bars.length) {
    const most = Math.max(...spread.bars.map((bar) => bar[2]));
    for (const [from, to, count] of spread.bars) {
      const left = X(Math.max(from, low)), right = X(Math.min(to + 1, high));
      const tall = count / most * (base - 8);
      made.append(shape('rect', {class: 'bar', x: left, y: base - tall,
        width: Math.max(1.5, right - left - 0.5), height: tall}));
    }
  } else {
    const values = new Map([...spread.low, ...spread.high].map((each) => [each[0], each[2]]));
    for (const value of values.values()) {
      made.append(shape('circle', {class: 'bar', cx: X(value), cy: base - 6, r: 4}));
    }
  }
  const median = spread.quantiles.find(([percentile]) => percentile === 50);
  made.append(shape('line', {class: 'axis-line', x1: 0, x2: width, y1: base, y2: base}));
  made.append(shape('line', {class: 'median', x1: X(median[1]), x2: X(median[1]), y1: 2, y2: base}));
  made.append(svgText('tick', 2, height - 4, spread.low[0][3]));
  made.append(svgText('tick end', width - 2, height - 4, spread.high[0][3]));
  return made;
}

function spreadOf(spread) {
  const who = ([rank, host, , text]) => `rank ${rank}${host ? ` on ${host}` : ''} ${text}`;
  const quantiles = spread.quantiles.map(([percentile, , text]) => `${percentile} %: ${text}`);
  const many = spread.ranks > FEW_RANKS;
  return part(`${spread.of} over ${spread.ranks} ranks`, many ? histogramOf(spread) : null,
      many ? node('p', {class: 'small'}, quantiles.join('  ')) : null,
      listOf([`most: ${spread.high.map(who).join(', ')}`,
        `least: ${spread.low.map(who).join(', ')}`]));
}

function countersOf(region, texts) {
  return part('Counters', disclosure('',
      [`${region.counters.length} counters and derived values, with status and origin`], () => [
        tableOf('Counters', ['name', 'value', 'unit', 'status', 'origin'],
            region.counters.map(([name, unit, text, status, origin, reason]) =>
              [texts[name], text, texts[unit],
                texts[reason] ? `${texts[status]}: ${texts[reason]}` : texts[status],
                texts[origin]]))]));
}

// Fills `panel` with a region of the page's data.
function showRegion(panel, region, data) {
  const {texts} = data;
  const [verdict, ...others] = region.lines;
  const facts = [];
  if (region.callPath.length > 1) facts.push(node('div', {}, region.callPath.join(' › ')));
  if (region.source) facts.push(node('div', {}, `at ${region.source}`));
  if (region.kind === 'found') facts.push(node('div', {}, 'found, not marked'));
  panel.replaceChildren(...[
    node('h3', {}, region.key ? `${region.key} ${region.name}` : region.name),
    node('div', {class: 'badge'}, shape('svg', {class: 'mark', viewBox: '0 0 14 14',
      'aria-hidden': 'true'}, shape('circle', {class: `dot ${region.by}`, cx: 7, cy: 7, r: 5})),
    ` ${region.limit}`),
    ...facts,
    verdict ? node('p', {class: 'verdict'}, verdict) : node('p', {}, 'Nothing is known of what limits it.'),
    region.advice ? part('What to do', listOf(region.advice)) : null,
    others.length ? part('Where it stands', listOf(others)) : null,
    ceilingsOf(region, texts),
    loopsOf(region, data),
    ...region.spreads.map(spreadOf),
    ...(region.more || []).map(([title, lines]) => part(title, listOf(lines))),
    countersOf(region, texts),
  ].filter(Boolean));
}
