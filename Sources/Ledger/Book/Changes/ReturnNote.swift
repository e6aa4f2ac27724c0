import Failures

/// The note of a payment that came back.
public struct ReturnNote: ChangeNote {
  public static let list = ListKind.returns
  public static let keySaysAmount = true

  public let reference: PaymentReference
  public let reason: String

  public var key: PaymentReference { reference }

  /// A payment that came back.
  public init(reference: PaymentReference, reason: String) { (self.reference, self.reason) = (reference, reason) }

  public init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    guard bytes.count > PaymentReference.length else { throw AccountBlock.damaged }
    reference = PaymentReference(bytes: bytes)
    reason = String(decoding: bytes.dropFirst(PaymentReference.length), as: UTF8.self)
  }

  public var bytes: [UInt8] { reference.bytes + reason.utf8 }
}
