// SPDX-License-Identifier: BSD-3-Clause
// Hot loops of the selected region: machine code with executions and time, and what is said of it.

function codeOf(loop, heads) {
  const made = tableOf(`Code of ${loop.name}`, heads, loop.code);
  made.classList.add('code');
  return made;
}

function loopOf([index, share, sentence], loops) {
  const loop = loops.loops[index];
  return disclosure('loop', [node('b', {}, share), ` ${loop.name}`], () => [
    node('p', {}, sentence),
    listOf(loop.lines),
    loop.findings.length ? node('ul', {class: 'findings'},
        ...loop.findings.map((finding) => node('li', {}, finding))) : null,
    codeOf(loop, loops.heads),
    ...loop.notes.map((note) => node('p', {class: 'small'}, note)),
  ]);
}

// Nothing where the file has loops, and none of this region.
function loopsOf(region, data) {
  if (!data.loops) return part('Hot loops', node('p', {class: 'small'}, `This file ${data.whyNoLoops}.`));
  if (!region.loops) return null;
  return part('Hot loops', ...region.loops.lines.map((line) => node('p', {}, line)),
      ...region.loops.of.map((use) => loopOf(use, data.loops)),
      ...data.loops.remarks.map((remark) => node('p', {class: 'small'}, remark)));
}

// How many of its own a region has, beside its name in the table.
function loopButton(region, show) {
  const own = region.loops ? region.loops.of.filter((use) => use[3]).length : 0;
  if (!own || region.whole) return null;
  const text = own === 1 ? '1 hot loop' : `${own} hot loops`;
  return node('button', {type: 'button', class: 'loops', 'aria-label': `${text} of ${region.name}`,
    onclick: show}, text);
}
