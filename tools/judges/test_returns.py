"""Answers of banks: by a second implementation in Python, and hostile files, which must be errors.

Answers are drawn to payments of two payouts: returns and refusals that fit, and others with wrong references, amounts,
currencies, dates, accounts and statuses, in files of all formats. settle must write the tables of the second
implementation byte for byte, before and after a payout books what came back. SETTLE_TEST_SEED sets which;
SETTLE_THOROUGH=1 tries more.
"""
import csv
import json
import os
import random
import shutil

import answers
import pytest
from programs import IS_THOROUGH, ROOT, run

FEES = ROOT / "docs/spec/examples/payouts/fees.json"
SEED = int(os.environ.get("SETTLE_TEST_SEED", "1"))
IBAN, OTHER_IBAN = "DE89370400440532013000", "GB29NWBK60161331926819"
DEBTOR = {
    "EUR": {"IBAN": {"name": "Pay", "iban": IBAN}},
    "JPY": {"IBAN": {"name": "Pay", "iban": OTHER_IBAN, "bic": "NWBKGB2L"}},
    "USD": {"ACH": {"name": "Pay Inc", "company": "1123456789", "odfi": "021000021", "destination": "021000021",
                    "destinationName": "Bank", "origin": "1123456789"}}}
PAYEES = """account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
{0}@x.example,EUR,Shop,IBAN,DE89370400440532013000,,,,,,
{0}@x.example,JPY,Shop,IBAN,GB29NWBK60161331926819,NWBKGB2L,,,,,
{0}@x.example,USD,Shop,ACH,,,011000015,123456789,CHECKING,PERSON,
"""
STATUSES = ["RJCT"] * 8 + ["CANC", "ACSC", "ACCC", "ACSP", "PDNG", "PART", "RVNM", "BLCK", "ABCD", "=1+1"]
CODES = ["AC04", "AC01", "AM05", "DUPL", "MS03", "R68", "Überweisung unmöglich, weil das Konto aufgelöst ist", "", "-x"]


@pytest.fixture(scope="module")
def shop(settle, tmp_path_factory):
    """A ledger with two payouts, and its payments by reference."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "payees.csv").write_text(PAYEES.format("s0").split("\n")[0] + "\n" + "".join(
        PAYEES.format(f"s{shop}").split("\n", 1)[1] for shop in range(6)))
    (folder / "debtor.json").write_text(json.dumps(DEBTOR))
    payments, payouts = {}, {}
    for number in (1, 2):
        records = [{"payKey": f"K{number}-{shop}-{currency}", "recipient": f"s{shop}@x.example", "paymentCurrency": currency,
                    "subTotal": f"{10 * number + shop}" + ("" if currency == "JPY" else f".{shop}0")}
                   for shop in range(6) for currency in ("EUR", "JPY", "USD")]
        (folder / "batch").write_text("".join(json.dumps(record) + "\n" for record in records))
        settle("run", "batch", "--output", f"night-{number}", "--ledger", "ledger", "--fees", FEES, cwd=folder)
        settle("payout", "--ledger", "ledger", "--payees", "payees.csv", "--debtor", "debtor.json", "--date", f"2026-11-2{number}",
               "--output", f"payout-{number}", cwd=folder)
        name = json.loads((folder / f"payout-{number}/payouts.json").read_text("utf-8"))["payout"]["ledger"]
        payouts[number] = (name, f"2026-11-2{number}")
        with open(folder / f"payout-{number}/payouts.csv", encoding="utf-8", newline="") as file:
            payments |= {row["reference"]: row for row in csv.DictReader(file)}
    return folder, payments, payouts


class Draw(random.Random):
    """Draws files of answers to payments."""

    def __init__(self, seed, payments, payouts):
        super().__init__(seed)
        self.payments, self.payouts = payments, payouts

    def chance(self, share):
        return self.random() < share

    def reference(self):
        return self.choice(list(self.payments)) if self.chance(0.85) else \
            self.choice(["P9-1", "P1-999", "INVOICE-7", "NOTPROVIDED", "nonref", "", "p1-1", "P01-1", "P1-1x"])

    def date(self):
        return self.choice(["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-22", "2026-11-25", "2026-02-30", ""])

    def amount(self, reference, currencies=("EUR", "JPY", "USD")):
        payment = self.payments.get(reference, {"amount": "50.00", "currency": self.choice(currencies)})
        if self.chance(0.8):
            return payment["amount"], payment["currency"]
        return self.choice(["50", "50.000", "0050.0", "50,00", "x", "", "12.34", payment["amount"] + "0"]), \
            self.choice([payment["currency"], "CHF", "XXX", ""])

    def file_id(self, reference):
        number = int(reference[1]) if reference in self.payments else 1
        if self.chance(0.1):
            number = self.choice([1, 2, 3])
        ledger = self.payouts[1][0] if self.chance(0.92) else "111111111111"
        return self.choice([
            f"S{ledger}-P{number}-EUR-0001", f"S{ledger}-P{number}-JPY-0001-S", f"S{ledger}-P{number}-USD-0001-T"]) \
            if self.chance(0.85) else self.choice(["BANK-7", "NOTPROVIDED", "", "=BANK", "x" * 50])

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
            f"{self.given('OrgnlMsgNmId', self.choice(['pain.001.001.09'] * 9 + ['PAIN.001', 'pain.008.001.02']), 0.8)}" \
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
        text = f'\n<Ntry><Amt Ccy="{currency}">{value}</Amt><CdtDbtInd>{self.choice(["CRDT"] * 8 + ["DBIT"])}</CdtDbtInd>' \
            f"<Sts>{self.choice([state, f'<Cd>{state}</Cd>'])}</Sts>" \
            f"<BookgDt>{self.choice([f'<Dt>{date}</Dt>', f'<DtTm>{date}T10:00:00+01:00</DtTm>'])}</BookgDt>{self.family(0.8)}"
        payments = self.choice([0, 1, 1, 1, 2])
        for place in range(payments):
            if place:
                reference = self.reference()
                value, currency = self.amount(reference)
            amount = f'<Amt Ccy="{currency}">{value if self.chance(0.95) else "1.00"}</Amt>'
            places = self.given("MsgId", self.file_id(reference), 0.2) + self.given("PmtInfId", self.file_id(reference), 0.3) \
                + self.given("InstrId", reference if self.chance(0.9) else self.reference(), 0.4) \
                + self.given("EndToEndId", reference, 0.8)
            text += f"\n<NtryDtls><TxDtls><Refs>{places}</Refs>" \
                f"{self.choice([amount, amount, f'<AmtDtls><TxAmt>{amount}</TxAmt></AmtDtls>', ''])}" \
                f"{self.given('CdtDbtInd', self.choice(['CRDT'] * 6 + ['DBIT']), 0.5)}{self.family(0.2)}" \
                f"{self.given('RmtInf', self.given('Ustrd', f'Payout {reference}'), 0.5)}{self.reasons('RtrInf')}" \
                "</TxDtls></NtryDtls>"
        return text + "</Ntry>"

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
        text = "".join((line.ljust(94) if ending == "" else line) + ending for line in lines)
        return text if text[:1] in ("1", "5", "6") else "5220\n" + text

    def nacha_entry(self):
        reference = self.reference()
        value, _ = self.amount(reference)
        cents = f"{value.replace('.', ''):0>10}"[-10:] if value.replace(".", "").isdigit() else "00x0000000"
        addenda = self.choice([["99"]] * 7 + [["98"], ["05", "99"], [], ["99", "99"], ["98", "98"]])
        name = "Dave" if not self.chance(0.1) else "=Dave"
        record = [f"6{self.choice(['21'] * 6 + ['22', '31', '32', '26', '27'])}02100002112345            {cents}{reference[:15]:<15}{name:<22}  1"]
        for kind in addenda:
            reason = self.choice(["R03", "R02", "R24", "R68", "R 1", "   "] if kind == "99" else ["C01", "C02", "C03", "C04", "C05", "C06", "C07", "C09"])
            data = self.choice(["12345", "-12345", "121000248", "121000249", "121000248   98765", "22", "33", "=x", "Erin O'Neil",
                                "98765               32", "12100024898765            24", ""])
            record.append(f"7{kind}{reason}{'':29}{data:<29}")
        return record

    def list(self):
        rows = {reference: self.choice(["by-hand", "AC04"]) for reference in self.sample(list(self.payments), 3)}
        return "reference,reason\n" + "".join(f"{reference},{rows[reference]}\n" for reference in rows)


def check(settle, shop, folder, files, number, booked, debtor, wrong):
    ledger, payments, payouts = shop
    output = folder / f"answered-{number}"
    options = ["--debtor", ledger / "debtor.json"] if debtor else []
    # Files with errors may be anywhere among the others.
    given = [name for name, _ in files]
    for place, name in enumerate(wrong or []):
        given.insert(place * 2, name)
    skips = [] if wrong is None else ["--skip-errors"]
    told = settle("returns", *given, "--ledger", folder / "ledger", "--output", output, *options, *skips, cwd=folder,
                  exits=[78] if wrong else (0, 1))
    own = ({"EUR": IBAN, "JPY": OTHER_IBAN}, "1123456789") if debtor else (None, None)
    lists = sum(name == "wrong.csv" for name in wrong or [])
    others = len(wrong or []) - lists
    (expected, counts), said = answers.judge(files, payments, payouts, booked, *own, lacks_answers=others > 0)
    for name, text in expected.items():
        assert (output / name).read_text("utf-8") == text, name
    summary = json.loads((output / "returns.json").read_text("utf-8"))
    assert {name: summary[name] for name in counts} == counts
    assert [(file["format"], file["controls"], file["answers"], file["others"]) for file in summary["files"]] == said
    looks = counts["codes"] or expected["changes.csv"].count("\n") > 1 or "mismatch" in [controls for _, controls, _, _ in said]
    assert wrong or told.returncode == int(bool(looks))
    assert summary.get("skipped") == (None if wrong is None else {"lists": lists, "others": others})
    for name in wrong or []:
        assert f"{name}:" in told.stderr
    run("sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS", cwd=output)
    settle("verify", output, "--ledger", folder / "ledger", "--answers", *(name for name, _ in files), *options, cwd=folder)
    return output


@pytest.mark.parametrize("seed", range(SEED, SEED + (300 if IS_THOROUGH else 30)))
def test_drawn(settle, shop, tmp_path, seed):
    draw = Draw(seed, shop[1], shop[2])
    for name in ("ledger", "ledger-lock"):
        (tmp_path / name).write_bytes((shop[0] / name).read_bytes())
    files = []
    for place in range(draw.randrange(1, 6)):
        text = draw.choice([draw.pain, draw.camt, draw.nacha, draw.pain, draw.camt, draw.list])()
        # One list, because lists that differ are an error.
        if text.startswith("reference") and any(data.startswith(b"reference") for _, data in files):
            continue
        name = f"answer-{place}"
        (tmp_path / name).write_bytes(text.encode())
        files.append((name, text.encode()))
    files += files[:1] if draw.chance(0.2) and not files[0][1].startswith(b"reference") else []
    debtor = draw.chance(0.7)
    wrong = draw.choice([None, None, [], ["wrong.csv"], ["wrong.xml"], ["wrong.xml", "wrong.csv"], ["wrong.ach", "wrong.xml"]])
    has_list = any(data.startswith(b"reference") for _, data in files)
    (tmp_path / "wrong.csv").write_text("reference,reason\n" + ("" if has_list else "P1-1,by-hand\n") + "P9-1,AC04\n")
    (tmp_path / "wrong.xml").write_text(draw.pain()[:-3])
    (tmp_path / "wrong.ach").write_text(draw.nacha() + "\nx")
    output = check(settle, shop, tmp_path, files, 1, set(), debtor, wrong)
    settle("payout", "--ledger", "ledger", "--payees", shop[0] / "payees.csv", "--date", "2026-11-26", "--output", "payout-3",
           "--returned", output / "returned.csv", cwd=tmp_path, exits=(0, 1))
    booked = {line.split(",")[0] for line in (output / "returned.csv").read_text("utf-8").split("\n")[1:]}
    shop[2][3] = (shop[2][1][0], "2026-11-26")
    try:
        check(settle, shop, tmp_path, files, 2, booked, debtor, wrong)
    finally:
        del shop[2][3]
        # A trace of this payout would count as missing in the copies of the ledger for other seeds.
        shutil.rmtree(tmp_path / "payout-3")
    settle("verify", output, "--ledger", "ledger", cwd=tmp_path)


@pytest.mark.parametrize("seed", range(SEED, SEED + (100 if IS_THOROUGH else 10)))
def test_spoilt(settle, shop, tmp_path, seed):
    """Answers with changed bytes never crash settle, and never return a payment with another amount or reference."""
    draw = Draw(seed, shop[1], shop[2])
    for place in range(20):
        data = bytearray(draw.choice([draw.pain, draw.camt, draw.nacha, draw.list])().encode())
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(data))
            data[at:at + draw.choice([0, 1, 1, 9])] = draw.choice([b"", b"<", b">", b"&", b"\0", b"\xff", b"P1-2", b"9", b"\n", b"]]>"])
        (tmp_path / "answer").write_bytes(data)
        told = settle("returns", "answer", "--ledger", shop[0] / "ledger", "--output", f"out-{place}", cwd=tmp_path, exits=(0, 1, 78))
        if told.returncode == 78:
            continue
        returned = {line.split(",")[0] for line in (tmp_path / f"out-{place}/returned.csv").read_text("utf-8").split("\n")[1:-1]}
        with open(tmp_path / f"out-{place}/answers.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["result"] == "RETURN"]
        assert {row["reference"] for row in rows} == returned
        for row in rows:
            payment = shop[1][row["reference"]]
            assert row["account"] == payment["account"]
            assert row["currency"] == payment["currency"] or row["format"] == "PAIN002" and not row["amount"]
            assert not row["amount"] or answers.same(row["amount"], payment["amount"])


@pytest.mark.parametrize("name", ["answers.csv", "changes.csv", "returned.csv", "returns.json", "SHA256SUMS"])
def test_changed(settle, shop, tmp_path, name):
    """`settle verify` finds each changed file, also if SHA256SUMS was made again."""
    draw = Draw(1, shop[1], shop[2])
    (tmp_path / "list").write_text(draw.list())
    settle("returns", "list", "--ledger", shop[0] / "ledger", "--output", "out", cwd=tmp_path)
    settle("verify", "out", cwd=tmp_path)
    path = tmp_path / "out" / name
    path.write_bytes(path.read_bytes().replace(b"P1-", b"P2-").replace(b'"payouts":2', b'"payouts":1') + b"x\n")
    settle("verify", "out", cwd=tmp_path, exits=[1])
    if name != "SHA256SUMS":
        run("sh", "-c", "sha256sum *.csv returns.json | LC_ALL=C sort -k2 >SHA256SUMS", cwd=tmp_path / "out")
        settle("verify", "out", "--ledger", shop[0] / "ledger", "--answers", "list", cwd=tmp_path, exits=[1])


def test_other_files(settle, shop, tmp_path):
    """`settle verify` reports other files than those that were read, and tables that were cut."""
    draw = Draw(2, shop[1], shop[2])
    names = ["a", "b", "c"]
    for name in names:
        (tmp_path / name).write_text(draw.list() if name == "b" else draw.camt() + draw.camt())
    (tmp_path / "x").write_text("x")
    ledger = ["--ledger", shop[0] / "ledger"]
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
