import Records

/// Sorts a request's fields by meaning: those that go into a record, and those that a batch has no place for.
extension PayRequest {
  /// The terms of a new agreement, which have the same names in a request and in a batch.
  static let terms = PreapprovalField.allCases.filter { !PreapprovalField.fields(of: .confirm).contains($0) }
    .map(\.definition)

  /// The names of the fields that go into a record, by operation.
  private static let names: [String: Set<String>] = [
    "Pay": [
      "actionType", "currencyCode", "feesPayer", "senderEmail", "trackingId", "memo", "ipnNotificationUrl",
      "preapprovalKey", "reverseAllParallelPaymentsOnError", "sender.email", "sender.phone.countryCode",
      "sender.phone.phoneNumber",
    ],
    "Refund": ["payKey", "trackingId", "currencyCode"],
    "Preapproval": Set(terms.map { "\($0.name)" } + ["senderEmail", "ipnNotificationUrl"]),
    "ConfirmPreapproval": ["preapprovalKey"],
    "CancelPreapproval": ["preapprovalKey"],
  ]

  /// The names of a receiver's fields, after `receiverList.receiver(0).`, by operation.
  private static let receiverNames: [String: Set<String>] = [
    "Pay": [
      "email", "phone.countryCode", "phone.phoneNumber", "amount", "primary", "invoiceId", "paymentType",
      "paymentSubType",
    ],
    "Refund": ["email", "phone.countryCode", "phone.phoneNumber", "amount"],
  ]

  /// Whether its operation becomes a record of a batch.
  var isKnown: Bool { Self.names[operation] != nil }

  mutating func sortFields() {
    var indices: Set<Int> = []
    for field in fields { sort(field, &indices) }
    receivers = indices.sorted()
    guard let missing = receivers.indices.first(where: { receivers[$0] != $0 }) else { return }
    fault(
      Limits.invalidRequest, Self.name(ofReceiver: missing),
      "is missing; receivers are numbered from 0 without a gap, and there is a receiver(\(receivers.last ?? missing))")
  }

  private mutating func sort(_ field: RequestField, _ indices: inout Set<Int>) {
    let parts = field.name.isCut ? [] : field.name.parts
    guard parts.first == .name(Self.receiverList) else {
      return sort(field, as: Self.joined(parts), of: Self.names[operation])
    }
    guard parts.count(where: { $0 == .name("receiver") }) < 2 else {
      return fault(
        580022, field.name.shown, "is inside another receiver; expected receiverList.receiver(0).email and so on",
        line: field.line)
    }
    let (index, rest) = Self.receiver(parts)
    guard index < Limits.receiverIndices else {
      return fault(
        Limits.invalidRequest, field.name.shown, "has an index above \(Limits.receiverIndices - 1)", line: field.line)
    }
    let name = Self.joined(rest)
    if name != nil { indices.insert(index) }
    sort(field, as: name, of: Self.receiverNames[operation], within: Self.name(ofReceiver: index) + ".")
  }

  /// The index of the receiver that a name within `receiverList` belongs to, and the name's parts after it.
  static func receiver(_ parts: [FieldName.Part]) -> (index: Int, rest: ArraySlice<FieldName.Part>) {
    let rest = parts.dropFirst(parts.dropFirst().first == .name(receiver) ? 2 : 1)
    // A receiver without an index is the first one.
    guard case .index(let index)? = rest.first else { return (0, rest) }
    return (index, rest.dropFirst())
  }

  private mutating func sort(
    _ field: RequestField, as name: String?, of names: Set<String>?, within prefix: String = ""
  ) {
    guard let name, names?.contains(name) == true else { return others.append(field) }
    guard known[prefix + name] == nil else {
      return fault(Limits.invalidRequest, field.name.shown, "is given twice in the request", line: field.line)
    }
    var named = field
    named.name = FieldName(prefix + name)
    known[prefix + name] = named
  }

  /// The names joined by points; nil if there are no names, or if one part is an index.
  static func joined(_ parts: some Collection<FieldName.Part>) -> String? {
    var names: [String] = []
    for part in parts {
      guard case .name(let name) = part else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  static func name(ofReceiver index: Int) -> String { "\(receiverList).\(receiver)(\(index))" }

  private static let receiverList = "receiverList"
  private static let receiver = "receiver"
}
