import Digests
import Failures
import Foundation
import JSON
import Documents
import Publication
import Testing
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import Payouts

/// Changed directories of payouts, with `SHA256SUMS` adjusted.
@Suite("settle verify of a payout")
struct PayoutVerificationTests {
  private let workshop: PayoutWorkshop

  private static let secrets = ["DE89370400440532013000", "FR1420041010050500013M02606", "123456789012", "98765432101"]

  /// Two nights and payouts: the second has payments by both methods, a return, a debt and a balance without a payee.
  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      """
      \(PayoutWorkshop.payeesHeader)
      anna@x.example,EUR,Anna,IBAN,FR1420041010050500013M02606,,,,,,
      bert@x.example,EUR,Bert & Co,IBAN,GB29NWBK60161331926819,NWBKGB2L,,,,,
      cora@x.example,EUR,Cora,IBAN,BR1800360305000010009795493C1,ABCDBRSP,,,,,
      dave@x.example,USD,Dave,ACH,,,011000015,123456789012,CHECKING,PERSON,
      erin@x.example,USD,Erin,ACH,,,121000248,98765432101,SAVINGS,COMPANY,
      hank@x.example,EUR,Hank,IBAN,DE89370400440532013000,,,,,,

      """, to: "payees.csv")
    try workshop.write(
      #"""
      {"EUR":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000","maximum":2}},
       "USD":{"ACH":{"name":"Pay Inc","company":"1123456789","odfi":"021000021","destination":"021000021",
                     "destinationName":"First Bank","origin":"123456789"}}}
      """#, to: "debtor.json")
    try workshop.write("reference,reason\nP1-1,AC04\n", to: "returned.csv")
    try workshop.write(
      "key,account,currency,amount,reason\nA-2,frank@x.example,EUR,-1,fee\nA-1,frank@x.example,EUR,1.00,undone\n",
      to: "adjustments.csv")
    let accounts = ["anna", "bert", "cora", "frank"]
    try workshop.settle(
      [
        PayoutWorkshop.payment("A", "dave@x.example", "USD", 700),
        PayoutWorkshop.payment("B", "gus@x.example", "JPY", 5),
        PayoutWorkshop.payment("C", "hank@x.example", "EUR", 500),
      ], night: 1)
    #expect(try pay(1, returned: false) == "made 1, exit 1")
    try workshop.settle(
      accounts.enumerated().map { PayoutWorkshop.payment("K\($0)", "\($1)@x.example", "EUR", 1000 + $0) }
        + ["dave", "erin"].map { PayoutWorkshop.payment("L-\($0)", "\($0)@x.example", "USD", 2500) }
        + [PayoutWorkshop.refund("R", of: "C")], night: 2)
    #expect(try pay(2, returned: true) == "made 2, exit 1")
  }

  private func pay(_ number: Int, returned: Bool) throws -> String {
    try workshop.pay(number) { options in
      options.debtor = workshop.path("debtor.json")
      options.returned = returned ? [workshop.path("returned.csv")] : []
      options.adjustments = returned ? [workshop.path("adjustments.csv")] : []
      options.date = "2026-11-2\(number)"
    }.description
  }

  /// Verifies the second payout; its findings as text.
  private func verify(ledger: Bool = false, inputs: Bool = false) throws -> [String] {
    let verdict = try PayoutVerification.verify(
      workshop.path("payout-2"), ledger: ledger || inputs ? workshop.path("ledger") : nil,
      inputs: inputs
        ? PayoutVerification.Inputs(
          payees: workshop.path("payees.csv"), returned: [workshop.path("returned.csv")],
          adjustments: [workshop.path("adjustments.csv")], debtor: workshop.path("debtor.json")) : nil)
    #expect(verdict.count >= verdict.findings.count)
    return verdict.findings.map(\.text)
  }

  private func mend() throws {
    var digests: [String: String] = [:]
    for (name, bytes) in try workshop.files("payout-2") where name != ReportKind.sums {
      digests[name] = SHA256.digest(of: bytes).hexadecimal
    }
    try workshop.write(DigestList.text(digests), to: "payout-2/SHA256SUMS")
  }

  @Test("what a payout published verifies, by itself, with the ledger, and made again")
  func good() throws {
    #expect(try verify() == [])
    #expect(try verify(ledger: true) == [])
    #expect(try verify(inputs: true) == [])
    let first = try PayoutVerification.verify(workshop.path("payout-1"), ledger: workshop.path("ledger"))
    #expect(first.findings.map(\.text) == [])
    #expect(first.payments == 2 && first.carried == 1 && first.files == 2)
    // Files of another day have the same modifier.
    for number in 1...2 { #expect(try Array(workshop.text("payout-\(number)/nacha-USD-0001.ach").utf8)[33] == 0x41) }
  }

  /// A change that the files themselves reveal, and where.
  static let changes: [(file: String, from: String, to: String, finding: String)] = [
    ("payouts.csv", "P2-2", "P2-9", "payouts.csv:3: reference"),
    ("payouts.csv", "10.00", "10.01", "payouts.json: totals.EUR.paid"),
    ("payouts.csv", "10.00", "-10.00", "payouts.csv:2: amount"),
    ("payouts.csv", "10.00", "1000000000.00", "payouts.csv:2: amount"),
    ("payouts.csv", "anna@", "zara@", "payouts.csv:3: account"),
    ("payouts.csv", "anna@", "Anna@", "payouts.csv:2: account"),
    ("payouts.csv", "2606", "2607", "payouts.csv:2: ending"),
    ("payouts.csv", "pain001-EUR-0002", "pain001-EUR-0001", "pain001-EUR-0001.xml: expected P2-3"),
    ("payouts.csv", "pain001-EUR-0002", "nacha-USD-0001", "payouts.csv:4: file"),
    ("payouts.csv", "nacha-USD-0001", "pain001-EUR-0002", "payouts.csv:5: file"),
    ("payouts.csv", "pain001-EUR-0002.xml", "nacha-USD-0001.ach", "payouts.csv:4: file"),
    ("payouts.csv", "nacha-USD-0001.ach", "pain001-EUR-0002.xml", "payouts.csv:5: file"),
    ("payouts.csv", "pain001-EUR-0001", "pain001-EUR-0002", "payouts.csv:3: file"),
    ("payouts.csv", "erin@x.example", "dave@x.example", "carried.csv:2"),
    ("carried.csv", "NO_PAYEE", "OWES", "carried.csv:3: reason"),
    ("carried.csv", "NO_PAYEE", "BELOW_MINIMUM", "carried.csv:3: reason"),
    ("carried.csv", "RETURNED", "NO_DEBTOR", "payouts.json: reasons.NO_DEBTOR"),
    ("carried.csv", "NO_PAYEE", "ON_HOLD", "payouts.json: reasons.NO_PAYEE"),
    ("carried.csv", "RETURNED,2", "RETURNED,3", "carried.csv:2: since"),
    ("carried.csv", "-5.00", "-6.00", "payouts.json: totals.EUR.owing"),
    ("carried.csv", "10.03", "10.030", "carried.csv:3: balance"),
    ("returned.csv", "7.00", "8.00", "payouts.json: totals.USD.returned"),
    ("returned.csv", "P1-1", "P1-01", "returned.csv:2: reference"),
    ("adjusted.csv", "A-1", "A-3", "adjusted.csv:3: key"),
    ("adjusted.csv", "frank@", "Frank@", "adjusted.csv:2: account"),
    ("adjusted.csv", "1.00", "1.0", "adjusted.csv:2: amount"),
    ("adjusted.csv", "undone", "un done", "adjusted.csv:2: reason"),
    ("payouts.json", #""adjusted":"0.00""#, #""adjusted":"1.00""#, "payouts.json: totals.EUR.closing"),
    ("payouts.json", #""settled":"35.06""#, #""settled":"36.06""#, "payouts.json: totals.EUR.closing"),
    ("payouts.json", #""executionDate":"2026-11-25""#, #""executionDate":"2026-11-26""#, "nacha-USD-0001.ach:2"),
    ("payouts.json", #""minimum":{"#, #""minimum":{"EUR":"10.01""#, "payouts.csv:2: amount"),
    ("payouts.json", #""number":2"#, #""number":3"#, "payouts.csv:2: reference"),
    ("payouts.json", #""name":"settle""#, #""name":"other""#, "payouts.json: engine.name"),
    ("pain001-EUR-0001.xml", ">10.00<", ">11.00<", "pain001-EUR-0001.xml:5"),
    ("pain001-EUR-0001.xml", "20.01<", "20.02<", "pain001-EUR-0001.xml:3"),
    ("pain001-EUR-0001.xml", "P2-2", "P2-4", "pain001-EUR-0001.xml:6"),
    ("pain001-EUR-0001.xml", "FR14", "FR15", "pain001-EUR-0001.xml:5"),
    ("pain001-EUR-0001.xml", "SLEV", "SHAR", "pain001-EUR-0001.xml:4"),
    ("pain001-EUR-0001.xml", "Bert + Co", "Bert  Co", "pain001-EUR-0001.xml:6"),
    ("pain001-EUR-0001.xml", "NWBKGB2L", "NWBKGB2", "pain001-EUR-0001.xml:6"),
    ("nacha-USD-0001.ach", "0000002500", "0000002501", "nacha-USD-0001.ach:3"),
    ("nacha-USD-0001.ach", "98765432101", "98765432102", "payouts.csv:5: ending"),
    ("nacha-USD-0001.ach", "632121000248", "632121000249", "nacha-USD-0001.ach:3"),
    ("nacha-USD-0001.ach", "0012100024", "0012100025", "nacha-USD-0001.ach:4"),
  ]

  @Test(
    "a change is found through the other files, and through the ledger, and shows no bank account", arguments: changes)
  func changed(file: String, from: String, to: String, finding: String) throws {
    let text = try workshop.text("payout-2/\(file)")
    #expect(text.contains(from), "\(file) has \(from)")
    let range = try #require(text.range(of: from))
    try workshop.write(text.replacingCharacters(in: range, with: to), to: "payout-2/\(file)")
    let broken = try verify()
    #expect(broken.contains { $0.hasPrefix("SHA256SUMS:") }, "\(broken)")
    try mend()
    let found = try verify()
    #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
    let byLedger = try verify(ledger: true)
    #expect(byLedger.contains { $0.hasSuffix("what the ledger has of payout 2") || $0.hasSuffix("has no such payout") })
    let all = broken + found + byLedger + (try verify(inputs: true))
    for secret in Self.secrets { #expect(!all.contains { $0.contains(secret.dropLast(2)) }, "\(all)") }
  }

  @Test("what the files cannot show, the ledger or making the payout again does")
  func onlyTheLedger() throws {
    var text = try workshop.text("payout-2/carried.csv")
    try workshop.write(text.replacing("10.03", with: "10.04"), to: "payout-2/carried.csv")
    try mend()
    #expect(
      try verify(ledger: true).contains(
        "carried.csv:3: balance is 10.04; expected 10.03: the balance that the ledger has"))
    // Rows that are left out, in between and at the end.
    for row in ["frank@x.example,EUR,10.03,NO_PAYEE,2\n", "hank@x.example,EUR,-5.00,OWES,2\n"] {
      #expect(text.contains(row))
      try workshop.write(text.replacing(row, with: ""), to: "payout-2/carried.csv")
      try mend()
      let words = "EUR \(row.split(separator: ",")[2]): the ledger has this balance, but there is no row for it"
      #expect(try verify(ledger: true).contains { $0.hasSuffix(words) })
    }
    try workshop.write(text.replacing(",NO_PAYEE,2", with: ",NO_PAYEE,1"), to: "payout-2/carried.csv")
    try mend()
    #expect(try verify() == [])
    #expect(try verify(ledger: true).first == "carried.csv:3: since is 1; expected 2: the run that the ledger has")
    // Another valid bank account.
    text = try workshop.text("payout-2/pain001-EUR-0001.xml")
    try workshop.write(
      text.replacing("FR1420041010050500013M02606", with: "FR7630006000011234567890189"),
      to: "payout-2/pain001-EUR-0001.xml")
    text = try workshop.text("payout-2/payouts.csv")
    try workshop.write(text.replacing(",2606,", with: ",0189,"), to: "payout-2/payouts.csv")
    try mend()
    #expect(try verify() == [])
    let again = try verify(inputs: true)
    #expect(again.contains("payouts.csv:2: ending is 0189; expected 2606: what making the payout again gives"))
    #expect(
      again.contains("pain001-EUR-0001.xml:5: differs from what making the payout again gives"), "\(again)")
  }

  @Test("other input files than the payout's are the first finding, and their errors end nothing")
  func otherInputs() throws {
    let words =
      "is not the one of payout 2, which may explain all that follows; verify with the file that it was made from"
    let payees = try workshop.text("payees.csv")
    try workshop.write(
      payees.replacing("FR1420041010050500013M02606", with: "FR7630006000011234567890189"), to: "payees.csv")
    let found = try verify(inputs: true)
    #expect(found.first == "the payees file \(words)")
    #expect(found.contains("pain001-EUR-0001.xml:5: differs from what making the payout again gives"), "\(found)")
    #expect(!found.contains { $0.contains("is wrong") })
    try workshop.write("x", to: "payees.csv")
    #expect(try verify(inputs: true) == ["the payees file \(words)"])
    try workshop.write(payees, to: "payees.csv")
    // A payout takes back payments of earlier ones only.
    for reference in ["P9-1", "P2-1"] {
      try workshop.write("reference,reason\n\(reference),AC04\n", to: "returned.csv")
      #expect(try verify(inputs: true) == ["the file of returned payments \(words)"])
    }
    try workshop.write(workshop.text("debtor.json").replacing("Pay GmbH", with: "Pay AG"), to: "debtor.json")
    #expect(
      try verify(inputs: true) == ["the file of returned payments \(words)", "the debtor file \(words)"])
  }

  @Test("missing and extra files are findings; so is any content")
  func files() throws {
    for name in try workshop.files("payout-2").keys.sorted() {
      let bytes = try workshop.folder.bytes(of: "payout-2/\(name)")
      try FileManager.default.removeItem(atPath: workshop.path("payout-2/\(name)"))
      #expect(try verify().contains("\(name): is missing"), "\(name)")
      for count in [0, 1, bytes.count / 2, bytes.count - 1] {
        try workshop.folder.write(Array(bytes.prefix(count)), to: "payout-2/\(name)")
        #expect(try verify() != [], "\(name) \(count)")
        #expect(try verify(inputs: true) != [], "\(name) \(count)")
      }
      try workshop.folder.write(bytes, to: "payout-2/\(name)")
    }
    try workshop.write("", to: "payout-2/pain001-EUR-0003.xml")
    #expect(try verify().contains { $0.hasPrefix("a file is pain001-EUR-0003.xml") })
  }

  @Test(
    "a byte of a bank file that is not ASCII is a finding", arguments: ["nacha-USD-0001.ach", "pain001-EUR-0001.xml"])
  func foreignBytes(name: String) throws {
    let bytes = try workshop.folder.bytes(of: "payout-2/\(name)")
    // The lines of a NACHA file before its control records.
    for place in name.hasSuffix("ach") ? Array(0..<285) : Array(stride(from: 0, to: bytes.count, by: 5)) {
      for byte in [UInt8(0xC3), 0xFF] where bytes[place] != 0x0A {
        var changed = bytes
        changed[place] = byte
        try workshop.folder.write(changed, to: "payout-2/\(name)")
        try mend()
        #expect(try verify() != [], "byte \(place)")
      }
    }
  }

  @Test(
    "a date that is not a day is a finding", arguments: ["date", "executionDate"], ["2026-11-231", "2026-13-01", ""])
  func notADay(name: String, date: String) throws {
    let summary = try workshop.text("payout-2/payouts.json")
      .replacing(try Regex("\"\(name)\":\"[^\"]*\""), with: "\"\(name)\":\"\(date)\"")
    try workshop.write(summary, to: "payout-2/payouts.json")
    try mend()
    #expect(try verify().contains { $0.contains("does not describe a payout") })
  }

  @Test("more money than a NACHA file has room for is a finding")
  func tooMuchMoney() throws {
    let tree = try JSONTree(parsing: workshop.folder.bytes(of: "payout-2/payouts.json"))
    let summary = try PayoutSummary(reading: JSONNode(tree))
    let file = try #require(summary.files.first { $0.method == .ach })
    for (count, isTooMuch) in [(100, false), (101, true)] {
      let log = FindingLog()
      let payments = (1...count).map { BankFileAudit.Payment(number: $0, amount: 9_999_999_999, ending: 0) }
      let audit = BankFileAudit(summary, file, payments, log)
      try audit.read(try #require(try ReportFolder(path: workshop.path("payout-2")).open(file.name, log)))
      #expect(log.findings.contains { $0.text.contains("more money, than such a file") } == isTooMuch)
    }
  }

  @Test("a directory of an earlier version verifies, and is adopted, as one without adjustments")
  func earlierForm() throws {
    try FileManager.default.removeItem(atPath: workshop.path("payout-2/adjusted.csv"))
    let summary = try workshop.text("payout-2/payouts.json")
      .replacing(#/"adjustments":\{[^}]*\},/#, with: "").replacing(#""adjusted":"0.00","#, with: "")
      .replacing(#""adjusted":"0","#, with: "")
    #expect(!summary.contains("adjust"))
    try workshop.write(summary, to: "payout-2/payouts.json")
    try mend()
    #expect(try verify() == [])
    for night in 1...2 {
      let records = try workshop.text("batch-\(night)").split(separator: "\n").map(String.init)
      try workshop.settle(records, night: night, ledger: "again", adopt: true)
      _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
        if night == 1 {
          var word = LedgerAdoption.Options(ledger: workshop.path("again"))
          word.lastPayout = 2
          _ = try LedgerAdoption.adopt(word, note: { _ in })
        }
        return try PayoutAdoption.adopt(
          workshop.path("payout-\(night)"), ledger: workshop.path("again"), note: { _ in })
      }
    }
    let verdict = try PayoutVerification.verify(workshop.path("payout-2"), ledger: workshop.path("again"))
    #expect(verdict.findings.map(\.text) == [])
    #expect(try LedgerUpkeep.verify(workshop.path("again")).findings == [])
  }

  @Test("random bytes never end the verification")
  func random() throws {
    var generator = SeededGenerator()
    let files = try workshop.files("payout-2").filter { $0.key != ReportKind.sums }
    for _ in 0..<120 {
      let (name, bytes) = files.randomElement(using: &generator)!
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: changed.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: changed.remove(at: place)
        default: changed.insert(Array(",\n\"0123456789<>&-. ".utf8).randomElement(using: &generator)!, at: place)
        }
      }
      guard changed != bytes else { continue }
      try workshop.folder.write(changed, to: "payout-2/\(name)")
      try mend()
      #expect(try verify(ledger: true) != [], "\(name) \(generator.reproduction)")
      try workshop.folder.write(bytes, to: "payout-2/\(name)")
    }
  }
}
