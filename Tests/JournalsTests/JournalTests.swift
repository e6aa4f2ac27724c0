import BatchRun
import ExactArithmetic
import Foundation
import Journals
import Rules
import Testing
import TestSupport

@Suite("Journals of batches")
struct JournalTests {
  /// One of each: shapes, currencies, a missing sender, a net of zero, times of all kinds, amounts of all sizes,
  /// payments that are not settled, and refunds.
  static let lines = [
    #"{"type":"header","batchId":"B-1","createdAt":"2026-11-20T23:30:00-01:00"}"#,
    #"{"payKey":"S-1","feePayer":"FEEPAYER_SENDER","sender":"Payer@Example.ORG","recipient":"SHOP@example.com","subTotal":"100"}"#,
    #"{"payKey":"C-1","paymentCurrency":"EUR","createdAt":"2026-11-20T08:00:00Z","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":[{"recipient":"first@b.example","subtotal":"100","isPrimary":true},{"recipient":"second@b.example","subtotal":"60.5"}]}"#,
    #"{"payKey":"P-1","paymentCurrency":"JPY","createdAt":"0987-06-05T00:00:00Z","receiverPaymentDetails":[{"recipient":"+14029352050","subtotal":1000},{"recipient":"b@c.example","subtotal":5}]}"#,
    #"{"payKey":"Z-1","sender":"+4915112345678","recipient":"zero!#$%&'*+/=?^_{|}~-@example.com","subTotal":"0.30"}"#,
    #"{"payKey":"Z-2","createdAt":"9999-12-31T23:59:59Z","recipient":"shop@example.com","subTotal":"7"}"#,
    #"{"payKey":"L-1","sender":"payer@example.org","receiverPaymentDetails":[{"recipient":"shop@example.com","subtotal":"1234567890123456789012345678901234567890.12"},{"recipient":"b@c.example","subtotal":"999999999999999999.99"}]}"#,
    #"{"payKey":"L-2","paymentCurrency":"JPY","sender":"payer@example.org","recipient":"b@c.example","subTotal":"1e18"}"#,
    #"{"payKey":"Q-1","status":"STATUS_CREATED","recipient":"pending@example.com","subTotal":"5"}"#,
    #"{"payKey":"S-1","sender":"repeated@example.org","recipient":"repeated@example.com","subTotal":"5"}"#,
    #"{"type":"refund","refundKey":"R-1","payKey":"S-1"}"#,
    #"{"type":"refund","refundKey":"R-2","payKey":"C-1","createdAt":"2026-11-22T00:00:00Z","receivers":[{"recipient":"first@b.example","amount":"30.05"}],"currencyCode":"EUR"}"#,
    #"{"type":"refund","refundKey":"R-3","payKey":"L-1","amount":"1234567890123456789012345678901234567890.00","currencyCode":"USD"}"#,
    #"{"type":"refund","refundKey":"R-4","payKey":"L-2"}"#,
    #"{"type":"refund","refundKey":"R-5","payKey":"Q-1"}"#,
    #"{"type":"trailer","recordCount":14,"totals":{"USD":"1234567890123456789012345678901234567890.12"}}"#,
  ]
  static let batch = lines.joined(separator: "\n")
  static let warns = WrittenJournal.options(enforcesControlTotals: false)

  @Test("match the golden files; SETTLE_RECORD=1 rewrites them", arguments: JournalFormat.allCases)
  func golden(format: JournalFormat) throws {
    let journal = try WrittenJournal(Self.batch, format, date: nil, options: Self.warns)
    #expect(journal.failure == nil)
    #expect(journal.result?.exitCode == 1)
    let complaint = try Golden().complaint(Array(journal.text.utf8), name: "journal.\(format.rawValue)")
    #expect(complaint == nil)
  }

  @Test("a fee may be wide if no receiver gets anything")
  func wideFee() throws {
    let json = String(decoding: FeeSchedule.published.text, as: UTF8.self).replacing("0.029", with: "1")
    let rules = SettlementRules(schedule: try FeeSchedule(json: Array(json.utf8)))
    let journal = try WrittenJournal(
      #"{"payKey":"P","recipient":"a@b.example","subTotal":"2e18"}"#, .beancount,
      options: RunOptions(rules: rules, threads: 1))
    #expect(journal.text.contains("  Assets:Senders:Unknown  2 USD.E18\n  Income:Fees  -2 USD.E18\n"))
  }

  @Test("named fees have accounts of their own, in the order of bytes, and then VAT")
  func namedFees() throws {
    let json = #"""
      {"rounding":"HALF_UP","crossBorder":"0","plans":{"m":{"fees":[
        {"name":"sale-fee","rate":"0.10","vat":"0.20","refunds":"RETURN"},{"name":"b","rate":"0.01","vat":"0.20"},
        {"name":"a","rate":"0.02"}]}},"default":"m","personal":{"BALANCE":"m","BANK":"m","CARD":"m"},"subTypes":{},
        "accounts":{},"fixed":{}}
      """#
    let options = RunOptions(rules: SettlementRules(schedule: try FeeSchedule(json: Array(json.utf8))), threads: 1)
    let batch = #"""
      {"payKey":"P","receiverPaymentDetails":[{"recipient":"x@b.example","subtotal":"100"},{"recipient":"y@b.example","subtotal":"10"}]}
      {"type":"refund","refundKey":"R","payKey":"P","amount":"55.00","currencyCode":"USD"}
      {"payKey":"W","recipient":"x@b.example","subTotal":"1e19"}
      """#
    let hledger = try WrittenJournal(batch, .hledger, options: options).text
    #expect(
      hledger.contains(
        """
            income:fees:a  -2.20 USD
            income:fees:b  -1.10 USD
            income:fees:sale-fee  -11.00 USD
            liabilities:vat  -2.42 USD

        """), "\(hledger)")
    #expect(hledger.contains("    income:fees:sale-fee  5.50 USD\n    liabilities:vat  1.10 USD\n"), "\(hledger)")
    for format in JournalFormat.allCases {
      let text = try WrittenJournal(batch, format, options: options).text
      let journal = try ReadJournal(text)
      #expect(journal.balances == journal.assertions.filter { !$0.value.isZero }, "\(text)")
      #expect(
        journal.accounts.prefix(4).map { $0.lowercased() } == ["a", "b", "sale-fee"].map { "income:fees:\($0)" } + [
          "liabilities:vat"
        ])
      if format == .beancount { #expect(text.contains("open Income:Fees:Sale-fee\n") && text.contains("USD.E18")) }
    }
  }

  @Test("names and VAT of zero have no posting")
  func zeros() throws {
    let json = #"""
      {"rounding":"HALF_UP","crossBorder":"0","plans":{"m":{"fees":[{"name":"a","rate":"1","vat":"1"}]},"n":{"fees":[
        {"name":"b","rate":"0.10"}]}},"default":"m","personal":{"BALANCE":"n","BANK":"n","CARD":"n"},"subTypes":{},
        "accounts":{"y@b.example":"n"},"fixed":{}}
      """#
    let options = RunOptions(rules: SettlementRules(schedule: try FeeSchedule(json: Array(json.utf8))), threads: 1)
    // Of one cent, VAT is half, rounded up, and nothing is left for the fee.
    let batch = #"""
      {"payKey":"P","recipient":"x@b.example","subTotal":"0.01"}
      {"payKey":"Q","recipient":"y@b.example","subTotal":"1.00"}
      """#
    let text = try WrittenJournal(batch, .hledger, options: options).text
    #expect(text.contains("    liabilities:vat  -0.01 USD\n"), "\(text)")
    #expect(text.contains("    income:fees:b  -0.10 USD\n"), "\(text)")
    #expect(!text.contains("  0.00 USD\n"), "\(text)")
  }

  static let batches = [
    batch, "", #"{"payKey":"R-1","recipient":"a@b.example","subTotal":"0"}"#,
    String(decoding: MixedBatch.bytes(records: 400, seed: 1), as: UTF8.self),
    String(decoding: MixedBatch.bytes(records: 900, seed: 2), as: UTF8.self),
  ]

  @Test(
    "every transaction and every balance, added up by an independent reader", arguments: JournalFormat.allCases,
    batches.indices)
  func addsUp(format: JournalFormat, number: Int) throws {
    let batch = Self.batches[number]
    let written = try WrittenJournal(batch, format, options: Self.warns)
    let result = try #require(written.result)
    let journal = try ReadJournal(written.text)
    #expect(journal.transactions.count == result.totals[.settled] + result.totals[.refunded])
    for transaction in journal.transactions {
      var sums: [String: ExactDecimal] = [:]
      for posting in transaction.postings {
        #expect(!posting.amount.isZero, "\(transaction.description)")
        let (isSender, isRefund) = (
          posting.account.lowercased().contains("senders:"), transaction.description.hasPrefix("refund ")
        )
        // The party that gets all fees back may get more from a refund than it gives.
        #expect(posting.amount.isNegative == (isSender == isRefund) || isRefund && !isSender)
        sums[posting.commodity, default: .zero].add(posting.amount)
      }
      #expect(transaction.postings.count >= 2 && sums.values.allSatisfy(\.isZero), "\(transaction.description)")
    }
    // Everything posted is declared once and asserted; any other asserted balance is zero.
    let balances = journal.balances
    #expect(Set(journal.accounts).count == journal.accounts.count)
    #expect(Set(journal.commodities).count == journal.commodities.count)
    for balance in journal.assertions.keys {
      let words = balance.split(separator: " ").map(String.init)
      #expect(journal.accounts.contains(words[0]) && journal.commodities.contains(words[1]), "\(balance)")
    }
    for balance in Set(balances.keys).union(journal.assertions.keys) {
      #expect(journal.assertions[balance] != nil, "\(balance) is not asserted")
      #expect(journal.assertions[balance] == balances[balance] ?? .zero, "\(balance)")
    }
    let days = journal.transactions.map(\.day)
    if let last = days.max() {
      #expect(journal.assertionDays.count == 1)
      let day = try #require(journal.assertionDays.first)
      #expect(format == .beancount ? day > last : day == last)
    }
    // In beancount each account of an address has it.
    let named = journal.accounts.filter { $0.split(separator: ":").count == 3 && !$0.hasSuffix(":Unknown") }
      .map { "\"\(ReadJournal.unescaped(String($0.split(separator: ":")[2])))\"" }
    #expect(journal.addresses == (format == .beancount ? named : []))
    try holdsReceivers(journal, batch)
  }

  private func holdsReceivers(_ journal: ReadJournal, _ batch: String) throws {
    // The trailer of one of them does not agree with it; a run would stop there.
    let lines = batch.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(#""type":"header""#) && !$0.contains(#""type":"trailer""#) }
    let nets = try WrittenJournal.receivers(lines.joined(separator: "\n"))
    let receivers = journal.receivers
    for receiver in Set(nets.keys).union(receivers.keys) {
      #expect(.zero - (receivers[receiver] ?? .zero) == nets[receiver], "\(receiver)")
    }
  }

  @Test("the same bytes whatever the threads and the chunks", arguments: JournalFormat.allCases)
  func sameBytes(format: JournalFormat) throws {
    let batch = Self.batches[4]
    let alone = try WrittenJournal(batch, format)
    for (threads, length) in [(2, 1 << 20), (1, 700), (3, 1500), (5, 64)] {
      let other = try WrittenJournal(
        batch, format, options: WrittenJournal.options(threads: threads, plainChunkLength: length))
      #expect(Golden.firstDifference(of: Array(other.text.utf8), from: Array(alone.text.utf8)) == nil)
    }
  }

  @Test("payments without a day", arguments: JournalFormat.allCases)
  func withoutDay(format: JournalFormat) throws {
    let batch = Self.lines[2] + "\n" + Self.lines[1]
    let journal = try WrittenJournal(batch, format, date: nil)
    guard let failure = journal.failure, failure.kind == .usage else {
      Issue.record("no failure, or another: \(String(describing: journal.failure))")
      return
    }
    #expect(failure.message.hasPrefix("payment S-1 has no createdAt"))
    #expect(journal.text.isEmpty)
    let refund = #"{"type":"refund","refundKey":"R","payKey":"C-1"}"#
    guard let other = try WrittenJournal(Self.lines[2] + "\n" + refund, format, date: nil).failure,
      other.kind == .usage
    else {
      Issue.record("no failure, or another")
      return
    }
    #expect(other.message.hasPrefix("refund R of C-1 has no createdAt"))
    #expect(try WrittenJournal(Self.lines[2], format, date: nil).failure == nil)
  }

  @Test("the settlement day is the one given, then the header's")
  func settlementDay() throws {
    func days(_ date: String?) throws -> [String] {
      let journal = try WrittenJournal(Self.batch, .hledger, date: date, options: Self.warns)
      return try ReadJournal(journal.text).transactions.prefix(3).map(\.day)
    }
    #expect(try days(nil) == ["2026-11-21", "2026-11-20", "0987-06-05"])
    #expect(try days("2020-02-29") == ["2020-02-29", "2026-11-20", "0987-06-05"])
  }

  @Test("nothing is written for a batch that turns out to be bad")
  func badBatch() throws {
    let journal = try WrittenJournal(Self.batch, .ledger)
    guard case .batch(let error) = journal.failure?.kind else {
      Issue.record("no failure, or another: \(String(describing: journal.failure))")
      return
    }
    #expect(error.code == .controlTotalMismatch)
    #expect(journal.text.isEmpty)
  }
}
