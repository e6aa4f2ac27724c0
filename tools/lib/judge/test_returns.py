"""Answers of banks: by a second implementation in Python, and hostile files, which must be errors.

Answers are drawn to payments of payouts, one of them given up: returns, refusals and debits that fit, and others with
wrong references, amounts, currencies, dates, accounts and statuses, in files of all formats. settle must write the tables
of the second implementation byte for byte, over several nights in which files come and go in any order and payouts book
what came back. SETTLE_TEST_SEED sets which; SETTLE_THOROUGH=1 tries more.
"""
import difflib
import json
import os
import re
import shutil

import answers
import pytest
from model.files import ROOT, csv_rows
from model.payouts import COLUMNS, DEBTOR, heading
from programs import IS_THOROUGH, Draw, run

FEES = ROOT / "docs/spec/examples/payouts/fees.json"
SEED = int(os.environ.get("SETTLE_TEST_SEED", "1"))
IBAN, OTHER_IBAN = "DE89370400440532013000", "GB29NWBK60161331926819"
PAYEES = """{0}@x.example,EUR,Shop,IBAN,DE89370400440532013000,,,,,,
{0}@x.example,JPY,Shop,IBAN,GB29NWBK60161331926819,NWBKGB2L,,,,,
{0}@x.example,USD,Shop,ACH,,,011000015,12345678{1},CHECKING,{2},
"""
STATUSES = ["RJCT"] * 8 + ["CANC", "ACSC", "ACCC", "ACSP", "PDNG", "PART", "RVNM", "BLCK", "ABCD", "=1+1"]
CODES = ["AC04"] * 6 + ["AC01", "AM05", "am05 duplicate", "dupl", "MS03", "R68", "NOT SENT", "Überweisung unmöglich, weil das Konto aufgelöst ist", "", "-x"]


class Shop:
    """A ledger with payouts, of which the second is given up, and what a person knows of them."""

    def __init__(self, settle, folder):
        self.settle, self.folder, self.payouts = settle, folder, {}
        (folder / "payees.csv").write_text(",".join(COLUMNS) + "\n" + "".join(
            PAYEES.format(f"s{shop}", shop, ["PERSON", "COMPANY"][shop % 2]) for shop in range(6)))
        (folder / "debtor.json").write_text(json.dumps(
            DEBTOR | {"JPY": {"IBAN": {"name": "Pay", "iban": OTHER_IBAN, "bic": "NWBKGB2L"}}}))
        for number in (1, 2, 3):
            currencies = ("EUR", "JPY", "USD")[:3 if number < 3 else 2]
            self.run(number, [(shop, currency, f"{10 * number + shop}" + ("" if currency == "JPY" else f".{shop}0"))
                              for shop in range(6) for currency in currencies])
            if number == 2:
                shutil.copy(folder / "ledger", folder / "before")
            self.pay(number)
            if number == 2:
                # The ledger was restored, and the directory of the payout is lost.
                (folder / "before").rename(folder / "ledger")
                shutil.rmtree(folder / "payout-2")
                settle("ledger", "adopt", "ledger", "--give-up", "2", cwd=folder)
        self.name = heading(folder / "payout-3")["ledger"]
        self.payouts |= {number: self.payout(number) for number in (1, 3)}
        self.payments = self.read_payments((1, 3))

    def run(self, number, records):
        (self.folder / "batch").write_text("".join(json.dumps(
            {"payKey": f"K{number}-{shop}-{currency}", "recipient": f"s{shop}@x.example", "paymentCurrency": currency, "subTotal": amount})
            + "\n" for shop, currency, amount in records))
        self.settle("run", "batch", "--output", f"night-{number}", "--ledger", "ledger", "--fees", FEES, cwd=self.folder)

    def pay(self, number, *options):
        self.settle("payout", "--ledger", "ledger", "--payees", "payees.csv", "--debtor", "debtor.json", "--date", f"2026-11-2{number}",
                    "--output", f"payout-{number}", *options, cwd=self.folder, exits=(0, 1))

    def payout(self, number):
        path = self.folder / f"payout-{number}"
        files = {}
        for file in (*path.glob("pain001-*.xml"), *path.glob("nacha-*.ach")):
            text = file.read_text("utf-8")
            blocks = {block[0]: re.findall("<InstrId>(.*?)</InstrId>", block[1])
                      for block in re.findall("<PmtInfId>[^<]*-(.)</PmtInfId>(.*?)</PmtInf>", text, re.S)}
            files[file.name] = blocks or {"": re.findall("^6.{38}(P[0-9]+-[0-9]+)", text, re.M)}
        return heading(path) | {"files": files}

    def read_payments(self, numbers):
        payments = {}
        for number in numbers:
            for row in csv_rows(self.folder / f"payout-{number}/payouts.csv"):
                bank = ("011000015", f"12345678{row['account'][1]}") if row["method"] == "ACH" else ("", "")
                payments[row["reference"]] = row | {"bank": bank}
        return payments


@pytest.fixture(scope="module")
def shop(settle, tmp_path_factory):
    # Payouts are looked for in neighbouring folders, too.
    folder = tmp_path_factory.mktemp("shop") / "alone/shop"
    folder.mkdir(parents=True)
    return Shop(settle, folder)


class AnswerDraw(Draw):
    """Draws files of answers to payments. Half of the draws are about few payments, so that answers meet."""

    def __init__(self, seed, shop):
        super().__init__(seed)
        self.shop, self.payments = shop, shop.payments
        self.some = self.sample(list(self.payments), self.choice([2, 3, 5, len(self.payments)]))

    def reference(self):
        return self.choice(self.some) if self.chance(0.85) else \
            self.choice(["P9-1", "P1-999", "P2-1", "INVOICE-7", "NOTPROVIDED", "nonref", "", "p1-1", "P01-1", "P1-1x"])

    def date(self):
        return self.choice(["2026-11-19", "2026-11-20", "2026-11-21", *["2026-11-22", "2026-11-25", "2026-11-26"] * 3, "2026-02-30", ""])

    def amount(self, reference, currencies=("EUR", "JPY", "USD")):
        payment = self.payments.get(reference, {"amount": "50.00", "currency": self.choice(currencies)})
        if self.chance(0.85):
            return payment["amount"], payment["currency"]
        return self.choice(["50", "50.000", "0050.0", "50,00", "x", "", "12.34", "0.00", payment["amount"] + "0", "1" + payment["amount"]]), \
            self.choice([payment["currency"]] * 3 + ["CHF", "XXX", ""])

    def file_id(self, reference):
        number, currency = int(reference[1]) if reference in self.payments else 1, self.payments.get(reference, {"currency": "EUR"})["currency"]
        if self.chance(0.1):
            number = self.choice([1, 2, 3, 4])
        ledger = self.shop.payouts.get(number, {"ledger": self.shop.name})["ledger"]
        if self.chance(0.1):
            ledger = self.choice(["111111111111", self.shop.name, self.shop.payouts[1]["ledger"]])
        if self.chance(0.15):
            return self.choice(["BANK-7", "NOTPROVIDED", "", "=BANK", "x" * 50])
        if self.chance(0.1):
            currency = self.choice(["EUR", "JPY", "XXX"])
        text = f"S{ledger}-P{number}-{currency}-{self.choice(['0001'] * 9 + ['0002', '00001'])}{self.choice(['', '', '-S', '-T'])}"
        return text if self.chance(0.8) else self.choice([text.upper(), text.lower(), text.swapcase()])

    def reasons(self, element):
        return "".join(
            f"<{element}><Rsn>{self.choice(['<Cd>{}</Cd>', '<Prtry>{}</Prtry>', '<Cd>{}</Cd><Prtry>P</Prtry>']).format(self.choice(CODES))}"
            f"</Rsn></{element}>" for _ in range(self.choice([0, 1, 1, 1, 2])))

    def given(self, name, text, share=0.9):
        return f"<{name}>{text}</{name}>" if self.chance(share) else ""

    def pain(self):
        def scope(status):
            return (self.given(status, self.choice(STATUSES), 0.1) + self.reasons("StsRsnInf")) if self.chance(0.5) else ""

        text = f"<Document>\n<CstmrPmtStsRpt><GrpHdr>{self.given('CreDtTm', self.date() + 'T06:00:00')}</GrpHdr>\n"
        text += f"<OrgnlGrpInfAndSts>{self.given('OrgnlMsgId', self.file_id('P1-1'), 0.5)}" \
            f"{self.given('OrgnlMsgNmId', self.choice(['pain.001.001.09'] * 9 + ['PAIN.001', 'pain.008.001.02', 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03', 'pain001', 'x camt.055 pain.001']), 0.8)}" \
            f"{scope('GrpSts')}</OrgnlGrpInfAndSts>\n"
        for _ in range(self.randrange(3)):
            first = self.reference()
            text += f"<OrgnlPmtInfAndSts>{self.given('OrgnlPmtInfId', self.file_id(first))}{scope('PmtInfSts')}"
            for place in range(self.randrange(4)):
                reference = first if place == 0 else self.reference()
                value, currency = self.amount(reference)
                amount = f'<OrgnlTxRef><Amt><InstdAmt Ccy="{currency}">{value}</InstdAmt></Amt></OrgnlTxRef>'
                text += f"\n<TxInfAndSts>{self.given('OrgnlInstrId', reference if self.chance(0.9) else self.reference(), 0.7)}" \
                    f"{self.given('OrgnlEndToEndId', reference)}{self.given('TxSts', self.choice(STATUSES))}" \
                    f"{self.reasons('StsRsnInf')}{amount if self.chance(0.6) else ''}</TxInfAndSts>"
            text += "\n</OrgnlPmtInfAndSts>\n"
        return text + "</CstmrPmtStsRpt></Document>\n"

    def camt(self):
        kind, statement = self.choice([("BkToCstmrStmt", "Stmt"), ("BkToCstmrDbtCdtNtfctn", "Ntfctn")])
        text = f"<Document><{kind}>\n"
        for _ in range(self.randrange(1, 3)):
            text += f"<{statement}>" + self.given("Acct", f"<Id><IBAN>{self.choice([IBAN, IBAN, IBAN, OTHER_IBAN])}</IBAN></Id>")
            for _ in range(self.randrange(4)):
                text += self.entry()
            text += f"</{statement}>\n"
        return text + f"</{kind}></Document>\n"

    def family(self, share):
        return self.given("BkTxCd", self.choice(
            ["<Domn><Fmly><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn>"] * 3
            + ["<Domn><Fmly><SubFmlyCd>RPCR</SubFmlyCd></Fmly></Domn>", "<Domn><Fmly><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>",
               "<Prtry><Cd>X</Cd></Prtry>"]), share)

    def entry(self):
        reference = self.reference()
        value, currency = self.amount(reference)
        date, state = self.date(), self.choice(["BOOK"] * 8 + ["PDNG"])
        payments, details, sums = self.choice([0, 0, 1, 1, 1, 2, 3]), "", []
        # A debit of a file has its sum, or what is left without some of its payments.
        is_batch = payments == 0 and self.chance(0.8)
        batch = self.file_id(reference)
        if is_batch:
            value = self.file_sum(batch, value)
        if is_batch or self.chance(0.1):
            details += f"\n<NtryDtls><Btch>{self.given('MsgId', self.file_id(reference), 0.1)}{self.given('PmtInfId', batch)}</Btch></NtryDtls>"
        is_debit = self.chance(0.5)
        for place in range(payments):
            if place:
                reference = self.reference()
                value, currency = self.amount(reference)
            own = value if self.chance(0.95) else "1.00"
            amount = f'<Amt Ccy="{currency}">{own}</Amt>'
            sums.append(own)
            places = self.given("MsgId", self.file_id(reference), 0.2) + self.given("PmtInfId", self.file_id(reference), 0.3) \
                + self.given("InstrId", reference if self.chance(0.9) else self.reference(), 0.4) \
                + self.given("EndToEndId", reference if self.chance(0.8) else "BANK-1", 0.8)
            details += f"\n<NtryDtls><TxDtls><Refs>{places}</Refs>" \
                f"{self.choice([amount, amount, amount, f'<AmtDtls><TxAmt>{amount}</TxAmt></AmtDtls>', ''])}" \
                f"{self.given('CdtDbtInd', self.choice(['DBIT' if is_debit else 'CRDT'] * 9 + ['CRDT', 'DBIT']), 0.3)}{self.family(0.2)}" \
                f"{self.given('RmtInf', self.given('Ustrd', f'Payout {reference}') + self.given('Ustrd', 'x', 0.1), 0.5)}" \
                f"{self.reasons('RtrInf') if self.chance(0.1 if is_debit else 0.8) else ''}</TxDtls></NtryDtls>"
        if len(sums) > 1 and all(re.fullmatch("[0-9]+([.][0-9]+)?", text) for text in sums) and self.chance(0.8):
            value = str(sum(map(answers.Decimal, sums)))
        return f'\n<Ntry><Amt Ccy="{currency}">{value}</Amt><CdtDbtInd>{"DBIT" if is_debit else "CRDT"}</CdtDbtInd>' \
            f"{self.given('RvslInd', self.choice(['true', '1', 'false', 'TRUE']), 0.1)}" \
            f"<Sts>{self.choice([state, f'<Cd>{state}</Cd>'])}</Sts>" \
            f"<BookgDt>{self.choice([f'<Dt>{date}</Dt>', f'<DtTm>{date}T10:00:00+01:00</DtTm>'])}</BookgDt>" \
            f"{self.family(0.1 if is_debit else 0.8)}{details}</Ntry>"

    def file_sum(self, text, value):
        match = answers.FILE_ID.fullmatch(text)
        books = answers.Books(self.payments, self.shop.payouts, {})
        found = match and books.file(match)
        if not found or self.chance(0.1):
            return value
        if self.chance(0.4):
            found = [reference for reference in found if reference not in self.some[:self.randrange(3)]] or found
        return str(books.total(found))

    def nacha(self):
        lines = []
        has_file, has_batch = self.chance(0.8), self.chance(0.8)
        if has_file:
            lines.append(f"101 021000021 123456789{self.date()[2:].replace('-', ''):<6}0000A094101Bank")
        whole = answers.Control()
        for _ in range(self.randrange(1, 3)):
            batch = answers.Control()
            if has_batch:
                lines.append(f"5{self.choice(['220'] * 9 + ['280'])}{'Pay':<36}{self.choice(['1123456789'] * 6 + ['9999999999'])}PPD")
            for _ in range(self.randrange(4)):
                record = self.nacha_entry()
                for line in record:
                    batch.add(line)
                    whole.add(line)
                lines += record
            if has_batch and self.chance(0.95):
                lines.append(f"8220{batch.count:06d}{batch.hash % 10 ** 10:010d}{batch.debits:012d}{batch.credits:012d}1123456789")
        if self.chance(0.05):
            whole.credits += 1
        if has_file and self.chance(0.95):
            lines.append(f"9000001000001{whole.count:08d}{whole.hash % 10 ** 10:010d}{whole.debits:012d}{whole.credits:012d}")
            lines += ["9" * 94] * self.randrange(3)
        ending = self.choice(["\n", "\r\n", ""])
        if self.chance(0.1):
            # Blocks of several records in a line.
            joined, width = "".join(line.ljust(94) for line in lines), 94 * self.choice([2, 3, 10, 99])
            text = "".join(joined[at:at + width] + ending for at in range(0, len(joined), width))
            return text if text[:1] in ("1", "5", "6") and joined[94:95] != " " else "5220\n"
        text = "".join((line.ljust(94) if ending == "" else line) + ending for line in lines)
        return text if text[:1] in ("1", "5", "6") else "5220\n" + text

    def nacha_entry(self):
        reference = self.reference()
        value, _ = self.amount(reference)
        account = self.payments.get(reference, {"bank": ("", "12345")})["bank"][1] or "12345"
        account = account if self.chance(0.8) else self.choice(["999999999", "XXXXX6789", "1234 5678", ""])
        cents = f"{value.replace('.', ''):0>10}"[-10:] if value.replace(".", "").isdigit() else "00x0000000"
        addenda = self.choice([["99"]] * 7 + [["98"], ["05", "99"], [], ["99", "99"], ["98", "98"], ["98", "99"]])
        code = self.choice(["21"] * 6 + ["22", "31", "32", "26", "27"])
        if self.chance(0.3):
            code, addenda = self.choice(["27", "37"]), []
            books = answers.Books(self.payments, self.shop.payouts, {})
            files = [blocks[""] for payout in self.shop.payouts.values() for name, blocks in payout["files"].items() if name.startswith("nacha")]
            cents = f"{int(100 * books.total(self.choice(files))) + self.choice([0, 0, 0, 1]):010d}"
        name = "Dave" if not self.chance(0.1) else "=Dave"
        record = [f"6{code}021000021{account:<17}{cents}{reference[:15]:<15}{name:<22}  1"]
        for kind in addenda:
            reason = self.choice(["R03"] * 5 + ["R02", "R24", "R68", "R 1", "   "] if kind == "99" else ["C01", "C02", "C03", "C04", "C05", "C06", "C07", "C09"])
            data = self.choice(["12345", "-12345", "121000248", "121000249", "121000248   98765", "22", "33", "=x", "Erin O'Neil",
                                "98765               32", "12100024898765            24", ""])
            bank = self.choice(["01100001", "01100001", "01100001", "12100024", "0110000 ", ""])
            record.append(f"7{kind}{reason}{'':21}{bank:<8}{data:<29}")
        return record

    def list(self):
        rows = {reference: self.choice(["by-hand", "AC04"]) for reference in self.sample(list(self.payments), 3)}
        return "reference,reason\n" + "".join(f"{reference},{rows[reference]}\n" for reference in rows)


def check(settle, shop, folder, files, number, books, debtor, wrong, confirm):
    output = folder / f"answered-{number}"
    options = ["--debtor", shop.folder / "debtor.json"] if debtor else []
    # Files with errors may be anywhere among the others.
    given = [name for name, _ in files]
    for place, name in enumerate(wrong or []):
        given.insert(place * 2, name)
    more = [] if wrong is None else ["--skip-errors"]
    if confirm:
        more += ["--confirm", confirm[0], "--as-of", confirm[1], *([] if confirm[2] == 7 else ["--within", str(confirm[2])])]
    told = settle("returns", *given, "--ledger", folder / "ledger", "--output", output, *options, *more, cwd=folder,
                  exits=[78] if wrong else (0, 1))
    lists = sum(name == "wrong.csv" for name in wrong or [])
    others = len(wrong or []) - lists
    (expected, counts), said = answers.judge(files, books, lacks_answers=others > 0, confirm=confirm)
    for name, text in expected.items():
        found = (output / name).read_text("utf-8")
        assert found == text, "\n".join(difflib.unified_diff(text.split("\n"), found.split("\n"), f"expected {name}", name, lineterm="", n=0))
    assert {path.name for path in output.iterdir()} == {*expected, "returns.json", "SHA256SUMS"}
    summary = json.loads((output / "returns.json").read_text("utf-8"))
    assert {name: summary[name] for name in counts} == counts
    assert ("confirm" in summary) == bool(confirm)
    assert [(file["format"], file["controls"], file["answers"], file["others"]) for file in summary["files"]] == said
    looks = counts["codes"] or expected["changes.csv"].count("\n") > 1 or "mismatch" in [controls for _, controls, _, _ in said] \
        or ",NOT_SEEN," in expected.get("payments.csv", "")
    assert wrong or told.returncode == int(bool(looks))
    assert summary.get("skipped") == (None if wrong is None else {"lists": lists, "others": others})
    for name in wrong or []:
        assert f"{name}:" in told.stderr
    run("sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS", cwd=output)
    settle("verify", output, "--ledger", folder / "ledger", "--answers", *(name for name, _ in files), *options, cwd=folder)
    return output


@pytest.mark.parametrize("seed", range(SEED, SEED + (1000 if IS_THOROUGH else 40)))
def test_drawn(settle, shop, tmp_path, seed):
    """Three nights: files come and go in any order, and what came back is booked."""
    try:
        draw_nights(settle, shop, tmp_path, AnswerDraw(seed, shop))
    finally:
        # Traces of these payouts would count as missing in the copies of the ledger for other seeds.
        for path in tmp_path.glob("payout-*"):
            shutil.rmtree(path)


def draw_nights(settle, shop, tmp_path, draw):
    for name in ("ledger", "ledger-lock"):
        (tmp_path / name).write_bytes((shop.folder / name).read_bytes())
    books = answers.Books(dict(shop.payments), dict(shop.payouts), {}, given_up=[2], name=shop.name)
    debtor, files, pool = draw.chance(0.7), [], []
    if debtor:
        books.ibans, books.company = {"EUR": IBAN, "JPY": OTHER_IBAN}, "1123456789"
    for number in (4, 5, 6):
        for _ in range(draw.randrange(1, 5)):
            text = draw.choice([draw.pain, draw.camt, draw.camt, draw.nacha, draw.list])()
            name = f"answer-{len(pool)}"
            (tmp_path / name).write_bytes(text.encode())
            pool.append((name, text.encode()))
        files = draw.sample(pool, draw.randrange(1, len(pool) + 1))
        # A list says of a payment what it said when that was booked.
        files += [each for each in files[:1] if draw.chance(0.2)]
        wrong = draw.choice([None] * 6 + [[], ["wrong.csv"], ["wrong.xml"], ["wrong.xml", "wrong.csv"], ["wrong.ach", "wrong.xml"]])
        (tmp_path / "wrong.csv").write_text("reference,reason\nP1-1,by-hand\nP9-1,AC04\n")
        (tmp_path / "wrong.xml").write_text(draw.pain()[:-3])
        (tmp_path / "wrong.ach").write_text(draw.nacha() + "\nx")
        confirm = (draw.choice(["2026-11-20", "2026-11-21", "2026-11-22"]), draw.choice(["2026-11-22", "2026-11-25", "2026-12-04"]),
                   draw.choice([7, 0, 3])) if draw.chance(0.7) else None
        output = check(settle, shop, tmp_path, files, number, books, debtor, wrong, confirm)
        if number == 6:
            break
        settle("payout", "--ledger", "ledger", "--payees", shop.folder / "payees.csv", "--date", f"2026-11-2{number}", "--output",
               f"payout-{number}", "--minimum", "EUR=1000000", "--minimum", "JPY=1000000", "--minimum", "USD=1000000",
               "--returned", output / "returned.csv", cwd=tmp_path, exits=(0, 1))
        for line in (output / "returned.csv").read_text("utf-8").splitlines()[1:]:
            reference, reason = line.split(",")
            books.booked[reference] = (reason, number)
        day = f"2026-11-2{number}"
        books.payouts[number] = {"ledger": shop.name, "date": day, "executionDate": day, "files": {}}
    settle("verify", tmp_path / "answered-4", "--ledger", "ledger", cwd=tmp_path)


@pytest.mark.parametrize("seed", range(SEED, SEED + (100 if IS_THOROUGH else 10)))
def test_spoilt(settle, shop, tmp_path, seed):
    """Answers with changed bytes never crash settle, and never return a payment with another amount or reference."""
    draw = AnswerDraw(seed, shop)
    for place in range(20):
        data = bytearray(draw.choice([draw.pain, draw.camt, draw.nacha, draw.list])().encode())
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(data))
            data[at:at + draw.choice([0, 1, 1, 9])] = draw.choice([b"", b"<", b">", b"&", b"\0", b"\xff", b"P1-2", b"9", b"\n", b"]]>"])
        (tmp_path / "answer").write_bytes(data)
        told = settle("returns", "answer", "--ledger", shop.folder / "ledger", "--output", f"out-{place}", cwd=tmp_path, exits=(0, 1, 78))
        if told.returncode == 78:
            continue
        returned = {line.split(",")[0] for line in (tmp_path / f"out-{place}/returned.csv").read_text("utf-8").split("\n")[1:-1]}
        rows = [row for row in csv_rows(tmp_path / f"out-{place}/answers.csv") if row["result"] == "RETURN"]
        assert {row["reference"] for row in rows} == returned
        for row in rows:
            payment = shop.payments[row["reference"]]
            assert row["account"] == payment["account"]
            assert row["currency"] == payment["currency"] or row["format"] == "PAIN002" and not row["amount"]
            assert not row["amount"] or answers.same(row["amount"], payment["amount"])


@pytest.mark.parametrize("name", ["answers.csv", "changes.csv", "returned.csv", "returns.json", "SHA256SUMS"])
def test_changed(settle, shop, tmp_path, name):
    """`settle verify` finds each changed file, also if SHA256SUMS was made again."""
    draw = AnswerDraw(1, shop)
    (tmp_path / "list").write_text(draw.list())
    settle("returns", "list", "--ledger", shop.folder / "ledger", "--output", "out", cwd=tmp_path)
    settle("verify", "out", cwd=tmp_path)
    path = tmp_path / "out" / name
    path.write_bytes(path.read_bytes().replace(b"P1-", b"P2-").replace(b'"payouts":2', b'"payouts":1') + b"x\n")
    settle("verify", "out", cwd=tmp_path, exits=[1])
    if name != "SHA256SUMS":
        run("sh", "-c", "sha256sum *.csv returns.json | LC_ALL=C sort -k2 >SHA256SUMS", cwd=tmp_path / "out")
        settle("verify", "out", "--ledger", shop.folder / "ledger", "--answers", "list", cwd=tmp_path, exits=[1])


def test_other_files(settle, shop, tmp_path):
    """`settle verify` reports other files than those that were read, and tables that were cut."""
    draw = AnswerDraw(2, shop)
    names = ["a", "b", "c"]
    for name in names:
        (tmp_path / name).write_text(draw.list() if name == "b" else draw.camt() + draw.camt())
    (tmp_path / "x").write_text("x")
    ledger = ["--ledger", shop.folder / "ledger"]
    settle("returns", *names, *ledger, "--output", "out", cwd=tmp_path, exits=(0, 1))
    settle("verify", "out", *ledger, "--answers", *names, cwd=tmp_path)
    for others in (["a"], ["b"], ["c"], ["a", "b"], ["b", "c"], ["a", "c"], ["b", "a", "c"], ["c", "b", "a"], [*names, "a"], ["a", "b", "x"]):
        told = settle("verify", "out", *ledger, "--answers", *others, cwd=tmp_path, exits=[1])
        assert "were read" in told.stdout or "not the one that was read" in told.stdout
    for name in ("answers.csv", "changes.csv", "returned.csv", "returns.json"):
        path = tmp_path / "out" / name
        whole = path.read_bytes()
        for count in {0, 1, len(whole) - 1, *(draw.randrange(len(whole)) for _ in range(8)), *range(len(whole) - 12, len(whole))}:
            path.write_bytes(whole[:count])
            run("sh", "-c", "sha256sum *.csv returns.json | LC_ALL=C sort -k2 >SHA256SUMS", cwd=tmp_path / "out")
            told = settle("verify", "out", *ledger, "--answers", *names, cwd=tmp_path, exits=[1])
            assert f"{name}" in told.stdout, (name, count)
        path.write_bytes(whole)
