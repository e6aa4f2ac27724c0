"""The figures of a directory's CSV files, read without settle, and the same figures in the page."""
import csv
import hashlib
import json
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction

from model.files import csv_rows

MOST_EXCEPTIONS, OF_EACH_CODE, RECEIVERS, MOST_FILES, FILES_AT_TOP, MOST_NIGHTS = 2000, 20, 5, 100, 3, 100
OUTCOMES = ["settled", "pending", "held", "rejected"]
# Other outcomes of records, by their keys in summary.json.
OTHER_OUTCOMES = {"refunded": "refunded", "preapprovals": "agreed"}
STATUSES = ["PENDING", "ACTIVE", "CANCELED"]

# The page's own texts with a number of four or more digits that is not grouped, or grouped in another way.
UNGROUPED = """(() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const within = walk.currentNode.parentElement;
    if (/\\d{4}|\\d[,'\\s]\\d{3}/.test(walk.currentNode.data) && !within.closest('bdi, code, time, script'))
      found.push(walk.currentNode.data.slice(0, 60));
  }
  return found.slice(0, 5);
})()"""

# Every table as the texts of its cells, and the attribute of each figure.
EXTRACT = """(() => {
  const cells = row => Array.from(row.cells, cell => cell.textContent);
  const tables = {};
  for (const table of document.querySelectorAll('table'))
    tables[table.id] = Array.from(table.tBodies, body => Array.from(body.rows, cells)).flat();
  return {
    tables,
    records: Array.from(document.querySelectorAll('#records > div'), e => Array.from(e.children, c => c.textContent)),
    wrongData: Array.from(document.querySelectorAll('data')).filter(e => e.value !== e.textContent).length,
    data: document.querySelectorAll('data').length,
    hiddenRows: Array.from(document.querySelectorAll('tbody tr')).filter(
      row => !row.getClientRects().length && !row.closest('.elsewhere')).length,
    origin: Array.from(document.querySelectorAll('.origin span'), e => e.textContent),
    kinds: Object.fromEntries(
      Array.from(document.querySelectorAll('#kind option'), o => [o.value, +o.dataset.unlisted])),
    ungrouped: UNGROUPED,
    verdict: ['.words', '.sign', '.records + .records'].map(e => document.querySelector('#verdict ' + e)?.textContent),
    tone: document.getElementById('verdict').className,
    read: Array.from(document.querySelectorAll('#verdict .read li'), e => e.textContent),
    facts: Array.from(document.querySelectorAll('.facts strong'), e => e.textContent),
    title: document.title, heading: document.querySelector('h1').textContent,
    codes: Array.from(document.querySelectorAll('#errors tbody code'), e => e.textContent),
    note: document.getElementById('cut')?.textContent ?? null,
    bars: Array.from(document.querySelectorAll('.bars li'), e => ({
      name: e.querySelector('.name').textContent, label: e.querySelector('svg').getAttribute('aria-label'),
      parts: Array.from(e.querySelectorAll('rect'), r => [r.getAttribute('class'), +r.getAttribute('width')])})),
  };
})()""".replace("UNGROUPED", UNGROUPED)


def rows(directory, name):
    return csv_rows(directory / name, csv.reader)[1:]


def rounded(part, whole, decimals):
    """A percentage with this number of decimals, halves rounded up."""
    scale = 10 ** decimals
    steps = (Fraction(part) / Fraction(whole) * 100 * scale * 2 + 1) // 2 if whole else 0
    text = f"{steps // scale}.{steps % scale:0{decimals}}\u00a0%"
    if steps == 0 and part:
        return f"< 0.{'1'.rjust(decimals, '0')}\u00a0%"
    if steps == 100 * scale and part < whole:
        return f"> 99.{'9' * decimals}\u00a0%"
    return text


def listed(exceptions):
    """The rows that a page lists: the first ones, and some of each code anywhere in the report."""
    of_code = Counter()
    for number, row in enumerate(exceptions, 1):
        of_code[row[5]] += 1
        if number <= MOST_EXCEPTIONS or of_code[row[5]] <= OF_EACH_CODE:
            yield row


def kinds_of(row):
    """The choices of the list's filter that find a row: all, its outcome and the code of an error."""
    return {"", row[4].lower(), *([row[5]] if row[4] == "REJECTED" else [])}


def exception_cells(row, has_files):
    file, line, _, key, _, code, field, currency, amount, _, message = row[:11]
    place = f"{file}:{line}" if has_files else f"line {line}"
    return [place, key, code, field, message, f"{amount} {currency}" if amount else ""]


def compare(directory, page):
    """Compares a page's figures from EXTRACT with the directory; returns the rows that it lists."""
    tables = page["tables"]
    summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    records, errors = summary["records"], summary["errors"]
    assert page["wrongData"] == 0, "figures that are not their own value"
    assert page["hiddenRows"] == 0, "rows that are not shown"
    assert page["ungrouped"] == [], "numbers without groups"
    others = [[word, str(records[key])] for key, word in OTHER_OUTCOMES.items() if records[key]]
    assert page["records"] == [[k, str(records[k])] for k in ["read", *OUTCOMES]] + others, "records"
    control = rows(directory, "control.csv")
    assert tables.get("control", []) == control, "control.csv"
    compare_bars(page["bars"], control)
    totals = rows(directory, "totals.csv")
    settled = [row[:7] + [rounded(Decimal(row[5]), Decimal(row[2]), 2)] for row in totals if row[1] != "0"]
    assert tables.get("totals", []) == settled, "totals.csv"
    compare_refunds(tables, [row for row in totals if row[7] != "0"], rows(directory, "refunds.csv"))
    compare_agreements(tables.get("preapprovals", []), rows(directory, "preapprovals.csv"))
    exceptions = rows(directory, "exceptions.csv")
    assert Counter(row[5] for row in exceptions if row[4] == "REJECTED") == errors, "errors of summary.json"
    counts = [int(row[2]) for row in tables.get("errors", [])]
    assert dict(zip(page["codes"], counts)) == errors, "errors by code"
    assert counts == sorted(counts, reverse=True), "order of the errors"
    has_files = len(summary["batch"]["files"]) > 1
    shown = [exception_cells(row, has_files) for row in listed(exceptions)]
    assert tables.get("exceptions", []) == shown, "exceptions.csv"
    note = f"{len(shown)} of {len(exceptions)} rows" if len(shown) < len(exceptions) else None
    assert note in page["note"] if note else page["note"] is None, "how many are listed"
    compare_receivers(tables.get("largest", []), rows(directory, "receivers.csv"), records["refunded"] > 0)
    files = [[f["name"], f["sha256"], str(f["bytes"])] for f in summary["batch"]["files"][:MOST_FILES]]
    assert tables["files"] == files, "files"
    reports = sorted(p.name for p in directory.iterdir() if p.name != "SHA256SUMS")
    digests = [[name, hashlib.sha256((directory / name).read_bytes()).hexdigest()] for name in reports]
    assert tables["sums"] == digests, "digests"
    every, seen = (Counter(kind for row in each for kind in kinds_of(row)) for each in (exceptions, listed(exceptions)))
    unlisted = {kind: count - seen[kind] for kind, count in every.items()}
    assert page["kinds"] == unlisted, "the choices of the filter"
    assert tables.get("notices", []) == [[k, str(v)] for k, v in summary["notices"].items()], "notices"
    compare_verdict(page, summary, control)
    compare_words(page, summary, (directory / "SHA256SUMS").stat().st_mtime)
    return shown


def compare_bars(bars, control):
    assert [bar["name"] for bar in bars] == [row[0] for row in control], "the bars' currencies"
    for bar, row in zip(bars, control):
        amount, parts = Decimal(row[2]), list(map(Decimal, row[3:]))
        assert [part[0] for part in bar["parts"]] == [name for name, part in zip(OUTCOMES, parts) if part], row[0]
        if amount:
            assert sum(part[1] for part in bar["parts"]) == 10_000, f"the width of {row[0]}"
        for name, width in bar["parts"]:
            share = Fraction(parts[OUTCOMES.index(name)]) / Fraction(amount) * 10_000
            assert abs(width - share) <= 4 * 100, f"{row[0]}: {name}"
            text = rounded(parts[OUTCOMES.index(name)], amount, 1)
            assert f"{name} {text}" in bar["label"], f"the label of {row[0]}"


def compare_refunds(tables, totals, refunds):
    assert tables.get("refunded", []) == [[row[0], *row[7:]] for row in totals], "refunds of totals.csv"
    nights = {}
    for _, _, run, currency, amount, fees, _ in refunds:
        sums = nights.setdefault((-int(run) if run else -10 ** 20, currency), [0, Decimal(0), Decimal(0)])
        sums[:] = sums[0] + 1, sums[1] + Decimal(amount), sums[2] + Decimal(fees)
    expected = [["this batch" if run == -10 ** 20 else f"run {-run}", currency, *map(str, sums)]
                for (run, currency), sums in sorted(nights.items())]
    assert tables.get("nights", []) == expected[:MOST_NIGHTS], "refunds.csv"


def compare_agreements(found, agreements):
    expected = {}
    for _, status, _, currency, payments, amount in agreements:
        sums = expected.setdefault(currency, [0, 0, 0, 0, Decimal(0)])
        sums[STATUSES.index(status)] += 1
        sums[3:] = sums[3] + int(payments), sums[4] + Decimal(amount)
    assert found == [[currency, *map(str, sums)] for currency, sums in sorted(expected.items())], "preapprovals.csv"


def compare_receivers(found, receivers, has_refunds):
    expected = []
    for currency in sorted({row[1] for row in receivers}):
        of = [row for row in receivers if row[1] == currency]
        # The sort is stable: equal rows stay in the order of the report.
        largest = sorted(of, key=lambda row: -Decimal(row[9]))[:RECEIVERS]
        count = f"{len(largest)} of {len(of)} receivers" if len(of) > len(largest) else \
            f"{len(of)} receiver{'' if len(of) == 1 else 's'}"
        expected.append([currency + count])
        expected += [[row[0], row[9], *row[3:6], row[2], *([row[8]] if has_refunds else [])] for row in largest]
    assert found == expected, "receivers.csv"


def compare_verdict(page, summary, control):
    """A page is green if all is settled and no control total disagrees; a disagreement is shown first."""
    records = summary["records"]
    words, sign, told = page["verdict"]
    if summary["batch"]["controlTotals"] == "mismatch":
        count = f"{records['read']} record{'' if records['read'] == 1 else 's'}"
        assert [words, sign, page["tone"]] == ["Control totals do not match", "\u2715", "bad"], "the verdict"
        assert told.startswith(f"Read: {count}") and str(records["settled"]) in told, "the records read"
        amounts = [f"{row[2]} {row[0]} in {row[1]} record{'' if row[1] == '1' else 's'}" for row in control]
        assert page["read"] == amounts, "the amounts read"
        return
    moved = records["settled"] + records["refunded"]
    is_whole = moved + records["preapprovals"] == records["read"] > 0
    assert words == ("Nothing to settle" if records["read"] == 0 else "Settled whole" if is_whole
                     else "Nothing settled" if moved == 0 else "Settled in part"), "the verdict"
    assert [page["tone"] == "good", sign == "\u2713"] == [is_whole, is_whole], "a green page"
    assert page["read"] == [], "amounts of control totals that do not match"


def compare_words(page, summary, written):
    control = {"verified": "Control totals verified.", "mismatch": "Control totals do not match.",
               "absent": "No control totals."}[summary["batch"]["controlTotals"]]
    balance = "Every currency balances." if summary["totals"] else "No money moved."
    assert page["facts"] == [control, balance, "Digests agree."], "what was checked"
    identifier = summary["batch"]["id"]
    assert page["heading"] == (identifier or "Batch without an identifier")
    names = [file["name"] for file in summary["batch"]["files"]]
    others = f" and {len(names) - FILES_AT_TOP} more" if len(names) > FILES_AT_TOP else ""
    files = f"File{'' if len(names) == 1 else 's'}: {', '.join(names[:FILES_AT_TOP])}{others}"
    assert page["origin"] == [time.strftime("Reports written %Y-%m-%d %H:%M:%S UTC", time.gmtime(written)), files]
    assert page["title"] == (f"Settlement of {identifier}" if identifier else "Settlement")
