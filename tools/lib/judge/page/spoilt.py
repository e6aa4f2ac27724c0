"""What each check of a page must find: the page of a directory with one thing changed."""

# By the directory's name: what is broken, the text that is replaced, and its replacement. If a style or script is changed,
# its digest in the policy is changed too, so that the browser accepts it.
SPOILT = {"example": [
    ("a figure", '<data value="51.58">51.58', '<data value="51.58">51.59'),
    ("a row left out", '<tr><th scope="row" title="Japanese Yen">', '<tr hidden><th scope="row" title="Japanese Yen">'),
    ("a digest", '<td class="digest"><code>', '<td class="digest"><code>0'),
    ("the verdict", "Settled in part", "Settled whole"),
    ("a bar", 'width="10000" height="100"', 'width="9000" height="100"'),
    ("a share", "48.5\u00a0%", "48.6\u00a0%"),
    ("a script in a message", "items sum to", "<script>window.broken = 1</script>items sum to"),
    ("a handler", "<h1>", "<h1 onclick='window.broken = 1'>"),
    ("a picture from elsewhere", "</main>", "</main><img src='http://127.0.0.1:9/x'>"),
    ("a row too wide", "max-width: 72rem", "min-width: 90rem"),
    ("words too pale", "--soft: #566070", "--soft: #aab0b8"),
    ("pictures too pale", "--rejected: #b8452f", "--rejected: #f0c0b8"),
    ("one scheme only", "prefers-color-scheme: dark", "prefers-color-scheme: none"),
    ("a search that finds too much", "words.every", "words.some"),
    ("a script that fails", '"use strict";', '"use strict"; throw new Error("x");'),
    ("a dialog", '"use strict";', '"use strict"; alert(1);'),
    ("a table cut off on paper", ".scroll { overflow: visible; background: none; }", ""),
    ("a search without scripts", 'id="search" hidden=""', 'id="search"'),
    ("a filter that forgets what is not listed", 'data-unlisted="0">all', 'data-unlisted="1">all'),
    ("a count without groups", ">Settled in part<", ">Settled in part<wbr>1234<"),
    ("a currency that a phone does not show", "=== code;", "!== code;"),
    ("currencies that a phone shows all at once", ".elsewhere { display: none !important; }", ""),
    ("the time of the reports", "<time datetime=", "<time>1<wbr></time><time datetime="),
    ("a search that is not mentioned on paper", "tell(searched);", ""),
    ("a heading that may be last on a sheet", "thead, .group {", "thead {"),
], "mismatch-whole": [
    ("a green page", 'id="verdict" class="bad"', 'id="verdict" class="good"'),
    ("the verdict", 'class="words">Control totals do not match', 'class="words">Settled whole'),
    ("the amount read", "USD in 1 record", "USD in 2 records"),
], "waiting": [
    ("a filter that finds too much", "of.includes(kind) &&", ""),
    ("rows that a picture leaves blank", "{ content-visibility: visible; }", "{}"),
], "paper": [
    ("amounts that break", ".number { text-align: right; white-space: nowrap;",
     ".number { text-align: right; white-space: normal; overflow-wrap: anywhere;"),
    ("long amounts that break within digits", ".long { white-space: normal;",
     ".long { white-space: normal; overflow-wrap: anywhere; word-break: break-all;"),
    ("long amounts that never break", ".long { white-space: normal; }", "wbr { display: none; }"),
    ("headings that break", "table { width: 100%;",
     "thead th { word-break: break-all; max-width: 2rem; } table { width: 100%;"),
    ("figures that a phone cuts", "table, tbody, caption, tbody tr, tbody th, tbody td { display: block; }", ""),
    ("a search that finds lines by their beginning", "line === at)", "at.startsWith(line))"),
    ("a box that does not show that it scrolls", "no-repeat local", "no-repeat scroll"),
], "refunds-2": [
    ("refunds that a phone shows in all currencies at once", "#refunded, ", ""),
    ("nights that a phone shows in all currencies at once", "#nights, ", ""),
], "refunds-3": [
    ("refunds alone that a phone shows in all currencies at first", ' selected=""', ""),
]}
