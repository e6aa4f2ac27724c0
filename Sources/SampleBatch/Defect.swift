/// A defect of a record: one case for each error code of the rules, in the order of their tables.
enum Defect: CaseIterable {
  case recordTooLong, invalidUTF8, malformedJSON, notAnObject, duplicateField, unknownRecordType
  case missingField, wrongType, invalidValue, invalidRecipient
  case decimalSyntax, negativeAmount, amountNotPositive, amountPrecision
  case currencyNotSupported, countryNotSupported, currencyInCountryOnly
  case paymentShape, receiverCount, multiplePrimary, receiversNotUnique, senderIsReceiver
  case paymentTypeMixed, personalNotAllowed, subTypeNotAllowed
  case itemTotalMismatch, invoiceSubtotalMismatch, chainExceedsPrimary, feePayerNotAllowed, feesExceedAmount
  case duplicatePayKey

  /// Whether it makes the whole record unreadable.
  var isStructural: Bool {
    switch self {
    case .recordTooLong, .invalidUTF8, .malformedJSON, .notAnObject, .duplicateField, .unknownRecordType: true
    default: false
    }
  }
}

/// Decides which payments of a batch have a defect, and which.
struct DefectPlan {
  /// The defect of one payment.
  ///
  /// Payments with the same defect differ in `variant`, counted from 0.
  struct Assignment {
    let defect: Defect
    let variant: Int
  }

  private let perMillion: Int

  /// Spreads defects evenly at the given rate. If that is above 0 but would leave out a code, the lowest rate that
  /// leaves out none is used; a batch with fewer payments than codes keeps its rate.
  init(_ options: SampleBatchOptions) {
    let kinds = Defect.allCases.count
    let payments = options.payments
    let least = options.defectsPerMillion > 0 && payments >= kinds ? (kinds * 1_000_000 + payments - 1) / payments : 0
    perMillion = max(Int(options.defectsPerMillion), least)
  }

  /// The number of defective payments among the first `payments`.
  func count(before payments: Int) -> Int { payments * perMillion / 1_000_000 }

  /// The defect of payment `index`, from 0; nil if it has none.
  func assignment(of index: Int) -> Assignment? {
    let number = count(before: index)
    return count(before: index + 1) > number ? DefectPlan.assignment(number: number) : nil
  }

  /// The defect of the defective payment `number`, from 0.
  static func assignment(number: Int) -> Assignment {
    let kinds = Defect.allCases
    let (variant, place) = number.quotientAndRemainder(dividingBy: kinds.count)
    // A record over the limit has more than 1 MiB, so one per batch is enough.
    let defect = variant > 0 && kinds[place] == .recordTooLong ? .malformedJSON : kinds[place]
    return Assignment(defect: defect, variant: variant)
  }
}
