import Input
import Postings
import Documents
import Rules
import Text

/// Rows of `settlement.csv`, from settled payments.
final class SettlementRows: PreparedStage {
  private let judged: JudgedPayments
  private var text = TextBuffer(capacity: 1 << 20)
  private var receivers = 0

  init(payments: Int) throws {
    judged = try JudgedPayments(payments: payments) { $0 == .settled }
  }

  var payments: Int { judged.payments }
  var bytes: Int { judged.bytes }

  func run() throws {
    receivers = 0
    for _ in 0..<judged.rounds {
      text.removeAll()
      for place in 0..<judged.count {
        Self.append(judged.judges[place], to: &text)
        receivers += judged.judges[place].judgement.receiverCount
      }
    }
  }

  private static func append(_ judge: borrowing RecordJudge, to text: inout TextBuffer) {
    SettlementReport.append(judge.judgement.entry, to: &text)
  }

  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    hash.add(receivers)
    text.withSpan { hash.add($0) }
    return hash.value
  }
}

/// Rows of `fees.csv`, from settled payments with three named fees for each receiver.
final class FeeRows: PreparedStage {
  private let judged: JudgedPayments
  private var text = TextBuffer(capacity: 1 << 20)

  init(payments: Int) throws {
    judged = try JudgedPayments(payments: payments, rules: NamedFees.rules()) { $0 == .settled }
  }

  var payments: Int { judged.payments }
  var bytes: Int { judged.bytes }

  func run() throws {
    for _ in 0..<judged.rounds {
      text.removeAll()
      for place in 0..<judged.count { FeesReport.append(judged.judges[place].judgement, to: &text) }
    }
  }

  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    text.withSpan { hash.add($0) }
    return hash.value
  }
}

/// Rows of `exceptions.csv`, including messages, from payments that each have an error.
final class ExceptionRows: PreparedStage {
  private let judged: JudgedPayments
  private var text = TextBuffer(capacity: 1 << 20)
  private var message = TextBuffer(capacity: 1024)

  init(payments: Int) throws {
    judged = try JudgedPayments(payments: payments, defectsPerMillion: 1_000_000) { $0 == .rejected }
  }

  var payments: Int { judged.payments }
  var bytes: Int { judged.bytes }

  func run() throws {
    for _ in 0..<judged.rounds {
      text.removeAll()
      for place in 0..<judged.count {
        for index in judged.judges[place].judgement.findings.indices {
          let finding = judged.judges[place].judgement.findings[index]
          ExceptionsReport.append(finding, of: judged.judges[place].judgement, message: &message, to: &text)
        }
      }
    }
  }

  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    text.withSpan { hash.add($0) }
    return hash.value
  }
}
