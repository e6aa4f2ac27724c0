import Foundation
import Testing

/// Balances, statements and journals over two nights and a payout between them, and what waits.
@Suite("Accounts over nights, as users ask about them")
struct AccountCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try night(
      "one",
      #"""
      {"type":"header","batchId":"one","createdAt":"2025-10-30T20:00:00Z"}
      {"payKey":"A","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"100.00"}
      {"payKey":"B","paymentCurrency":"EUR","recipient":"nobody","subTotal":"7.00"}
      {"payKey":"C","paymentCurrency":"USD","recipient":"free@x.example","subTotal":"0.30"}
      {"type":"trailer","recordCount":3,"totals":{"EUR":"107.00","USD":"0.30"}}
      """#)
    try folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      anna@x.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,,
      """)
    #expect(
      try folder.run([
        "payout", "--ledger", "ledger", "--payees", "payees.csv", "--date", "2025-10-31", "--output", "paid",
      ]).exitCode <= 1)
    try night(
      "two",
      #"""
      {"type":"header","batchId":"two","createdAt":"2025-11-01T20:00:00Z"}
      {"type":"refund","refundKey":"R","payKey":"A"}
      {"payKey":"D","paymentCurrency":"EUR","recipient":"bert@x.example","subTotal":"20.00"}
      {"payKey":"not a key","paymentCurrency":"EUR","recipient":"bert@x.example","subTotal":"1.00"}
      {"type":"trailer","recordCount":3,"totals":{"EUR":"21.00"}}
      """#)
  }

  private func night(_ name: String, _ text: String) throws {
    try folder.write("\(name).jsonl", text)
    let run = try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"])
    #expect(run.exitCode <= 1, "\(run.said)")
  }

  private func ask(_ words: String, ledger: String = "ledger") throws -> (
    exitCode: Int32, output: String, error: String
  ) {
    let told = try folder.runApart(words.split(separator: " ").map(String.init) + ["--ledger", ledger])
    let real = folder.url.resolvingSymlinksInPath().path
    return (told.exitCode, told.output, told.error.replacing("\(real)/", with: ""))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  private static let november = "--since 2025-11-01 --until 2025-11-30"

  @Test("balances for people")
  func balances() throws {
    let told = try ask("balances")
    #expect(
      told.output == """
        account              balance  since
        anna@x.example  EUR  -100.00      2
        bert@x.example  EUR    19.07      2

        currency  above zero    sum  below zero      sum
        EUR                1  19.07           1  -100.00

        """, "\(told)")
    #expect(try ask("balances --until 2025-10-31").output == "All balances are zero.\n")
    #expect(try ask("balances --until 2025-10-30 --format csv").output.contains("anna@x.example,EUR,96.75,1\n"))
  }

  @Test("what waits for people; directories that are gone are named")
  func waiting() throws {
    let told = try ask("waiting")
    #expect(told.exitCode == 0)
    #expect(
      told.output == """
        run  day         key  outcome   code                 amount
        1    2025-10-30  B    REJECTED  INVALID_RECIPIENT  7.00 EUR

        outcome   records
        REJECTED        1

        currency  records  amount
        EUR             1    7.00

        """, "\(told)")
    #expect(told.error.contains("1 record without a valid key (1 row) cannot be matched"), "\(told.error)")
    #expect(try ask("waiting --since 2025-11-01").output.contains("two.jsonl:4"))
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out-one"))
    let gone = try ask("waiting")
    #expect(gone.exitCode == 0 && gone.output == "Nothing waits.\n", "\(gone)")
    #expect(gone.error.contains("run 1: out-one is gone, and left out"), "\(gone.error)")
  }

  @Test(
    "options are checked first",
    arguments: [
      ("statement --all-accounts --format csv --output o", "Give a batch, or a period"),
      ("statement one.jsonl --all-accounts --format csv --output o \(november)", "leave out --since and --until"),
      ("statement --all-accounts --format csv --output o --since 2025-11-01", "needs both"),
      ("statement --all-accounts --format stl --output o \(november)", "csv or html"),
      ("statement --all-accounts --format csv --output o \(november) --date 2025-11-01", "--date is for a batch"),
      ("statement --all-accounts --format csv --output o \(november) --strict-items", "for a batch"),
      ("statement --all-accounts --format csv --output o \(november) --control-totals warn", "for a batch"),
      ("statement --all-accounts --format html --locale xx_XX --output o \(november)", "de_DE"),
      ("statement one.jsonl --all-accounts --format csv --output o --no-nights", "--no-nights is for a period"),
      ("statement one.jsonl --all-accounts --format csv --output o --rows nights", "--rows is for a period"),
      (
        "statement --all-accounts --format csv --output o \(november) --rows payments --no-nights",
        "leave out --no-nights"
      ),
      ("statement --payout 1 --all-accounts --format csv --output o", "leave out the batch"),
      ("statement one.jsonl --payout 1 --format csv --output o", "leave out the batch"),
      ("statement --payout 1 --format csv --output o \(november)", "leave out the batch"),
      ("statement --payout 1 --format csv --output o --date 2025-11-01", "leave out the batch"),
      ("statement --payout 1 --format csv --output o --strict-items", "for a batch"),
      ("statement --payout 1 --format stl --output o", "csv or html"),
      ("statement --payout 1 --format html --output o.csv", "one CSV file"),
      ("statement --payout 1 --format csv --output o --no-nights --rows payments", "leave out --no-nights"),
      ("statement --payout 01 --format csv --output o", "neither the number of a payout"),
      ("statement --payout 2 --format csv --output o", "has no payout 2"),
      ("statement --payout P1-2 --format csv --output o", "has no payment P1-2: it has 1"),
      ("find A --payments", "the reference of a payout's payment"),
      ("find P1-1 --payments --ledger-only", "--ledger-only"),
      ("statement --account ghost@x.example --format csv --output o \(november)", "knows no account"),
      ("journal --format hledger --output o --since 2025-11-02 --until 2025-11-01", "before --since"),
      ("journal --format hledger --output o --since 1999-12-31 --until 2025-11-01", "from 2000-01-01"),
      ("journal one.jsonl --format hledger --output o --book-since 2025-10-01", "--book-since is for a period"),
      ("journal --format hledger --output o \(november) --book-since 2025-11-02", "after --since 2025-11-01"),
      ("balances --until 2100-01-01", "2099-12-31"), ("balances --until 2025-02-29", "2025-02-29"),
      ("waiting --since 2025-11-02 --until 2025-11-01", "before --since"),
    ])
  func usage(words: String, message: String) throws {
    let told = try ask(words)
    #expect(told.exitCode == 64 && told.error.contains(message), "\(told)")
    #expect(try !folder.names().contains("o"))
  }

  @Test("the payments of a night come from its settlement.csv, which must be the one that the ledger knows")
  func payments() throws {
    let october = "statement --since 2025-10-01 --until 2025-10-31 --format csv --rows payments --account"
    let anna =
      "currency,day,kind,number,reference,reason,payments,gross,passed_on,fee,net,refunds,refund_net,amount,balance,"
      + "pay_key,refund_key,role,counterparty\nEUR,2025-10-01,OPENING,,,,,,,,,,,,0.00,,,,\n"
      + "EUR,2025-10-30,PAYMENT,1,,,,100.00,0.00,3.25,96.75,,,96.75,96.75,A,,RECEIVER,\n"
      + "EUR,2025-10-31,PAID,1,P1-1,,,,,,,,,-96.75,0.00,,,,\nEUR,2025-10-31,CLOSING,,,,,,,,,,,,0.00,,,,\n"
    #expect(try ask("\(october) anna@x.example --output o").exitCode == 0)
    #expect(try text("o/1.csv") == anna)
    #expect(try ask("statement --payout 1 --format csv --output o.csv").exitCode == 0)
    #expect(try text("o.csv").split(separator: "\n").count == 5)
    let report = try text("out-one/settlement.csv")
    for (place, changed) in [
      nil, report.replacing("3.25,96.75", with: "3.26,96.74"), report.replacing("\nA,", with: "\nB,"),
    ]
    .enumerated() {
      if let changed {
        try folder.write("out-one/settlement.csv", changed)
      } else {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out-one/settlement.csv"))
      }
      for question in [
        "\(october) anna@x.example", "statement --payout 1 --format csv", "statement --payout P1-1 --format csv",
      ] {
        let told = try ask("\(question) --output o-\(place)")
        #expect(told.exitCode == 74 && told.error.contains("run 1: out-one"), "\(told)")
        #expect(told.error.contains("settlement.csv"), "\(told)")
      }
      // bert has no row in this night.
      #expect(try ask("\(october) bert@x.example --output bert-\(place)").exitCode == 0)
    }
    let told = try ask("find P1-1 --payments")
    #expect(told.exitCode == 0, "the amounts are still those of the ledger")
  }

  @Test("a period needs a ledger, and a ledger must be one")
  func ledgers() throws {
    let words = "statement --all-accounts --format csv --output o \(Self.november)".split(separator: " ").map(
      String.init)
    let none = try folder.run(words)
    #expect(none.exitCode == 64 && none.said.contains("--ledger"), "\(none)")
    for question in ["balances", "waiting", "statement --all-accounts --format csv --output o \(Self.november)"] {
      #expect(try ask(question, ledger: "gone").exitCode == 66)
      #expect(try ask(question, ledger: "one.jsonl").exitCode == 74)
    }
  }

  @Test("a period without entries says when there are some")
  func empty() throws {
    let told = try ask("statement --all-accounts --format csv --output o --since 2001-01-01 --until 2001-12-31")
    #expect(told.exitCode == 0 && told.error.contains("booked from 2025-10-30 to 2025-11-01"), "\(told)")
    #expect(try text("o/accounts.csv") == "number,account,file\n")
  }

  @Test("an account that was only given zero is known, and has its row")
  func zero() throws {
    #expect(
      try ask("statement --account free@x.example --format csv --output o --since 2025-10-01 --until 2025-10-31")
        .exitCode == 0)
    #expect(
      try text("o/1.csv").hasSuffix(
        "USD,2025-10-30,RUN,1,,,1,0.30,0.00,0.30,0.00,0,0.00,0.00,0.00\nUSD,2025-10-31,CLOSING,,,,,,,,,,,,0.00\n"))
    // In November it has no row.
    #expect(try ask("statement --account free@x.example --format csv --output p \(Self.november)").exitCode == 0)
    #expect(try text("p/1.csv").split(separator: "\n").count == 1)
  }

  @Test(
    "a night that is gone or changed ends statements and journals, and the message says what to do",
    arguments: ["gone", "receivers.csv", "SHA256SUMS", "totals.csv"])
  func nights(how: String) throws {
    let night = folder.url.appendingPathComponent("out-two")
    if how == "gone" {
      try FileManager.default.removeItem(at: night)
    } else {
      let file = night.appendingPathComponent(how)
      // Same length, another digit.
      let changed = try text("out-two/\(how)").replacing("19.07", with: "19.08").replacing(
        "receivers", with: "receivrrs")
      try changed.write(to: file, atomically: true, encoding: .utf8)
    }
    let questions =
      (how == "totals.csv" ? [] : ["statement --all-accounts --format csv --output o"])
      + ["journal --format hledger --output o"]
    for question in questions {
      let told = try ask("\(question) \(Self.november)")
      #expect(told.exitCode == 74 && told.error.contains("run 2: out-two"), "\(told)")
      #expect(told.error.contains("settle run two.jsonl --ledger ledger --output DIR --republish"), "\(told.error)")
      #expect(try !folder.names().contains("o"))
    }
    // Without the figures of nights nothing is read.
    let told = try ask("statement --all-accounts --format csv --output o --no-nights \(Self.november)")
    #expect(told.exitCode == 0, "\(told)")
    #expect(try text("o/2.csv").contains("EUR,2025-11-01,RUN,2,,,,,,,,,,19.07,19.07\n"))
  }

  @Test("a book that goes on reads only the totals of nights before")
  func bookGoesOn() throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out-one/receivers.csv"))
    let question = "journal --format hledger \(Self.november) --book-since 2025-10-01 --output"
    #expect(try ask("\(question) o").exitCode == 0)
    let journal = try text("o")
    #expect(journal.contains("\naccount liabilities:receivers:bert@x.example\n"))
    #expect(!journal.contains("account liabilities:receivers:anna@x.example"))
    #expect(!journal.contains("account income:fees") && !journal.contains("commodity EUR"))
    #expect(journal.contains("liabilities:receivers:anna@x.example  0.00 EUR = 100.00 EUR"))
    let totals = folder.url.appendingPathComponent("out-one/totals.csv")
    try (text("out-one/totals.csv") + "\n").write(to: totals, atomically: true, encoding: .utf8)
    let told = try ask("\(question) p")
    #expect(told.exitCode == 74 && told.error.contains("run 1: out-one/totals.csv"), "\(told)")
  }

  @Test("a page shows the payee of the payees file, in the payee's language")
  func payeesOfPages() throws {
    let header =
      "account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold,street,building,postcode,town,country"
    try folder.write(
      "pages.csv",
      """
      \(header),language
      bert@x.example,JPY,,,,,,,,,yes,,,,,,fr_FR
      Bert@x.example,EUR,Bert & Söhne,IBAN,DE65300600100532013001,,,,,,,Weg,7,50667,Köln,de,de_DE
      anna@x.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,,,,,,,,
      """)
    let question = "statement --account bert@x.example anna@x.example free@x.example --format html \(Self.november)"
    let told = try ask("\(question) --locale nl_NL --payees pages.csv --output o")
    #expect(told.exitCode == 0, "\(told.error)")
    #expect(
      try text("o/1.html").contains(
        """
        <h1>Abrechnung</h1>
        <dl><dt>Konto</dt><dd><bdi>bert@x.example</bdi> <bdi>Bert + Sohne</bdi><br><bdi>Weg 7</bdi><br><bdi>50667 Koln</bdi>\
        <br><bdi>DE</bdi></dd>
        <dt>Zeitraum</dt><dd>01.11.2025 – 30.11.2025</dd></dl>
        """))
    #expect(
      try text("o/2.html").contains(
        "<h1>Afschrift</h1>\n<dl><dt>Rekening</dt><dd><bdi>anna@x.example</bdi> <bdi>Anna</bdi></dd>"))
    #expect(try text("o/3.html").contains("<dd><bdi>free@x.example</bdi></dd>"))
    try folder.write("wrong.csv", "\(header),language\nbert@x.example,EUR,,,,,,,,,yes,,,,,,de\n")
    let refused = try ask("\(question) --payees wrong.csv --output p")
    #expect(refused.exitCode == 78)
    #expect(
      refused.error.contains("wrong.csv:2: error: INVALID_VALUE at language: expected nothing, or one of es_AR, "))
    #expect(
      try ask("statement --all-accounts --format csv --output p --payees pages.csv \(Self.november)").exitCode == 64)
    #expect(try ask("\(question) --payees none.csv --output p").exitCode == 66)
  }

  @Test("an archive has the same files, dated by the last day")
  func archive() throws {
    let question = "statement --account BERT@x.example anna@x.example --format html --locale de_DE \(Self.november)"
    #expect(try ask("\(question) --output o").exitCode == 0)
    #expect(try ask("\(question) --output o.tar").exitCode == 0)
    let archive = try Data(contentsOf: folder.url.appendingPathComponent("o.tar"))
    let page = try Data(contentsOf: folder.url.appendingPathComponent("o/1.html"))
    #expect(archive.range(of: page) != nil)
    #expect(try text("o/1.html").contains("<dd>01.11.2025 – 30.11.2025</dd>"))
    #expect(try text("o/accounts.csv") == "number,account,file\n1,bert@x.example,1.html\n2,anna@x.example,2.html\n")
  }
}
