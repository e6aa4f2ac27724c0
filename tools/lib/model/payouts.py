"""What payouts have in common: references, payees, the debtor, balances and what `payouts.json` says."""
import json

COLUMNS = "account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold".split(",")
DEBTOR = {
    "EUR": {"IBAN": {"name": "Pay", "iban": "DE89370400440532013000", "bic": "COBADEFFXXX"}},
    "JPY": {"IBAN": {"name": "Pay", "iban": "DE89370400440532013000", "bic": "COBADEFFXXX"}},
    "USD": {"ACH": {"name": "Pay Inc", "company": "1123456789", "odfi": "021000021", "destination": "021000021",
                    "destinationName": "Bank", "origin": "1123456789"}}}


def heading(directory):
    """What a payout's directory says of the payout itself."""
    return json.loads((directory / "payouts.json").read_text("utf-8"))["payout"]


def parts(reference):
    """The payout and number of a reference such as P1-2."""
    return tuple(int(part) for part in reference[1:].split("-"))


def payout_of(reference):
    return parts(reference)[0]


# Payees

def check_number(iban):
    """The number whose remainder by 97 is 1 for a right IBAN."""
    return int("".join(str(int(each, 36)) for each in iban[4:] + iban[:4]))


def iban(country, account):
    return f"{country}{98 - check_number(f'{country}00{account}') % 97:02d}{account}"


def with_check_digit(digits):
    """A routing number by its first eight digits."""
    return digits + str(-sum(int(digit) * weight for digit, weight in zip(digits, (3, 7, 1) * 3)) % 10)


def payee(account, currency, number):
    """A row of a payees file; the bank account has this number."""
    if currency == "USD":
        return f"{account},USD,Shop,ACH,,,011000015,{number:09d},CHECKING,PERSON,"
    return f"{account},{currency},Shop,IBAN,{iban('DE', f'37040044{number:010d}')},COBADEFFXXX,,,,,"


def payees(keys):
    """The lines of a payees file, with a bank account for each account and currency."""
    return [",".join(COLUMNS), *(payee(*key, number) for number, key in enumerate(keys, 1))]


class Balances(dict):
    """Balances by account and currency, and the run since which each has been above or below zero."""

    def __init__(self):
        super().__init__()
        self.since = {}

    def add(self, key, change, run):
        before = self.get(key, 0)
        self[key] = before + change
        if before == 0 or (before < 0) != (before + change < 0):
            self.since[key] = run
