"""A second implementation of docs/spec/returns.md: what becomes of answers of banks."""
import datetime
import re
from decimal import Decimal
from xml.parsers import expat

from payouts import amount as money
from payouts import bank_text, is_routing

FORMATS = ["NACHA", "CAMT053", "CAMT054", "PAIN002", "CSV"]
KINDS = {"CstmrPmtStsRpt": "PAIN002", "BkToCstmrStmt": "CAMT053", "BkToCstmrDbtCdtNtfctn": "CAMT054"}
SENT_TWICE = {"R24", "AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05", "ARDT"}
DISPUTED = {"R61", "R62", *(f"R{number}" for number in range(67, 78))}
NO_CODE = set("RCVD ACTC ACCP ACFC PATC ACSP ACWC ACWP ACPD ACSC ACCC ACIS CPUC PRES PDNG PART RCVC RVNC".split())
STATUS_CODES = dict.fromkeys(["RVCM", "RVMC", "RVNM", "RVNA"], "VERIFY_PAYEE") | {"BLCK": "BLOCKED"}
REFUSED = ("RJCT", "CANC")
REFERENCE = re.compile(r"P([1-9][0-9]{0,4})-([1-9][0-9]{0,7})")
FILE_ID = re.compile(r"S([0-9a-f]{12})-P([1-9][0-9]{0,4})-[A-Z]{3}-[0-9]{4,}(-[ST])?")
DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")
DECIMALS = {"EUR": 2, "USD": 2, "CHF": 2, "GBP": 2, "JPY": 0}
HEADERS = {
    "answers.csv": "reference,account,currency,amount,format,status,reason,date,result,code,id,file,line",
    "changes.csv": "reference,account,currency,reason,routing,account_number,account_type,name",
    "returned.csv": "reference,reason",
}


# Reasons, dates, texts

def decide(reasons):
    for chosen in (SENT_TWICE, DISPUTED):
        for reason in reasons:
            if reason in chosen:
                return reason
    return reasons[0] if reasons else None


def listed(reason):
    return re.sub("[^A-Za-z0-9._-]", "_", reason)[:35] if reason else "NOT_STATED"


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
    pieces = data.split(b"\n") if b"\n" in data[:1024] else [data[at:at + 94] for at in range(0, len(data), 94)]
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
    date = own = ""
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
                    "is_own": company is None or not own or own == company}
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
                batch, adv, own = Control(), False, ""
        loose |= kind == "6" and not in_batch
        opened |= kind in "5678"
    mismatch |= header
    absent |= in_batch or loose or opened and not header
    drafts = [nacha_draft(entry) for entry in entries]
    kept = [draft for draft in drafts if draft]
    return kept, len(drafts) - len(kept), "mismatch" if mismatch else "absent" if absent else "verified"


def nacha_draft(entry):
    text, places = entry["text"], []
    returns = [line[3:6].strip(" ") for line in entry["addenda"] if line[1:3] == "99"]
    changes = [(line[3:6].strip(" "), line[35:64]) for line in entry["addenda"] if line[1:3] == "98"]
    if text[1:3] not in ("21", "22", "31", "32") or not returns and not changes or entry["adv"]:
        return None
    reason = decide([each for each in returns or [code for code, _ in changes] if each])
    if text[39:54].strip(" "):
        places.append(text[39:54].strip(" "))
    cents = f"{int(text[29:37])}.{text[37:39]}" if text[29:39].isdigit() else ""
    return draft("NACHA", entry["line"], "RETURN" if returns else "CHANGE", reason, entry["date"], places,
                 kind="return" if returns else "change", amount=(cents, "USD"), is_own=lambda _: entry["is_own"],
                 corrected=next((data for code, data in changes if code == reason), ""))


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
                each["document"] = number_
            drafts.append(each)
    kept = [each for each in drafts if each]
    return kind, kept, len(drafts) - len(kept)


def pain(body, kind, _):
    created = day(body.text("GrpHdr/CreDtTm"))
    group = body.all("OrgnlGrpInfAndSts")[0]
    is_other = group.text("OrgnlMsgNmId") and not group.text("OrgnlMsgNmId").lower().startswith("pain.001")

    def make(element, status, reason, ids, **more):
        ids = [each for each in ids if each]
        if is_other or ids and not any(map(FILE_ID.fullmatch, ids)):
            return None
        return draft(kind, element.line, status, reason, created, more.pop("places", []), ids=ids, **more)

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
    for statement in body.all("Stmt" if kind == "CAMT053" else "Ntfctn"):
        iban = statement.text("Acct/Id/IBAN")

        def is_own(currency, iban=iban):
            return ibans is None or iban is None or ibans.get(currency) == iban

        for entry in statement.all("Ntry"):
            payments = entry.all("NtryDtls/TxDtls")
            for payment in payments or [None]:
                yield camt_draft(kind, entry, payment, len(payments), is_own)


def camt_draft(kind, entry, payment, count, is_own):
    empty = payment or Element("TxDtls", 0, {})
    direction = empty.text("CdtDbtInd") or entry.text("CdtDbtInd")
    state = empty.text("Sts/Cd", "Sts") or entry.text("Sts/Cd", "Sts")
    family = (empty if empty.all("BkTxCd") else entry).text("BkTxCd/Domn/Fmly/SubFmlyCd")
    if direction != "CRDT" or state != "BOOK" or not empty.all("RtrInf") and family not in ("RRTN", "RPCR"):
        return None
    places = [text for text in (empty.text("Refs/EndToEndId"), empty.text("Refs/InstrId")) if text]
    texts = [text.text("Ustrd") for info in empty.all("RmtInf") for text in [info] if info.all("Ustrd")]
    if not places and sum(len(info.all("Ustrd")) for info in empty.all("RmtInf")) == 1 and texts[0]:
        words = [word for word in re.split("[ \t\r\n]+", texts[0]) if REFERENCE.fullmatch(word)]
        places = words if len(words) == 1 else []
    own, whole = empty.amount("Amt", "AmtDtls/TxAmt/Amt"), entry.amount("Amt")
    differs = count == 1 and own and whole and own[1] == whole[1] and not same(own[0], whole[0])
    return draft(kind, (payment or entry).line, "RETURN", empty.reasons("RtrInf"), day(entry.text("BookgDt/Dt", "BookgDt/DtTm")),
                 places, ids=[text for text in (empty.text("Refs/PmtInfId"), empty.text("Refs/MsgId")) if text],
                 kind="return", amount=own or (whole if count < 2 else None), is_own=is_own, differs=bool(differs))


def same(text, other):
    return bool(DECIMAL.fullmatch(text) and DECIMAL.fullmatch(other)) and Decimal(text) == Decimal(other)


# Answers

def draft(form, line, status, reason, date, places, *, kind, ids=(), amount=None, is_own=lambda _: True, is_whole=False,
          differs=False, corrected=""):
    return {"format": form, "line": line, "status": status, "reason": listed(reason), "date": date, "places": places,
            "kind": kind, "ids": list(ids), "amount": amount, "is_own": is_own, "is_whole": is_whole, "differs": differs,
            "corrected": corrected, "document": 0}


def is_kept(each, payouts):
    """Whether an answer is not other; sets its reference."""
    ids = [FILE_ID.fullmatch(text) for text in each["ids"]]
    if any(match and payouts.get(int(match[2]), ("", ""))[0] != match[1] for match in ids):
        return False
    forms = [text for text in each["places"] if REFERENCE.fullmatch(text)]
    each["forms"], each["reference"] = forms, forms[0] if forms else ""
    each["payouts"] = {int(match[2]) for match in ids if match}
    if each["kind"] == "whole":
        return each["status"] in REFUSED or each["status"] not in NO_CODE
    return bool(forms) or each["kind"] == "return" and not each["places"]


def status_code(status):
    return None if status in NO_CODE else STATUS_CODES.get(status, "STATUS_UNKNOWN")


def amount_code(each, payment):
    if each["amount"] is None:
        return None if each["format"] == "PAIN002" and each["payouts"] else "AMOUNT_DIFFERS"
    if each["amount"][1] != payment["currency"]:
        return "CURRENCY_DIFFERS"
    if each["kind"] == "change":
        return None
    return None if same(each["amount"][0], payment["amount"]) and not each["differs"] else "AMOUNT_DIFFERS"


def code(each, group, payment, payout_day):
    """The first check of an answer that fails, apart from those without a payment."""
    if each["format"] == "CSV":
        return None
    reference = REFERENCE.fullmatch(each["reference"])
    if set(each["forms"]) != {each["reference"]} or each["payouts"] - {int(reference[1])}:
        return "REFERENCE_CONFLICT"
    if not each["is_own"](payment["currency"]):
        return "OTHER_ACCOUNT"
    found = amount_code(each, payment)
    if found:
        return found
    before = (datetime.date.fromisoformat(payout_day) - datetime.timedelta(days=1)).isoformat()
    if each["date"] and each["date"] < before:
        return "BEFORE_PAYOUT"
    for codes, name in ((SENT_TWICE, "SENT_TWICE"), (DISPUTED, "DISPUTED")):
        if each["reason"] in codes:
            return name
    if each["is_whole"]:
        return "FILE_REFUSED"
    others = [other for other in group if other["format"] == "PAIN002" and other["status"] not in REFUSED]
    if each["format"] == "PAIN002" and any(
            other["status"] in ("ACSC", "ACCC") or (other["file"], other["document"]) == (each["file"], each["document"])
            for other in others):
        return "CONTRADICTION"
    return "RETURNED_AGAIN" if came_again(each, group) else None


def came_again(each, group):
    """Whether the money came back on an earlier day, too."""
    days = [other["date"] for other in group if other["format"].startswith("CAMT") and other["date"]]
    return each["format"].startswith("CAMT") and each["date"] > min(days, default="9")


def judge(files, payments, payouts, booked, ibans=None, company=None, lacks_answers=False):
    """The tables that must be published, their counts, and the format, controls and numbers of each file.

    `files` has (name, bytes); `payments` account, currency and amount by reference; `payouts` the ledger's digits and the
    day by number; `booked` references. `ibans` and `company` are the debtor's; `lacks_answers` whether a file of a bank was left out."""
    answers, said = [], []
    for place, (name, data) in enumerate(files):
        controls = None
        if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            form, drafts, others = xml(data, ibans)
        elif data.startswith(b"reference,reason"):
            form, others = "CSV", 0
            rows = [(number_, line.split(",")) for number_, line in enumerate(data.decode().split("\n"), 1) if line][1:]
            drafts = [draft("CSV", line, "RETURN", fields[1], "", [fields[0]], kind="return") for line, fields in rows]
        else:
            form = "NACHA"
            drafts, others, controls = nacha(data, company)
        kept = [each for each in drafts if is_kept(each, payouts)]
        for each in kept:
            each["file"], each["name"] = place, name
        answers += kept
        said.append((form, controls, len(kept), others + len(drafts) - len(kept)))
    return tables(answers, payments, payouts, booked, lacks_answers), said


def key(each):
    return each["file"], each["line"]


def tables(answers, payments, payouts, booked, lacks_answers):
    groups, rest = {}, []
    for each in answers:
        known = payments.get(each["reference"])
        (groups.setdefault(each["reference"], []) if known else rest).append(each)
    rows = {name: [header] for name, header in HEADERS.items()}
    counts = {"results": {}, "codes": {}, "returned": {}}
    for reference in sorted(groups, key=lambda text: tuple(map(int, REFERENCE.fullmatch(text).groups()))):
        group = groups[reference]
        payment, number_ = payments[reference], int(REFERENCE.fullmatch(reference)[1])
        for each in group:
            if each["kind"] == "status":
                each["code"] = status_code(each["status"])
                each["result"] = "OPEN" if each["code"] else "NOTED"
            elif each["kind"] == "return" and reference in booked:
                each["code"] = "RETURNED_AGAIN" if came_again(each, group) else None
                each["result"] = "OPEN" if each["code"] else "BOOKED"
            else:
                each["code"] = code(each, group, payment, payouts[number_][1])
                each["result"] = "OPEN" if each["code"] else "CHANGE" if each["kind"] == "change" else "REPEATED"
        returns = [each for each in group if each["result"] == "REPEATED"]
        if lacks_answers and {each["format"] for each in returns} == {"PAIN002"}:
            for each in returns:
                each["result"], each["code"] = "OPEN", "NOT_ALL_READ"
        chosen = min((each for each in group if each["result"] == "REPEATED"), default=None,
                     key=lambda each: (FORMATS.index(each["format"]), each["date"], each["reason"], *key(each)))
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
        each["result"] = "OPEN"
        if each["kind"] == "whole":
            each["code"] = status_code(each["status"]) if each["status"] not in REFUSED else \
                "SENT_TWICE" if each["reason"] in SENT_TWICE else "FILE_REFUSED"
        elif not each["reference"]:
            each["code"] = "NO_REFERENCE"
        else:
            conflict = each["kind"] == "return" and (set(each["forms"]) != {each["reference"]} or each["payouts"] - {
                int(REFERENCE.fullmatch(each["reference"])[1])})
            each["code"] = "REFERENCE_CONFLICT" if conflict else "UNKNOWN_REFERENCE"
    rows["answers.csv"] += [row(each, None) for each in sorted(rest, key=key)]
    for each in answers:
        for kind in ("result", "code"):
            if each[kind]:
                counts[f"{kind}s"][each[kind]] = counts[f"{kind}s"].get(each[kind], 0) + 1
    counts["returned"] = [
        {"currency": currency, "payments": number_, "amount": money(int(total * 10 ** DECIMALS[currency]), currency)}
        for currency, (number_, total) in sorted(counts["returned"].items())]
    return {name: "\n".join(lines) + "\n" for name, lines in rows.items()}, counts


def row(each, payment):
    text, currency = each["amount"] or ("", "")
    if each["format"] == "CSV":
        text, currency = payment["amount"], payment["currency"]
    if not DECIMAL.fullmatch(text):
        text = ""
    elif currency in DECIMALS:
        decimals = len(text.partition(".")[2])
        missing = DECIMALS[currency] - decimals
        text += ("." if not decimals and missing > 0 else "") + "0" * max(0, missing)
    identifier = each["ids"][0][:35] if each["ids"] else ""
    return ",".join([
        each["reference"], payment["account"] if payment else "", protected(currency), text, each["format"],
        protected(each["status"]), protected(each["reason"]), each["date"], each["result"], each["code"] or "",
        protected(identifier), each["name"], str(each["line"])])
