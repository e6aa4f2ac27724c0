"""The settlement in DuckDB's SQL: lz4 pipes the batch in, read_json takes it with explicit columns.

usage: duckdb_peer.py BATCH OUTPUT-DIRECTORY THREADS

Amounts are columns of DECIMAL(38, 2), prices and counts of DECIMAL(38, 6). A JSON string is cast to them exactly,
exponents included, and rounded half up where it has more decimals. A JSON number is read as a double first and then
rounded to the column: the right amount up to 15 digits, silently another one beyond.
"""

import os
import subprocess
import sys

import duckdb
import tables

READ = """
CREATE TEMP TABLE payment AS
SELECT row_number() OVER () AS n, payKey, coalesce(status, 'STATUS_COMPLETED') AS status,
    coalesce(paymentCurrency, 'USD') AS currency, coalesce(feePayer, 'FEEPAYER_EACHRECEIVER') AS payer,
    lower(sender) AS sender, senderCountry, coalesce(fundingSource, 'BALANCE') AS funding,
    CASE WHEN receiverPaymentDetails IS NULL THEN [{
        recipient: recipient, country: country, paymentType: paymentType, paymentSubType: paymentSubType,
        isPrimary: false, subtotal: "subTotal", invoiceData: invoiceData
    }] ELSE receiverPaymentDetails END AS receivers
FROM read_json('/dev/stdin', format = 'newline_delimited', maximum_object_size = 1048576, columns = {
    type: 'VARCHAR', payKey: 'VARCHAR', status: 'VARCHAR', paymentCurrency: 'VARCHAR', feePayer: 'VARCHAR',
    sender: 'VARCHAR', senderCountry: 'VARCHAR', fundingSource: 'VARCHAR',
    receiverPaymentDetails: 'STRUCT(recipient VARCHAR, country VARCHAR, paymentType VARCHAR, paymentSubType VARCHAR,
        isPrimary BOOLEAN, subtotal DECIMAL(38, 2), invoiceData $invoice)[]',
    recipient: 'VARCHAR', country: 'VARCHAR', paymentType: 'VARCHAR', paymentSubType: 'VARCHAR',
    "subTotal": 'DECIMAL(38, 2)', invoiceData: '$invoice'
})
WHERE coalesce(type, 'payment') = 'payment'
"""

INVOICE = """STRUCT(totalTax DECIMAL(38, 2), totalShipping DECIMAL(38, 2), invoiceItems
    STRUCT(itemPrice DECIMAL(38, 6), itemCount DECIMAL(38, 6), totalPrice DECIMAL(38, 2))[])"""

SETTLE = """
-- Both to one type: of DECIMAL(38, 0) and DECIMAL(38, 2) CASE makes the former, and cents would be gone unseen.
CREATE TEMP MACRO in_places(x, places) AS
    CASE places WHEN 0 THEN round(x, 0)::DECIMAL(38, 2) ELSE round(x, 2)::DECIMAL(38, 2) END;

CREATE TEMP TABLE receiver AS
WITH given AS (
    SELECT n, currency, payer, funding, senderCountry, unnest(receivers) AS r, places,
        generate_subscripts(receivers, 1) AS position
    FROM payment JOIN currency USING (currency)
), priced AS (
    SELECT n, position, currency, places, payer, funding, lower(r.recipient) AS account,
        coalesce(r.isPrimary, false) AS is_primary, r.paymentSubType AS sub_type, r.country,
        coalesce(r.paymentType = 'TYPE_PERSONAL', false) AS personal,
        coalesce(senderCountry <> r.country, false) AS crosses,
        r.subtotal + coalesce(r.invoiceData.totalTax, 0) + coalesce(r.invoiceData.totalShipping, 0) AS gross,
        coalesce(len(r.invoiceData.invoiceItems) = 0
            OR list_sum([i.totalPrice FOR i IN r.invoiceData.invoiceItems]) = r.subtotal AND len([1
                FOR i IN r.invoiceData.invoiceItems
                IF i.totalPrice > in_places(i.itemPrice * i.itemCount, places)
            ]) = 0, true) AS items_agree
    FROM given
), chained AS (
    SELECT *, bool_or(is_primary) OVER payment AS chained, count(*) OVER payment AS parties,
        CASE WHEN is_primary THEN coalesce(sum(gross) FILTER (NOT is_primary) OVER payment, 0)
            ELSE 0 END::DECIMAL(38, 2) AS passed_on
    FROM priced
    WINDOW payment AS (PARTITION BY n)
), assessed AS (
    SELECT chained.*, gross - passed_on AS kept,
        least(in_places((rate + CASE WHEN crosses AND NOT personal THEN cross_border ELSE 0 END) * kept + fixed,
            places), kept) AS assessed
    FROM chained
    LEFT JOIN personal_plan ON personal_plan.funding = chained.funding
    LEFT JOIN account_plan ON account_plan.account = chained.account
    LEFT JOIN sub_type_plan ON sub_type_plan.sub_type = chained.sub_type
    JOIN plan ON plan.currency = chained.currency AND plan.name = CASE WHEN personal THEN personal_plan.plan
        ELSE coalesce(account_plan.plan, sub_type_plan.plan, $default) END
)
SELECT n, position, account, currency, places, is_primary, chained, parties, items_agree, gross, passed_on, kept,
    CASE payer
        WHEN 'FEEPAYER_EACHRECEIVER' THEN assessed
        WHEN 'FEEPAYER_SENDER' THEN CASE WHEN personal AND country IN ('IN', 'DE') THEN assessed ELSE 0 END
        WHEN 'FEEPAYER_PRIMARYRECEIVER' THEN CASE WHEN is_primary THEN sum(assessed) OVER payment ELSE 0 END
        WHEN 'FEEPAYER_SECONDARYONLY' THEN CASE WHEN is_primary THEN 0 ELSE sum(assessed) OVER payment END
    END::DECIMAL(38, 2) AS fee,
    CASE WHEN payer = 'FEEPAYER_SENDER' AND NOT (personal AND coalesce(country IN ('IN', 'DE'), false))
        THEN assessed ELSE 0 END::DECIMAL(38, 2) AS sender_fee
FROM assessed
WINDOW payment AS (PARTITION BY n);

CREATE TEMP TABLE judged AS
WITH sums AS (
    SELECT n, bool_and(items_agree AND passed_on <= gross AND fee <= kept) AS agrees,
        any_value(CASE WHEN chained THEN 'CHAINED' WHEN parties > 1 THEN 'PARALLEL' ELSE 'SIMPLE' END) AS kind,
        any_value(places) AS places,
        sum(gross) FILTER (is_primary OR NOT chained)::DECIMAL(38, 2) AS sent,
        sum(sender_fee)::DECIMAL(38, 2) AS sender_fee
    FROM receiver GROUP BY n
)
SELECT n, payKey AS pay_key, currency, sender, kind, places, sent, sender_fee,
    agrees AND row_number() OVER (PARTITION BY payKey ORDER BY n) = 1 AS valid,
    valid AND status = 'STATUS_COMPLETED' AS settled
FROM payment JOIN sums USING (n);

CREATE TEMP TABLE line AS
SELECT n, 0 AS position, pay_key, kind, 'SENDER' AS role, sender AS account, currency, places,
    -sent AS gross, 0::DECIMAL(38, 2) AS passed_on, sender_fee AS fee
FROM judged WHERE settled
UNION ALL
SELECT n, position, pay_key, kind,
    CASE WHEN NOT chained THEN 'RECEIVER' WHEN is_primary THEN 'PRIMARY' ELSE 'SECONDARY' END,
    account, receiver.currency, receiver.places, gross, passed_on, fee
FROM receiver JOIN judged USING (n) WHERE settled;
"""

# Text of an amount with the currency's decimals.
WRITE = """
CREATE TEMP MACRO written(x, places) AS CASE places WHEN 0 THEN x::DECIMAL(38, 0)::VARCHAR ELSE x::VARCHAR END;

COPY (
    SELECT pay_key, kind, role, account, currency, written(gross, places) AS gross,
        written(passed_on, places) AS passed_on, written(fee, places) AS fee,
        written(gross - passed_on - fee, places) AS net
    FROM line
) TO '$output/settlement.csv' (FORMAT csv, HEADER);

COPY (
    SELECT account, currency, count(*) AS payments, written(sum(gross), any_value(places)) AS gross,
        written(sum(passed_on), any_value(places)) AS passed_on, written(sum(fee), any_value(places)) AS fee,
        written(sum(gross - passed_on - fee), any_value(places)) AS net
    FROM line WHERE role <> 'SENDER' GROUP BY account, currency ORDER BY account, currency
) TO '$output/receivers.csv' (FORMAT csv, HEADER);

COPY (
    WITH sums AS (
        SELECT currency, any_value(places) AS places, count(*) FILTER (role = 'SENDER') AS payments,
            coalesce(sum(-gross) FILTER (role = 'SENDER'), 0) AS sent,
            coalesce(sum(fee) FILTER (role = 'SENDER'), 0) AS sender_fees,
            coalesce(sum(gross - passed_on - fee) FILTER (role <> 'SENDER'), 0) AS net, sum(fee) AS fees
        FROM line GROUP BY currency
    )
    SELECT currency, payments, written(sent, places) AS sender_amount, written(sender_fees, places) AS sender_fees,
        written(net, places) AS receiver_net, written(fees, places) AS fees,
        written(sent + sender_fees - net - fees, places) AS balance
    FROM sums ORDER BY currency
) TO '$output/totals.csv' (FORMAT csv, HEADER);
"""


def load(database):
    given = tables.read()
    database.execute("CREATE TEMP TABLE currency (currency VARCHAR, places INTEGER)")
    database.executemany("INSERT INTO currency VALUES (?, ?)", list(given.places.items()))
    database.execute(
        "CREATE TEMP TABLE plan (name VARCHAR, currency VARCHAR, rate DECIMAL(18, 6), cross_border DECIMAL(18, 6), "
        "fixed DECIMAL(18, 6))"
    )
    database.executemany(
        "INSERT INTO plan VALUES (?, ?, ?, ?, ?)",
        [
            (name, currency, plan.rate, plan.cross_border, fixed)
            for name, plan in given.plans.items()
            for currency, fixed in plan.fixed.items()
        ],
    )
    for table, column, plans in [
        ("personal_plan", "funding", given.personal),
        ("account_plan", "account", given.accounts),
        ("sub_type_plan", "sub_type", given.sub_types),
    ]:
        database.execute(f"CREATE TEMP TABLE {table} ({column} VARCHAR, plan VARCHAR)")
        if plans:
            database.executemany(f"INSERT INTO {table} VALUES (?, ?)", list(plans.items()))
    return given.default


def main(batch, output, threads):
    with subprocess.Popen(["lz4", "-dc", batch], stdout=subprocess.PIPE) as reader:
        os.dup2(reader.stdout.fileno(), 0)
        database = duckdb.connect(config={"threads": threads})
        default = load(database)
        database.execute(READ.replace("$invoice", INVOICE))
    if reader.returncode != 0:
        raise SystemExit("lz4 failed")
    database.execute(SETTLE.replace("$default", f"'{default}'"))
    database.execute(WRITE.replace("$output", output))
    print(
        *database.execute(
            "SELECT count(*), count(*) FILTER (settled), count(*) FILTER (NOT valid) FROM judged"
        ).fetchone()
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
