"""The search of a page: it must find what Python finds, in time."""
import re
import time

from page.figures import UNGROUPED

# The seconds until a search may show its rows; it took 1.4 before each row had a layout of its own.
PATIENCE = 0.5
STATES = {"pending": ["STATUS_CREATED"], "held": ["STATUS_OTHER"]}

# The indices of the visible rows of the list.
ROWS = """Array.from(document.querySelectorAll('#exceptions tbody tr'))
  .map((row, place) => row.getClientRects().length ? place : -1).filter(place => place >= 0)"""
FOUND = f"[{ROWS}, document.getElementById('found')?.textContent]"

# The tables with a row or group per currency, in the order of SEEN, and the cell of its code.
CODES = {"control": 0, "refunded": 0, "nights": 1, "totals": 0, "preapprovals": 0, "largest": 0}
# The currencies that the tables show, and the number of choices.
SEEN = """(() => {
  const seen = selector => Array.from(document.querySelectorAll(selector)).filter(e => e.getClientRects().length);
  return [...['#control tbody th', '#refunded tbody th', '#nights tbody abbr', '#totals tbody th',
      '#preapprovals tbody th', '#largest .group abbr']
      .map(heads => seen(heads).map(head => head.textContent)), seen('.choice').length];
})()"""


def type_words(browser, words):
    """Types into the search box like a person; returns the rows that are left, and the page's message."""
    browser.evaluate("(() => { const i = document.getElementById('words'); i.focus(); i.select(); })()")
    if words:
        browser.keyboard.insert_text(words)
    else:
        browser.keyboard.press("Delete")
    return browser.evaluate(FOUND)


def choose(browser, selector, value):
    """Chooses like a person; returns the rows of the list that are left, and the page's message."""
    browser.evaluate("""([selector, value]) => {
      const choice = document.querySelector(selector);
      choice.value = value;
      choice.dispatchEvent(new Event('input'));
    }""", [selector, value])
    return browser.evaluate(FOUND)


def check_kinds(browser, shown, kinds):
    """Each outcome and code by which the list can be filtered, alone and together with a word."""
    words = shown[len(shown) // 2][0].split()[-1]
    for query in ("", words):
        type_words(browser, query)
        of_query = set(expected_rows(shown, query))
        for kind, unlisted in kinds.items():
            codes = STATES.get(kind, [kind])
            expected = [place for place in sorted(of_query) if not kind or shown[place][2] in codes
                        or kind == "rejected" and shown[place][2] not in sum(STATES.values(), [])]
            found, told = choose(browser, "#kind", kind)
            assert found == expected, f"rows of {kind!r} with {query!r}"
            assert told == said(expected, shown, unlisted, kind, query), "the message about them"
    choose(browser, "#kind", "")
    type_words(browser, "")


def said(expected, shown, unlisted, kind, words):
    """The page's message about a search."""
    if not kind and not words:
        return ""
    more = f"; {unlisted} more {kind + ' ' if kind else ''}rows are only in exceptions.csv, which is not searched"
    return (f"{len(expected)} of {len(shown)} listed rows" if expected
            else f"None of the {len(shown)} listed rows contains all of that") + (more if unlisted else "")


def check_currencies(browser, tables):
    """On a phone each table shows the rows of the chosen currency, or of all; on a desktop it shows all."""
    options = browser.evaluate("Array.from(document.querySelectorAll('.choice option'), o => o.value)")
    tables_of_all = ("control", "refunded", "totals", "preapprovals")
    codes = sorted({row[0] for name in tables_of_all for row in tables.get(name, [])})
    # The section of refunds has two of the tables.
    sections = sum(name in tables for name in CODES if name != "nights")
    assert options == (["", *codes] * sections if len(codes) > 1 else [])
    if len(codes) < 2:
        return
    first = browser.evaluate("document.querySelector('.choice select').value")
    assert first in codes, "whether one currency is shown first"
    records = {row[0]: int(row[1]) for row in tables.get("control", [])}
    assert records.get(first, 0) == max(records.values(), default=0)
    for size, is_phone in ((360, True), (1280, False)):
        browser.emulate(size, 740, mobile=is_phone)
        for place, code in enumerate([first, *codes, ""]):
            if place > 0:
                choose(browser, ".choice select", code)
            shown = [c for c in codes if c == code or not code or not is_phone]
            expected = [[row[cell][:3] for row in tables.get(name, []) if name != "largest" or len(row) == 1]
                        for name, cell in CODES.items()]
            expected = [[c for c in of if c in shown] for of in expected] + [sections if is_phone else 0]
            assert browser.evaluate(SEEN) == expected, f"currencies shown at {size} where {code or 'all'} is chosen"


def check(browser, shown, kinds):
    if not shown:
        assert browser.evaluate("document.getElementById('search')") is None, "a search without rows"
        return
    last, middle = shown[-1], shown[len(shown) // 2]
    queries = [last[2], last[1] or last[0], f"{middle[2].lower()} {middle[0].split()[-1]}", middle[4][:40],
               f"line {line_of(middle)}", f"Line  {line_of(middle)} {middle[2]}", f"line {line_of(middle)[:1]}",
               f"line {line_of(middle)}x", "U+202E", "u+2028", "no such row", "<b>", "ITEMS subtotal", "'\"&", ""]
    for query in queries:
        expected = expected_rows(shown, query)
        found, told = type_words(browser, query)
        assert found == expected, f"rows found for {query!r}"
        assert told == said(expected, shown, kinds[""], "", query), "the message about them"
    # The quickest of three, because other programs may be running.
    # On a busy machine most tries may be late; a slow search is late every time.
    assert any(time_search(browser) < PATIENCE for _ in range(20))
    # The message of a search also has counts.
    assert browser.evaluate(UNGROUPED) == [], "numbers without groups"
    type_words(browser, "")
    check_kinds(browser, shown, kinds)


def line_of(cells):
    return re.split("[: ]", cells[0])[-1]


def expected_rows(shown, query):
    """The indices of the rows that Python finds: `line 12` is that line, other words may be anywhere in the row."""
    line = re.search(r"(?:^|\s)line\s+(\d+)(?=\s|$)", query.lower())
    rest = query.lower().replace(line[0], " ", 1) if line else query.lower()

    def is_found(cells):
        # An invisible character can also be found in the form that the page shows.
        text = "\n".join(cells).lower()
        text += "\n" + "".join(f"u+{ord(c):04x}" if c in "\u202e\u2028" else c for c in text)
        return (line is None or line[1] == line_of(cells)) and all(word in text for word in rest.split())
    return [place for place, cells in enumerate(shown) if is_found(cells)]


def time_search(browser):
    """The time from the key press to the picture with nearly all rows back."""
    type_words(browser, "no such row")
    begin = time.monotonic()
    type_words(browser, "e")
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    return time.monotonic() - begin
