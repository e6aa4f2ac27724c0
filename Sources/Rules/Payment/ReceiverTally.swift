import ExactArithmetic
import Records

/// Facts about all receivers of a payment, collected while they are read one by one: there may be many thousands.
struct ReceiverTally {
  /// The sum of the valid receivers' gross.
  var gross = ExactDecimal.zero
  var allGrossValid = true
  var primaryCount = 0
  var primaryGross = ExactDecimal.zero
  var primaryGrossValid = false
  /// Whether every element is an object with a valid `isPrimary`.
  var areTold = true
  var firstType: PaymentType?
  var typesDiffer = false
  /// Whether some receivers are personal and others are not.
  var personalsDiffer = false
  var allTypesValid = true
  /// The `paymentType` of the first personal receiver.
  var firstPersonal: FieldPath?

  /// Adds an element about which nothing is known.
  mutating func addUnknown() {
    areTold = false
    allGrossValid = false
    allTypesValid = false
  }

  /// Adds a receiver's gross, if it is known.
  @inline(__always)
  mutating func addGross(of receiver: inout ReceiverFigures, _ receiverGross: ExactDecimal) {
    if receiver.isPrimary { primaryCount += 1 }
    guard receiver.areAmountsKnown else {
      allGrossValid = false
      return
    }
    gross.add(receiverGross)
    if receiver.isPrimary, primaryCount == 1 {
      primaryGross.set(receiverGross)
      primaryGrossValid = true
    }
  }

  /// Adds a receiver's type; nil if it is not valid.
  @inline(__always)
  mutating func addType(_ type: PaymentType?, at path: FieldPath) {
    guard let type else {
      allTypesValid = false
      return
    }
    if let firstType {
      if firstType != type {
        typesDiffer = true
        if firstType == .personal || type == .personal { personalsDiffer = true }
      }
    } else {
      firstType = type
    }
    if type == .personal, firstPersonal == nil { firstPersonal = path }
  }

  /// The kind of a payment with `count` receivers, or nil, which is reported.
  @inline(__always)
  func kind(of count: Int, _ record: inout RecordReader) -> PaymentKind? {
    let isSeveral = (2...PaymentKind.maximumReceivers).contains(count)
    switch primaryCount {
    case 0 where count == 1: return .simple
    case 0 where isSeveral: return .parallel
    case 1 where isSeveral: return .chained
    case 0, 1: record.reject(.receiverCount, at: .top(.receiverPaymentDetails), count: count)
    default: record.reject(.multiplePrimary, at: .top(.receiverPaymentDetails), count: primaryCount)
    }
    return nil
  }
}
