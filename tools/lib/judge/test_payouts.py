"""Payouts: by a second implementation in Python, the published schema of pain.001, and achkit's reader of NACHA files.

Random nights with payouts between them, payees, minimums, returns, adjustments, debtors and terms must give its files byte for byte, and
random payees and terms files with planted defects its errors. SETTLE_TEST_SEED sets which; SETTLE_THOROUGH=1 tries more.
"""
import datetime
import json
import os
import re
from pathlib import Path

import achkit
import payouts
import pytest
import sepaxml
import xmlschema
from model.files import ROOT, csv_table, framed, write_lines
from model.money import amount
from model.payouts import iban, payout_of, with_check_digit
from model import terms as model_terms
from model.terms import Terms
from payouts import ALL_COLUMNS, COLUMN_SETS
from programs import IS_THOROUGH, Draw

FEES = ROOT / "docs/spec/examples/payouts/fees.json"
SEED = int(os.environ.get("SETTLE_TEST_SEED", "1"))
# The first and last day of nights and payouts.
NIGHTS = ("2026-10-20", "2026-11-24")
ACCOUNTS = [f"shop{number}@x.example" for number in range(8)]
ERROR = re.compile(r"^payees\.csv:(\d+): error: ([A-Z0-9_]+)(?: at (\S+))?: ", re.M)


TERMS_ERROR = re.compile(ERROR.pattern.replace("payees", "terms"), re.M)


@pytest.fixture(scope="module")
def schema():
    return xmlschema.XMLSchema(str(Path(sepaxml.__file__).parent / "schemas/pain.001.001.09.xsd"))


class PayoutDraw(Draw):
    """Draws what a payout reads."""

    def iban(self, country=None):
        country = country or self.choice(list(payouts.COUNTRIES))
        letters = {"n": "0123456789", "a": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "c": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}
        parts = re.findall(r"(\d+)([nac])", payouts.COUNTRIES[country]["structure"])
        text = "".join(self.choice(letters[kind]) for count, kind in parts for _ in range(int(count)))
        return iban(country, text)

    def routing(self):
        return with_check_digit(f"{self.choice([1, 5, 12, 21, 32, 61, 72]):02d}{self.randrange(10 ** 6):06d}")

    def address(self):
        if self.chance(0.5):
            return {}
        return {"street": self.choice(["Hauptstraße", "", "Rue d'Or"]), "building": self.choice(["7 a", "", "1/2"]),
                "postcode": self.choice(["50667", ""]), "town": self.choice(["Köln", "Zürich", "Łódź"]),
                "country": self.choice(["DE", "ch", "XK", "us"])}

    def payee(self, account, currency):
        row = dict.fromkeys(ALL_COLUMNS, "") | self.address() | {
            "account": account, "currency": currency, "hold": self.choice(["", "", "", "yes", "no"]),
            "language": self.choice(["", "de_DE", "zh_TW"]),
            "name": self.choice(["Anna Müller", "Bert & Söhne GmbH und Compagnie", "Жук", "x'y", "Łódź"])}
        if row["hold"] == "yes" and self.chance(0.4):
            return row | {"name": self.choice(["", row["name"]])}
        if currency == "USD" and self.chance(0.6):
            return row | {
                "method": "ACH", "routing": self.routing(), "account_number": str(self.randrange(1, 10 ** self.randrange(3, 17))),
                "account_type": self.choice(["CHECKING", "SAVINGS"]), "holder": self.choice(["PERSON", "COMPANY"])}
        iban = self.iban()
        needs_bic = currency != "EUR" or not payouts.is_sepa(iban) or self.chance(0.3)
        return row | {"method": "IBAN", "iban": iban, "bic": "ABCDDEFF" if needs_bic else ""}

    def debtor(self):
        if self.chance(0.2):
            return None
        debtor = {}
        for currency in ("EUR", "GBP", "JPY", "USD"):
            if self.chance(0.8):
                terms = {"name": self.choice(["Zahl & Co Ä", "Pay"]), "iban": self.iban(self.choice(["DE", "FR", "BR"]))}
                terms |= {"bic": "COBADEFFXXX"} if currency != "EUR" or self.chance(0.5) else {}
                terms |= {"maximum": self.randrange(1, 4)} if self.chance(0.6) else {}
                terms |= {name: text for name, text in self.address().items() if text}
                debtor[currency] = {"IBAN": terms | ({"text": "Auszahlung für Sie"} if self.chance(0.3) else {})}
        if self.chance(0.8):
            terms = {"name": "Example Pay Inc", "company": "1123456789", "odfi": self.routing(), "destination": self.routing(),
                     "destinationName": "First Bänk", "origin": self.choice(["123456789", "1123456789"])}
            terms |= {"maximum": self.randrange(1, 4)} if self.chance(0.6) else {}
            terms |= {"originName": "Origin", "description": "SALARY"} if self.chance(0.3) else {}
            debtor.setdefault("USD", {})["ACH"] = terms
        return debtor

    def night(self, number, unrefunded):
        """The records of a night without fees, and what it gives each account and currency."""
        records, night = [], {}
        for place in range(self.randrange(1, 15)):
            if unrefunded and self.chance(0.3):
                key, pay_key, minor = unrefunded.pop(self.randrange(len(unrefunded)))
                records.append({"type": "refund", "refundKey": f"R{pay_key}", "payKey": pay_key})
                night[key] = night.get(key, 0) - minor
            else:
                key, pay_key = (self.choice(ACCOUNTS), self.choice(["EUR", "GBP", "JPY", "USD"])), f"K{number}-{place}"
                minor = self.choice(list(payouts.MAXIMA.values())) if self.chance(0.04) else self.randrange(1, 3000)
                records.append({"payKey": pay_key, "recipient": key[0], "paymentCurrency": key[1],
                                "subTotal": amount(minor, key[1])})
                unrefunded.append((key, pay_key, minor))
                night[key] = night.get(key, 0) + minor
        return records, night

    def day(self, first, last):
        start = datetime.date.fromisoformat(first)
        return (start + datetime.timedelta(self.randrange((datetime.date.fromisoformat(last) - start).days + 1))).isoformat()

    def terms(self):
        """Terms of some accounts, and perhaps of all others."""
        terms, days = Terms(), [0, 0, 1, 2, 3, 7, 14, 40]
        for account in [*ACCOUNTS, "*", "*"]:
            for currency in ("EUR", "GBP", "JPY", "USD"):
                for _ in range(self.choice([0, 0, 1, 3]) if account != "*" or self.chance(0.6) else 0):
                    percent = self.choice([0, 1, 333, 1000, 5050, 10_000])
                    terms.add(account, currency, self.choice(["2000-01-01", self.day(*NIGHTS)]), self.choice(days), percent,
                              self.choice(days), self.choice([0, 0, 1, 500, 2000]))
        return terms

    def spoil(self, text):
        return self.choice([
            "", " ", text + "x", text[:-1], text[1:], text.upper(), text.lower(), "日本", " " + text, text + "\t", "USD", "ACH",
            "IBAN", "yes", "retry P1-1", "retry", "0", "-", "DE", "00000", "---", "é", '"', 'a"b', "\r", "".join(self.sample(text, len(text))),
            text.replace("1", "2"), text + text, "x" * self.choice([70, 71, 4000, 5000]), self.iban(),
            " ".join(re.findall(".{1,4}", text)).lower()])


def quoted(field):
    return '"' + field.replace('"', '""') + '"' if re.search('[,"]', field) else field


def csv_row(row, columns=tuple(ALL_COLUMNS)):
    return ",".join(quoted(row[column]) for column in columns)


def held(settle, folder):
    """What a payout would find on each account, and what is held of it. Fewer bank accounts are known in a ledger that is made again."""
    tried = settle("payout", "--ledger", "ledger", "--payees", "payees", "--date", "2026-11-25", "--terms", "terms", "--dry-run",
                   cwd=folder, exits=(0, 1)).stdout
    return [[row[column] for column in ("account", "currency", "balance", *payouts.HELD)] for row in csv_table(tried)]


def run_night(settle, folder, books, records, night):
    write_lines(folder / "batch", records)
    books.settle(night)
    settle("run", "batch", "--output", f"run-{books.runs}", "--ledger", "ledger", "--fees", FEES, cwd=folder)


def settle_night(settle, folder, number, records, day):
    """Settles a night of a day; returns the command."""
    write_lines(folder / f"batch-{number}", framed(records, f"night-{number}", f"{day}T12:00:00Z", totals={}))
    command = ["run", f"batch-{number}", "--output", f"run-{number}", "--ledger", "ledger", "--fees", FEES, "--control-totals", "warn"]
    settle(*command, cwd=folder)
    return command


@pytest.mark.parametrize("seed", range(SEED, SEED + (60 if IS_THOROUGH else 8)))
def test_course(settle, schema, tmp_path, seed):
    draw, books, unrefunded, known = PayoutDraw(seed), payouts.Books(), [], {}
    for step in range(14):
        if step == 0 or draw.chance(0.55):
            records, night = draw.night(books.runs + 1, unrefunded)
            run_night(settle, tmp_path, books, records, night)
        else:
            pay(settle, schema, tmp_path, draw, books, known, no_payments=draw.chance(0.1))
    settle("ledger", "verify", "ledger", cwd=tmp_path)


@pytest.mark.parametrize("seed", range(SEED, SEED + (100 if IS_THOROUGH else 10)))
def test_terms_course(settle, schema, tmp_path, seed):
    """Nights of many days, late ones too, and payouts by terms that mostly stay the same, some up to an earlier night or without payments.

    In the end the ledger is lost, and made again from the directories: the same is held.
    """
    draw, books, unrefunded, known = PayoutDraw(f"terms {seed}"), payouts.Books(), [], {}
    terms, waiting, steps, nights = draw.terms(), [], [], 0
    for step in range(20):
        if step == 0 or draw.chance(0.5):
            nights += 1
            records, night = draw.night(nights, unrefunded)
            waiting.append((night, draw.day(*NIGHTS)))
            steps.append(settle_night(settle, tmp_path, nights, records, waiting[-1][1]))
            continue
        while waiting and (books.runs == 0 or draw.chance(0.8)):
            books.settle(*waiting.pop(0))
        terms = draw.terms() if draw.chance(0.25) else terms
        no_payments = draw.chance(0.15)
        pay(settle, schema, tmp_path, draw, books, known, None if no_payments and draw.chance(0.5) else terms, no_payments,
            ["--until", books.runs])
        steps.append(["payout", "adopt", f"payout-{books.payouts}", "--ledger", "ledger"])
    settle("ledger", "verify", "ledger", cwd=tmp_path)
    write_lines(tmp_path / "terms", terms.lines())
    if books.payouts:
        before = held(settle, tmp_path)
        (tmp_path / "ledger").unlink()
        for each in steps:
            told = settle(*each, *([] if each[1] == "adopt" else ["--adopt"]), cwd=tmp_path)
            assert "counts after" not in told.stderr, told.stderr
        assert held(settle, tmp_path) == before


def draw_payees(draw, books, known):
    """Rows by account and currency. Most bank accounts stay; some are to be tried again."""
    rows = {}
    for key in ((account, currency) for account in ACCOUNTS for currency in ("EUR", "GBP", "JPY", "USD")):
        if draw.chance(0.15):
            continue
        row = known[key] if key in known and draw.chance(0.8) else draw.payee(*key)
        others = [each for each in known.values() if each["currency"] == key[1] and each["method"]]
        if others and row["method"] and draw.chance(0.1):
            row = draw.choice(others) | {"account": key[0]}
        known[key] = row
        if row["method"] and books.last and draw.chance(0.3):
            row = row | {"hold": f"retry {(draw.chance(0.7) and books.last_return(payouts.bank_account(row))) or draw.choice(list(books.paid))}"}
        rows[key] = row
    return rows


def draw_adjustments(draw, books, rows):
    known = [key for key in [*rows, *books.balances]]
    return {f"{draw.choice(['CB', 'b.', '_x', '-'])}{books.payouts}-{number}":
            (draw.choice(known), draw.choice([-1, 1]) * draw.randrange(1, 2000), draw.choice(["fee", "BONUS-1", "by_hand"]))
            for number in range(draw.choice([0, 0, 1, 5]))}


def adjustment_row(draw, name, adjustment):
    (account, currency), minor, reason = adjustment
    text = amount(minor, currency)
    return f"{name},{draw.choice([account, account.upper()])},{currency},{draw.choice([text, text + 'e0'])},{reason}"


def pay(settle, schema, folder, draw, books, known, terms=None, no_payments=False, more=()):
    first = max(books.date, NIGHTS[0])
    dates = [draw.day(first, max(first, NIGHTS[1])) if draw.chance(0.4) else first]
    dates.append(draw.choice([dates[0], "2026-12-01"]))
    debtor = draw.debtor()
    rows = draw_payees(draw, books, known)
    adjustments = draw_adjustments(draw, books, rows)
    lines = [csv_row(row | {"account": draw.choice([row["account"], row["account"].upper()])}) for row in rows.values()]
    draw.shuffle(lines)
    minimums = {currency: draw.randrange(1500) for currency in ("EUR", "JPY", "USD") if draw.chance(0.4)}
    returns = {each: draw.choice(["NOT_SENT", "AC01", "AC04", "R03"]) for each in books.paid if each not in books.returned and draw.chance(0.2)}
    write_lines(folder / "payees", [",".join(ALL_COLUMNS), *lines])
    # Those that are booked may be given again; they are skipped.
    given = adjustments | {each: books.adjusted[each] for each in books.adjusted if draw.chance(0.5)}
    write_lines(folder / "adjusted", ["key,account,currency,amount,reason", *(adjustment_row(draw, *each) for each in given.items())])
    write_lines(folder / "returned", ["reference,reason", *(f"{each},{returns[each]}" for each in reversed(returns))])
    (folder / "debtor").write_text(json.dumps(debtor), "utf-8")
    inputs = ["--payees", "payees", "--returned", "returned", "--adjustments", "adjusted", *([] if debtor is None else ["--debtor", "debtor"])]
    if terms:
        write_lines(folder / "terms", terms.lines(lambda number: draw.choice([str(number), "" if number == 0 else str(number)])))
        inputs += ["--terms", "terms"]
    options = [word for currency, minor in minimums.items() for word in ("--minimum", f"{currency}={amount(minor, currency)}")]
    options += ["--since", "1"] if books.payouts == 0 else []
    options += ["--no-payments"] if no_payments else []
    options += more
    command = ["payout", "--ledger", "ledger", "--date", dates[0], "--execution-date", dates[1], *inputs, *options]
    tried, output = settle(*command, "--dry-run", cwd=folder, exits=(0, 1)), folder / f"payout-{books.payouts + 1}"
    assert not output.exists()
    told, written = make(settle, folder, books, command, (rows, debtor, minimums, returns, adjustments, dates), terms, no_payments)
    assert tried.returncode == told.returncode
    held = ",delayed,reserved,kept" if terms else ""
    assert tried.stdout.splitlines() == [f"account,currency,balance,paid,method,reason{held}", *books.tried]
    assert warnings(tried.stderr) == warnings(told.stderr)
    for name, text in written.items():
        if name.endswith(".xml"):
            schema.validate(output / name)
        if name.endswith(".ach"):
            assert achkit.validate(text)["ok"], achkit.validate(text)
    settle("verify", output, "--ledger", "ledger", *inputs, cwd=folder)
    again = settle(*command, "--output", output, cwd=folder, exits=[told.returncode])
    assert f"already made as payout {books.payouts}" in again.stdout


def make(settle, folder, books, command, given, terms=None, no_payments=False):
    """Makes the next payout; its directory must be that of the second implementation."""
    output = folder / f"payout-{books.payouts + 1}"
    told = settle(*command, "--output", output, cwd=folder, exits=(0, 1))
    summary = json.loads((output / "payouts.json").read_text("utf-8"))
    written, totals, reasons, exit_code = books.pay(*given, summary["payout"]["ledger"], terms, no_payments)
    assert told.returncode == exit_code
    assert (summary["totals"], summary["changedAccounts"], summary["reasons"]) == (totals, len(books.changed_accounts), reasons)
    assert summary["payout"].get("noPayments", False) == no_payments and ("terms" in summary["inputs"]) == (terms is not None)
    assert list(summary)[4:7] == ["totals", "changedAccounts", "reasons"]
    expect_warnings(told.stderr, books)
    assert {path.name for path in output.iterdir()} == set(written) | {"payouts.json", "SHA256SUMS"}
    for name, text in written.items():
        assert (output / name).read_text("utf-8") == text, name
    return told, written


def warnings(said):
    return [line for line in said.splitlines() if line.startswith("settle: warning: ") and "was not looked at" not in line]


def expect_warnings(said, books):
    """Standard error has the number and the first ten of what someone should look at."""
    for few, beginning, has_count in (
            (books.waiting, "RETURNED: ", False), (books.crossing, "adjustments that cross zero: ", True),
            (books.changed_accounts, "payments to another bank account than the last one of their account and currency: ", True)):
        count = f"{len(few)}: " if has_count else ""
        others = f"; and {len(few) - 10} others" if len(few) > 10 else ""
        expected = [f"settle: warning: {beginning}{count}{'; '.join(few[:10])}{others}. "] if few else []
        found = [line for line in warnings(said) if beginning in line]
        assert len(found) == len(expected) and all(map(str.startswith, found, expected)), (found, expected)


@pytest.mark.parametrize("seed", range(SEED, SEED + (40 if IS_THOROUGH else 3)))
def test_brake(settle, tmp_path, seed):
    """A payout every night, to few bank accounts of which the bank refuses some for good, two or more nights later."""
    draw, books = PayoutDraw(seed), payouts.Books()
    ibans = [draw.iban("DE") for _ in range(6)]
    bad, unanswered = set(draw.sample(ibans, 3)), []
    rows = {(account, "EUR"): draw.payee(account, "EUR") | {"iban": draw.choice(ibans), "method": "IBAN", "bic": "", "name": "A",
                                                            "routing": "", "account_number": "", "account_type": "", "holder": "", "hold": ""}
            for account in ACCOUNTS[:5]}
    debtor = {"EUR": {"IBAN": {"name": "Pay", "iban": "DE89370400440532013000"}}}
    (tmp_path / "debtor").write_text(json.dumps(debtor))
    for night in range(1, 25):
        earned = {key: draw.randrange(100, 900) for key in rows if draw.chance(0.8)}
        run_night(settle, tmp_path, books, [
            {"payKey": f"K{night}-{account[:5]}", "recipient": account, "paymentCurrency": "EUR", "subTotal": amount(minor, "EUR")}
            for (account, _), minor in earned.items()], earned)
        back = {each: draw.choice(["AC04", "AC04", "NOT_SENT"]) for each, due in unanswered if due <= night}
        unanswered = [each for each in unanswered if each[0] not in back]
        for key, row in rows.items():
            refusing = books.last_return(payouts.bank_account(row))
            if draw.chance(0.15):
                row["iban"] = draw.choice(ibans)
            row["hold"] = draw.choice(["", "", "", "yes", f"retry {refusing}" if refusing else "",
                                       f"retry {draw.choice(list(books.paid) or ['P9-9'])}"])
        write_lines(tmp_path / f"payees-{night}", [",".join(ALL_COLUMNS), *map(csv_row, rows.values())])
        write_lines(tmp_path / f"returned-{night}", ["reference,reason", *(f"{each},{back[each]}" for each in back)])
        command = ["payout", "--ledger", "ledger", "--date", f"2026-11-{night:02d}", "--payees", f"payees-{night}",
                   "--returned", f"returned-{night}", "--debtor", "debtor"]
        make(settle, tmp_path, books, command, (rows, debtor, {}, back, {}, [f"2026-11-{night:02d}"] * 2))
        unanswered += [(each, night + draw.randrange(1, 5)) for each, account in books.accounts.items()
                       if payout_of(each) == night and (account[5:] in bad or draw.chance(0.05))]
        settle("verify", f"payout-{draw.randrange(1, night + 1)}", "--ledger", "ledger", cwd=tmp_path)
        for account in ACCOUNTS[:5]:
            if books.last.get((account, "EUR")):
                found = settle("find", account, "--ledger", "ledger", "--ledger-only", "--format", "jsonl", cwd=tmp_path)
                refused = json.loads(found.stdout.splitlines()[-1])["balances"][0]["refused"]
                assert refused == books.last_return(books.accounts[books.last[account, "EUR"]])
    for night in range(1, 25):
        settle("verify", f"payout-{night}", "--ledger", "ledger", "--payees", f"payees-{night}", "--returned", f"returned-{night}",
               "--debtor", "debtor", cwd=tmp_path)
    settle("ledger", "verify", "ledger", cwd=tmp_path)


@pytest.fixture(scope="module")
def ledger(settle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "batch").write_text('{"payKey":"A","recipient":"zoe@x.example","subTotal":"10.00"}\n')
    settle("run", "batch", "--output", "run", "--ledger", "ledger", cwd=folder)
    return folder / "ledger"


@pytest.mark.parametrize("seed", range(SEED, SEED + (2000 if IS_THOROUGH else 150)))
def test_payees(settle, ledger, tmp_path, seed):
    draw = PayoutDraw(seed)
    columns = draw.choice(COLUMN_SETS)
    header = ",".join(columns)
    lines = [header if draw.chance(0.95) else draw.choice([header.upper(), header + ",x", '"account",' + header[8:], "x"])]
    for _ in range(draw.randrange(1, 25)):
        row = draw.payee(f"shop{draw.randrange(40)}@x.example", draw.choice(["EUR", "JPY", "USD"]))
        column = draw.choice(columns)
        lines.append(csv_row(row | ({column: draw.spoil(row[column])} if draw.chance(0.4) else {}), columns))
    for _ in range(draw.randrange(3)):
        line = draw.choice(["", " \t\r ", " " * 5000, "a,b", '"x', 'x"y', "," * 10])
        lines.insert(draw.randrange(len(lines) + 1), line)
    # The file always has an error: the payout would be made.
    text = draw.choice([b"", b"\xef\xbb\xbf"]) + b"".join(
        line.encode() + draw.choice([b"\n", b"\n", b"\r\n"]) for line in [*lines, "a"])
    text = text.rstrip(b"\n") if draw.chance(0.3) else text
    if draw.chance(0.1):
        place = draw.randrange(len(text))
        text = text[:place] + bytes([draw.choice([0xFF, 0xC3, 0x80, 0])]) + text[place:]
    (tmp_path / "payees.csv").write_bytes(text)
    told = settle("payout", "--ledger", ledger, "--payees", "payees.csv", "--date", "2026-11-24", "--output", "out",
                  cwd=tmp_path, exits=[78])
    found = [(int(line), ALL_COLUMNS.index(column) if column else -1, code) for line, code, column in ERROR.findall(told.stderr)]
    assert found == payouts.payee_errors(text)


@pytest.mark.parametrize("seed", range(SEED, SEED + (2000 if IS_THOROUGH else 100)))
def test_terms(settle, ledger, tmp_path, seed):
    draw = PayoutDraw(seed)
    header = ",".join(model_terms.COLUMNS)
    lines = [header if draw.chance(0.95) else draw.choice([header.upper(), header + ",x", '"account",' + header[8:], "x"])]
    for _ in range(draw.randrange(1, 25)):
        row = dict(zip(model_terms.COLUMNS, [
            draw.choice(["*", "A@x.example", "a@x.example", "b@x.example"]), draw.choice(["EUR", "JPY", "USD"]),
            f"20{draw.randrange(100):02d}-{draw.randrange(1, 13):02d}-{draw.randrange(27, 32)}" if draw.chance(0.4) else "2026-11-01",
            draw.choice(["", "0", "1", "365", "366", "01", "-1"]), draw.choice(["", "0", "0.5", "10.25", "100.00", "100.01", "5.", ".5"]),
            draw.choice(["", "0", "7", "90", "365"]), draw.choice(["", "0", "0.00", "1.5", "100", "1e2", "1.50e1", "12e-1", "-0", "+1"])]))
        column = draw.choice(model_terms.COLUMNS)
        lines.append(csv_row(row | ({column: draw.spoil(row[column])} if draw.chance(0.3) else {}), model_terms.COLUMNS))
    text = b"".join(line.encode() + draw.choice([b"\n", b"\n", b"\r\n"]) for line in [*lines, "a"])
    (tmp_path / "terms.csv").write_bytes(text)
    told = settle("balances", "--ledger", ledger, "--terms", "terms.csv", cwd=tmp_path, exits=[78])
    found = [(int(line), model_terms.COLUMNS.index(column) if column else -1, code)
             for line, code, column in TERMS_ERROR.findall(told.stderr)]
    assert found == payouts.errors(text, [model_terms.COLUMNS], "TERMS_HEADER", model_terms.row_errors)
