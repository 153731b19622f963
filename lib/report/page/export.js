// SPDX-License-Identifier: BSD-3-Clause
// A chart as a picture of its own: in light colours, with the style that pictures have.

function pictureText(svg, title) {
  const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  copy.removeAttribute('class');
  for (const point of copy.querySelectorAll('.point')) {
    for (const name of ['tabindex', 'role', 'aria-pressed']) point.removeAttribute(name);
  }
  for (const halo of copy.querySelectorAll('.halo')) halo.remove();
  const text = new XMLSerializer().serializeToString(copy);
  const begin = text.indexOf('>') + 1;
  const escaped = title.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `${text.slice(0, begin)}<title>${escaped}</title><style>` +
    `${document.getElementById('chart-style').textContent}</style>` +
    `<rect width="100%" height="100%" fill="#fff"/>${text.slice(begin)}`;
}

function pictureBlob(svg, title) {
  return new Blob([pictureText(svg, title)], {type: 'image/svg+xml'});
}

// Twice the size on the screen, for slides.
async function pngBlob(svg, title) {
  const url = URL.createObjectURL(pictureBlob(svg, title)), box = svg.viewBox.baseVal;
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * box.width;
    canvas.height = 2 * box.height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(blob, name) {
  const url = URL.createObjectURL(blob), link = node('a', {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// To the clipboard; where the browser does not allow that, to a file. Returns what it did.
async function copyPicture(svg, title, kind) {
  const png = kind === 'PNG';
  try {
    if (png) {
      await navigator.clipboard.write([new ClipboardItem({'image/png': pngBlob(svg, title)})]);
    } else {
      await navigator.clipboard.writeText(pictureText(svg, title));
    }
    return `${kind} copied`;
  } catch (refused) {
    save(png ? await pngBlob(svg, title) : pictureBlob(svg, title),
        png ? 'roofline.png' : 'roofline.svg');
    return `${kind} saved as a file: the browser does not let the page write to the clipboard`;
  }
}
