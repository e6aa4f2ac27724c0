"""The search of a page: held against what Python finds, and how long it takes."""
import re
import time

from page.figures import Mismatch, expect

# The seconds a search may take until its rows are seen; before rows were laid out each for itself it took 1.4.
PATIENCE = 0.5


def type_words(browser, words):
    """Types into the search box, as a person does; the rows that are left, and what the page says of them."""
    browser.evaluate("(() => { const i = document.getElementById('words'); i.focus(); i.select(); })()")
    if words:
        browser.call("Input.insertText", text=words)
    else:
        for kind in ("rawKeyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Delete", code="Delete", windowsVirtualKeyCode=46)
    return browser.evaluate("""[Array.from(document.querySelectorAll('#exceptions tbody tr'))
        .map((row, place) => row.getClientRects().length ? place : -1).filter(place => place >= 0),
      document.getElementById('found').textContent]""")


def check(browser, shown):
    if not shown:
        expect("a search without rows", browser.evaluate("document.getElementById('search')"), None)
        return 0
    last, middle = shown[-1], shown[len(shown) // 2]
    queries = [last[2], last[1] or last[0], f"{middle[2].lower()} {middle[0].split()[-1]}", middle[4][:40],
               f"line {line_of(middle)}", f"Line  {line_of(middle)} {middle[2]}", f"line {line_of(middle)[:1]}",
               f"line {line_of(middle)}x", "U+202E", "u+2028", "no such row", "<b>", "ITEMS subtotal", "'\"&", ""]
    for query in queries:
        expected = expected_rows(shown, query)
        found, told = type_words(browser, query)
        expect(f"rows found for {query!r}", found, expected)
        expect("what is said of them", told, f"{len(expected)} of {len(shown)} listed rows" if query else "")
    # The quickest of three, as other programs may run beside.
    took = min(time_search(browser) for _ in range(3))
    if took > PATIENCE:
        raise Mismatch(f"a search takes {took:.2f} seconds")
    type_words(browser, "")
    return len(queries)


def line_of(cells):
    return re.split("[: ]", cells[0])[-1]


def expected_rows(shown, query):
    """The places of the rows that Python finds: `line 12` is that line, any other word stands anywhere in the row."""
    line = re.search(r"(?:^|\s)line\s+(\d+)(?=\s|$)", query.lower())
    rest = query.lower().replace(line[0], " ", 1) if line else query.lower()
    def is_found(cells):
        # A character that nobody sees is found as the page shows it, too.
        text = "\n".join(cells).lower()
        text += "\n" + "".join(f"u+{ord(c):04x}" if c in "\u202e\u2028" else c for c in text)
        return (line is None or line[1] == line_of(cells)) and all(word in text for word in rest.split())
    return [place for place, cells in enumerate(shown) if is_found(cells)]


def time_search(browser):
    """How long it takes from the key to the picture until nearly all rows are back."""
    type_words(browser, "no such row")
    begin = time.monotonic()
    type_words(browser, "e")
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    return time.monotonic() - begin
