"""The settlement in ClickHouse's SQL, in the process (chdb), which opens the .lz4 file itself.

usage: clickhouse_peer.py BATCH OUTPUT-DIRECTORY THREADS

Amounts are columns of Decimal(38, 2), prices and counts of Decimal(38, 6). ClickHouse reads a decimal from the JSON
text itself, number or string, exponent or not, so none of the spellings passes through a float. Decimals beyond the
column's are cut off unseen. A payment stays one row of arrays until its lines are written.
"""

import sys

import tables
from chdb import session

INVOICE = """Tuple(totalTax Decimal(38, 2), totalShipping Decimal(38, 2), invoiceItems
    Array(Tuple(itemPrice Decimal(38, 6), itemCount Decimal(38, 6), totalPrice Decimal(38, 2))))"""

COLUMNS = f"""type String, payKey String, status String, paymentCurrency String, feePayer String, sender String,
    senderCountry String, fundingSource String, recipient String, country String, paymentType String,
    paymentSubType String, subTotal Decimal(38, 2), invoiceData {INVOICE},
    receiverPaymentDetails Array(Tuple(recipient String, country String, paymentType String, paymentSubType String,
        isPrimary Bool, subtotal Decimal(38, 2), invoiceData {INVOICE}))"""

READ = """
CREATE TABLE payment ENGINE = Memory AS
SELECT _row_number AS n, payKey AS pay_key, if(status = '', 'STATUS_COMPLETED', status) AS status,
    if(paymentCurrency = '', 'USD', paymentCurrency) AS currency,
    if(feePayer = '', 'FEEPAYER_EACHRECEIVER', feePayer) AS payer, lower(sender) AS sender,
    senderCountry AS sender_country, if(fundingSource = '', 'BALANCE', fundingSource) AS funding,
    empty(receiverPaymentDetails) AS single,
    arrayMap(a -> lower(a), if(single, [recipient], receiverPaymentDetails.recipient)) AS accounts,
    if(single, [country], receiverPaymentDetails.country) AS countries,
    if(single, [paymentType], receiverPaymentDetails.paymentType) AS types,
    if(single, [paymentSubType], receiverPaymentDetails.paymentSubType) AS sub_types,
    if(single, [false], receiverPaymentDetails.isPrimary) AS primaries,
    if(single, ["subTotal"], receiverPaymentDetails.subtotal) AS subtotals,
    if(single, [invoiceData.totalTax], receiverPaymentDetails.invoiceData.totalTax) AS taxes,
    if(single, [invoiceData.totalShipping], receiverPaymentDetails.invoiceData.totalShipping) AS shippings,
    if(single, [invoiceData.invoiceItems.itemPrice], receiverPaymentDetails.invoiceData.invoiceItems.itemPrice)
        AS prices,
    if(single, [invoiceData.invoiceItems.itemCount], receiverPaymentDetails.invoiceData.invoiceItems.itemCount)
        AS counts,
    if(single, [invoiceData.invoiceItems.totalPrice], receiverPaymentDetails.invoiceData.invoiceItems.totalPrice)
        AS item_totals
FROM file('{batch}', 'JSONEachRow', '{columns}')
WHERE type IN ('', 'payment')
"""

SETTLE = """
CREATE TABLE settled ENGINE = Memory AS
SELECT n, pay_key, currency, places, sender, accounts, primaries, gross, passed_on, sent,
    multiIf(has(primaries, true), 'CHAINED', length(accounts) > 1, 'PARALLEL', 'SIMPLE') AS kind,
    payer = 'FEEPAYER_SENDER' AS by_sender,
    arrayMap((g, p) -> g - p, gross, passed_on) AS kept,
    arrayMap((k, t, s, a, c) -> (
        multiIf(t = 'TYPE_PERSONAL', {personal}[funding], {accounts}[a] != '', {accounts}[a],
            {sub_types}[s] != '', {sub_types}[s], '{default}') AS plan,
        t != 'TYPE_PERSONAL' AND c != '' AND sender_country != '' AND c != sender_country AS crosses,
        toDecimal128(least(round((if(crosses, {cross_rate}[plan], {rate}[plan])) * k + fixed[plan], places), k), 2)
    ).3, kept, types, sub_types, accounts, countries) AS assessed,
    arrayMap((t, c) -> by_sender AND NOT (t = 'TYPE_PERSONAL' AND c IN ('IN', 'DE')), types, countries) AS waived,
    arraySum(arrayMap((f, w) -> if(w, f, toDecimal128(0, 2)), assessed, waived)) AS sender_fee,
    arrayMap((f, w, p) -> multiIf(w, toDecimal128(0, 2), payer IN ('FEEPAYER_EACHRECEIVER', 'FEEPAYER_SENDER'), f,
        p = (payer = 'FEEPAYER_PRIMARYRECEIVER'), arraySum(assessed), toDecimal128(0, 2)),
        assessed, waived, primaries) AS fees,
    items_agree AND arrayAll((g, p) -> p <= g, gross, passed_on) AND arrayAll((f, k) -> f <= k, fees, kept)
        AND n IN (SELECT min(n) FROM payment GROUP BY pay_key) AS valid,
    status = 'STATUS_COMPLETED' AS completed
FROM (
    SELECT payment.*, places, fixed,
        arrayMap((s, t, h) -> s + t + h, subtotals, taxes, shippings) AS gross,
        arraySum((g, p) -> if(p, toDecimal128(0, 2), g), gross, primaries) AS secondary,
        arrayMap(p -> if(p, secondary, toDecimal128(0, 2)), primaries) AS passed_on,
        if(has(primaries, true), gross[indexOf(primaries, true)], arraySum(gross)) AS sent,
        arrayAll((s, totals, ps, cs) -> empty(totals) OR arraySum(totals) = s
            AND arrayAll((t, p, c) -> t <= round(p * c, places), totals, ps, cs),
            subtotals, item_totals, prices, counts) AS items_agree
    FROM payment INNER JOIN currency USING (currency)
)
"""

LINES = """
CREATE TABLE line ENGINE = Memory AS
SELECT pay_key, kind, 'SENDER' AS role, sender AS account, currency, places, -sent AS gross,
    toDecimal128(0, 2) AS passed_on, sender_fee AS fee, gross - fee AS net
FROM settled WHERE valid AND completed
UNION ALL
SELECT pay_key, kind, multiIf(kind != 'CHAINED', 'RECEIVER', p, 'PRIMARY', 'SECONDARY') AS role, account, currency,
    places, g AS gross, o AS passed_on, f AS fee, g - o - f AS net
FROM settled ARRAY JOIN accounts AS account, primaries AS p, gross AS g, passed_on AS o, fees AS f
WHERE valid AND completed
"""

SETTLEMENT = """
SELECT pay_key, kind, role, account, currency, {gross}, {passed_on}, {fee}, {net} FROM line AS t
"""

RECEIVERS = """
SELECT account, currency, payments, {gross}, {passed_on}, {fee}, {net} FROM (
    SELECT account, currency, any(places) AS places, count() AS payments, sum(line.gross) AS gross,
        sum(line.passed_on) AS passed_on, sum(line.fee) AS fee, sum(line.net) AS net
    FROM line WHERE role != 'SENDER' GROUP BY account, currency
) AS t ORDER BY account, currency
"""

TOTALS = """
SELECT currency, payments, {sender_amount}, {sender_fees}, {receiver_net}, {fees}, {balance} FROM (
    SELECT currency, any(places) AS places, countIf(role = 'SENDER') AS payments,
        sumIf(-gross, role = 'SENDER') AS sender_amount, sumIf(fee, role = 'SENDER') AS sender_fees,
        sumIf(net, role != 'SENDER') AS receiver_net, sum(fee) AS fees,
        sender_amount + sender_fees - receiver_net - fees AS balance
    FROM line GROUP BY currency
) AS t ORDER BY currency
"""


class Written(dict):
    """Text of an amount with its currency's decimals; toDecimalString wants them constant, and writes `12.` for 0."""

    def __missing__(self, name):
        amount = f"t.{name}"
        return f"if(places = 0, toString(toDecimal128({amount}, 0)), toDecimalString({amount}, 2)) AS {name}"


def literal(mapping, value):
    pairs = ", ".join(f"'{key}', {value(item)}" for key, item in mapping.items())
    return f"map({pairs})" if pairs else "CAST(map(), 'Map(String, String)')"


def text(value):
    return f"'{value}'"


def decimal(value):
    return f"toDecimal128('{value}', 6)"


def main(batch, output, threads):
    given = tables.read()
    database = session.Session()
    database.query(f"SET max_threads = {threads}")
    database.query("SET engine_file_truncate_on_insert = 1")
    database.query("CREATE DATABASE peer ENGINE = Atomic")
    database.query("USE peer")
    database.query(
        "CREATE TABLE currency (currency String, places Int8, fixed Map(String, Decimal(38, 6))) ENGINE = Memory"
    )
    for currency, places in given.places.items():
        fixed = {name: plan.fixed[currency] for name, plan in given.plans.items()}
        database.query(f"INSERT INTO currency VALUES ('{currency}', {places}, {literal(fixed, decimal)})")
    database.query(READ.format(batch=batch, columns=COLUMNS))
    database.query(
        SETTLE.format(
            personal=literal(given.personal, text),
            accounts=literal(given.accounts, text),
            sub_types=literal(given.sub_types, text),
            default=given.default,
            rate=literal({name: plan.rate for name, plan in given.plans.items()}, decimal),
            cross_rate=literal(
                {name: f"{plan.rate}', 6) + toDecimal128('{plan.cross_border}" for name, plan in given.plans.items()},
                decimal,
            ),
        )
    )
    database.query(LINES)
    for name, query in [("settlement", SETTLEMENT), ("receivers", RECEIVERS), ("totals", TOTALS)]:
        query = query.format_map(Written())
        database.query(f"INSERT INTO FUNCTION file('{output}/{name}.csv', 'CSVWithNames') {query}")
    counts = database.query("SELECT count(), countIf(valid AND completed), countIf(NOT valid) FROM settled", "TSV")
    print(*str(counts).split())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
