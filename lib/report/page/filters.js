// SPDX-License-Identifier: BSD-3-Clause
// What is shown of a run: regions by name, share of the time and precision, and memory levels.

const SHARES = [0, 0.001, 0.01, 0.05, 0.1];
const MANY_REGIONS = 100;  // from here on, those with the least time are left out at first
const VIEWS = {roofline: 0, hierarchical: 1};

// A field that says why it has no meaning.
class Filter {
  constructor(label, input, before) {
    this.input = input;
    this.reason = node('span', {class: 'why'});
    this.field = node('label', {}, ...(before ? [input, ` ${label} `] : [`${label} `, input]),
        this.reason);
  }

  allow(reason) {
    this.input.disabled = Boolean(reason);
    this.reason.textContent = reason ? ` ${reason}` : '';
  }
}

function choiceOf(label, options, onchange) {
  return new Filter(label, node('select', {onchange}, ...options.map(([value, text]) =>
    node('option', {value}, text))));
}

class Filters {
  // `changed` is called after a choice.
  constructor(data, changed) {
    this.data = data;
    this.regions = data.regions.filter((region) => !region.whole);
    this.precisions = [...new Set(this.regions.flatMap((region) => region.precisions))];
    this.levels = [...new Set(data.charts.flatMap((chart) => chart.dots.map(
        (dot) => dot.key[0].split('.')[1]).filter(Boolean)))];
    const all = (names) => [['', 'all'], ...names.map((name) => [name, name])];
    this.name = new Filter('name', node('input', {type: 'search', oninput: changed}));
    this.share = choiceOf('share of time', SHARES.map((least) =>
      [least, least ? `at least ${least * 100} %` : 'all']), changed);
    this.precision = choiceOf('precision', all(this.precisions), changed);
    this.level = choiceOf('memory level', all(this.levels), changed);
    this.family = new Filter('roofs of fewer cores',
        node('input', {type: 'checkbox', onchange: changed}), true);
    if (this.regions.length > MANY_REGIONS) this.share.input.value = '0.001';
    this.element = node('details', {class: 'foldable filters', open: true},
        node('summary', {}, 'Filters'), node('div', {class: 'fields'}, ...[this.name, this.share,
          this.precision, this.level, this.family].map((filter) => filter.field)));
  }

  // `kind`: the view; `selected`: a region or null.
  allow(kind, selected) {
    const single = this.regions.length < 2, {precisions} = this;
    this.name.allow(single ? '(there is one region)' : '');
    this.share.allow(single ? '(there is one region)' :
      this.regions.some((region) => region.share !== null) ? '' : '(no times in this file)');
    this.precision.allow(precisions.length === 0 ? '(no FLOPs were counted)' :
      precisions.length === 1 ? `(all FLOPs are ${precisions[0]})` :
      single ? '(there is one region)' : '');
    this.level.allow(!this.levels.length ? '(one level is known)' :
      kind === VIEWS.roofline ? '(only DRAM counts in this view)' : '');
    const has = selected && selected.own && selected.own.family.length;
    this.family.allow(kind !== VIEWS.roofline ? '(in the view Roofline)' :
      has ? '' : '(not known of this region)');
  }

  // What a choice means for the view `kind`.
  now(kind) {
    const value = (filter) => filter.input.disabled ? '' : filter.input.value;
    const least = Number(value(this.share)), precision = value(this.precision);
    const level = kind === VIEWS.roofline ? '' : value(this.level);
    const wanted = value(this.name).trim().toLowerCase();
    return {
      level,
      family: this.family.input.checked && !this.family.input.disabled,
      region: (region) => region.whole || (!(region.share < least) &&
        (!precision || region.precisions.includes(precision)) &&
        (!wanted || `${region.key} ${region.name} ${region.path}`.toLowerCase().includes(wanted))),
      dot: (dot) => !level || kind !== VIEWS.hierarchical || dot.key[0].endsWith(`.${level}`),
    };
  }

  text(shown) {
    const all = this.regions.length, noun = all === 1 ? 'region' : 'regions';
    return shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
  }
}
