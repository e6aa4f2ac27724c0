"""A second implementation of docs/spec/payouts.md and free.md: which errors payees and terms files have, and what a payout writes."""
import re

from model.files import ROOT, csv_rows
from model.money import DECIMALS, amount
from model.payouts import COLUMNS, Balances, check_number, parts, payout_of, with_check_digit

REFERENCE = ROOT / "docs/spec/reference"
# The parts of an address: the column, the element of pain.001, and the most characters.
ADDRESS = [("street", "StrtNm", 70), ("building", "BldgNb", 16), ("postcode", "PstCd", 16), ("town", "TwnNm", 35),
           ("country", "Ctry", 2)]
FURTHER = [[name for name, _, _ in ADDRESS], ["language"]]
ALL_COLUMNS = COLUMNS + FURTHER[0] + FURTHER[1]
# The columns that a payees file may have.
COLUMN_SETS = [COLUMNS, COLUMNS + FURTHER[0], COLUMNS + FURTHER[1], ALL_COLUMNS]
HEADERS = {
    "payouts.csv": "reference,account,currency,amount,method,ending,file",
    "carried.csv": "account,currency,balance,reason,since",
    "returned.csv": "reference,reason,account,currency,amount",
    "adjusted.csv": "key,account,currency,amount,reason",
}
HELD = ["delayed", "reserved", "kept"]
MAXIMA = {"IBAN": 99_999_999_999, "ACH": 9_999_999_999}
NEEDS_ACTION = {"RETURNED", "NO_PAYEE", "NO_DEBTOR", "ABOVE_MAXIMUM"}
BANK_CHARACTERS = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ")
MODIFIERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


COUNTRIES = {row["country"]: row for row in csv_rows(REFERENCE / "iban.csv")}
COUNTRY_CODES = {*COUNTRIES, *(row["code"] for row in csv_rows(REFERENCE / "countries.csv"))}
LOCALES = [row["locale"] for row in csv_rows(REFERENCE / "locales.csv")]
REPLACEMENTS = {chr(int(row["code_point"], 16)): row["replacement"] for row in csv_rows(REFERENCE / "latin.csv")}


def bank_text(text):
    """A text in the banks' characters; None if that is impossible."""
    if any(each not in BANK_CHARACTERS and each not in REPLACEMENTS for each in text):
        return None
    text = "".join(each if each in BANK_CHARACTERS else REPLACEMENTS[each] for each in text)
    text = re.sub(" +", " ", text.strip(" "))
    return text if re.search("[A-Za-z0-9]", text) else None


def iban_fault(iban):
    if not re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]+", iban):
        return "IBAN_FORM"
    if iban[:2] not in COUNTRIES:
        return "IBAN_COUNTRY"
    if len(iban) != int(COUNTRIES[iban[:2]]["length"]):
        return "IBAN_LENGTH"
    kinds = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}
    parts = re.findall(r"(\d+)([nac])", COUNTRIES[iban[:2]]["structure"])
    if not re.fullmatch("".join(f"{kinds[kind]}{{{count}}}" for count, kind in parts), iban[4:]):
        return "IBAN_FORM"
    return None if 2 <= int(iban[2:4]) <= 98 and check_number(iban) % 97 == 1 else "IBAN_CHECKSUM"


def is_sepa(iban):
    return COUNTRIES[iban[:2]]["sepa"] == "yes"


def is_routing(text):
    return bool(re.fullmatch("(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])[0-9]{7}", text)) and with_check_digit(text[:8]) == text


# Payees

def split(line):
    """The fields of a line; None if a quote is stray or open."""
    fields, at = [], 0
    pattern = re.compile('"((?:[^"]|"")*)"|([^",]*)')
    while True:
        match = pattern.match(line, at)
        at = match.end()
        if at < len(line) and line[at] != ",":
            return None
        fields.append(match[2] if match[1] is None else match[1].replace('""', '"'))
        if at == len(line):
            return fields
        at += 1


def line_fault(line, columns):
    """The fault of a whole line, or its fields."""
    if len(line) > 4096:
        return "RECORD_TOO_LONG", None
    try:
        fields = split(line.decode())
    except UnicodeDecodeError:
        return "INVALID_UTF8", None
    if fields is None:
        return "MALFORMED_CSV", None
    return (None, fields) if len(fields) == columns else ("FIELD_COUNT", None)


def payee_errors(text):
    """The errors of a payees file."""
    return errors(text, COLUMN_SETS, "PAYEES_HEADER", lambda row, seen: row_errors(dict.fromkeys(ALL_COLUMNS, "") | row, seen))


def errors(text, column_sets, header_code, row_errors_of):
    """The errors of a file, as (line, column, code); the column of a whole line is -1. Accounts are email addresses."""
    all_columns = column_sets[-1]
    lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    lines = [line.removesuffix(b"\r") for line in lines[:-1]] + lines[-1:]
    count = len(lines) - (lines[-1] == b"")
    found, seen, columns = [], set(), None
    for number, line in enumerate(lines, 1):
        if not line.strip(b" \t\r"):
            continue
        if columns is None:
            columns = next((each for each in column_sets if line_fault(line, len(each)) == (None, each)), None)
            if columns is None:
                return [(number, -1, header_code)]
            continue
        fault, fields = line_fault(line, len(columns))
        found += [(number, -1, fault)] if fault else [
            (number, all_columns.index(column), code)
            for column, code in row_errors_of(dict(zip(columns, fields)), seen)]
    return sorted(found) if columns else [(max(1, count), -1, header_code)]


def upper(text):
    return "".join(each.upper() if each.isascii() else each for each in text if each != " ")


def row_errors(row, seen):
    def one_of(column, values):
        if row[column] not in values:
            yield column, "INVALID_VALUE" if row[column] else "MISSING_FIELD"

    def valid(column, code, is_valid):
        if not is_valid(row[column]):
            yield column, code if row[column] else "MISSING_FIELD"

    account = list(valid("account", "INVALID_ACCOUNT", re.compile(r"[a-z0-9]+@[a-z0-9]+\.[a-z0-9]+", re.I).fullmatch))
    currency = list(valid("currency", "CURRENCY_NOT_SUPPORTED", DECIMALS.__contains__))
    yield from account + currency
    if not account and not currency:
        key = (row["account"].lower(), row["currency"])
        if key in seen:
            yield "account", "DUPLICATE_PAYEE"
        seen.add(key)
    name, has_no_account = bank_text(row["name"]), row["hold"] == "yes" and not any(
        row[column].strip(" ") if column in ("iban", "bic") else row[column] for column in COLUMNS[3:10])
    if not row["name"].strip(" "):
        if not has_no_account:
            yield "name", "MISSING_FIELD"
    elif name is None or len(name) > 70:
        yield "name", "NAME_CHARACTERS" if name is None else "NAME_TOO_LONG"
    if not has_no_account:
        yield from one_of("method", ("IBAN", "ACH"))
    if row["hold"] not in ("", "yes", "no") and not re.fullmatch("retry P[1-9][0-9]{0,4}-[1-9][0-9]{0,7}", row["hold"]):
        yield "hold", "INVALID_VALUE"
    yield from address_errors(row)
    if row["language"] not in ("", *LOCALES):
        yield "language", "INVALID_VALUE"
    iban, bic = upper(row["iban"]), upper(row["bic"])
    if row["method"] == "IBAN":
        fault = iban_fault(iban) if iban else "MISSING_FIELD"
        if fault:
            yield "iban", fault
        if bic and not re.fullmatch("[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?", bic):
            yield "bic", "INVALID_BIC"
        if not bic and not currency and (row["currency"] != "EUR" or not fault and not is_sepa(iban)):
            yield "bic", "MISSING_FIELD"
        yield from ((column, "FIELD_NOT_ALLOWED") for column in COLUMNS[6:10] if row[column])
    if row["method"] == "ACH":
        if not currency and row["currency"] != "USD":
            yield "method", "METHOD_CURRENCY"
        yield from ((column, "FIELD_NOT_ALLOWED") for column, text in (("iban", iban), ("bic", bic)) if text)
        yield from valid("routing", "INVALID_ROUTING", is_routing)
        yield from valid("account_number", "INVALID_ACCOUNT_NUMBER",
                         lambda text: re.fullmatch("[A-Za-z0-9-]{1,17}", text) and text.strip("0-"))
        yield from one_of("account_type", ("CHECKING", "SAVINGS"))
        yield from one_of("holder", ("PERSON", "COMPANY"))


def address_errors(row):
    if not any(row[column].strip(" ") for column, _, _ in ADDRESS):
        return
    for column, _, limit in ADDRESS:
        text = row[column]
        if not text.strip(" "):
            if column in ("town", "country"):
                yield column, "MISSING_FIELD"
        elif column == "country":
            if not re.fullmatch("[A-Za-z]{2}", text) or text.upper() not in COUNTRY_CODES:
                yield column, "INVALID_COUNTRY"
        elif bank_text(text) is None or len(bank_text(text)) > limit:
            yield column, "ADDRESS_CHARACTERS" if bank_text(text) is None else "ADDRESS_TOO_LONG"


# Payouts

def bank_account(payee):
    """What the ledger hashes of a payee; None without a bank account."""
    if payee is None or not payee["method"]:
        return None
    if payee["method"] == "IBAN":
        return "IBAN," + payee["iban"]
    return f"ACH,{payee['routing']},{payee['account_number'].upper()}"


def address(texts):
    """The element of an address; empty without one."""
    parts = [(element, (bank_text(texts[name]) or "").upper() if name == "country" else bank_text(texts[name]))
             for name, element, _ in ADDRESS if texts.get(name, "").strip(" ")]
    inner = "".join(f"<{element}>{text}</{element}>" for element, text in parts)
    return f"<PstlAdr>{inner}</PstlAdr>" if inner else ""


class Books:
    """Balances over runs and payouts, in minor units by account and currency."""

    def __init__(self):
        self.balances, self.paid, self.last, self.accounts = Balances(), {}, {}, {}
        self.adjusted, self.date, self.returns = {}, "", []
        self.returned, self.currencies, self.settled, self.closings, self.ach_files = set(), set(), {}, {}, {}
        self.runs = self.payouts = 0
        # The day of each run, and what it gave each account and currency.
        self.nights = []

    def add(self, key, change):
        """Changes a balance as of the last run."""
        self.balances.add(key, change, self.runs)

    def settle(self, night, day=None):
        """Enters a run by what it gave each account and currency."""
        self.runs += 1
        self.nights.append((day, night))
        for key, change in night.items():
            if change:
                self.add(key, change)
                self.currencies.add(key[1])
                self.settled[key[1]] = self.settled.get(key[1], 0) + change

    def last_return(self, account):
        """The last return that refuses a bank account; None if it is not refused."""
        booked = [each for each in self.returns if self.accounts[each[1]] == account and each[2] != "NOT_SENT"]
        if account is None or not booked:
            return None
        payout, reference, _ = max(booked, key=lambda each: (each[0], parts(each[1])))
        paid = [payout_of(each) for each, other in self.accounts.items() if other == account]
        return reference if payout > max(paid) else None

    def held(self, key, terms, day):
        """What is delayed, reserved, kept and free of a balance."""
        if terms is None:
            return 0, 0, 0, self.balances[key]
        return terms.held(*key, self.balances[key], [(own, night.get(key, 0)) for own, night in self.nights], day)

    def reason(self, key, payee, debtor, minimums, free, no_payments):
        """Why nothing of a balance is paid; None if what is free is paid."""
        currency = key[1]
        if self.balances[key] < 0:
            return "OWES"
        if no_payments:
            return "NOT_PAID"
        if payee is not None and payee["hold"] == "yes":
            return "ON_HOLD"
        if payee is None:
            return "NO_PAYEE"
        refusing = self.last_return(bank_account(payee))
        if refusing and payee["hold"] != f"retry {refusing}":
            self.waiting.append(f"{key[0]}, {currency}, retry {refusing}")
            return "RETURNED"
        if debtor is not None and payee["method"] not in debtor.get(currency, {}):
            return "NO_DEBTOR"
        if free == 0:
            return "NOT_FREE"
        if free < minimums.get(currency, 0):
            return "BELOW_MINIMUM"
        return "ABOVE_MAXIMUM" if free > MAXIMA[payee["method"]] else None

    def pay(self, payees, debtor, minimums, returns, adjustments, dates, ledger, terms=None, no_payments=False):
        """Makes a payout. Returns its files except payouts.json, the totals and reasons of that file, and the exit code.

        `payees` are rows by account and currency, `returns` reasons by reference, `adjustments` the key of the
        balance, the amount and the reason by their own keys, `dates` those of the payout and of its execution, `ledger` its name.
        With `terms` a balance is paid as far as it is free; with `no_payments` no one is paid.
        """
        self.payouts, self.date = self.payouts + 1, dates[0]
        rows = {name: [] for name in HEADERS}
        back, changed, paid, files, reasons, new, held = {}, {}, {}, {}, {}, {}, {}
        self.waiting, self.crossing, self.changed_accounts = [], [], []
        for reference in sorted(returns, key=parts):
            key, minor = self.paid[reference]
            rows["returned.csv"].append(f"{reference},{returns[reference]},{key[0]},{key[1]},{amount(minor, key[1])}")
            self.returns.append((self.payouts, reference, returns[reference]))
            back[key[1]] = back.get(key[1], 0) + minor
            self.add(key, minor)
            self.returned.add(reference)
        for name in sorted(adjustments):
            key, minor, reason = adjustments[name]
            rows["adjusted.csv"].append(f"{name},{key[0]},{key[1]},{amount(minor, key[1])},{reason}")
            changed[key[1]] = changed.get(key[1], 0) + minor
            self.currencies.add(key[1])
            before = self.balances.get(key, 0)
            if before * (before + minor) < 0:
                self.crossing.append(f"{name}, {key[0]}, {key[1]} {amount(before, key[1])} to {amount(before + minor, key[1])}")
            self.add(key, minor)
        self.adjusted |= adjustments
        self.tried = []
        for key in sorted(key for key, balance in self.balances.items() if balance):
            balance, currency, payee = self.balances[key], key[1], payees.get(key)
            *parts_held, free = self.held(key, terms, dates[0])
            tail = "".join(f",{amount(part, currency)}" for part in parts_held) if terms else ""
            reason = self.reason(key, payee, debtor, minimums, free, no_payments)
            rest = balance if reason else balance - free
            if rest:
                why = reason or "NOT_FREE"
                reasons[why] = reasons.get(why, 0) + 1
                rows["carried.csv"].append(f"{key[0]},{currency},{amount(rest, currency)},{why},{self.balances.since[key]}{tail}")
                held[currency] = [sum(pair) for pair in zip(held.get(currency, [0, 0, 0]), parts_held)]
            if reason:
                self.tried.append(f"{key[0]},{currency},{amount(balance, currency)},,,{reason}{tail}")
                continue
            whole, balance = balance, free
            reference, method = f"P{self.payouts}-{len(rows['payouts.csv']) + 1}", payee["method"]
            file = self.file_of(files, key, payee, balance, reference, debtor) if debtor is not None else ""
            number = payee["iban"] or payee["account_number"]
            rows["payouts.csv"].append(",".join([reference, *key, amount(balance, currency), method,
                                                 number[-4:] if len(number) >= 8 else "", file]))
            self.tried.append(f"{key[0]},{currency},{amount(whole, currency)},{amount(free, currency)},{method},"
                              f"{'NOT_FREE' if rest else ''}{tail}")
            if key in self.last and self.accounts[self.last[key]] != bank_account(payee):
                self.changed_accounts.append(f"{key[0]}, {currency}")
            self.paid[reference], self.last[key], new[reference] = (key, balance), reference, bank_account(payee)
            paid.setdefault(currency, []).append(balance)
            self.add(key, -free)
        # What a payout pays ends refusals only from the next one on.
        self.accounts |= new
        headers = HEADERS | ({"carried.csv": ",".join([HEADERS["carried.csv"], *HELD])} if terms else {})
        written = {name: "".join(line + "\n" for line in [headers[name], *rows[name]]) for name in rows}
        for (name, currency, method), payments in sorted(files.items(), key=lambda file: (file[0][1], file[0][0])):
            payer, file_id = debtor[currency][method], f"S{ledger}-P{self.payouts}-{name.split('-', 1)[1][:-4]}"
            if method == "IBAN":
                written[name] = pain(payer, payments, currency, file_id, dates)
            else:
                modifier = MODIFIERS[self.ach_files.get(dates[0], 0)]
                self.ach_files[dates[0]] = self.ach_files.get(dates[0], 0) + 1
                written[name] = nacha(payer, payments, self.payouts, modifier, dates)
        return written, self.totals(back, changed, paid, held if terms else None), dict(sorted(reasons.items())), int(bool(NEEDS_ACTION & set(reasons)))

    @staticmethod
    def file_of(files, key, payee, balance, reference, debtor):
        """Puts a payment into a bank file."""
        currency, method = key[1], payee["method"]
        prefix, suffix = ("pain001", "xml") if method == "IBAN" else ("nacha", "ach")
        number = max(1, sum(file[1:] == (currency, method) for file in files))
        while True:
            name = f"{prefix}-{currency}-{number:04d}.{suffix}"
            payments = files.setdefault((name, currency, method), [])
            too_much = method == "ACH" and sum(each[1] for each in payments) + balance > 999_999_999_999
            if len(payments) < debtor[currency][method].get("maximum", 100_000) and not too_much:
                payments.append((reference, balance, payee))
                return name
            number += 1

    def totals(self, back, changed, paid, held):
        totals = []
        for currency in sorted(self.currencies):
            left = [balance for key, balance in self.balances.items() if key[1] == currency and balance]
            above, below = [each for each in left if each > 0], [-each for each in left if each < 0]
            figures = {
                "opening": self.closings.get(currency, 0), "settled": self.settled.pop(currency, 0),
                "returned": back.get(currency, 0), "adjusted": changed.get(currency, 0),
                "paid": sum(paid.get(currency, [])), "closing": sum(left),
                "carried": sum(above), "owing": sum(below)}
            if held is not None:
                figures |= zip(HELD, held.get(currency, [0, 0, 0]))
            self.closings[currency] = sum(left)
            totals.append({"currency": currency} | {name: amount(minor, currency) for name, minor in figures.items()} | {
                "instructions": len(paid.get(currency, [])), "accountsCarried": len(above), "accountsOwing": len(below)})
        return totals


def pain(terms, payments, currency, file_id, dates):
    def sums(payments):
        total = amount(sum(minor for _, minor, _ in payments), currency)
        return f"<NbOfTxs>{len(payments)}</NbOfTxs><CtrlSum>{total}</CtrlSum>"

    name = bank_text(terms["name"])
    agent = f"<BICFI>{terms['bic']}</BICFI>" if "bic" in terms else "<Othr><Id>NOTPROVIDED</Id></Othr>"
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' \
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>\n' \
        f"<GrpHdr><MsgId>{file_id}</MsgId><CreDtTm>{dates[0]}T00:00:00</CreDtTm>{sums(payments)}" \
        f"<InitgPty><Nm>{name}</Nm></InitgPty></GrpHdr>\n"
    in_sepa = [currency == "EUR" and is_sepa(terms["iban"]) and is_sepa(payee["iban"]) for _, _, payee in payments]
    for block, level, charges in (("S", "<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>", "SLEV"), ("T", "", "SHAR")):
        chosen = [payment for payment, is_in in zip(payments, in_sepa) if is_in == (block == "S")]
        if not chosen:
            continue
        text += f"<PmtInf><PmtInfId>{file_id}-{block}</PmtInfId><PmtMtd>TRF</PmtMtd>{sums(chosen)}{level}" \
            f"<ReqdExctnDt><Dt>{dates[1]}</Dt></ReqdExctnDt><Dbtr><Nm>{name}</Nm>{address(terms)}</Dbtr>" \
            f"<DbtrAcct><Id><IBAN>{terms['iban']}</IBAN></Id><Ccy>{currency}</Ccy></DbtrAcct>" \
            f"<DbtrAgt><FinInstnId>{agent}</FinInstnId></DbtrAgt><ChrgBr>{charges}</ChrgBr>\n"
        for reference, minor, payee in chosen:
            bank = f"<CdtrAgt><FinInstnId><BICFI>{payee['bic']}</BICFI></FinInstnId></CdtrAgt>" if payee["bic"] else ""
            text += f"<CdtTrfTxInf><PmtId><InstrId>{reference}</InstrId><EndToEndId>{reference}</EndToEndId></PmtId>" \
                f'<Amt><InstdAmt Ccy="{currency}">{amount(minor, currency)}</InstdAmt></Amt>{bank}' \
                f"<Cdtr><Nm>{bank_text(payee['name'])}</Nm>{address(payee)}</Cdtr>" \
                f"<CdtrAcct><Id><IBAN>{payee['iban']}</IBAN></Id></CdtrAcct>" \
                f"<RmtInf><Ustrd>{bank_text(terms.get('text', 'Payout'))} {reference}</Ustrd></RmtInf></CdtTrfTxInf>\n"
        text += "</PmtInf>\n"
    return text + "</CstmrCdtTrfInitn></Document>\n"


def nacha(terms, payments, payout, modifier, dates):
    def sums(payments):
        total = sum(int(payee["routing"][:8]) for _, _, payee in payments) % 10 ** 10
        return f"{total:010d}{0:012d}{sum(minor for _, minor, _ in payments):012d}"

    made, due = (date[2:].replace("-", "") for date in dates)
    name, odfi = bank_text(terms["name"]), terms["odfi"][:8]
    lines = [f"101 {terms['destination']}{terms['origin']:>10}{made}0000{modifier}094101"
             f"{bank_text(terms['destinationName']):<23}{bank_text(terms.get('originName', name)):<23}{f'P{payout}':<8}"]
    entries = batches = 0
    for kind, holder in (("PPD", "PERSON"), ("CCD", "COMPANY")):
        chosen = [payment for payment in payments if payment[2]["holder"] == holder]
        if not chosen:
            continue
        batches += 1
        lines.append(f"5220{name:<16}{'':20}{terms['company']}{kind}{terms.get('description', 'PAYOUT'):<10}{'':6}{due}   1"
                     f"{odfi}{batches:07d}")
        for reference, minor, payee in chosen:
            entries += 1
            lines.append(f"6{32 if payee['account_type'] == 'SAVINGS' else 22}{payee['routing']}{payee['account_number']:<17}"
                         f"{minor:010d}{reference:<15}{bank_text(payee['name'])[:22].rstrip():<22}  0{odfi}{entries:07d}")
        lines.append(f"8220{len(chosen):06d}{sums(chosen)}{terms['company']}{'':25}{odfi}{batches:07d}")
    blocks = -(-(len(lines) + 1) // 10)
    lines.append(f"9{batches:06d}{blocks:06d}{entries:08d}{sums(payments)}{'':39}")
    return "".join(line + "\n" for line in lines + ["9" * 94] * (10 * blocks - len(lines)))
