// SPDX-License-Identifier: BSD-3-Clause
// Begins: theme, runs, and the region that the address names.

function addTheme(header) {
  const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
  const set = (theme) => { root.dataset.theme = theme; };
  const follow = () => set(dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', follow);
  follow();
  header.append(node('button', {type: 'button', class: 'theme', onclick: () => {
    dark.removeEventListener('change', follow);
    set(root.dataset.theme === 'dark' ? 'light' : 'dark');
  }}, 'Light / dark'));
}

// "#region=PATH&run=2".
function selectByAddress(sections) {
  const given = new URLSearchParams(location.hash.slice(1));
  const path = given.get('region'), section = sections[Number(given.get('run') || 1) - 1];
  if (path === null || !section) return;
  const index = section.data.regions.findIndex((region) => region.path === path);
  if (index >= 0) section.select(index);
  else section.say('The address names a region that this run does not have.');
}

const pageData = JSON.parse(document.getElementById('data').textContent);
addTheme(document.querySelector('header'));
const runSections = [...document.querySelectorAll('section.job, section.still')].map(
    (element, number) => element.classList.contains('still') ?
      new StillSection(element, pageData[number], number) :
      new RunSection(element, pageData[number], number));
addFolds();
selectByAddress(runSections);
window.addEventListener('hashchange', () => selectByAddress(runSections));
window.addEventListener('popstate', () => selectByAddress(runSections));

// For tests: a chart as it is at first, at any size.
window.roofmarkDraw = (run, width, height) => {
  const section = runSections[run];
  return drawChart(section.data.charts[0], {frame: frameOf(width, height),
    range: section.data.charts[0].range, selected: null, own: null, visible: () => true}).made;
};
