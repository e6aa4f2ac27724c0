"""The pages of `settle report`, in a headless Chromium, including those of batches made to break them.

The page of every batch (page/batches.py) is opened at 360x740 in dark and 1280x900 in light (with SETTLE_THOROUGH=1 both in
both), and printed. It must use no network, open no dialog, report no error, have only elements that settle writes, be no
wider than the window, and be legible (contrast of 4.5 for words, 3 for pictures). Its figures must be those of the CSV
files, and its search and filters must find what Python finds, within half a second. No window may cut a figure, except in a
box that shows that it scrolls. On paper no word of a heading and no figure may be broken, except long figures between groups
of digits. Without scripts a page must say the same. Each check must find a page that is broken for it (page/spoilt.py).
"""
import base64
import functools
import hashlib
from collections import Counter

import html5lib
import pytest
from page import batches, figures, looks, paper, search
from page.spoilt import SPOILT
from playwright.sync_api import Error
from programs import IS_THOROUGH, install

install("chromium", programs=["chromium"])

PHONE, DESKTOP, TABLET = (360, 740), (1280, 900), (720, 900)  # at widths between the others a wide table scrolls
WINDOWS = [(PHONE, "dark"), (DESKTOP, "light")] + [(PHONE, "light"), (DESKTOP, "dark")] * IS_THOROUGH
TAGS = set("html head meta title style body header p h1 h2 h3 div span strong time ul li nav a main section svg rect "
           "dl dt dd data table caption thead tbody tr th td code abbr bdi wbr label input select option output footer "
           "script".split())
# Counts in the page as Chromium parsed it: elements of each kind, and things that no page of settle has.
CENSUS = """(() => {
  const tags = {}, wrong = [];
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName;
    tags[name] = (tags[name] ?? 0) + 1;
    for (const attribute of element.attributes) {
      if (/^on|^style$|^src/.test(attribute.name)) wrong.push(name + ' ' + attribute.name);
      if (attribute.name === 'href' && !attribute.value.startsWith('#')) wrong.push(name + ' href');
    }
  }
  return {tags, wrong, broken: window.broken ?? null, sheets: document.styleSheets.length,
    ids: document.querySelectorAll('[id]').length,
    distinct: new Set(Array.from(document.querySelectorAll('[id]'), e => e.id)).size};
})()"""


def check_markup(browser, page):
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    # Nodes that are not elements, such as comments, are counted too.
    tags = Counter(str(each.tag).rpartition("}")[2] for each in parser.parse(page.read_text(encoding="utf-8")).iter())
    # A text of a batch may have a character that no page should have, such as U+FFFE.
    assert {error for _, error, _ in parser.errors} <= {"illegal-codepoint-for-numeric-entity"}
    found = browser.evaluate(CENSUS)
    assert found["broken"] is None, "a script of the batch ran"
    assert found["wrong"] == [] and set(found["tags"]) <= TAGS
    assert found["tags"] == tags
    assert [found["tags"]["script"], found["tags"]["style"], found["sheets"]] == [1, 1, 1]
    assert found["distinct"] == found["ids"]


def check(browser, directory, page):
    url = page.as_uri()
    shown, extracted, colours = None, None, set()
    for (width, height), scheme in WINDOWS:
        browser.emulate(width, height, scheme, mobile=width < 600)
        browser.open(url)
        browser.check_width()
        paper.check_cut(browser)
        colours.add(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        if shown is None:
            check_markup(browser, page)
            extracted = browser.evaluate(figures.EXTRACT)
            shown = figures.compare(directory, extracted)
            search.check(browser, shown, extracted["kinds"])
            search.check_currencies(browser, extracted["tables"])
            browser.emulate(width, height, scheme, mobile=width < 600)
            browser.open(url)
        worst = browser.evaluate(looks.CONTRAST)
        assert worst["words"][0] >= 4.5 and worst["pictures"][0] >= 3, worst
        assert browser.evaluate(looks.OVERLAPS) is None
        browser.check_quiet(url)
    assert len(colours) == 2, "light and dark do not differ"
    # A window so low that the list is far outside it.
    browser.emulate(1280, 100)
    browser.open(url)
    assert browser.evaluate(looks.BLANK) == 0, "rows that a picture of the page leaves blank"
    browser.emulate(*TABLET)
    browser.check_width()
    paper.check_cut(browser, may_scroll=True)
    paper.check_searched(browser, shown)
    browser.emulate(paper.WIDTH, 1000, "dark", media="print")
    browser.check_width()
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.evaluate(looks.CLIPPED) == []
    assert browser.evaluate(paper.BROKEN) == []
    browser.check_printed()
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.emulate(360, 740, "light", mobile=True)
    browser.open(url)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.evaluate(figures.EXTRACT) == extracted, "without scripts"
    assert browser.evaluate("document.getElementById('search')?.hidden ?? true")
    assert browser.evaluate("Array.from(document.querySelectorAll('.choice')).every(choice => choice.hidden)")
    browser.check_quiet(url)


@pytest.fixture(scope="module")
def made(settle, tmp_path_factory):
    """The published directory of a batch and its page. Writing the page again is refused except with --replace."""
    @functools.cache
    def make(name):
        root = tmp_path_factory.mktemp("batch")
        directory = batches.make(settle, name, root)
        page = root / "pages" / f"{name}.html"
        page.parent.mkdir()
        settle("report", directory, "--html", page)
        first = page.read_bytes()
        settle("report", directory, "--html", page, exits=[73])
        assert page.read_bytes() == first
        settle("report", directory, "--html", page, "--replace")
        assert page.read_bytes() == first
        assert list(page.parent.iterdir()) == [page]
        return directory, page

    return make


@pytest.mark.parametrize("name", batches.NAMES)
def test_page(browser, made, name):
    check(browser, *made(name))


@pytest.mark.parametrize("name, old, new", [
    pytest.param(name, old, new, id=f"{name}: {what}") for name, changes in SPOILT.items() for what, old, new in changes])
def test_spoilt_page(browser, made, tmp_path, name, old, new):
    """Every check finds the fault that it is for."""
    directory, page = made(name)
    text = page.read_text(encoding="utf-8")
    changed = text.replace(old, new)
    assert changed != text, "there is nothing to spoil"
    for element in ("style", "script"):
        changed = changed.replace(*(digest(element, each) for each in (text, changed)))
    spoilt = tmp_path / page.name
    spoilt.write_text(changed, encoding="utf-8")
    with pytest.raises((AssertionError, Error)):
        check(browser, directory, spoilt)


def digest(element, text):
    """The digest of the page's own style or script."""
    source = text.rpartition(f"<{element}>")[2].partition(f"</{element}>")[0]
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
