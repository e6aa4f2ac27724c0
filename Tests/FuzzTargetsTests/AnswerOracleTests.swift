import Foundation
import Testing

@testable import FuzzTargets

/// The oracle of answers must find a file that does not say what comes back.
@Suite("What the oracle of answers finds")
struct AnswerOracleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let target: FuzzTarget
    let input, format, reference: String
    let amount: (text: String, currency: String)
    /// Changes after which the file says something else.
    let changes: [(old: String, new: String)]
    var testDescription: String { "\(target.rawValue)/\(input)" }
  }

  private static let camt = [
    ("50.00", "50.01"), ("EUR", "CHF"), ("P1-2", "P1-1"), ("CRDT", "DBIT"), ("BOOK", "PDNG"), ("TxDtls", "Other"),
    ("<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>", ""),
  ]

  static let cases = [
    Case(
      target: .documents, input: "statement", format: "CAMT053", reference: "P1-2", amount: ("50.00", "EUR"),
      changes: camt),
    Case(
      target: .documents, input: "batch-entry", format: "CAMT053", reference: "P1-2", amount: ("50.00", "EUR"),
      changes: camt),
    Case(
      target: .documents, input: "refused", format: "PAIN002", reference: "P1-2", amount: ("50.00", "EUR"),
      changes: [("RJCT", "ACSC"), ("-P1-EUR", "-P2-EUR"), ("P1-2", "P1-1"), ("TxInfAndSts", "Other")]),
    Case(
      target: .documents, input: "amount-given", format: "PAIN002", reference: "P1-1", amount: ("100.00", "EUR"),
      changes: [("100.00", "100.01"), (#""EUR""#, #""CHF""#), ("CANC", "ACSC"), ("RJCT", "ACSC")]),
    Case(
      target: .nacha, input: "loose", format: "NACHA", reference: "P1-4", amount: ("30.00", "USD"),
      changes: [("0000003000", "0000003001"), ("P1-4", "P1-1"), ("799", "798"), ("621", "626")]),
    Case(
      target: .nacha, input: "no-ends", format: "NACHA", reference: "P1-4", amount: ("30.00", "USD"),
      changes: [("0000003000", "0000000300"), ("P1-4", "P2-4"), ("799", "705"), ("621", "627")]),
    Case(
      target: .lists, input: "plain", format: "CSV", reference: "P1-1", amount: ("100.00", "EUR"),
      changes: [("P1-1", "P1-2")]),
  ]

  @Test("A return that the file states, and every other one", arguments: cases)
  func finds(_ example: Case) throws {
    let input = try #require(Corpus.inputs(of: example.target).first { $0.name == example.input })
    let text = String(decoding: input.bytes, as: UTF8.self)
    var fields = [String](repeating: "", count: 13)
    (fields[0], fields[4]) = (example.reference, example.format)
    let payment = AnswerLedger.Payment(account: "", currency: example.amount.currency, amount: example.amount.text)
    func states(_ text: String) throws -> Bool {
      try AnswerOracle(Array(text.utf8)).states(AnswerRow(fields), payment)
    }
    #expect(try states(text))
    for (old, new) in example.changes where text.contains(old) {
      #expect(try !states(text.replacing(old, with: new)), "\(new) for \(old)")
    }
    #expect(example.changes.contains { text.contains($0.old) })
  }

  @Test(
    "Amounts are compared by their values",
    arguments: [("50", "50.00", true), ("050.0", "50.00", true), ("5.00", "50.00", false), ("50,00", "50.00", false)])
  func amounts(_ left: String, _ right: String, _ areEqual: Bool) {
    #expect(PlainAmount.areEqual(left, right) == areEqual)
  }
}
