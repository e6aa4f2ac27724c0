"""Statements as pages, in a headless Chromium, in every language, compared with the CSV statements.

The batch has texts made to break a page, amounts of 42 digits and an account without payments. Figures and texts must be
those of the CSV. In several sizes, light and dark, the page must be no wider than the window, be legible (contrast of 4.5),
use no network and run nothing. On paper no figure may be cut.
"""
import html
import re
import unicodedata
from decimal import Decimal

import pytest
from page import batches, looks
from model.files import ROOT, csv_rows, write_lines
from model.payouts import payees as payees_of
from programs import install

install("chromium", programs=["chromium"])

LOCALES = ["en_US", "es_ES", "pt_BR", "nl_NL", "fr_FR", "de_DE", "it_IT", "pl_PL", "ja_JP", "zh_TW", "en_IN"]
SIZES = [(360, 740), (900, 900), (1280, 900)]
AMOUNTS = ["gross", "passed_on", "fee", "net"]
# Letter and A4 in landscape, minus the margins of the style, in pixels of 1/96 inch.
PAPER = 960
# What a page shows, table by table: the currency, rows of texts, values and datetimes, and the sums.
EXTRACT = """Array.from(document.querySelectorAll('table'), table => ({
  currency: table.caption.textContent,
  heads: Array.from(table.tHead.rows[0].cells, c => c.localName + c.scope),
  rows: Array.from(table.tBodies[0].rows, row => Array.from(row.cells, cell =>
    cell.querySelector('data')?.value ?? cell.querySelector('time')?.dateTime ?? cell.textContent)),
  sums: Array.from(table.tFoot.querySelectorAll('data'), data => data.value)}))"""
STRANGE = """Array.from(document.querySelectorAll('*'), e => e.localName)
  .filter(name => /^(script|img|iframe|svg|link|base|form|input|a)$/.test(name)).concat(window.broken ?? [])"""
# Amounts that the window or their cell shows only in part.
CUT = """Array.from(document.querySelectorAll('data')).filter(data => {
  const cell = data.closest('td').getBoundingClientRect();
  return Array.from(data.getClientRects()).some(r => r.width > 0 &&
    (r.left < Math.max(0, cell.left) - 1 || r.right > Math.min(innerWidth, cell.right) + 1));
}).map(data => data.textContent)"""


@pytest.fixture(scope="module")
def statements(settle, tmp_path_factory):
    """Makes the statements of two accounts; their directory."""
    folder = tmp_path_factory.mktemp("statements")
    shop = {"recipient": "shop@shop.example"}
    batch = write_lines(folder / "night.jsonl", [
        {"payKey": "BIG", "paymentCurrency": "USD", **shop, "subTotal": "9" * 40 + ".99"},
        {"payKey": "BIG-2", "paymentCurrency": "USD", **shop, "subTotal": "1234567.50",
         "createdAt": "2026-11-20T23:30:00-08:00", "sender": "a" * 60 + "@" + "b" * 60 + ".example"},
        {"payKey": "YEN", "paymentCurrency": "JPY", **shop, "subTotal": "1500"},
        {"payKey": "CHAIN", "sender": "ann@mail.example", "receiverPaymentDetails": [
            {**shop, "subtotal": "100.00", "isPrimary": True},
            {"recipient": "hotel@shop.example", "subtotal": "60.00"}]},
        {"type": "refund", "refundKey": "R-1", "payKey": "CHAIN", "amount": "10.01", "currencyCode": "USD"},
        *({"payKey": f"H-{number}", **shop, "subTotal": "10.00", "customId": text, "description": text[::-1]}
          for number, text in enumerate(batches.HOSTILE)),
    ])

    def make(name, *options):
        settle("statement", batch, "--account", "shop@shop.example", "nobody@shop.example", "--date", "2026-11-21",
               "--output", folder / name, *options)
        return folder / name

    return make


@pytest.fixture(scope="module")
def tables(statements):
    """The currencies with their rows, of each CSV statement."""
    output = statements("csv", "--format", "csv")
    found = {1: {}, 2: {}}
    for number, currencies in found.items():
        for row in csv_rows(output / f"{number}.csv"):
            currencies.setdefault(row["currency"], []).append(row)
    return {number: sorted(currencies.items()) for number, currencies in found.items()}


def plain(cell):
    """A text of the page without controls and marks of direction."""
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") or c == "\ufffd" else c for c in cell)
    return shown(re.sub("[\u202a-\u202e\u2066-\u2069]", " ", text))


def shown(text):
    """A text of the CSV as a page shows it: without the mark of formulas, white space as spaces."""
    return re.sub(r"\s", " ", text[1:] if text[:2] and text[0] == "'" and text[1:2] in "=+-@\t\r" else text)


def check_figures(found, tables):
    assert [table["currency"] for table in found] == [currency for currency, _ in tables]
    for table, (_, rows) in zip(found, tables):
        assert set(table["heads"]) == {"thcol"}
        assert len(table["rows"]) == len(rows)
        for cells, row in zip(table["rows"], rows):
            assert [cells[0], cells[1], cells[3]] == [row["created_at"][:10], row["pay_key"], row["counterparty"]]
            assert cells[4:8] == [row[name] for name in AMOUNTS]
            assert [*map(plain, cells[8:])] == [shown(row[name]) for name in ("custom_id", "description")][:len(cells) - 8]
        assert table["sums"] == [str(sum(Decimal(row[name]) for row in rows)) for name in AMOUNTS]


def check_words(text, locale, keys):
    assert f'<html lang="{locale.replace("zh_", "zh_Hant_").replace("_", "-")}" dir="ltr">' in text
    column = {row["locale"]: row["language"] for row in csv_rows(ROOT / "data/locales.csv")}[locale]
    words = {row["key"]: row[column] for row in csv_rows(ROOT / "data/strings.csv")}
    for key in ("statement", "account", "utc", *(keys if "<table>" in text else ["none"])):
        assert html.escape(words[key]) in text, key
    return words


def check_looks(browser, url):
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            browser.emulate(width, height, scheme, mobile=width < 600)
            browser.open(url)
            browser.check_width()
            assert browser.evaluate(CUT) == []
            assert browser.evaluate(looks.CONTRAST)["words"][0] >= 4.5
            browser.check_quiet(url)
    assert browser.evaluate(STRANGE) == []
    browser.emulate(PAPER, 700, "dark", media="print")
    assert browser.evaluate(CUT) == []
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.check_printed()


@pytest.mark.parametrize("locale", LOCALES)
def test_statement_page(browser, statements, tables, locale):
    output = statements(locale, "--format", "html", "--locale", locale)
    for number in (1, 2):
        page = output / f"{number}.html"
        check_words(page.read_text("utf-8"), locale, ["day", *AMOUNTS])
        check_looks(browser, page.as_uri())
        check_figures(browser.evaluate(EXTRACT), tables[number])


# Statements over nights

KINDS = {"OPENING": "opening", "RUN": "payments", "PAYMENT": "payment", "REFUND": "refund", "RETURNED": "returned",
         "ADJUSTED": "adjusted", "PAID": "payout", "CLOSING": "closing"}
PERIOD_AMOUNTS = ["gross", "passed_on", "fee", "net", "refund_net", "amount"]


@pytest.fixture(scope="module")
def period(settle, tmp_path_factory):
    """Makes the statements over a period of two nights and two payouts, with amounts of 40 digits; their directory."""
    folder = tmp_path_factory.mktemp("period")
    shop = {"recipient": "shop@shop.example", "paymentCurrency": "EUR"}
    nights = [
        [{"payKey": "BIG", "recipient": "shop@shop.example", "subTotal": "9" * 40 + ".99"},
         {"payKey": "A", **shop, "subTotal": "1234567.50", "sender": "a" * 60 + "@" + "b" * 60 + ".example"},
         {"payKey": "Y", "paymentCurrency": "JPY", "recipient": "shop@shop.example", "subTotal": "1500"}],
        [{"type": "refund", "refundKey": "R-1", "payKey": "A", "amount": "10.01", "currencyCode": "EUR"},
         {"payKey": "B", "recipient": "other@shop.example", "subTotal": "10.00"}]]
    payees = write_lines(folder / "payees.csv", payees_of([("shop@shop.example", "EUR")]))
    returned = write_lines(folder / "returned.csv", ["reference,reason", "P1-1,AC04"])
    adjusted = write_lines(folder / "adjusted.csv", [
        "key,account,currency,amount,reason", "-fee,shop@shop.example,EUR,-1.00,CHARGEBACK"])
    for number, records in enumerate(nights, 1):
        settle("run", write_lines(folder / f"{number}.jsonl", records), "--output", folder / f"run-{number}", "--ledger",
               folder / "ledger", exits=[0, 1])
        settle("payout", "--ledger", folder / "ledger", "--payees", payees, "--date", "2026-11-21", "--output",
               folder / f"payout-{number}", *(["--returned", returned, "--adjustments", adjusted] if number == 2 else []), exits=[0, 1])

    def make(name, *options):
        what = [] if "--payout" in options else ["--since", "2026-01-01", "--until", "2099-12-31", "--account",
                                                 "shop@shop.example", "other@shop.example"]
        settle("statement", "--ledger", folder / "ledger", *what, "--output", folder / name, *options)
        return folder / name

    return make


@pytest.mark.parametrize("locale,flags", [
    *((locale, flags) for locale in LOCALES for flags in ([], ["--no-nights"])),
    *((locale, ["--rows", "payments"]) for locale in LOCALES[:4]), *((locale, ["--payout", "1"]) for locale in LOCALES[-4:])],
    ids=lambda each: each if isinstance(each, str) else "".join(each) or "nights")
def test_page_over_nights(browser, period, locale, flags):
    """A page over nights shows the rows of the CSV statement."""
    has_payments = "payments" in flags or "--payout" in flags
    amounts = [*AMOUNTS, "amount"] if has_payments else PERIOD_AMOUNTS
    name = "-".join([locale, *flags])
    csvs = period(f"csv-{name}", "--format", "csv", *flags)
    output = period(name, "--format", "html", "--locale", locale, *flags)
    for number in (1,) if "--payout" in flags else (1, 2):
        currencies = {}
        for row in csv_rows(csvs / f"{number}.csv"):
            currencies.setdefault(row["currency"], []).append(row)
        page = output / f"{number}.html"
        head = ["payout", "date"] if "--payout" in flags else ["period"]
        words = check_words(page.read_text("utf-8"), locale, [
            *head, "counterparty" if has_payments else "refunds", "amount", "balance", *AMOUNTS,
            *(KINDS[row["kind"]] for rows in currencies.values() for row in rows)] if number == 1 else head)
        if "--payout" in flags:
            assert f"<dt>{words['payout']}</dt><dd>1</dd>" in page.read_text("utf-8")
        check_looks(browser, page.as_uri())
        found = browser.evaluate(EXTRACT)
        assert [table["currency"] for table in found] == sorted(currencies)
        for table, (_, rows) in zip(found, sorted(currencies.items())):
            assert table["rows"] == [
                [row["day"], words[KINDS[row["kind"]]], row["number"] if row["kind"] == "RUN" else row.get("pay_key") or (
                    shown(row["reference"]) + (" " + row["reason"] if row["kind"] == "ADJUSTED" else "")),
                 *([row["counterparty"]] if has_payments else []),
                 *(row[name] for name in amounts), row["balance"]] for row in rows]
            assert table["sums"] == [
                f"{sum(Decimal(row[name] or 0) for row in rows):.{0 if table['currency'] == 'JPY' else 2}f}"
                for name in (amounts[-1:] if "--no-nights" in flags else amounts)]
