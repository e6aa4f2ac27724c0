"""The looks of a page, as far as the browser can measure them."""

# The least contrast of any text with its background, and of any part of a picture with the page (WCAG 2.2).
CONTRAST = """(() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (a, b) => {
    const [p, q] = [light(a), light(b)].sort((x, y) => y - x);
    return (p + 0.05) / (q + 0.05);
  };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const seen = new Map();
  const least = {words: [21, ''], pictures: [21, '']};
  const note = (kind, value, name) => { if (value < least[kind][0]) least[kind] = [value, name]; };
  for (const element of document.querySelectorAll('body *')) {
    if (element.localName === 'script') continue;
    const key = element.localName + '|' + element.className + '|' + element.parentElement.className;
    if (typeof element.className === 'string') {
      if ((seen.get(key) ?? 0) > 50) continue;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    if (element.localName === 'rect')
      note('pictures', ratio(rgb(getComputedStyle(element).fill), behind(element)), element.getAttribute('class'));
    else if (Array.from(element.childNodes).some(n => n.nodeType === 3 && n.data.trim())
        && element.getClientRects().length)
      note('words', ratio(rgb(getComputedStyle(element).color), behind(element)), key);
  }
  return least;
})()"""

# Neighbouring cells of a row whose boxes overlap, and text that leaves its cell.
OVERLAPS = """(() => {
  // The beginning and the end of a long table.
  const some = body => Array.from(body.rows).filter((row, place, all) => place < 150 || place >= all.length - 50);
  for (const row of Array.from(document.querySelectorAll('tbody'), some).flat()) {
    const boxes = Array.from(row.cells).map(c => [c, c.getBoundingClientRect()]).filter(([, b]) => b.width && b.height);
    for (let i = 1; i < boxes.length; i++)
      for (let j = 0; j < i; j++) {
        const [a, b] = [boxes[j][1], boxes[i][1]];
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
            && getComputedStyle(boxes[j][0]).position !== 'sticky')
          return boxes[j][0].textContent.slice(0, 40) + ' | ' + boxes[i][0].textContent.slice(0, 40);
      }
    for (const [cell] of boxes)
      if (cell.scrollWidth > cell.clientWidth + 1) return 'leaves its cell: ' + cell.textContent.slice(0, 60);
  }
  return null;
})()"""

# Rows of a long table's box that a picture of the whole page would not show, because no window has shown them yet.
BLANK = """Array.from(document.querySelectorAll('.list tbody tr')).filter(row => {
    const [box, at] = [row.closest('.scroll').getBoundingClientRect(), row.getBoundingClientRect()];
    return at.height > 0 && at.top < box.bottom && at.bottom > box.top
      && !row.cells[0].checkVisibility({contentVisibilityAuto: true});
  }).length"""

# Boxes whose contents would be cut off on paper, which does not scroll.
CLIPPED = """Array.from(document.querySelectorAll('.scroll'))
  .filter(box => box.scrollWidth > box.clientWidth + 1 || getComputedStyle(box).overflowX !== 'visible')
  .map(box => box.getAttribute('aria-label') + ': ' + box.scrollWidth + ' in ' + box.clientWidth)"""
