"""A second implementation of docs/spec/returns.md: what becomes of answers of banks."""
import datetime
import re
from decimal import Decimal
from xml.parsers import expat

from model import money
from model.payouts import parts, payout_of, with_check_digit
from payouts import bank_text, is_routing

FORMATS = ["NACHA", "CAMT053", "CAMT054", "PAIN002", "CSV"]
KINDS = {"CstmrPmtStsRpt": "PAIN002", "BkToCstmrStmt": "CAMT053", "BkToCstmrDbtCdtNtfctn": "CAMT054"}
SENT_TWICE = {"R24", "AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05", "ARDT"}
DISPUTED = {"R61", "R62", *(f"R{number}" for number in range(67, 78))}
NO_CODE = set("RCVD ACTC ACCP ACFC PATC ACSP ACWC ACWP ACPD ACSC ACCC ACIS CPUC PRES PDNG PART RCVC RVNC".split())
STATUS_CODES = dict.fromkeys(["RVCM", "RVMC", "RVNM", "RVNA"], "VERIFY_PAYEE") | {"BLCK": "BLOCKED"}
REFUSED = ("RJCT", "CANC")
REFERENCE = re.compile(r"P([1-9][0-9]{0,4})-([1-9][0-9]{0,7})")
FILE_ID = re.compile(r"S([0-9a-f]{12})-P([1-9][0-9]{0,4})-([A-Z]{3}-[0-9]{4,})(-[ST])?", re.I | re.A)
MESSAGE_NAME = re.compile("(?:pain|camt|pacs)[.][0-9]{3}", re.I | re.A)
DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")
HEADERS = {
    "answers.csv": "reference,account,currency,amount,format,status,reason,date,result,code,id,file,line",
    "changes.csv": "reference,account,currency,reason,routing,account_number,account_type,name",
    "returned.csv": "reference,reason",
}


# Reasons, dates, texts

def needs_person(reason):
    """The code of a reason that a person must decide about; None for others."""
    word = re.match("[A-Za-z0-9]*", reason)[0].upper()
    return "SENT_TWICE" if word in SENT_TWICE else "DISPUTED" if word in DISPUTED else None


def decide(reasons):
    for chosen in ("SENT_TWICE", "DISPUTED"):
        for reason in reasons:
            if needs_person(reason) == chosen:
                return reason
    return reasons[0] if reasons else None


def listed(reason):
    return re.sub("[^A-Za-z0-9._-]", "_", reason)[:35] if reason else "NOT_STATED"


def of_bank(reason):
    """A bank's reason: only a person says that a file was never sent."""
    return "NOT_SENT_" if listed(reason) == "NOT_SENT" else listed(reason)


def day(text):
    try:
        return datetime.date.fromisoformat(text[:10]).isoformat() if re.match(r"\d{4}-\d\d-\d\d", text or "") else ""
    except ValueError:
        return ""


def protected(text):
    text = "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") and text else text
    return '"' + text.replace('"', '""') + '"' if re.search('[,"\r\n]', text) else text


# NACHA

class Control:
    """The sums of entries and addenda."""

    def __init__(self):
        self.count = self.hash = self.debits = self.credits = 0

    def add(self, line):
        self.count += 1
        if line[0] == "6":
            self.hash += number(line[3:11])
            if line[2] in "01234":
                self.credits += number(line[29:39])
            elif line[2] in "56789":
                self.debits += number(line[29:39])

    def agrees(self, line, places):
        figures = (self.count, self.hash % 10 ** 10, self.debits, self.credits)
        return all(line[start:end].isdigit() and int(line[start:end]) == figure
                   for (start, end), figure in zip(places, figures))


def number(text):
    return int(text) if text.isdigit() else 0


def nacha_lines(data):
    data = data.removeprefix(b"\xef\xbb\xbf")
    first = data.split(b"\n")[0].removesuffix(b"\r")
    if b"\n" not in data[:1024] or len(first) > 94 and len(first) % 94 == 0 and first[94:95] != b" ":
        data = data.replace(b"\r", b"").replace(b"\n", b"")
        pieces = [data[at:at + 94] for at in range(0, len(data), 94)]
    else:
        pieces = data.split(b"\n")
    for place, piece in enumerate(pieces, 1):
        piece = piece.removesuffix(b"\r")
        try:
            text = piece.decode()
        except UnicodeDecodeError:
            text = piece.decode("latin-1")
        assert not text[94:].strip(" ")
        if text.strip() and text.strip(" 9"):
            yield place, text[:94].ljust(94)


def nacha(data, company):
    """The drafts of a file, how many others it has, and its controls."""
    entries, batch, file = [], Control(), Control()
    header = in_batch = loose = adv = file_adv = False
    opened = absent = mismatch = False
    date, own = "", None
    for place, line in nacha_lines(data):
        kind = line[0]
        if kind in "1589":
            last = None
        if kind in "159" and (in_batch or loose):
            absent = True
        if kind == "1":
            mismatch |= header
            absent |= opened and not header
            header, opened, file, file_adv = True, False, Control(), False
            text = line[23:29]
            date = day(f"20{text[:2]}-{text[2:4]}-{text[4:]}")
        if kind == "5":
            batch, adv, own = Control(), line[1:4] == "280", line[40:50].strip(" ")
            file_adv |= adv
            absent |= adv
        if kind == "6":
            absent |= not in_batch
            last = {"line": place, "text": line, "addenda": [], "date": date, "adv": adv,
                    "is_own": company is None or own is None or own == company, "is_company": company is not None and own == company}
            entries.append(last)
        if kind == "7":
            last["addenda"].append(line)
        if kind in "67":
            batch.add(line)
            file.add(line)
        if kind == "8":
            absent |= not in_batch
            mismatch |= not adv and not batch.agrees(line, ((4, 10), (10, 20), (20, 32), (32, 44)))
        if kind == "9":
            mismatch |= not file_adv and not file.agrees(line, ((13, 21), (21, 31), (31, 43), (43, 55)))
            header, opened, file, file_adv = False, False, Control(), False
        if kind in "1589":
            in_batch, loose = kind == "5", False
            if kind != "5":
                batch, adv, own = Control(), False, None
        loose |= kind == "6" and not in_batch
        opened |= kind in "5678"
    mismatch |= header
    absent |= in_batch or loose or opened and not header
    drafts = [nacha_draft(entry) for entry in entries]
    kept = [draft for draft in drafts if draft]
    return kept, len(drafts) - len(kept), "mismatch" if mismatch else "absent" if absent else "verified"


def nacha_draft(entry):
    text, places, code = entry["text"], [], entry["text"][1:3]
    returns = [line[3:6].strip(" ") for line in entry["addenda"] if line[1:3] == "99"]
    changes = [(line[3:6].strip(" "), line[35:64]) for line in entry["addenda"] if line[1:3] == "98"]
    cents = f"{int(text[29:37])}.{text[37:39]}" if text[29:39].isdigit() else ""
    if entry["adv"]:
        return None
    if code in ("27", "37") and not returns and not changes and entry["is_company"]:
        return draft("NACHA", entry["line"], "DEBIT", None, entry["date"], [], kind="debit", amount=(cents, "USD"), offset=True)
    if code not in ("21", "22", "31", "32") or not returns and not changes:
        return None
    reason = decide([each for each in returns or [code for code, _ in changes] if each])
    if text[39:54].strip(" "):
        places.append(text[39:54].strip(" "))
    bank = next((line[27:35] for line in entry["addenda"] if line[1:3] == "99"), "")
    number_ = text[12:29].replace(" ", "").upper()
    payee = (with_check_digit(bank), number_) \
        if returns and re.fullmatch("[0-9]{8}", bank) and not set("X*") & set(number_) else None
    return draft("NACHA", entry["line"], "RETURN" if returns else "CHANGE", reason, entry["date"], places,
                 kind="return" if returns else "change", amount=(cents, "USD"), is_own=lambda _: entry["is_own"],
                 corrected=next((data for code, data in changes if code == reason), ""), payee=payee)


def corrected(reason, data):
    """Routing, account number, account type and name."""
    parts = {"C01": (None, (0, 17), None, None), "C02": ((0, 9), None, None, None), "C03": ((0, 9), (12, 29), None, None),
             "C04": (None, None, None, (0, 22)), "C05": (None, None, (0, 2), None), "C06": (None, (0, 17), (20, 22), None),
             "C07": ((0, 9), (9, 26), (26, 28), None)}.get(reason, (None,) * 4)
    routing, account, kind, name = (data[part[0]:part[1]].strip(" ") if part else "" for part in parts)
    return [routing if is_routing(routing) else "",
            account if re.fullmatch("[A-Za-z0-9-]{1,17}", account) and account.strip("0-") else "",
            {"22": "CHECKING", "23": "CHECKING", "24": "CHECKING",
             "32": "SAVINGS", "33": "SAVINGS", "34": "SAVINGS"}.get(kind, ""),
            name if bank_text(name) is not None else ""]


# XML

class Element:
    """An element by its local name, with its line and children."""

    def __init__(self, name, line, attributes):
        self.name, self.line, self.attributes = name.split(":")[-1], line, attributes
        self.pieces, self.children = [], []

    def all(self, path):
        found = [self]
        for name in path.split("/"):
            found = [child for each in found for child in each.children if child.name == name]
        return found

    def text(self, *paths):
        for path in paths:
            for element in self.all(path):
                text = "".join(element.pieces).strip(" \t\r\n")
                if text and text.upper() not in ("NOTPROVIDED", "NONREF"):
                    return text
        return None

    def amount(self, *paths):
        for path in paths:
            for element in self.all(path):
                text = "".join(element.pieces).strip(" \t\r\n")
                if text and text.upper() not in ("NOTPROVIDED", "NONREF"):
                    return text, element.attributes.get("Ccy", "")
        return None

    def reasons(self, path):
        texts = [rsn.text("Cd") or rsn.text("Prtry") for rsn in self.all(f"{path}/Rsn")]
        return decide([text for text in texts if text])


def parse(data):
    """The root element of a document."""
    parser, root, stack = expat.ParserCreate(), [], []

    def start(name, attributes):
        element = Element(name, parser.CurrentLineNumber, attributes)
        (stack[-1].children if stack else root).append(element)
        stack.append(element)

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: stack.pop()
    parser.CharacterDataHandler = lambda text: stack[-1].pieces.append(text)
    parser.Parse(data, True)
    return root[0]


def documents(element):
    if element.name == "Document":
        yield element.children[0]
    else:
        for child in element.children:
            yield from documents(child)


def xml(data, ibans):
    """The format, the drafts in the order of their start tags, and how many others there are."""
    drafts, kind = [], None
    for number_, body in enumerate(documents(parse(data))):
        kind = kind or KINDS[body.name]
        read = pain if body.name == "CstmrPmtStsRpt" else camt
        for each in read(body, KINDS[body.name], ibans):
            if each is not None:
                each["document"] = (number_, each["document"])
            drafts.append(each)
    kept = [each for each in drafts if each]
    return kind, kept, len(drafts) - len(kept)


def pain(body, kind, _):
    created = day(body.text("GrpHdr/CreDtTm"))
    group = body.all("OrgnlGrpInfAndSts")[0]
    about = MESSAGE_NAME.search(group.text("OrgnlMsgNmId") or "")
    is_other = about and about[0].lower() != "pain.001"

    def make(element, status, reason, ids, **more):
        ids = [each for each in ids if each]
        is_foreign = bool(ids) and not any(map(FILE_ID.fullmatch, ids))
        return None if is_other else draft(
            kind, element.line, status, reason, created, more.pop("places", []), ids=ids, is_foreign=is_foreign, **more)

    group_id, group_status, group_reason = group.text("OrgnlMsgId"), group.text("GrpSts"), group.reasons("StsRsnInf")
    if group_status:
        yield make(group, group_status, group_reason, [group_id], kind="whole")
    for block in [child for child in body.children if child.name in ("OrgnlPmtInfAndSts", "TxInfAndSts")]:
        own = block if block.name == "OrgnlPmtInfAndSts" else Element("OrgnlPmtInfAndSts", 0, {})
        block_id, block_status = own.text("OrgnlPmtInfId"), own.text("PmtInfSts")
        reason = own.reasons("StsRsnInf") or group_reason
        if block_status:
            yield make(block, block_status, reason, [block_id, group_id], kind="whole")
        for payment in own.all("TxInfAndSts") if own is block else [block]:
            status = payment.text("TxSts")
            shown = status or block_status or group_status or ""
            yield make(
                payment, shown, payment.reasons("StsRsnInf") or reason,
                [payment.text("OrgnlPmtInfId"), payment.text("OrgnlMsgId"), block_id, group_id],
                places=[text for text in (payment.text("OrgnlEndToEndId"), payment.text("OrgnlInstrId")) if text],
                kind="return" if shown in REFUSED else "status", amount=payment.amount("OrgnlTxRef/Amt/InstdAmt"),
                is_whole=not status or block_status in REFUSED or group_status in REFUSED)


def camt(body, kind, ibans):
    for number_, statement in enumerate(body.all("Stmt" if kind == "CAMT053" else "Ntfctn")):
        iban = statement.text("Acct/Id/IBAN")

        def is_own(currency, iban=iban):
            return ibans is None or iban is None or ibans.get(currency) == iban

        for entry in statement.all("Ntry"):
            payments = entry.all("NtryDtls/TxDtls")
            for payment in payments or [None]:
                each = camt_draft(kind, entry, payment, payments, is_own)
                if each:
                    each["document"] = number_
                yield each


def camt_draft(kind, entry, payment, payments, is_own):
    empty = payment or Element("TxDtls", 0, {})
    direction = empty.text("CdtDbtInd") or entry.text("CdtDbtInd")
    if (empty.text("Sts/Cd", "Sts") or entry.text("Sts/Cd", "Sts")) != "BOOK" or direction not in ("CRDT", "DBIT"):
        return None
    family = "BkTxCd/Domn/Fmly/SubFmlyCd"
    is_marked = empty.all("RtrInf") or (empty.text(family) or entry.text(family)) in ("RRTN", "RPCR")
    if direction == "CRDT":
        status = "RETURN" if is_marked else "CREDIT"
    else:
        status = "REVERSAL" if is_marked or entry.text("RvslInd") in ("true", "1") else "DEBIT"
    places = [text for text in (empty.text("Refs/EndToEndId"), empty.text("Refs/InstrId")) if text]
    texts = [text for text in ("".join(each.pieces).strip(" \t\r\n") for each in empty.all("RmtInf/Ustrd"))
             if text and text.upper() not in ("NOTPROVIDED", "NONREF")]
    if len(texts) == 1 and not any(map(REFERENCE.fullmatch, places)) and not (places and status == "CREDIT"):
        words = [word for word in re.split("[ \t\r\n]+", texts[0]) if REFERENCE.fullmatch(word)]
        places += words if len(words) == 1 else []
    ids = [text for text in (empty.text("Refs/PmtInfId"), empty.text("Refs/MsgId")) if text]
    if not ids and not any(map(REFERENCE.fullmatch, places)):
        ids = [text for batch in entry.all("NtryDtls/Btch")[:1] for text in (batch.text("PmtInfId"), batch.text("MsgId")) if text]
    own, whole = empty.amount("Amt", "AmtDtls/TxAmt/Amt"), entry.amount("Amt")
    return draft(kind, (payment or entry).line, status, empty.reasons("RtrInf"), day(entry.text("BookgDt/Dt", "BookgDt/DtTm")),
                 places, ids=ids, kind=status.lower(), amount=own or (whole if len(payments) < 2 else None), is_own=is_own,
                 differs=other_sum(entry, payments))


def other_sum(entry, payments):
    """Whether all transactions have an amount, in the entry's currency and direction, and another sum than the entry's."""
    whole, amounts = entry.amount("Amt"), [each.amount("Amt", "AmtDtls/TxAmt/Amt") for each in payments]
    if not whole or not amounts or not all(each and DECIMAL.fullmatch(each[0]) and each[1] == whole[1] for each in amounts):
        return False
    if any((each.text("CdtDbtInd") or entry.text("CdtDbtInd")) != entry.text("CdtDbtInd") for each in payments):
        return False
    return not DECIMAL.fullmatch(whole[0]) or sum(Decimal(text) for text, _ in amounts) != Decimal(whole[0])


def same(text, other):
    return bool(DECIMAL.fullmatch(text) and DECIMAL.fullmatch(other)) and Decimal(text) == Decimal(other)


# Answers

def draft(form, line, status, reason, date, places, *, kind, ids=(), amount=None, is_own=lambda _: True, is_whole=False,
          differs=False, corrected="", is_foreign=False, offset=False, payee=None):
    reason = "" if kind == "debit" else listed(reason) if form == "CSV" else of_bank(reason)
    forms = [text for text in places if REFERENCE.fullmatch(text)]
    return {"format": form, "line": line, "status": status, "reason": reason, "date": date, "places": places, "kind": kind,
            "ids": list(ids), "amount": amount, "is_own": is_own, "is_whole": is_whole, "differs": differs,
            "corrected": corrected, "document": 0, "is_foreign": is_foreign, "offset": offset, "payee": payee, "forms": forms,
            "reference": forms[0] if forms else "", "own": None, "code": None, "result": None}


class Books:
    """What a ledger knows.

    `payments` has account, currency, amount and `bank` (routing and account number, or None) by reference; `payouts` the
    digits, the day, the execution day and the files for the bank by number: references by block, and under "" in a NACHA
    file; `booked` the reason and the payout of each return that is booked; `name` the ledger's digits."""

    def __init__(self, payments, payouts, booked, given_up=(), name="", ibans=None, company=None):
        self.payments, self.payouts, self.booked, self.given_up, self.name = payments, payouts, booked, given_up, name
        self.ibans, self.company = ibans, company

    def wrote(self, match):
        number_, digits = int(match[2]), match[1].lower()
        if number_ in self.payouts:
            return self.payouts[number_]["ledger"] == digits
        return digits in {self.name, *(payout["ledger"] for payout in self.payouts.values())}

    def file(self, match):
        """The references in the file or block of an id; None if there are no such references."""
        name = f"pain001-{match[3].upper()}.xml"
        blocks = self.payouts.get(int(match[2]), {"files": {}})["files"].get(name)
        if blocks is None:
            return None
        return blocks.get(match[4][1:].upper()) if match[4] else sum(blocks.values(), [])

    def total(self, references):
        return sum((Decimal(self.payments[each]["amount"]) for each in references), Decimal())

    def offset_files(self, each):
        """The NACHA files whose sum a debit has."""
        found = []
        for number_, payout in self.payouts.items() if each["date"] and each["amount"][0] else ():
            days = (datetime.date.fromisoformat(each["date"]) - datetime.date.fromisoformat(payout["date"])).days
            found += [blocks[""] for name, blocks in payout["files"].items()
                      if name.startswith("nacha-") and -1 <= days <= 10 and self.total(blocks[""]) == Decimal(each["amount"][0])]
        return found

    def is_kept(self, each):
        """Whether an answer is not other, going by the ledger too."""
        matches = [match for match in map(FILE_ID.fullmatch, each["ids"]) if match]
        each["matches"], each["payouts"] = matches, {int(match[2]) for match in matches}
        payment, is_ours = self.payments.get(each["reference"]), bool(matches)
        if not all(map(self.wrote, matches)) or each["is_foreign"] and (each["kind"] != "return" or not payment):
            return False
        if each["offset"]:
            each["files"] = self.offset_files(each)
            return bool(each["files"])
        if each["kind"] == "whole":
            return each["status"] in REFUSED or each["status"] not in NO_CODE
        if each["kind"] == "return":
            return bool(each["forms"]) or is_ours or not each["places"]
        if each["kind"] == "credit" and each["forms"]:
            return bool(payment) and each["amount"] is not None and each["amount"][1] == payment["currency"] \
                and same(each["amount"][0], payment["amount"])
        return bool(each["forms"]) or is_ours and each["kind"] in ("debit", "reversal", "credit")

    # Checks of single answers

    def amount_code(self, each, currency, amount):
        is_status = each["format"] == "PAIN002"
        if each["amount"] is None:
            return None if is_status and each["matches"] else "AMOUNT_DIFFERS"
        text, given = each["amount"]
        if given != currency:
            return "CURRENCY_DIFFERS"
        if each["kind"] == "change":
            return None
        if same(text, str(amount)):
            return "CHARGED" if each["differs"] else None
        if is_status or not DECIMAL.fullmatch(text):
            return "AMOUNT_DIFFERS"
        is_fee = Decimal(text) > amount if each["kind"] == "debit" else 0 < Decimal(text) < amount
        return "CHARGED" if is_fee else "AMOUNT_DIFFERS"

    def is_before(self, each, number_):
        first = datetime.date.fromisoformat(self.payouts[number_]["date"]) - datetime.timedelta(days=1)
        return bool(each["date"]) and each["date"] < first.isoformat()

    def is_booked(self, each):
        return each["kind"] == "return" and each["reference"] in self.booked and len(set(each["forms"])) == 1

    def own_code(self, each):
        """The first check of an answer with a reference that fails."""
        if each["format"] == "CSV":
            return None
        number_, payment = payout_of(each["reference"]), self.payments.get(each["reference"])
        if self.is_booked(each):
            return None if needs_person(self.booked[each["reference"]][0]) else needs_person(each["reason"])
        if each["kind"] != "status" and (len(set(each["forms"])) > 1 or each["payouts"] - {number_} or each["is_foreign"]):
            return "REFERENCE_CONFLICT"
        if number_ in self.given_up:
            return "GIVEN_UP"
        if not payment:
            return "UNKNOWN_REFERENCE"
        if each["kind"] == "status":
            return status_code(each["status"])
        if each["kind"] in ("reversal", "credit"):
            return "UNCLEAR"
        if not each["is_own"](payment["currency"]):
            return "OTHER_ACCOUNT"
        if each["payee"] and payment["bank"] and each["payee"] != payment["bank"]:
            return "OTHER_PAYEE"
        found = self.amount_code(each, payment["currency"], Decimal(payment["amount"]))
        if found:
            return found
        if self.is_before(each, number_):
            return "BEFORE_PAYOUT"
        if each["kind"] != "return":
            return None
        return needs_person(each["reason"]) or ("FILE_REFUSED" if each["is_whole"] else None)

    def code_without_reference(self, each):
        if each["kind"] == "whole":
            if each["status"] not in REFUSED:
                return status_code(each["status"])
            return "SENT_TWICE" if needs_person(each["reason"]) == "SENT_TWICE" else "FILE_REFUSED"
        return "NO_REFERENCE" if each["kind"] == "return" else "UNCLEAR"

    def file_code(self, each, is_refused):
        """The code of a debit of a file; sets the payments of the file and those that it confirms."""
        each["covers"], each["confirms"] = [], []
        if len(each["payouts"]) > 1:
            return "REFERENCE_CONFLICT"
        if each["payouts"] & set(self.given_up):
            return "GIVEN_UP"
        found = each["files"] if each["offset"] else [self.file(each["matches"][0])]
        if len(found) > 1 or not found[0]:
            return "FILE_UNKNOWN"
        each["covers"] = each["confirms"] = found[0]
        number_ = payout_of(found[0][0])
        currency, total = self.payments[found[0][0]]["currency"], self.total(found[0])
        if not each["is_own"](currency):
            return "OTHER_ACCOUNT"
        others = [reference for reference in found[0] if not is_refused(reference)]
        if each["amount"] and others and not same(each["amount"][0], str(total)) and same(each["amount"][0], str(self.total(others))):
            each["confirms"], total = others, self.total(others)
        return self.amount_code(each, currency, total) or ("BEFORE_PAYOUT" if self.is_before(each, number_) else None)


def status_code(status):
    return None if status in NO_CODE else STATUS_CODES.get(status, "STATUS_UNKNOWN")


def fits(back, paid):
    """Whether money came back on the day when it was paid, or later."""
    return not back["date"] or not paid["date"] or back["date"] >= paid["date"]


def contradict(group, debits, is_booked):
    """The codes CONTRADICTION of the answers about a payment; `debits` are those of files."""
    group = [each for each in group if len(set(each["forms"])) < 2]
    returns = [each for each in group if each["kind"] == "return" and not each["own"]]
    back = [each for each in returns if each["format"] != "PAIN002"]
    paid = [each for each in group + debits if not each["own"] and (each["kind"] == "debit" or each["status"] in ("ACSC", "ACCC"))]
    wrong = [each for each in paid if (is_booked or returns) and not any(fits(other, each) for other in back)]
    hit = list(wrong)
    if wrong:
        hit += returns
    if not is_booked:
        if any(each["kind"] == "reversal" or each["kind"] == "return" and each["format"] != "CSV" and needs_person(each["reason"])
               for each in group):
            hit += returns
        others = {(each["file"], each["document"]) for each in group if each["kind"] == "status"}
        hit += [each for each in returns if each["format"] == "PAIN002" and (each["file"], each["document"]) in others]
    return [each for each in hit if each["format"] != "CSV"]


def repeat(group, debits):
    """The answers that happened again."""
    group = [each for each in group if len(set(each["forms"])) < 2 and not each["code"]]
    entries = [each for each in group if each["kind"] == "return" and each["format"].startswith("CAMT")]
    first = min((each["date"] for each in entries if each["date"]), default="9")
    again = [(each, "RETURNED_AGAIN") for each in entries if each["date"] > first]
    all_ = [each for each in group if each["kind"] == "debit"] + [each for each in debits if not each["code"]]
    first = min((each["date"] for each in all_ if each["date"]), default="9")
    for each in all_:
        before = [other for other in all_ if (other["file"], other["document"]) == (each["file"], each["document"])
                  and other["place"] < each["place"]]
        if each["date"] > first or before and each["format"] != "NACHA":
            again.append((each, "DEBITED_AGAIN"))
    return again


def rank(each):
    return FORMATS.index(each["format"]), each["date"], each["file"], each["place"]


def read(files, books):
    """The answers of files that are not other, and the format, controls and numbers of each file."""
    answers, said = [], []
    for place, (name, data) in enumerate(files):
        controls = None
        if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            form, drafts, others = xml(data, books.ibans)
        elif data.startswith(b"reference,reason"):
            form, others = "CSV", 0
            rows = [(number_, line.split(",")) for number_, line in enumerate(data.decode().split("\n"), 1) if line][1:]
            drafts = [draft("CSV", line, "RETURN", fields[1], "", [fields[0]], kind="return") for line, fields in rows]
        else:
            form = "NACHA"
            drafts, others, controls = nacha(data, books.company)
        kept = [each for each in drafts if books.is_kept(each)]
        for number_, each in enumerate(kept):
            each["file"], each["name"], each["place"] = place, name, number_
        answers += kept
        said.append((form, controls, len(kept), others + len(drafts) - len(kept)))
    return answers, said


def judge(files, books, lacks_answers=False, confirm=None):
    """The tables that must be published, their counts, and the format, controls and numbers of each file.

    `files` has (name, bytes); `lacks_answers` is whether a file of a bank was left out; `confirm` the first and the last
    day of payments, and the days in which a payment must be seen."""
    answers, said = read(files, books)
    groups, rest, debits = {}, [], []
    for each in answers:
        (groups.setdefault(each["reference"], []) if each["reference"] in books.payments else rest).append(each)
        if each["kind"] == "debit" and not each["reference"]:
            debits.append(each)
        else:
            each["own"] = books.own_code(each) if each["reference"] else books.code_without_reference(each)
            each["code"] = each["own"]
    refused = set(books.booked)
    for reference, group in groups.items():
        hit = contradict(group, [], reference in books.booked)
        single = [each for each in group if each["kind"] == "return" and len(set(each["forms"])) < 2 and not each["own"]]
        if any(each["format"] == "PAIN002" and not any(each is other for other in hit) for each in single):
            refused.add(reference)
        if any(each["format"] != "PAIN002" for each in single):
            refused.discard(reference)
    for each in debits:
        each["own"] = each["code"] = books.file_code(each, refused.__contains__)
    sure = [each for each in debits if not each["own"]]
    touched = {*groups, *(reference for each in sure for reference in each["confirms"])}
    by_payment = {reference: [each for each in sure if reference in each["confirms"]] for reference in touched}
    for reference in touched:
        for each in contradict(groups.get(reference, []), by_payment[reference], reference in books.booked):
            each["code"] = "CONTRADICTION"
    for each, code in [pair for reference in touched for pair in repeat(groups.get(reference, []), by_payment[reference])]:
        each["code"] = code
    for group in groups.values():
        returns = [each for each in group if each["kind"] == "return" and not each["code"] and not books.is_booked(each)]
        if lacks_answers and {each["format"] for each in returns} == {"PAIN002"}:
            for each in returns:
                each["code"] = "NOT_ALL_READ"
    return tables(books, answers, groups, rest, by_payment, debits, confirm), said


def result(each, group, debits, books):
    if each["code"]:
        return "OPEN"
    if each["kind"] == "return":
        return "BOOKED" if books.is_booked(each) else "REPEATED"
    if each["kind"] == "debit":
        before = [other for other in group + debits if other["kind"] == "debit" and not other["code"] and rank(other) < rank(each)]
        return "REPEATED" if before else "CONFIRMED"
    return "CHANGE" if each["kind"] == "change" else "NOTED"


def file_result(each, groups, debits):
    if each["code"]:
        return "OPEN"
    if each["kind"] != "debit":
        return "NOTED"
    others = [other for other in debits if not other["code"] and set(other["confirms"]) == set(each["confirms"])]
    if len(each["confirms"]) == 1:
        others += [other for other in groups.get(each["confirms"][0], []) if other["kind"] == "debit" and not other["code"]]
    return "REPEATED" if any(rank(other) < rank(each) for other in others) else "CONFIRMED"


def key(each):
    return each["file"], each["place"]


def tables(books, answers, groups, rest, by_payment, debits, confirm):
    rows = {name: [header] for name, header in HEADERS.items()}
    counts = {"results": {}, "codes": {}, "returned": {}}
    for reference in sorted(groups, key=parts):
        group, payment = groups[reference], books.payments[reference]
        for each in group:
            each["result"] = result(each, group, by_payment[reference], books)
        chosen = min((each for each in group if each["result"] == "REPEATED" and each["kind"] == "return"), default=None,
                     key=lambda each: (*rank(each)[:2], each["reason"], *key(each)))
        if chosen:
            chosen["result"] = "RETURN"
            rows["returned.csv"].append(f"{reference},{chosen['reason']}")
            sums = counts["returned"].setdefault(payment["currency"], [0, Decimal()])
            sums[0] += 1
            sums[1] += Decimal(payment["amount"])
        rows["answers.csv"] += [row(each, payment) for each in sorted(group, key=key)]
        rows["changes.csv"] += [
            ",".join([reference, payment["account"], payment["currency"],
                      *map(protected, [each["reason"], *corrected(each["reason"], each["corrected"])])])
            for each in sorted((each for each in group if each["result"] == "CHANGE"), key=lambda each: (each["reason"], *key(each)))]
    for each in rest:
        each["result"] = file_result(each, groups, debits)
    rows["answers.csv"] += [row(each, None) for each in sorted(rest, key=key)]
    for each in answers:
        for kind in ("result", "code"):
            if each[kind]:
                counts[f"{kind}s"][each[kind]] = counts[f"{kind}s"].get(each[kind], 0) + 1
    counts["returned"] = [
        {"currency": currency, "payments": number_, "amount": money.text(total, currency)}
        for currency, (number_, total) in sorted(counts["returned"].items())]
    if confirm:
        rows["payments.csv"], counts["confirm"] = payments_of(books, groups, debits, *confirm)
    return {name: "\n".join(lines) + "\n" for name, lines in rows.items()}, counts


def payments_of(books, groups, debits, since, as_of, within):
    """The rows of payments.csv, and what returns.json says of them."""
    rows, sums = ["reference,account,currency,amount,day,state,date,file"], {}
    for reference in sorted(books.payments, key=parts):
        payment, payout = books.payments[reference], books.payouts[payout_of(reference)]
        if not since <= payout["date"] <= as_of:
            continue
        answers = [each for each in groups.get(reference, []) if each["date"] <= as_of]
        files = [each for each in debits if reference in each["covers"] and each["date"] <= as_of]
        booked = books.booked.get(reference)
        late = datetime.date.fromisoformat(as_of) - datetime.date.fromisoformat(payout["executionDate"])
        states = [
            ("OPEN", [each for each in answers + files if each["code"]], False),
            ("RETURNED", [each for each in answers if each["kind"] == "return" and not each["code"]],
             booked and books.payouts[booked[1]]["date"] <= as_of),
            ("CONFIRMED", [each for each in answers if each["kind"] == "debit"] + [each for each in files if reference in each["confirms"]], False),
            ("NOT_SEEN", [], late.days > within), ("IN_TRANSIT", [], True)]
        state, makers, _ = next(each for each in states if each[1] or each[2])
        first = min(makers, default=None, key=lambda each: (each["date"], *key(each)))
        rows.append(",".join([reference, payment["account"], payment["currency"], payment["amount"], payout["date"], state,
                              first["date"] if first else "", first["name"] if first else ""]))
        one = sums.setdefault((payment["currency"], state), [0, Decimal()])
        one[0] += 1
        one[1] += Decimal(payment["amount"])
    return rows, {"since": since, "asOf": as_of, "within": within, "payments": [
        {"currency": currency, "state": state, "payments": number_, "amount": money.text(total, currency)}
        for (currency, state), (number_, total) in sorted(sums.items())]}


def row(each, payment):
    text, currency = each["amount"] or ("", "")
    if each["format"] == "CSV":
        text, currency = payment["amount"], payment["currency"]
    if not DECIMAL.fullmatch(text):
        text = ""
    elif currency in money.DECIMALS:
        decimals = len(text.partition(".")[2])
        missing = money.DECIMALS[currency] - decimals
        text += ("." if not decimals and missing > 0 else "") + "0" * max(0, missing)
    identifier = each["ids"][0][:35] if each["ids"] else ""
    return ",".join([
        each["reference"], payment["account"] if payment else "", protected(currency), text, each["format"],
        protected(each["status"]), protected(each["reason"]), each["date"], each["result"], each["code"] or "",
        protected(identifier), each["name"], str(each["line"])])
