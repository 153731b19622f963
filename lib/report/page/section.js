// SPDX-License-Identifier: BSD-3-Clause
// One run of the page: its chart, filters, table and panel, and what is selected.

// Of each region, in section `number` of the page.
function linkRegions(regions, number) {
  for (const region of regions) {
    region.link = `#region=${encodeURIComponent(region.path)}` +
      (number > 0 ? `&run=${number + 1}` : '');
  }
}

function goTo(link) {
  try {
    history.pushState(null, '', link);
  } catch (refused) {
    // Some viewers of mails have no address.
  }
}

class RunSection {
  constructor(element, data, number) {
    this.data = data;
    this.number = number;
    this.kind = 0;
    this.selected = null;
    linkRegions(data.regions, number);
    this.panel = node('div', {class: 'panel', role: 'region', 'aria-label': 'Selected region',
      'aria-live': 'polite'});
    this.picture = element.querySelector('.picture');
    this.table = new RegionTable(element.querySelector('table.regions'), data.regions, data.order,
        (index) => this.choose(index), (index) => this.showLoops(index));
    const view = element.querySelector('.view');
    this.addTools(view);
    view.append(this.panel);
    if (data.charts.length) this.addChart();
    this.select(data.first === null ? this.busiest() : data.first);
    this.applyFilter();
  }

  busiest() {
    let best = null;
    this.data.regions.forEach((region, index) => {
      if (!region.whole && (best === null || region.share > this.data.regions[best].share)) {
        best = index;
      }
    });
    return best;
  }

  addTools(view) {
    this.filters = new Filters(this.data, () => this.applyFilter());
    this.status = node('span', {class: 'status', role: 'status'});
    view.before(node('div', {class: 'tools'}, ...this.kindButtons(), this.filters.element,
        this.status));
  }

  kindButtons() {
    this.kinds = this.data.charts.map((chart, kind) => node('button', {type: 'button',
      'aria-pressed': String(kind === 0), onclick: () => this.show(kind)}, chart.name));
    return this.kinds.length > 1 ? [node('span', {class: 'group', role: 'group',
      'aria-label': 'Chart'}, ...this.kinds)] : [];
  }

  addChart() {
    this.svg = shape('svg', {class: 'live', role: 'group', 'aria-label':
      'Roofline chart. Arrow keys go from region to region, Enter selects, + and - zoom, D zooms to ' +
      'the dots, 0 is the first view again.'});
    this.view = {range: this.chart.range};
    const act = (text, run, label, title) => node('button', {type: 'button', onclick: run,
      'aria-label': label, title}, text);
    const copy = (kind) => act(`Copy ${kind}`, async () => {
      this.say(await copyPicture(this.svg, this.data.name, kind));
    });
    this.picture.replaceChildren(this.svg);
    this.picture.classList.remove('wide');
    this.everything = act('Show all', () => this.see(this.chart.whole), null,
        'also what lies outside of the axes');
    this.picture.append(node('div', {class: 'actions'},
        act('Zoom to dots', () => this.see(this.aroundDots()), null,
            'of regions that take 1 % of the run or more'), this.everything,
        act('+', () => this.zoom(2), 'zoom in'), act('−', () => this.zoom(0.5), 'zoom out'),
        act('Reset', () => this.see(this.chart.range)), copy('SVG'),
        copy('PNG'), this.status));
    this.listen();
    let width = 0;
    new ResizeObserver(() => {
      const now = Math.round(this.picture.clientWidth);
      if (now !== width) {
        width = now;
        this.redraw();
      }
    }).observe(this.picture);
  }

  get chart() { return this.data.charts[this.kind]; }

  listen() {
    this.svg.addEventListener('click', (event) => {
      const point = event.target.closest('.point');
      if (point && !this.dragged) this.choose(Number(point.dataset.region));
    });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('dblclick', (event) => this.zoom(2, this.pixel(event)));
    this.svg.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;  // without them the page scrolls
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.25 : 0.8, this.pixel(event));
    }, {passive: false});
    this.svg.addEventListener('pointerdown', (event) => {
      this.drag = this.pixel(event);
      this.dragged = false;
    });
    window.addEventListener('pointerup', () => { this.drag = null; });
    this.svg.addEventListener('pointermove', (event) => this.pan(event));
  }

  key(event) {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const point = event.target.closest('.point');
    if (step || event.key === 'Home' || event.key === 'End') {
      const points = this.inOrder(), at = points.indexOf(point);
      const next = event.key === 'Home' ? 0 : event.key === 'End' ? points.length - 1 :
        (at + step + points.length) % points.length;
      if (points.length) this.focus(points[next]);
    } else if (point && (event.key === 'Enter' || event.key === ' ')) {
      this.choose(Number(point.dataset.region));
      const again = this.svg.querySelector('.point.selected');
      if (again) this.focus(again);
    } else if (event.key === '+' || event.key === '-') {
      this.zoom(event.key === '+' ? 2 : 0.5);
    } else if (event.key === '0' || event.key === 'd') {
      this.see(event.key === '0' ? this.chart.range : this.aroundDots());
    } else {
      return;
    }
    event.preventDefault();
  }

  // From left to right.
  inOrder() {
    const left = (point) => Number(point.dataset.x);
    return [...this.svg.querySelectorAll('.point')].sort((a, b) => left(a) - left(b));
  }

  focus(point, options) {
    for (const other of this.svg.querySelectorAll('.point[tabindex="0"]')) {
      other.setAttribute('tabindex', '-1');
    }
    point.setAttribute('tabindex', '0');
    point.focus(options);
  }

  pixel(event) {
    const box = this.svg.getBoundingClientRect(), view = this.svg.viewBox.baseVal;
    return [(event.clientX - box.left) / box.width * view.width,
      (event.clientY - box.top) / box.height * view.height];
  }

  see(range) {
    this.view.range = range;
    this.redraw();
    this.report();
  }

  // What is closest around the regions that take time, of those that are shown.
  aroundDots() {
    const {range} = this.chart, shown = this.chart.dots.filter((dot) => this.visible(dot));
    const most = Math.max(0, ...shown.map((dot) => dot.share));
    const inside = ({x, y}) => x >= range[0] && x <= range[1] && y >= range[2] && y <= range[3];
    const dots = shown.filter((dot) => dot.share >= Math.min(0.01, most / 10) && inside(dot));
    if (!dots.length) return range;
    const around = (values, first, last) => {
      const low = Math.log(Math.min(...values)), high = Math.log(Math.max(...values));
      const least = Math.log(3), span = Math.max(least, 1.3 * (high - low));
      return this.within((low + high - span) / 2, Math.min(span, Math.log(last / first)), first, last);
    };
    return [...around(dots.map((dot) => dot.x), range[0], range[1]),
      ...around(dots.map((dot) => dot.y), range[2], range[3])];
  }

  // By what factor; about a pixel or the middle.
  zoom(factor, at) {
    const base = this.chart.whole;
    const {plot} = this.drawn, range = this.view.range;
    const [px, py] = at || [plot.frame.left + plot.width / 2, plot.frame.top + plot.height / 2];
    const grow = (least, most, centre, first, last) => {
      const span = Math.min(Math.log(most / least) / factor, Math.log(last / first));
      const part = Math.log(centre / least) / Math.log(most / least);
      return this.within(Math.log(centre) - part * span, span, first, last);
    };
    this.view.range = [
      ...grow(range[0], range[1], plot.atX(px), base[0], base[1]),
      ...grow(range[2], range[3], plot.atY(py), base[2], base[3])];
    this.redraw();
    this.report();
  }

  within(begin, span, first, last) {
    const from = Math.min(Math.max(begin, Math.log(first)), Math.log(last) - span);
    return [Math.exp(from), Math.exp(from + span)];
  }

  pan(event) {
    if (!this.drag || !this.drawn) return;
    const [x, y] = this.pixel(event), {plot} = this.drawn, base = this.chart.whole;
    if (Math.hypot(x - this.drag[0], y - this.drag[1]) < 4 && !this.dragged) return;
    this.dragged = true;
    const range = this.view.range;
    const moved = (least, most, ratio, first, last) =>
      this.within(Math.log(least * ratio), Math.log(most / least), first, last);
    this.view.range = [
      ...moved(range[0], range[1], plot.atX(this.drag[0]) / plot.atX(x), base[0], base[1]),
      ...moved(range[2], range[3], plot.atY(this.drag[1]) / plot.atY(y), base[2], base[3])];
    this.drag = [x, y];
    this.redraw();
  }

  show(kind) {
    this.kind = kind;
    this.kinds.forEach((button, at) => button.setAttribute('aria-pressed', String(at === kind)));
    this.see(this.chart.range);
  }

  // `all`: it is nothing that a small screen needs.
  say(text, all = false) {
    this.status.textContent = text;
    this.status.classList.toggle('all', all);
  }

  applyFilter() {
    this.redraw();
    this.table.filter(this.filter.region);
    this.report();
  }

  // How many regions are shown, and how many dots are not in the view.
  report() {
    const all = this.filters.regions, shown = all.filter(this.filter.region).length;
    const outside = this.chart ? this.chart.dots.filter((dot) => this.visible(dot)).length -
      this.drawn.dots.length : 0;
    const dots = outside === 1 ? '1 dot is' : `${outside} dots are`;
    this.say(this.filters.text(shown) + (outside ? `; ${dots} outside of this view` : ''),
        shown === all.length && !outside);
  }

  visible(dot) {
    return this.filter.dot(dot) &&
      (dot.region === this.selected || this.filter.region(this.data.regions[dot.region]));
  }

  redraw() {
    const region = this.data.regions[this.selected];
    this.filters.allow(this.kind, region);
    this.filter = this.filters.now(this.kind);
    if (!this.svg) return;
    const width = Math.max(280, this.picture.clientWidth || 860);
    const height = width >= 560 ? this.height(width) : Math.round(width * 0.8 + 122);
    this.drawn = drawChart(this.chart, {
      frame: frameOf(width, height), range: this.view.range, selected: this.selected,
      family: this.filter.family, level: this.filter.level,
      own: this.kind === VIEWS.roofline && region && region.own ? region.own : null,
      visible: (dot) => this.visible(dot),
    });
    this.everything.hidden = this.chart.range.every((end, at) => end === this.chart.whole[at]);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${Math.ceil(this.drawn.bottom)}`);
    const focused = this.svg.contains(document.activeElement) ? document.activeElement : null;
    this.svg.replaceChildren(this.drawn.made);
    const entry = this.svg.querySelector('.point.selected') || this.svg.querySelector('.point');
    if (entry) entry.setAttribute('tabindex', '0');
    if (focused) this.keepFocus(focused.dataset.region, entry);
  }

  // Of the keyboard: what was drawn before is gone, the next key must find the chart. The page does not scroll.
  keepFocus(region, entry) {
    const point = [...this.svg.querySelectorAll('.point')].find((each) => each.dataset.region === region);
    if (point || entry) this.focus(point || entry, {preventScroll: true});
  }

  // So that the first screen has all of it, if there is room enough.
  height(width) {
    const above = this.picture.getBoundingClientRect().top + scrollY, buttons = 50;
    const room = Math.max(440, document.documentElement.clientHeight - above - buttons);
    return Math.round(Math.min(560, width * 0.66 + 60, room));
  }

  // By a person: the address says it, so that it can be sent.
  choose(index) {
    goTo(this.data.regions[index].link);
    this.select(index);
  }

  // The first of its loops, opened.
  showLoops(index) {
    this.choose(index);
    const first = this.panel.querySelector('details.loop');
    if (!first) return;
    first.open = true;
    const summary = first.querySelector('summary');
    summary.focus();
    summary.scrollIntoView({block: 'start'});
  }

  select(index) {
    this.selected = index;
    if (index === null) return;
    this.table.select(index);
    showRegion(this.panel, this.data.regions[index], this.data);
    this.redraw();
  }
}
