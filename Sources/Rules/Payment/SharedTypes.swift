import Records

/// The types at the top level of a payment with several receivers: the values of every receiver that has none of its
/// own (`batch.md`, "Payment").
struct SharedTypes {
  /// Whether the payment has any; if not, nothing else here means anything.
  private(set) var areGiven = false
  /// What receivers take; nil if it is not valid.
  private(set) var type: PaymentType? = .notSet
  /// The same for the subtype.
  private(set) var subType: PaymentSubType? = .notSet
  /// Whether it was reported that a receiver may not take the subtype.
  private var isSubTypeRefused = false

  /// The payment's own fields, which are in the row of the single shape's receiver.
  private static let top = ElementPlace(row: 0, path: .record)

  /// Reads the types of a payment in the advanced or the profile shape.
  @inline(__always)
  mutating func begin(_ record: inout RecordReader) {
    let (type, subType) = (record.receiver(.paymentType, of: Self.top), record.receiver(.paymentSubType, of: Self.top))
    if !type.isAbsent || !subType.isAbsent { read(type, subType, &record) }
  }

  @inline(never)
  private mutating func read(_ type: FieldValue, _ subType: FieldValue, _ record: inout RecordReader) {
    guard !record.isEarlier else { return }
    areGiven = true
    self.type = record.value(type, whenAbsent: .notSet)
    self.subType = record.value(subType, whenAbsent: .notSet)
  }

  /// Checks the types of a receiver, which are its own or the payment's.
  @inline(never)
  mutating func check(
    of receiver: inout ReceiverFigures, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    let ownType = record.receiver(.paymentType, of: receiver.place)
    let ownSubType = record.receiver(.paymentSubType, of: receiver.place)
    let type = record.value(ownType, whenAbsent: self.type)
    let subType = record.value(ownSubType, whenAbsent: self.subType)
    receiver.type = type ?? .notSet
    receiver.subType = subType ?? .notSet
    tally.addType(type, at: ownType.isAbsent ? .top(.paymentType) : ownType.path)
    guard let type, type != .service, let subType, subType != .notSet else { return }
    if !ownSubType.isAbsent { return record.reject(.subtypeNotAllowed, ownSubType) }
    if isSubTypeRefused { return }
    isSubTypeRefused = true
    record.reject(.subtypeNotAllowed, record.receiver(.paymentSubType, of: Self.top))
  }

  /// Whether a receiver takes a type that is not valid.
  func isInvalid(for receiver: ElementPlace, _ record: borrowing RecordReader) -> Bool {
    type == nil && record.receiver(.paymentType, of: receiver).isAbsent
  }
}
