"""A page on paper: figures, headings, and the result of a search. And whether a window cuts a figure."""
from page.search import ROWS, choose, type_words

# A4 minus the margins of the page's style, in pixels of 1/96 inch.
WIDTH = 688
# The most characters of a figure that must always be on one line.
UNBROKEN = 15

# Words of headings, and figures, that are on more than one line; headings that may be last on a sheet.
BROKEN = """(() => {
  const wrong = [];
  const lines = (node, start, end) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return new Set(Array.from(range.getClientRects()).filter(r => r.width > 0).map(r => Math.round(r.top))).size;
  };
  const texts = function* (element) {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) yield walk.currentNode;
  };
  for (const head of document.querySelectorAll('thead tr:not(.searched) th'))
    for (const node of texts(head))
      for (const word of node.data.matchAll(/\\S+/g))
        if (lines(node, word.index, word.index + word[0].length) > 1) wrong.push('a heading: ' + word[0]);
  for (const figure of document.querySelectorAll('data')) {
    const whole = figure.textContent;
    if (whole.length <= UNBROKEN && lines(figure, 0, figure.childNodes.length) > 1) wrong.push('a figure: ' + whole);
    for (const node of texts(figure))
      if (lines(node, 0, node.length) > 1) wrong.push('within digits: ' + whole);
  }
  for (const cell of document.querySelectorAll('td.number')) {
    const box = document.createRange();
    box.selectNodeContents(cell);
    if (cell.textContent && box.getBoundingClientRect().left < cell.getBoundingClientRect().left - 1)
      wrong.push('leaves its cell: ' + cell.textContent);
    if (cell.textContent.length <= UNBROKEN && lines(cell, 0, cell.childNodes.length) > 1)
      wrong.push('an amount: ' + cell.textContent);
  }
  for (const heading of document.querySelectorAll('h2, h3, caption, thead, .group'))
    if (getComputedStyle(heading).breakAfter !== 'avoid') wrong.push('may stand last: ' + heading.textContent);
  return wrong.slice(0, 5);
})()""".replace("UNBROKEN", str(UNBROKEN))

# Figures that a window shows only in part, and whether the box that cuts them shows that it scrolls.
CUT = """(() => {
  const cut = [];
  for (const figure of document.querySelectorAll('data')) {
    const box = figure.closest('.scroll');
    const at = box?.getBoundingClientRect() ?? {left: 0, right: innerWidth};
    for (const r of figure.getClientRects())
      if (r.width > 0 && (r.left < Math.max(at.left, 0) - 1 || r.right > Math.min(at.right, innerWidth) + 1)) {
        const style = box && getComputedStyle(box);
        const isShaded = box !== null && style.backgroundAttachment.includes('local')
          && style.backgroundAttachment.includes('scroll') && style.backgroundImage.includes('gradient');
        cut.push([figure.textContent, isShaded]);
        break;
      }
  }
  return cut;
})()"""

SEARCHED = f"""[{ROWS}, Array.from(document.querySelectorAll('.searched')).filter(told => told.getClientRects().length)
  .map(told => told.textContent)[0] ?? null]"""


def check_cut(browser, may_scroll=False):
    assert [text for text, is_shaded in browser.evaluate(CUT) if not (may_scroll and is_shaded)] == []


def check_searched(browser, shown):
    """During a search, the print must be what the screen shows and say so; otherwise it mentions no search."""
    if not shown:
        return
    kind = browser.evaluate("document.getElementById('kind').lastElementChild.value")
    browser.emulate(1280, 900)
    told = choose(browser, "#kind", kind)[1]
    browser.emulate(WIDTH, 1000, media="print")
    assert browser.evaluate(SEARCHED)[1] == f"{told}, searched for: {kind}"
    choose(browser, "#kind", "")
    for query in [shown[len(shown) // 2][2], "no such row", ""]:
        browser.emulate(1280, 900)
        found, told = type_words(browser, query)
        assert browser.evaluate(SEARCHED)[1] is None, "what the screen says about paper"
        browser.emulate(WIDTH, 1000, media="print")
        assert browser.evaluate(SEARCHED) == [found, f"{told}, searched for: {query}" if query else None]
