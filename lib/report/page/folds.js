// SPDX-License-Identifier: BSD-3-Clause
// What is open where there is room and in print, and folded on a telephone.

const NARROW = matchMedia('(max-width: 699px)');

// Inside of a fold that is open where there is room, a second one is closed there.
function foldWhereNarrow() {
  for (const fold of document.querySelectorAll('details.foldable')) fold.open = !NARROW.matches;
  for (const fold of document.querySelectorAll('details.rest')) fold.open = NARROW.matches;
}

function addFolds() {
  foldWhereNarrow();
  NARROW.addEventListener('change', foldWhereNarrow);
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:is(.foldable,.rest):not([open])')];
    for (const fold of folded) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of folded) fold.open = false;
  });
}

// A disclosure whose inside is made when somebody looks.
function disclosure(css, summary, make) {
  const made = node('details', {class: css}, node('summary', {}, ...summary));
  made.addEventListener('toggle', () => {
    if (made.open && made.children.length === 1) made.append(...make().filter(Boolean));
  });
  return made;
}
