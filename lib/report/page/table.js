// SPDX-License-Identifier: BSD-3-Clause
// The table of regions: sorted by any column, folded as a tree, filtered.

class RegionTable {
  // `regions`: of the page's data, one for each row; `order`: indices of them in the order of the
  // rows. `choose(index)` is called for a row, `showLoops(index)` for its hot loops.
  constructor(table, regions, order, choose, showLoops) {
    this.regions = regions;
    this.tree = order;
    this.body = table.tBodies[0];
    this.rows = [];
    [...this.body.rows].forEach((row, at) => this.rows[order[at]] = row);
    this.heads = [...table.tHead.rows[0].cells];
    this.folded = new Set();
    this.sorted = {column: 1, down: false};
    this.visible = () => true;
    // On a narrow screen the columns that decide, until somebody asks for the others.
    table.classList.add('few');
    this.more = node('button', {type: 'button', class: 'columns', 'aria-pressed': 'false',
      onclick: () => {
        const few = table.classList.toggle('few');
        this.more.setAttribute('aria-pressed', String(!few));
      }}, 'All columns');
    if (table.querySelector('.more')) table.parentNode.before(this.more);
    this.heads.forEach((head, column) => this.addHead(head, column));
    this.rows.forEach((row, index) => this.addRow(row, index, choose, showLoops));
  }

  addHead(head, column) {
    const button = node('button', {type: 'button', onclick: () => this.sortBy(column)},
        head.textContent);
    head.replaceChildren(button);
  }

  addRow(row, index, choose, showLoops) {
    const region = this.regions[index], cell = row.cells[1];
    row.dataset.region = index;
    row.addEventListener('click', (event) => {
      if (!event.target.closest('button')) {
        event.preventDefault();
        choose(index);
      }
    });
    const link = node('a', {href: region.link}, cell.textContent);
    const next = this.regions[index + 1];
    const parent = !region.whole && next && !next.whole && next.depth > region.depth;
    const fold = node(parent ? 'button' : 'span', parent ? {type: 'button', class: 'fold',
      'aria-expanded': 'true', 'aria-label': `regions inside ${region.name}`,
      onclick: (event) => this.fold(index, event.currentTarget)} : {class: 'fold'});
    const loops = loopButton(region, () => showLoops(index));
    cell.replaceChildren(fold, link, ...(loops ? [' ', loops] : []));
  }

  fold(index, button) {
    const open = this.folded.has(index);
    if (open) this.folded.delete(index); else this.folded.add(index);
    button.setAttribute('aria-expanded', String(open));
    this.show();
  }

  // Numbers begin with the largest, texts with the first of the alphabet; a third click is the tree
  // again.
  sortBy(column) {
    const text = column < 2 || this.regions.some((region) =>
      typeof region.sort[column - 2] === 'string');
    const first = !text, now = this.sorted;
    if (now.column !== column) this.sorted = {column, down: first};
    else if (now.down === first && column !== 1) this.sorted = {column, down: !first};
    else this.sorted = {column: 1, down: false};
    this.order();
  }

  keyOf(index) {
    const {column} = this.sorted, region = this.regions[index];
    return column === 0 ? region.key : region.sort[column - 2];
  }

  order() {
    const {column, down} = this.sorted, tree = column === 1;
    const order = [...this.tree];
    const weigh = (a, b) => {
      const one = this.keyOf(a), other = this.keyOf(b);
      const none = (key) => key === null || key === '';
      if (none(one) || none(other)) return none(one) - none(other);
      const less = typeof one === 'string' ? one.localeCompare(other) : one - other;
      return down ? -less : less;
    };
    if (!tree) order.sort(weigh);
    this.heads.forEach((head, at) => {
      if (at === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    this.body.classList.toggle('flat', !tree);
    this.body.append(...order.map((index) => this.rows[index]));
    this.show();
  }

  filter(visible) {
    this.visible = visible;
    this.show();
  }

  // Folds hide what is inside only in the tree.
  show() {
    let hiddenBelow = Infinity;
    const tree = this.sorted.column === 1;
    this.rows.forEach((row, index) => {
      const region = this.regions[index];
      if (region.whole || region.depth <= hiddenBelow) hiddenBelow = Infinity;
      const inside = tree && hiddenBelow !== Infinity;
      if (!inside && this.folded.has(index)) hiddenBelow = region.depth;
      row.hidden = inside || !this.visible(region);
    });
  }

  select(index) {
    this.rows.forEach((row, at) => {
      row.classList.toggle('selected', at === index);
      const link = row.querySelector('a');
      if (at === index) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  }
}
