"""The settlement in Polars: lz4 pipes the batch in, json_decode takes its lines by a schema, expressions do the rest.

usage: polars_peer.py BATCH OUTPUT-DIRECTORY THREADS

Amounts are read as strings and cast to Decimal(38, 2): JSON strings exactly, exponents included. A JSON number has
become a double by then, and its shortest spelling is what is cast: the right amount up to 15 digits, silently another
one beyond. Casts to Decimal and products of Decimals round half to even in their last place; so products are given
places enough, and are rounded by `round` with its mode named. (read_ndjson does the same and takes several times as
long for records nested like these.)
"""

import io
import os
import subprocess
import sys

os.environ["POLARS_MAX_THREADS"] = sys.argv[3]  # read when polars is loaded

import polars as pl  # noqa: E402
import tables  # noqa: E402

AMOUNT = pl.Decimal(38, 2)
FACTOR = pl.Decimal(38, 12)
ZERO = pl.lit(0, AMOUNT)
INVOICE = pl.Struct(
    {
        "totalTax": pl.String,
        "totalShipping": pl.String,
        "invoiceItems": pl.List(pl.Struct(dict.fromkeys(["itemPrice", "itemCount", "totalPrice"], pl.String))),
    }
)
RECEIVER = {
    "recipient": pl.String,
    "country": pl.String,
    "paymentType": pl.String,
    "paymentSubType": pl.String,
    "invoiceData": INVOICE,
}
PAYMENT = {
    **dict.fromkeys(["type", "payKey", "status", "paymentCurrency", "feePayer"], pl.String),
    **dict.fromkeys(["sender", "senderCountry", "fundingSource"], pl.String),
    **RECEIVER,
    "subTotal": pl.String,
    "receiverPaymentDetails": pl.List(pl.Struct({**RECEIVER, "isPrimary": pl.Boolean, "subtotal": pl.String})),
}


def in_places(value):
    """Rounded half up (ties away from zero) to the currency's decimals."""
    mode = "half_away_from_zero"
    return (
        pl.when(pl.col("places") == 0).then(value.round(0, mode=mode)).otherwise(value.round(2, mode=mode)).cast(AMOUNT)
    )


def written(*names):
    """Text of amounts with their currency's decimals."""
    amounts = [pl.col(name) for name in names]
    return [
        pl.when(pl.col("places") == 0)
        .then(amount.cast(pl.Decimal(38, 0)).cast(pl.String))
        .otherwise(amount.cast(pl.String))
        for amount in amounts
    ]


def read(batch, currencies):
    text = subprocess.run(["lz4", "-dc", batch], stdout=subprocess.PIPE, check=True).stdout
    return (
        pl.scan_lines(io.BytesIO(text), name="line")
        .select(pl.col("line").str.json_decode(pl.Struct(PAYMENT)))
        .unnest("line")
        .filter(pl.col("type").fill_null("payment") == "payment")
        .with_row_index("n")
        .with_columns(
            pl.col("status").fill_null("STATUS_COMPLETED"),
            pl.col("paymentCurrency").fill_null("USD"),
            pl.col("feePayer").fill_null("FEEPAYER_EACHRECEIVER"),
            pl.col("fundingSource").fill_null("BALANCE"),
            pl.col("sender").str.to_lowercase(),
        )
        .rename({"payKey": "pay_key", "paymentCurrency": "currency"})
        .join(currencies, on="currency", maintain_order="left")
        .collect(engine="streaming")
    )


def receivers_of(payments):
    """One row per receiver of either shape."""
    common = ["n", "currency", "places", "feePayer", "fundingSource", "senderCountry"]
    advanced = (
        payments.filter(pl.col("receiverPaymentDetails").is_not_null())
        .select(*common, "receiverPaymentDetails")
        .explode("receiverPaymentDetails")
        .unnest("receiverPaymentDetails")
        .with_columns(pl.col("isPrimary").fill_null(False))
    )
    single = (
        payments.filter(pl.col("receiverPaymentDetails").is_null())
        .select(*common, *RECEIVER, isPrimary=False, subtotal="subTotal")
        .select(advanced.collect_schema().names())
    )
    invoice = pl.col("invoiceData").struct
    return (
        pl.concat([advanced, single])
        .with_row_index("receiver")
        .with_columns(
            account=pl.col("recipient").str.to_lowercase(),
            subtotal=pl.col("subtotal").cast(AMOUNT),
            items=invoice.field("invoiceItems"),
            personal=pl.col("paymentType").eq_missing("TYPE_PERSONAL"),
            crosses=(pl.col("senderCountry") != pl.col("country")).fill_null(False),
            gross=pl.col("subtotal").cast(AMOUNT)
            + invoice.field("totalTax").cast(AMOUNT).fill_null(ZERO)
            + invoice.field("totalShipping").cast(AMOUNT).fill_null(ZERO),
        )
        .drop("invoiceData", "recipient")
    )


def mismatched(receivers):
    """The payments whose items do not agree with themselves or their subtotal."""
    return (
        receivers.filter(pl.col("items").list.len() > 0)
        .select("n", "receiver", "subtotal", "places", "items")
        .explode("items")
        .unnest("items")
        .with_columns(total=pl.col("totalPrice").cast(AMOUNT))
        .with_columns(
            fits=pl.col("total") <= in_places(pl.col("itemPrice").cast(FACTOR) * pl.col("itemCount").cast(FACTOR))
        )
        .group_by("receiver")
        .agg(pl.col("n").first(), pl.col("subtotal").first(), pl.col("total").sum(), pl.col("fits").all())
        .filter(~pl.col("fits") | (pl.col("total") != pl.col("subtotal")))
        .select("n")
    )


def assess(receivers, given):
    """Adds what each receiver passes on, keeps, and bears of the fees."""
    plans = pl.LazyFrame(
        [
            (name, currency, plan.rate, plan.cross_border, fixed)
            for name, plan in given.plans.items()
            for currency, fixed in plan.fixed.items()
        ],
        schema=["plan", "currency", "rate", "cross_border", "fixed"],
        orient="row",
    ).with_columns(pl.col("rate", "cross_border", "fixed").cast(FACTOR))

    def known(mapping, column):
        """The plan that the column's value has in a table of few entries; null where it has none."""
        return pl.col(column).replace_strict(mapping or {"": ""}, default=None, return_dtype=pl.String)

    payer, primary = pl.col("feePayer"), pl.col("isPrimary")
    override = pl.col("personal") & pl.col("country").is_in(["IN", "DE"]).fill_null(False)
    of_payment = receivers.group_by("n").agg(
        chained=primary.any(),
        parties=pl.len(),
        secondary=pl.col("gross").filter(~primary).sum(),
    )
    return (
        receivers.drop("items", "subtotal")
        .join(of_payment, on="n")
        .with_columns(
            passed_on=pl.when("isPrimary").then("secondary").otherwise(ZERO),
            plan=pl.when("personal")
            .then(known(given.personal, "fundingSource"))
            .otherwise(
                pl.coalesce(
                    known(given.accounts, "account"),
                    known(given.sub_types, "paymentSubType"),
                    pl.lit(given.default),
                )
            ),
        )
        .join(plans, on=["plan", "currency"])
        .with_columns(kept=pl.col("gross") - pl.col("passed_on"))
        .with_columns(
            assessed=pl.min_horizontal(
                in_places(
                    (
                        pl.col("rate")
                        + pl.when(pl.col("crosses") & ~pl.col("personal"))
                        .then("cross_border")
                        .otherwise(pl.lit(0, FACTOR))
                    )
                    * pl.col("kept").cast(FACTOR)
                    + pl.col("fixed")
                ),
                "kept",
            )
        )
        .with_columns(
            sender_fee=pl.when((payer == "FEEPAYER_SENDER") & ~override).then("assessed").otherwise(ZERO),
            all_fees=pl.col("assessed").sum().over("n"),
        )
        .with_columns(
            fee=pl.when(payer.is_in(["FEEPAYER_EACHRECEIVER", "FEEPAYER_SENDER"]))
            .then(pl.col("assessed") - pl.col("sender_fee"))
            .when(primary == (payer == "FEEPAYER_PRIMARYRECEIVER"))
            .then("all_fees")
            .otherwise(ZERO)
        )
    )


def main(batch, output):
    given = tables.read()
    currencies = pl.LazyFrame({"currency": list(given.places), "places": list(given.places.values())})
    payments = read(batch, currencies)
    receivers = receivers_of(payments.lazy()).collect()
    bad_items = mismatched(receivers.lazy())
    receivers = assess(receivers.lazy(), given).collect()

    judged = (
        receivers.lazy()
        .group_by("n")
        .agg(
            agrees=((pl.col("passed_on") <= pl.col("gross")) & (pl.col("fee") <= pl.col("kept"))).all(),
            chained=pl.col("chained").first(),
            parties=pl.col("parties").first(),
            sent=pl.col("gross").filter(pl.col("isPrimary") | ~pl.col("chained")).sum(),
            sender_fee=pl.col("sender_fee").sum(),
        )
        .join(bad_items.unique().with_columns(mismatched=True), on="n", how="left")
        .join(payments.lazy().select("n", "pay_key", "status", "currency", "places", "sender"), on="n")
        .with_columns(
            valid=pl.col("agrees")
            & pl.col("mismatched").is_null()
            & (pl.col("n") == pl.col("n").min().over("pay_key")),
            kind=pl.when("chained")
            .then(pl.lit("CHAINED"))
            .when(pl.col("parties") > 1)
            .then(pl.lit("PARALLEL"))
            .otherwise(pl.lit("SIMPLE")),
        )
        .with_columns(settled=pl.col("valid") & (pl.col("status") == "STATUS_COMPLETED"))
        .collect()
    )
    settled = judged.lazy().filter("settled")
    columns = ["pay_key", "kind", "role", "account", "currency", "places", "gross", "passed_on", "fee"]
    senders = settled.with_columns(
        role=pl.lit("SENDER"), account="sender", gross=-pl.col("sent"), passed_on=ZERO, fee="sender_fee"
    ).select(columns)
    others = (
        receivers.lazy()
        .join(settled.select("n", "pay_key", "kind"), on="n")
        .with_columns(
            role=pl.when(~pl.col("chained"))
            .then(pl.lit("RECEIVER"))
            .when("isPrimary")
            .then(pl.lit("PRIMARY"))
            .otherwise(pl.lit("SECONDARY"))
        )
        .select(columns)
    )
    lines = (
        pl.concat([senders, others])
        .with_columns(net=pl.col("gross") - pl.col("passed_on") - pl.col("fee"))
        .collect()
    )
    amounts = ["gross", "passed_on", "fee", "net"]
    lines.select(*columns[:5], *written(*amounts)).write_csv(f"{output}/settlement.csv")

    sender = pl.col("role") == "SENDER"
    (
        lines.lazy()
        .filter(~sender)
        .group_by("account", "currency")
        .agg(pl.col("places").first(), pl.len().alias("payments"), pl.col(amounts).sum())
        .sort("account", "currency")
        .select("account", "currency", "payments", *written(*amounts))
        .collect()
        .write_csv(f"{output}/receivers.csv")
    )
    sums = ["sender_amount", "sender_fees", "receiver_net", "fees"]
    (
        lines.lazy()
        .group_by("currency")
        .agg(
            pl.col("places").first(),
            payments=sender.sum(),
            sender_amount=-pl.col("gross").filter(sender).sum(),
            sender_fees=pl.col("fee").filter(sender).sum(),
            receiver_net=pl.col("net").filter(~sender).sum(),
            fees=pl.col("fee").sum(),
        )
        .with_columns(
            balance=pl.col("sender_amount") + pl.col("sender_fees") - pl.col("receiver_net") - pl.col("fees")
        )
        .sort("currency")
        .select("currency", "payments", *written(*sums, "balance"))
        .collect()
        .write_csv(f"{output}/totals.csv")
    )
    print(judged.height, judged["settled"].sum(), (~judged["valid"]).sum())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
