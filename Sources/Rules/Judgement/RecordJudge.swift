import Input
import Records

/// What a line of the batch is.
public enum RecordClass: Sendable {
  /// A payment, or a record that is rejected for its structure.
  case record
  /// The batch's header.
  case header
  /// The batch's trailer.
  case trailer
  /// A record with more parts than this judge takes (`RecordJudge.init`); nothing is known of it.
  case tooWide
}

/// Judges one record after the other: checks, amounts, fees, outcome (`rules.md`).
///
/// No I/O, no threads, no memory of earlier records. An ordinary record costs no allocation.
public struct RecordJudge: ~Copyable {
  /// What decides what records become.
  public let rules: SettlementRules
  /// The judgement of the last record.
  public internal(set) var judgement: Judgement
  var receivers: ReceiverCheck
  var fees: FeeAssessment
  private var profileLine = ProfileLine()

  /// A judge of records by one set of rules.
  ///
  /// - Parameters:
  ///   - listsNotices: whether notices are listed one by one, not only counted.
  ///   - widthLimit: the most receivers, items and so on of a record, as `RecordScanner` takes it.
  public init(rules: SettlementRules = SettlementRules(), listsNotices: Bool = false, widthLimit: Int = .max) {
    self.rules = rules
    judgement = Judgement(rules, listsNotices: listsNotices, widthLimit: widthLimit)
    receivers = ReceiverCheck(strictItems: rules.strictItems)
    fees = FeeAssessment(rules.schedule)
  }

  /// Judges a line of at most 1,048,576 bytes; a header or trailer is only recognised.
  ///
  /// - Parameter line: the line, with what `RecordScanner.scan` asks for after it; it stays readable while the
  ///   judgement is used.
  public mutating func judge(_ line: UnsafePointer<UInt8>, count: Int) -> RecordClass {
    judgement.reset()
    let (read, isTypeKnown) = judgement.record.read(line, count: count)
    var form = read
    let hasDuplicateField = judgement.record.scanner.hasDuplicateField
    if form == .object, judgement.record.type == .payment, !judgement.record.top(.splitProfile).isAbsent {
      form = profileLine.take(rules.profiles, into: &judgement.record, count: count)
    }
    switch form {
    case .tooWide: return .tooWide
    case .invalidUTF8: judgement.record.reject(.invalidUTF8, at: .record)
    case .malformed: judgement.record.reject(.malformedJSON, at: .record)
    case .notAnObject: judgement.record.reject(.notAnObject, at: .record)
    case .object:
      switch judgement.record.type {
      case .header: return .header
      case .trailer: return .trailer
      case _ where hasDuplicateField: judgement.record.reject(.duplicateField, at: .record)
      case _ where !isTypeKnown:
        judgement.record.reject(.unknownRecordType, at: .record, evidence: judgement.record.top(.type).slice)
      case .payment: checkPayment()
      case .refund:
        RefundCheck.check(&judgement)
        judgement.conclude(.refunded)
      case .preapproval:
        PreapprovalCheck.check(&judgement)
        judgement.conclude(.agreed)
      }
    }
    return .record
  }

  /// Judges a line that is over the limit, whatever it holds.
  public mutating func judgeTooLong() {
    judgement.reset()
    judgement.record.reject(.recordTooLong, at: .record)
  }

  /// Turns the judgement into that of a record whose claims are refused; nothing changes if there is no refusal.
  ///
  /// Fees are not assessed if a pay key is refused: what they found is taken back. Traps if another claim is refused of
  /// a record that has errors, as only records without errors make such claims.
  public mutating func refuse(_ refusals: [ClaimRefusal]) {
    if refusals.isEmpty { return }
    if refusals.contains(where: { $0.reason.target == .key }) {
      judgement.record.findings.forgetFees()
    } else {
      precondition(judgement.findings.isEmpty, "a record with errors claims nothing but its own key")
    }
    judgement.outcome = .rejected
    for refusal in refusals {
      var evidence = refusal.run > 0 ? JSONSlice(.number, start: refusal.run, length: 0) : .absent
      if let (found, expected) = refusal.figures { evidence = judgement.record.findings.keep(found, expected) }
      judgement.record.findings.insert(Finding(refusal.reason, at: refusal.path, evidence: evidence))
    }
  }
}
