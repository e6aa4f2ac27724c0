import Foundation
import Ledger
import Testing

/// `settle find` over three nights: what happened to a key or an account in each.
@Suite("A key or an account found in all nights")
struct FindTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    // In UTC the first night's day is the 21st; the third has no header.
    try night(
      "one",
      #"""
      {"type":"header","batchId":"one","createdAt":"2026-11-20T23:30:00-02:00"}
      {"payKey":"A-1","paymentCurrency":"EUR","sender":"Ann@mail.example","receiverPaymentDetails":[{"recipient":"market@shop.example","subtotal":"1000.00","isPrimary":true},{"recipient":"lamps@shop.example","subtotal":"600.00"}]}
      {"payKey":"P-1","status":"STATUS_CREATED","recipient":"market@shop.example","subTotal":"7.50"}
      {"payKey":"H-1","status":"STATUS_OTHER","recipient":"market@shop.example","subTotal":"8.25"}
      {"payKey":"R-1","recipient":"market@shop.example","subTotal":"0.00","country":"QQ"}
      {"payKey":"A-1","recipient":"market@shop.example","subTotal":"4.00"}
      {"type":"preapproval","preapprovalKey":"PA","createdAt":"2026-11-20T08:00:00Z","startingDate":"2026-11-20Z","endingDate":"2026-12-20Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"100"}
      {"type":"preapproval","preapprovalKey":"PA","action":"CONFIRM","createdAt":"2026-11-20T09:00:00Z","senderEmail":"ann@mail.example"}
      {"payKey":"F-1","preapprovalKey":"PA","createdAt":"2026-11-20T10:00:00Z","sender":"ann@mail.example","recipient":"market@shop.example","subTotal":"30.00"}
      {"payKey":"F-2","preapprovalKey":"PA","createdAt":"2026-11-20T10:00:00Z","sender":"ann@mail.example","recipient":"market@shop.example","subTotal":"90.00"}
      {"type":"trailer","recordCount":9,"totals":{"USD":"139.75","EUR":"1000"}}
      """#)
    try night(
      "two",
      #"""
      {"type":"header","batchId":"two","createdAt":"2026-11-22T01:00:00Z"}
      {"type":"refund","refundKey":"RF","payKey":"A-1","amount":"100.00","currencyCode":"EUR"}
      {"type":"refund","refundKey":"RF-2","payKey":"A-1","amount":"901.00","currencyCode":"EUR"}
      {"payKey":"A-1","recipient":"market@shop.example","subTotal":"5.00"}
      {"payKey":"P-1","recipient":"market@shop.example","subTotal":"7.50"}
      {"type":"trailer","recordCount":4,"totals":{"USD":"12.50"},"refundTotals":{"EUR":"1001"}}
      """#)
    try night(
      "three",
      #"""
      {"payKey":"RF","recipient":"market@shop.example","subTotal":"1.00"}
      {"payKey":"B-1","preapprovalKey":"PA","createdAt":"2026-11-23T10:00:00Z","sender":"ann@mail.example","recipient":"market@shop.example","subTotal":"10.00"}
      """#)
  }

  private func night(_ name: String, _ text: String) throws {
    try folder.write("\(name).jsonl", text)
    let run = try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"])
    #expect(run.exitCode <= 1, "\(run.said)")
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
  }

  /// Runs the command; without the folder's own path, which differs from test to test, and the day of entry.
  private func find(_ arguments: [String]) throws -> (exitCode: Int32, output: String, error: String) {
    let found = try folder.runApart(["find"] + arguments + ["--ledger", "ledger"])
    let real = folder.url.resolvingSymlinksInPath().path
    let output = found.output.replacing("\(real)/", with: "")
      .replacing(/20[0-9-]{8}(?=(  |","directory":")out-three)/, with: "ENTERED")
    return (found.exitCode, output, found.error.replacing("\(real)/", with: ""))
  }

  private func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  // MARK: Keys

  static let keys: [(what: String, text: String)] = [
    (
      "A-1",
      """
      run 1  2026-11-21  out-one
        SETTLED  payment A-1, CHAINED, EUR 1 000.00
          account              role           gross  passed on    fee        net
          ann@mail.example     SENDER     -1 000.00       0.00   0.00  -1 000.00
          market@shop.example  PRIMARY     1 000.00     600.00  11.95     388.05
          lamps@shop.example   SECONDARY     600.00       0.00  17.75     582.25
          account              role       refundable  refunded
          market@shop.example  PRIMARY        400.00     40.00
          lamps@shop.example   SECONDARY      600.00     60.00
          sent 1 000.00, refunded 100.00, remaining 900.00
          refund  run  amount  fees returned
          RF        2  100.00           0.00
          paid out
            market@shop.example  waits: NO_PAYOUT
            lamps@shop.example   waits: NO_PAYOUT
        REJECTED  payment A-1, USD 4.00, one.jsonl:6
          DUPLICATE_PAY_KEY at /payKey: payKey is "A-1"; an earlier payment of the batch has the same

      run 2  2026-11-22  out-two
        REFUNDED  refund RF of payment A-1, EUR 100.00
          account              role         gross  passed on   fee     net
          ann@mail.example     SENDER      100.00       0.00  0.00  100.00
          market@shop.example  PRIMARY    -100.00     -60.00  0.00  -40.00
          lamps@shop.example   SECONDARY   -60.00       0.00  0.00  -60.00
          paid out
            market@shop.example  waits: NO_PAYOUT
            lamps@shop.example   waits: NO_PAYOUT
        REJECTED  refund RF-2 of payment A-1, EUR 901.00, two.jsonl:3
          REFUND_EXCEEDS_REMAINING at /amount: amount is 901.00; there remains only 900.00
        REJECTED  payment A-1, USD 5.00, two.jsonl:4
          ALREADY_SETTLED at /payKey: payKey is "A-1"; run 1 settled a payment with the same

      """
    ),
    (
      "P-1",
      """
      run 1  2026-11-21  out-one
        PENDING  payment P-1, USD 7.50, one.jsonl:3
          STATUS_CREATED at /status: payment is not completed yet; it stays pending

      run 2  2026-11-22  out-two
        SETTLED  payment P-1, SIMPLE, USD 7.50
          account              role      gross  passed on   fee    net
          not given            SENDER    -7.50       0.00  0.00  -7.50
          market@shop.example  RECEIVER   7.50       0.00  0.52   6.98
          sent 7.50, refunded 0.00, remaining 7.50
          paid out
            market@shop.example  waits: NO_PAYOUT

      """
    ),
    (
      "H-1",
      """
      run 1  2026-11-21  out-one
        HELD  payment H-1, USD 8.25, one.jsonl:4
          STATUS_OTHER at /status: payment is neither completed nor created; it is held

      """
    ),
    (
      "R-1",
      """
      run 1  2026-11-21  out-one
        REJECTED  payment R-1, one.jsonl:5
          AMOUNT_NOT_POSITIVE at /subTotal: subTotal is "0.00"; expected a value above zero
          COUNTRY_NOT_SUPPORTED at /country: country is "QQ"; expected a two-letter country code in upper case

      """
    ),
    (
      "RF",
      """
      run 2  2026-11-22  out-two
        REFUNDED  refund RF of payment A-1, EUR 100.00
          account              role         gross  passed on   fee     net
          ann@mail.example     SENDER      100.00       0.00  0.00  100.00
          market@shop.example  PRIMARY    -100.00     -60.00  0.00  -40.00
          lamps@shop.example   SECONDARY   -60.00       0.00  0.00  -60.00
          paid out
            market@shop.example  waits: NO_PAYOUT
            lamps@shop.example   waits: NO_PAYOUT

      run 3  ENTERED  out-three
        SETTLED  payment RF, SIMPLE, USD 1.00
          account              role      gross  passed on   fee    net
          not given            SENDER    -1.00       0.00  0.00  -1.00
          market@shop.example  RECEIVER   1.00       0.00  0.33   0.67
          sent 1.00, refunded 0.00, remaining 1.00
          paid out
            market@shop.example  waits: NO_PAYOUT

      """
    ),
    (
      "RF-2",
      """
      run 2  2026-11-22  out-two
        REJECTED  refund RF-2 of payment A-1, EUR 901.00, two.jsonl:3
          REFUND_EXCEEDS_REMAINING at /amount: amount is 901.00; there remains only 900.00

      """
    ),
    (
      "PA",
      """
      run 1  2026-11-21  out-one
        AGREED  agreement PA
          CREATE, CONFIRM
          used by 1 payment: USD 30.00
          after the night: ACTIVE, sender ann@mail.example, used by 1 payment: USD 30.00
        REJECTED  payment F-2 under agreement PA, USD 90.00, one.jsonl:10
          PREAPPROVAL_TOTAL at /preapprovalKey: all payments would come to 120.00; the agreement allows only 100.00

      run 3  ENTERED  out-three
        USED  agreement PA
          used by 1 payment: USD 10.00
          after the night: ACTIVE, sender ann@mail.example, used by 2 payments: USD 40.00

      in the ledger
        agreement PA: ACTIVE, sender ann@mail.example
        used by 2 payments: USD 40.00
        records: CREATE in run 1, CONFIRM in run 1
        startingDate: 2026-11-20Z
        endingDate: 2026-12-20Z
        currencyCode: USD
        maxTotalAmountOfAllPayments: 100.00
        maxAmountPerPayment: no limit
        maxNumberOfPayments: no limit
        maxNumberOfPaymentsPerPeriod: no limit
        paymentPeriod: NO_PERIOD_SPECIFIED
        dateOfMonth: 0
        dayOfWeek: NO_DAY_SPECIFIED
        pinType: NOT_REQUIRED
        feesPayer: EACHRECEIVER

      """
    ),
  ]

  @Test("every record with a key is shown, whatever its outcome and the kind of key", arguments: keys)
  func key(what: String, text: String) throws {
    let found = try find([what])
    #expect(found.output == text)
    #expect(found.exitCode == 0 && found.error.isEmpty)
  }

  @Test("as JSON: one object a record, all with the same fields")
  func keyAsJSON() throws {
    let fields = [
      "run", "day", "directory", "directoryGone", "lookedAt", "outcome", "payKey", "refundKey", "preapprovalKey",
      "kind",
      "currency", "amount", "parties", "agreement", "file", "line", "errors", "ledger", "paidOut",
    ]
    for (what, text) in Self.keys {
      let found = try objects(find([what, "--format", "jsonl"]).output)
      let outcomes = text.matches(of: #/(?m)^  ([A-Z]+)  /#).map { String($0.1) }
      #expect(found.map { $0["outcome"] as? String } == outcomes)
      for object in found { #expect(object.keys.sorted() == fields.sorted()) }
    }
    let (_, output, _) = try find(["P-1", "--format", "jsonl"])
    #expect(
      output
        == #"{"run":1,"day":"2026-11-21","directory":"out-one","directoryGone":false,"lookedAt":true,"outcome":"PENDING","#
        + #""payKey":"P-1","refundKey":null,"preapprovalKey":null,"kind":null,"currency":"USD","amount":"7.50","#
        + #""parties":null,"agreement":null,"file":"one.jsonl","line":3,"errors":[{"code":"STATUS_CREATED","#
        + #""field":"/status","paypalErrorId":null,"message":"payment is not completed yet; it stays pending"}],"#
        + #""ledger":null,"paidOut":null}"# + "\n"
        + #"{"run":2,"day":"2026-11-22","directory":"out-two","directoryGone":false,"lookedAt":true,"outcome":"SETTLED","#
        + #""payKey":"P-1","refundKey":null,"preapprovalKey":null,"kind":"SIMPLE","currency":"USD","amount":"7.50","#
        + #""parties":[{"account":null,"role":"SENDER","gross":"-7.50","passedOn":"0.00","fee":"0.00","net":"-7.50"},"#
        + #"{"account":"market@shop.example","role":"RECEIVER","gross":"7.50","passedOn":"0.00","fee":"0.52","#
        + #""net":"6.98"}],"agreement":null,"file":null,"line":null,"errors":[],"ledger":"#
        + #"{"payKey":"P-1","run":2,"kind":"SIMPLE","currency":"USD","sender":null,"preapprovalKey":null,"#
        + #""senderAmount":"7.50","refunded":"0.00","remaining":"7.50","receivers":[{"account":"market@shop.example","#
        + #""role":"RECEIVER","refundable":"7.50","refunded":"0.00"}],"refunds":[]},"paidOut":["#
        + #"{"account":"market@shop.example","references":[],"waits":"NO_PAYOUT","carried":null}]}"# + "\n")
    let refund = try objects(find(["RF", "--format", "jsonl", "--until", "2026-11-22"]).output)[0]["ledger"]
    #expect((refund as? [String: Any])?["feesReturned"] as? String == "0.00")
    let agreement = try objects(find(["PA", "--format", "jsonl"]).output)[0]["agreement"] as? [String: Any]
    #expect(agreement?["actions"] as? [String] == ["CREATE", "CONFIRM"] && agreement?["amount"] as? String == "30.00")
    #expect((agreement?["after"] as? [String: Any])?["status"] as? String == "ACTIVE")
    let errors = try objects(find(["A-1", "--format", "jsonl"]).output)[1]["errors"] as? [[String: Any]]
    #expect(errors?.first?["paypalErrorId"] as? Int == 579042)
  }

  @Test("a key that is in no record, or has another letter case: how many nights were read")
  func nothing() throws {
    for what in ["A-2", "a-1", "OUT", "1"] {
      let found = try find([what])
      #expect(found.exitCode == 1 && found.output.isEmpty)
      #expect(found.error.hasSuffix("settle: error: nothing found: looked at 3 nights\n"))
    }
  }

  @Test("what the ledger knows is shown even if the directory is gone")
  func gone() throws {
    try remove("out-one")
    let payment = try find(["A-1"])
    #expect(payment.exitCode == 0 && payment.error == "settle: warning: looked at 2 nights; gone: run 1 (out-one)\n")
    #expect(
      payment.output.hasPrefix(
        """
        run 1  2026-11-21  out-one (gone)
          SETTLED  payment A-1, CHAINED, EUR 1 000.00
            sender ann@mail.example
            account              role       refundable  refunded
            market@shop.example  PRIMARY        400.00     40.00
            lamps@shop.example   SECONDARY      600.00     60.00
            sent 1 000.00, refunded 100.00, remaining 900.00
            refund  run  amount  fees returned
            RF        2  100.00           0.00
            paid out
              market@shop.example  waits: NO_PAYOUT
              lamps@shop.example   waits: NO_PAYOUT

        run 2  2026-11-22  out-two
          REFUNDED  refund RF of payment A-1, EUR 100.00
            account
        """), "\(payment.output)")
    let object = try objects(find(["A-1", "--format", "jsonl"]).output)[0]
    #expect(object["directoryGone"] as? Bool == true && object["lookedAt"] as? Bool == false)
    #expect(object["parties"] is NSNull && object["amount"] as? String == "1000.00")
    let agreement = try find(["PA", "--until", "2026-11-22"])
    #expect(
      agreement.output == """
        run 1  2026-11-21  out-one (gone)
          AGREED  agreement PA
            CREATE, CONFIRM
            used by 1 payment: USD 30.00

        in the ledger
          agreement PA: ACTIVE, sender ann@mail.example
          used by 2 payments: USD 40.00
          records: CREATE in run 1, CONFIRM in run 1
          startingDate: 2026-11-20Z
          endingDate: 2026-12-20Z
          currencyCode: USD
          maxTotalAmountOfAllPayments: 100.00
          maxAmountPerPayment: no limit
          maxNumberOfPayments: no limit
          maxNumberOfPaymentsPerPeriod: no limit
          paymentPeriod: NO_PERIOD_SPECIFIED
          dateOfMonth: 0
          dayOfWeek: NO_DAY_SPECIFIED
          pinType: NOT_REQUIRED
          feesPayer: EACHRECEIVER

        """)
    try remove("out-two")
    let refund = try find(["RF", "--until", "2026-11-22"])
    #expect(refund.output == "run 2  2026-11-22  out-two (gone)\n  REFUNDED  refund RF\n")
    let pending = try find(["H-1"])
    #expect(pending.exitCode == 1 && pending.output.isEmpty)
    #expect(
      pending.error.hasSuffix(
        "settle: error: nothing found: looked at 1 night; gone: run 1 (out-one), run 2 (out-two)\n"))
  }

  @Test("reports at a URI are not read, and are marked")
  func atURI() throws {
    let ledger = try Ledger(path: folder.url.appendingPathComponent("ledger").path)
    try ledger.move(.run(1), to: Array("s3://bucket/one".utf8), sums: "")
    let found = try find(["A-1", "--until", "2026-11-21"])
    #expect(found.exitCode == 0)
    #expect(
      found.output.hasPrefix("run 1  2026-11-21  s3://bucket/one (not looked at)\n  SETTLED  payment A-1, CHAINED"))
    #expect(found.error == "settle: warning: looked at 0 nights; at a URI, not looked at: run 1 (s3://bucket/one)\n")
    let object = try objects(find(["A-1", "--format", "jsonl"]).output)[0]
    #expect(object["directoryGone"] as? Bool == false && object["lookedAt"] as? Bool == false)
    let held = try find(["H-1"])
    #expect(held.exitCode == 1)
    #expect(
      held.error.hasSuffix(
        "settle: error: nothing found: looked at 2 nights; at a URI, not looked at: run 1 (s3://bucket/one)\n"))
  }

  @Test("a night whose reports cannot be read is reported, and the others are still shown")
  func unreadable() throws {
    try remove("out-one/exceptions.csv")
    let found = try find(["P-1"])
    let unread = "looked at 2 nights; could not be read: run 1 (out-one)"
    #expect(
      found.exitCode == 66
        && found.error == "settle: error: out-one/exceptions.csv: is missing\nsettle: warning: \(unread)\n")
    // The ledger knows nothing about a payment that was held.
    let held = try find(["H-1"])
    #expect(
      held.exitCode == 66 && held.output.isEmpty && held.error.hasSuffix("settle: error: nothing found: \(unread)\n"))
    let settled = try find(["A-1", "--until", "2026-11-21"])
    #expect(settled.exitCode == 66)
    #expect(
      settled.output.hasPrefix(
        "run 1  2026-11-21  out-one (could not be read)\n  SETTLED  payment A-1, CHAINED, EUR 1 000.00\n"),
      "\(settled.output)")
    #expect(settled.error.hasSuffix("settle: warning: looked at 0 nights; could not be read: run 1 (out-one)\n"))
    let object = try objects(find(["A-1", "--format", "jsonl"]).output)[0]
    #expect(object["directoryGone"] as? Bool == false && object["lookedAt"] as? Bool == false)
    #expect(found.output.hasPrefix("run 2  2026-11-22  out-two\n  SETTLED"))
    let settlement = folder.url.appendingPathComponent("out-two/settlement.csv")
    let text = try String(contentsOf: settlement, encoding: .utf8)
    try text.replacing("6.98", with: "6.9").write(to: settlement, atomically: true, encoding: .utf8)
    let changed = try find(["P-1", "--since", "2026-11-22"])
    #expect(
      changed.exitCode == 74 && changed.output.hasPrefix("run 2  2026-11-22  out-two (could not be read)\n  SETTLED"))
    #expect(changed.error.contains("out-two/settlement.csv: byte "), "\(changed.error)")
    #expect(changed.error.contains(": net: expected an amount in USD with 2 decimals\n"))
    try text.replacing("market@shop", with: "\u{1B}[2J\u{202E}market@shop").write(
      to: settlement, atomically: true, encoding: .utf8)
    let hostile = try find(["P-1", "--since", "2026-11-22"])
    #expect(hostile.exitCode == 0 && hostile.output.contains(#"\u001b[2J\u202emarket@shop.example  RECEIVER"#))
  }

  @Test(
    "only nights of some booking days; both bounds are included",
    arguments: [
      (["--since", "2026-11-21"], [1, 2, 3]), (["--since", "2026-11-22"], [2, 3]),
      (["--until", "2026-11-20"], []), (["--until", "2026-11-21"], [1]), (["--until", "2026-11-22"], [1, 2]),
      (["--since", "2026-11-22", "--until", "2026-11-22"], [2]), (["--since", "9999-12-31"], []),
    ] as [([String], [Int])])
  func days(options: [String], numbers: [Int]) throws {
    // The night without a header was entered today, which may be any day.
    let today = try #require(
      folder.run(["history", "--ledger", "ledger", "--last", "1", "--format", "jsonl"]).said
        .firstMatch(of: /"time":"(.{10})/)?.1)
    let isAmong =
      (options.firstIndex(of: "--since").map { options[$0 + 1] <= today } ?? true)
      && (options.firstIndex(of: "--until").map { today <= options[$0 + 1] } ?? true)
    let numbers = numbers.filter { $0 != 3 } + (isAmong ? [3] : [])
    let found = try find(["market@shop.example"] + options)
    #expect(found.output.matches(of: /(?m)^run (\d)/).compactMap { Int($0.1) } == numbers)
    #expect(found.exitCode == (numbers.isEmpty ? 1 : 0))
    if numbers.isEmpty { #expect(found.error.hasSuffix("settle: error: nothing found: looked at 0 nights\n")) }
  }

  // MARK: Accounts

  @Test("an account in any letter case: its rows of receivers.csv in each night, and their sums")
  func account() throws {
    let found = try find(["Market@SHOP.example"])
    #expect(found.exitCode == 0 && found.error.isEmpty)
    #expect(
      found.output == """
        run 1  2026-11-21  out-one
          currency  payments     gross  passed on    fee     net  refunds  refund net  payout
          EUR              1  1 000.00     600.00  11.95  388.05        0        0.00  388.05
          USD              1     30.00       0.00   1.17   28.83        0        0.00   28.83

        run 2  2026-11-22  out-two
          currency  payments  gross  passed on   fee   net  refunds  refund net  payout
          EUR              0   0.00       0.00  0.00  0.00        1      -40.00  -40.00
          USD              1   7.50       0.00  0.52  6.98        0        0.00    6.98

        run 3  ENTERED  out-three
          currency  payments  gross  passed on   fee    net  refunds  refund net  payout
          USD              2  11.00       0.00  0.92  10.08        0        0.00   10.08

        sum of 3 nights
          currency  payments     gross  passed on    fee     net  refunds  refund net  payout
          EUR              1  1 000.00     600.00  11.95  388.05        1      -40.00  348.05
          USD              4     48.50       0.00   2.61   45.89        0        0.00   45.89

        in the ledger
          EUR balance 348.05, since run 1
          entry  amount  balance
          run 1  388.05   388.05
          run 2  -40.00   348.05
          USD balance 45.89, since run 1
          entry  amount  balance
          run 1   28.83    28.83
          run 2    6.98    35.81
          run 3   10.08    45.89

        """)
    let other = try find(["bob@mail.example"])
    #expect(other.exitCode == 1 && other.error.hasSuffix("settle: error: nothing found: looked at 3 nights\n"))
  }

  private static let sent = """
    run 1  2026-11-21  out-one
      as sender
      currency  payments      gross   fee        net  refunds  refund net
      EUR              1  -1 000.00  0.00  -1 000.00        0        0.00
      USD              1     -30.00  0.00     -30.00        0        0.00

    run 2  2026-11-22  out-two
      as sender
      currency  payments  gross   fee   net  refunds  refund net
      EUR              0   0.00  0.00  0.00        1      100.00

    run 3  ENTERED  out-three
      as sender
      currency  payments   gross   fee     net  refunds  refund net
      USD              1  -10.00  0.00  -10.00        0        0.00

    sum of 3 nights, as sender
      currency  payments      gross   fee        net  refunds  refund net
      EUR              1  -1 000.00  0.00  -1 000.00        1      100.00
      USD              2     -40.00  0.00     -40.00        0        0.00

    """

  @Test("an account that has received nothing is looked for as a sender")
  func sender() throws {
    let found = try find(["Ann@MAIL.example"])
    #expect(found.exitCode == 0 && found.error.isEmpty)
    #expect(found.output == Self.sent)
    let first = try objects(find(["ann@mail.example", "--format", "jsonl", "--until", "2026-11-21"]).output)
    #expect(first.count == 4 && first.allSatisfy { $0["role"] as? String == "SENDER" })
    #expect(first.map { $0["run"] as? Int } == [1, 1, nil, nil])
    #expect(first[0]["gross"] as? String == "-1000.00" && first[0]["payments"] as? Int == 1)
    #expect(
      first[0].keys.sorted() == [
        "account", "currency", "day", "directory", "directoryGone", "fee", "gross", "lookedAt", "net", "payments",
        "refundNet", "refunds", "role", "run",
      ])
    let listed = try find(["ann@mail.example", "--payments", "--since", "2026-11-22", "--until", "2026-11-22"])
    #expect(
      listed.output.contains(
        """
          payment  refund  kind    role    currency   gross  passed on   fee     net
          A-1      RF      REFUND  SENDER  EUR       100.00       0.00  0.00  100.00

        """), "\(listed.output)")
  }

  @Test("an account that has received something is looked for as a sender only if that is asked for")
  func receiverAndSender() throws {
    try night(
      "four", #"{"payKey":"S-1","sender":"lamps@shop.example","recipient":"market@shop.example","subTotal":"2.00"}"#)
    #expect(try !find(["lamps@shop.example"]).output.contains("as sender"))
    let both = try find(["lamps@shop.example", "--sender"])
    #expect(both.output.contains("out-four\n  as sender\n  currency  payments  gross"), "\(both.output)")
    #expect(both.output.contains("\nsum of 2 nights\n") && both.output.contains("\nsum of 1 night, as sender\n"))
    #expect(
      both.output.hasSuffix(
        """
        USD              1  -2.00  0.00  -2.00        0        0.00

        in the ledger
          EUR balance 522.25, since run 1
          entry  amount  balance
          run 1  582.25   582.25
          run 2  -60.00   522.25

        """), "\(both.output)")
    #expect(try find(["ann@mail.example", "--sender"]).output == Self.sent)
  }

  @Test("as JSON: an object for each row, and for each sum one without a run")
  func accountAsJSON() throws {
    let (_, output, _) = try find(["lamps@shop.example", "--format", "jsonl"])
    let figures = #""account":"lamps@shop.example","currency":"EUR","payments":"#
    #expect(
      output
        == #"{"run":1,"day":"2026-11-21","directory":"out-one","directoryGone":false,"lookedAt":true,\#(figures)1,"#
        + #""gross":"600.00","passedOn":"0.00","fee":"17.75","net":"582.25","refunds":0,"refundNet":"0.00","#
        + #""payout":"582.25"}"# + "\n"
        + #"{"run":2,"day":"2026-11-22","directory":"out-two","directoryGone":false,"lookedAt":true,\#(figures)0,"#
        + #""gross":"0.00","passedOn":"0.00","fee":"0.00","net":"0.00","refunds":1,"refundNet":"-60.00","#
        + #""payout":"-60.00"}"# + "\n"
        + #"{"run":null,"day":null,"directory":null,"directoryGone":null,"lookedAt":null,\#(figures)1,"#
        + #""gross":"600.00","passedOn":"0.00","fee":"17.75","net":"582.25","refunds":1,"refundNet":"-60.00","#
        + #""payout":"522.25"}"# + "\n"
        + #"{"account":"lamps@shop.example","balances":[{"currency":"EUR","balance":"522.25","since":1,"#
        + #""refused":null,"entries":["#
        + #"{"kind":"run","number":1,"amount":"582.25","balance":"582.25"},"#
        + #"{"kind":"run","number":2,"amount":"-60.00","balance":"522.25"}]}]}"# + "\n")
    let bounded = try find(["lamps@shop.example", "--format", "jsonl", "--until", "2026-11-22"]).output
    #expect(bounded.split(separator: "\n") == output.split(separator: "\n").dropLast())
  }

  @Test("the account's payments and refunds are listed if that is asked for")
  func payments() throws {
    let found = try find(["market@shop.example", "--payments", "--until", "2026-11-22"])
    #expect(
      found.output.contains(
        """

          USD              1     30.00       0.00   1.17   28.83        0        0.00   28.83
          payment  refund  kind     role      currency     gross  passed on    fee     net
          A-1              CHAINED  PRIMARY   EUR       1 000.00     600.00  11.95  388.05
          F-1              SIMPLE   RECEIVER  USD          30.00       0.00   1.17   28.83

        """), "\(found.output)")
    #expect(
      found.output.contains("\n  A-1      RF      REFUND  PRIMARY   EUR       -100.00     -60.00  0.00  -40.00\n"))
    let listed = try objects(find(["lamps@shop.example", "--payments", "--format", "jsonl"]).output)
      .filter { $0["payKey"] != nil }
    #expect(listed.map { $0["refundKey"] as? String } == [nil, "RF"])
    #expect(listed.map { $0["net"] as? String } == ["582.25", "-60.00"])
  }

  @Test("reports in parts are searched like others")
  func parts() throws {
    let payments = (1...9).map { number in
      #"{"payKey":"Q-\#(number)","recipient":"q\#(number % 4)@x.example","subTotal":"\#(number == 8 ? 0 : number)"}"#
    }
    let refund = #"{"type":"refund","refundKey":"RQ","payKey":"Q-5","amount":"2.00","currencyCode":"USD"}"#
    try folder.write("four.jsonl", (payments + [refund]).joined(separator: "\n"))
    for step in [
      ["plan", "four.jsonl", "--work", "work", "--shards", "4", "--ledger", "ledger"], ["hash", "0", "--work", "work"],
    ] {
      #expect(try folder.run(["shard"] + step).exitCode == 0)
    }
    for shard in 0..<4 { #expect(try folder.run(["shard", "run", "\(shard)", "--work", "work"]).exitCode == 0) }
    let merged = try folder.run(["merge", "work", "--output", "out-four", "--layout", "parts"])
    #expect(merged.exitCode == 1 && merged.said.contains("as run 4."), "\(merged.said)")
    let parts = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appendingPathComponent("out-four/settlement").path)
    #expect(parts.count > 4)
    #expect(try folder.run(["verify", "out-four"]).exitCode == 0)
    // What a late attempt wrote, under a name that the manifest does not have, counts nowhere.
    let late = "out-four/settlement/part-00099.csv"
    try folder.write(late, "Q-1,PAYMENT,RECEIVER,late@x.example,USD,1.00,0.00,0.00,1.00,\n")
    let verified = try folder.run(["verify", "out-four"])
    #expect(verified.exitCode != 0 && verified.said.contains("settlement/part-00099.csv"), "\(verified.said)")
    #expect(!verified.said.contains("receivers.csv") && !verified.said.contains("SHA256SUMS"), "\(verified.said)")
    for number in 1...9 {
      let (exitCode, output, error) = try find(["Q-\(number)"])
      #expect(exitCode == 0 && error.isEmpty)
      #expect(output.contains("\n  \(number == 8 ? "REJECTED" : "SETTLED")  payment Q-\(number)"), "\(output)")
      #expect(output.contains("  q\(number % 4)@x.example  RECEIVER") == (number != 8), "\(output)")
      #expect(output.contains("\n  REFUNDED  refund RQ of payment Q-5, USD 2.00\n") == (number == 5))
    }
    for (account, keys) in [("q0", ["Q-4"]), ("q1", ["Q-1", "Q-5", "Q-9", "Q-5"]), ("q3", ["Q-3", "Q-7"])] {
      let found = try objects(find(["\(account)@x.example", "--payments", "--format", "jsonl"]).output)
      #expect(found.compactMap { $0["payKey"] as? String } == keys)
      #expect(found.first?["payments"] as? Int == Set(keys).count)
    }
  }

  @Test(
    "options and arguments that are wrong",
    arguments: [
      ["no key"], [""], ["a@b"], ["+49"], ["K", "--since", "2026-02-30"], ["K", "--until", "today"],
      ["K", "--since", "2026-11-22", "--until", "2026-11-21"], ["K", "--payments"], ["K", "--sender"],
      ["a@x.example", "--ledger-only", "--payments"], ["a@x.example", "--ledger-only", "--sender"],
      ["a@x.example", "--ledger-only", "--since", "2026-11-22"],
      ["a@x.example", "--ledger-only", "--until", "2026-11-22"],
      ["K", "--format", "csv"],
    ])
  func wrong(arguments: [String]) throws {
    #expect(try find(arguments).exitCode == 64)
  }

  @Test("a ledger that is not there, or is not a ledger")
  func noLedger() throws {
    #expect(try folder.run(["find", "K", "--ledger", "none"]).exitCode == 66)
    #expect(try folder.run(["find", "K", "--ledger", "one.jsonl"]).exitCode == 78)
    #expect(try folder.run(["find", "K"]).exitCode == 64)
  }
}
