import Input

/// What a line of the batch is.
public enum RecordClass: Sendable {
  /// A payment, a refund, a preapproval, or a record that is rejected for its structure.
  case record
  /// The batch's header.
  case header
  /// The batch's trailer.
  case trailer
  /// A record with more parts than this judge accepts (`RecordJudge.init`); nothing else is known about it.
  case tooWide
}

/// Judges records one by one: checks, amounts, fees, outcome (`rules.md`).
///
/// It does no I/O, uses no threads and remembers no earlier records. An ordinary record costs no allocation.
public struct RecordJudge: ~Copyable {
  /// The tables and options that decide what records become.
  public let rules: SettlementRules
  /// The judgement of the last record.
  public internal(set) var judgement: Judgement
  var receivers: ReceiverCheck
  var fees: FeeAssessment
  private var profileLine = ProfileLine()

  /// Makes a judge that applies `rules`.
  ///
  /// - Parameters:
  ///   - listsNotices: whether notices are listed individually, not only counted.
  ///   - widthLimit: the maximum of receivers, of items and so on in a record, as `RecordScanner` takes it.
  ///   - showsNames: whether fees are listed by name; always with a schedule that has named fees.
  public init(
    rules: SettlementRules = SettlementRules(), listsNotices: Bool = false, widthLimit: Int = .max,
    showsNames: Bool = false
  ) {
    self.rules = rules
    let showsNames = showsNames || rules.schedule.hasNames
    judgement = Judgement(rules, showsNames: showsNames, listsNotices: listsNotices, widthLimit: widthLimit)
    receivers = ReceiverCheck(strictItems: rules.strictItems)
    fees = FeeAssessment(rules.schedule, showsNames: showsNames)
  }

  /// Judges a line of at most 1,048,576 bytes; a header or trailer is only recognized.
  ///
  /// - Parameter placement: whether the line is copied, or stays where it is while the judgement is used.
  public mutating func judge(_ line: Span<UInt8>, _ placement: LinePlacement = .copied) -> RecordClass {
    judgement.reset()
    let (read, isTypeKnown) = judgement.record.read(line, placement)
    var form = read
    let hasDuplicateField = judgement.record.scanner.hasDuplicateField
    if form == .object, judgement.record.type == .payment, !judgement.record.top(.splitProfile).isAbsent {
      form = profileLine.expand(rules.profiles, into: &judgement.record)
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

  /// Judges a line that is over the limit, whatever it contains.
  public mutating func judgeTooLong() {
    judgement.reset()
    judgement.record.reject(.recordTooLong, at: .record)
  }

  /// Applies the refusals of a record's claims to its judgement; nothing changes if there are none.
  ///
  /// If a pay key is refused, no fees are assessed: the findings of fee assessment are removed. Traps if another claim
  /// of a record with errors is refused, because only records without errors make such claims.
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
