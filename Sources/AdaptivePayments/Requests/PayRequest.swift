import BatchFile

/// A `Pay` request: the fields that a payment is made of, by what they mean, and those that a batch has no place for.
struct PayRequest {
  /// A field of the request itself.
  enum Field: String {
    case actionType, currencyCode, feesPayer, senderEmail, trackingId, memo, ipnNotificationUrl, preapprovalKey
    case reverseAllParallelPaymentsOnError
    case senderPhone = "sender.phone"
    case senderIdentifier = "sender.email"
    case senderCountryCode = "sender.phone.countryCode"
    case senderPhoneNumber = "sender.phone.phoneNumber"
  }

  /// A field of a receiver.
  enum ReceiverField: String {
    case email, phone, amount, primary, invoiceId, paymentType, paymentSubType
    case countryCode = "phone.countryCode"
    case phoneNumber = "phone.phoneNumber"
  }

  /// The line that the request begins in.
  let line: Int
  private(set) var fields: [Field: RequestField] = [:]
  /// The receivers, in the order of their indices.
  private(set) var receivers: [[ReceiverField: RequestField]] = []
  /// Fields that a batch has no place for, or that are not known.
  private(set) var others: [RequestField] = []
  /// Whether receivers stand within a receiver, which is told.
  private(set) var hasNestedReceivers = false
  /// What is wrong with it so far.
  var faults: [RequestFault]

  /// Takes a request's fields by their meaning.
  init(_ request: RequestFields) {
    line = request.line
    faults = request.faults
    var byIndex: [Int: [ReceiverField: RequestField]] = [:]
    for field in request.fields {
      let parts = field.name.isCut ? [] : field.name.parts
      if let (index, name) = Self.receiverPart(parts) {
        take(field, name, ofReceiver: index, in: &byIndex)
      } else if let known = Self.joined(parts).flatMap(Field.init(rawValue:)) {
        if fields[known] == nil { fields[known] = field } else { standsTwice(field) }
      } else {
        others.append(field)
        if parts.count(where: { $0 == .name("receiver") }) > 1 { nested(field) }
      }
    }
    guard let last = byIndex.keys.max() else { return }
    if let missing = (0...last).first(where: { byIndex[$0] == nil }) {
      fault(
        Limits.invalidRequest, Self.name(ofReceiver: missing),
        "is missing; receivers are numbered from 0 without a gap, and there is a receiver(\(last))")
    }
    receivers = byIndex.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func take(
    _ field: RequestField, _ name: String, ofReceiver index: Int,
    in receivers: inout [Int: [ReceiverField: RequestField]]
  ) {
    guard index < Limits.receiverIndices else {
      return fault(
        Limits.invalidRequest, field.name.shown, "has an index above \(Limits.receiverIndices - 1)", line: field.line)
    }
    guard let known = ReceiverField(rawValue: name) else {
      if receivers[index] == nil { receivers[index] = [:] }
      return others.append(field)
    }
    if receivers[index]?[known] == nil {
      receivers[index, default: [:]][known] = field
    } else {
      standsTwice(field)
    }
  }

  /// Notes that receivers stand within a receiver, once in a request.
  private mutating func nested(_ field: RequestField) {
    guard !hasNestedReceivers else { return }
    hasNestedReceivers = true
    fault(
      580022, field.name.shown, "stands within another receiver; expected receiverList.receiver(0).email and so on",
      line: field.line)
  }

  private mutating func standsTwice(_ field: RequestField) {
    fault(Limits.invalidRequest, field.name.shown, "stands twice in the request", line: field.line)
  }

  /// Notes what is wrong with a field.
  mutating func fault(_ payPalErrorID: Int, _ field: String, _ reason: String, line: Int? = nil) {
    guard faults.count < Limits.faultsOfRequest else { return }
    faults.append(
      RequestFault(line: line ?? self.line, payPalErrorID: payPalErrorID, field: field, reason: reason))
  }

  // MARK: Names

  /// Whether a name is that of a field of a `Pay` request, or is in one, in any letter case but that of shell variables.
  static func mayHave(_ name: [UInt8]) -> Bool {
    let first = name.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "(") }
    guard first.contains(where: { $0 >= UInt8(ascii: "a") }) else { return false }
    return firstNames.contains(String(decoding: first, as: UTF8.self).lowercased())
  }

  private static let firstNames = Set(
    (knownFields.map { String($0.rawValue.prefix { $0 != "." }) } + RequestNote.reasons.keys).map { $0.lowercased() })

  private static let knownFields: [Field] = [
    .actionType, .currencyCode, .feesPayer, .senderEmail, .trackingId, .memo, .ipnNotificationUrl, .preapprovalKey,
  ]

  /// The receiver and its field that a name means: `receiverList.receiver(1).email`, or without index the first one.
  private static func receiverPart(_ parts: [FieldName.Part]) -> (index: Int, name: String)? {
    guard parts.first == .name("receiverList") else { return nil }
    var rest = parts.dropFirst()
    if rest.first == .name("receiver") { rest = rest.dropFirst() }
    var index = 0
    if case .index(let given)? = rest.first {
      index = given
      rest = rest.dropFirst()
    }
    return joined(Array(rest)).map { (index, $0) }
  }

  /// Names with points between them; nil where there is none, or an index among them.
  private static func joined(_ parts: [FieldName.Part]) -> String? {
    var names: [String] = []
    for part in parts {
      guard case .name(let name) = part else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// The name of a receiver.
  static func name(ofReceiver index: Int) -> String { "receiverList.receiver(\(index))" }

  /// The name of a receiver's field.
  static func name(_ field: ReceiverField, ofReceiver index: Int) -> String {
    "\(name(ofReceiver: index)).\(field.rawValue)"
  }
}

extension RequestField {
  /// The text without white space around it.
  var trimmed: [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var rest = text[...].drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return Array(rest)
  }

  /// The text without white space around it, for comparing with words.
  var word: String { String(decoding: trimmed, as: UTF8.self) }

  /// How many characters the text has.
  var length: Int {
    text.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { UTF8Text.scalarCount($0, count: bytes.count) } ?? 0
    }
  }
}
