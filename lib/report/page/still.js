// SPDX-License-Identifier: BSD-3-Clause
// Several runs: a picture that stays as it was drawn, and its table. What is chosen in one of them
// is shown in both.

// A row of the page's data, as RegionTable wants it; names and keys are those of the table.
function rowOf([part, ...sort], {cells}, paths) {
  return {part, sort, path: paths[part], depth: 0, key: cells[0].textContent.trim(),
    name: cells[1].textContent};
}

class StillSection {
  constructor(element, data, number) {
    const table = element.querySelector('table.regions'), {rows} = table.tBodies[0];
    const regions = data.rows.map((row, at) => rowOf(row, rows[at], data.paths));
    this.data = {name: data.name, regions};
    this.selected = null;
    linkRegions(regions, number);
    this.pictures = [...element.querySelectorAll('.picture')];
    this.status = node('span', {class: 'status', role: 'status'});
    this.search = node('input', {type: 'search', oninput: () => this.filter()});
    this.pictures[0].before(node('div', {class: 'tools'},
        node('label', {}, 'name ', this.search), this.status));
    this.table = new RegionTable(table, regions, [...regions.keys()],
        (index) => this.choose(index), () => {});
    for (const picture of this.pictures) {
      picture.addEventListener('click', (event) => this.chooseIn(event.target));
    }
  }

  say(text) { this.status.textContent = text; }

  filter() {
    const wanted = this.search.value.trim().toLowerCase(), {regions} = this.data;
    const visible = (region) => !wanted ||
      `${region.key} ${region.name}`.toLowerCase().includes(wanted);
    this.table.filter(visible);
    const shown = regions.filter(visible).length;
    this.say(wanted ? `${shown} of ${regions.length} rows` : '');
  }

  // The first row of a part of the picture.
  chooseIn(target) {
    const part = target.closest('[data-part]');
    const index = part === null ? -1 : this.data.regions.findIndex(
        (region) => region.part === Number(part.dataset.part));
    if (index >= 0) this.choose(index);
    else this.select(null);
  }

  // Once more: all of the picture again.
  choose(index) {
    const next = index === this.selected ? null : index;
    goTo(next === null ? '#' : this.data.regions[next].link);
    this.select(next);
  }

  select(index) {
    this.selected = index;
    this.table.select(index);
    const part = index === null ? null : String(this.data.regions[index].part);
    for (const picture of this.pictures) {
      const drawn = picture.querySelector(`[data-part="${part}"]`) !== null;
      picture.classList.toggle('choosing', drawn);
      for (const each of picture.querySelectorAll('[data-part]')) {
        each.classList.toggle('chosen', each.dataset.part === part);
      }
    }
  }
}
