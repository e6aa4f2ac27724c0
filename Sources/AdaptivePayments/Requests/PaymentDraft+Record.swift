import BatchFile
import Reports

extension PaymentDraft {
  /// Appends the payment as a record of a batch, in the advanced shape whatever its receivers, without a line ending.
  func writeRecord(to text: inout TextBuffer) {
    text.append("{")
    for (name, value) in fields { Self.write(name, value, to: &text) }
    text.append("\"receiverPaymentDetails\":[")
    for (index, receiver) in receivers.enumerated() {
      text.append(index == 0 ? "{" : ",{")
      for (name, value) in receiver { Self.write(name, value, to: &text) }
      Self.endObject(in: &text)
    }
    text.append("]}")
  }

  private static func write(_ name: StaticString, _ value: [UInt8], to text: inout TextBuffer) {
    text.append("\"")
    text.append(name)
    text.append("\":")
    let isBoolean = value.elementsEqual("true".utf8) || value.elementsEqual("false".utf8)
    if isBoolean, name.description == "isPrimary" {
      value.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { text.append(start, count: bytes.count) }
      }
    } else {
      JSONText.append(value, count: value.count, to: &text)
    }
    text.append(",")
  }

  /// Ends an object whose last field has a comma behind it, or that has none.
  private static func endObject(in text: inout TextBuffer) {
    if text.bytes[text.count - 1] == UInt8(ascii: ",") { text.truncate(to: text.count - 1) }
    text.append("}")
  }

  /// The request's field that a field of the record was made from.
  ///
  /// - Parameter pointer: a JSON Pointer into the record, as the engine's findings have it.
  func requestField(for pointer: String) -> String {
    let parts = pointer.split(separator: "/").map(String.init)
    guard let first = parts.first else { return "" }
    guard first == "receiverPaymentDetails" else { return topField(first) }
    guard parts.count > 1, let index = Int(parts[1]) else { return "receiverList" }
    guard parts.count > 2 else { return PayRequest.name(ofReceiver: index) }
    let receiver = index < request.receivers.count ? request.receivers[index] : [:]
    let isPhone = receiver[.email] == nil && (receiver[.phoneNumber] ?? receiver[.phone]) != nil
    let field: PayRequest.ReceiverField =
      switch parts[2] {
      case "subtotal": .amount
      case "isPrimary": .primary
      case "customId": .invoiceId
      case "paymentType": .paymentType
      case "paymentSubType": .paymentSubType
      default: isPhone ? receiver[.phoneNumber] == nil ? .phone : .phoneNumber : .email
      }
    return PayRequest.name(field, ofReceiver: index)
  }

  private func topField(_ name: String) -> String {
    let field: PayRequest.Field =
      switch name {
      case "payKey": .trackingId
      case "status": .actionType
      case "paymentCurrency": .currencyCode
      case "feePayer": .feesPayer
      case "memo": .memo
      case "ipnUrl": .ipnNotificationUrl
      default: senderField
      }
    return field.rawValue
  }

  /// The engine's message without the record's name for the field, and without the words that only a batch has.
  ///
  /// - Parameters:
  ///   - field: the request's field, which stands before the message.
  ///   - pointer: where the record has it.
  func requestMessage(_ message: String, at field: String, named pointer: String, isPrecision: Bool) -> String {
    let name = pointer.split(separator: "/").last.map(String.init) ?? ""
    guard message.hasPrefix(name + " is ") else { return message }
    let value = String(message.dropFirst(name.count + 4))
    switch name {
    case "feePayer" where value.hasPrefix("FEEPAYER_"): return "is " + value.dropFirst(9)
    case "paymentType" where value.hasPrefix("TYPE_"): return "is " + value.dropFirst(5)
    case "subtotal" where isPrecision: return Self.decimals(of: value) ?? "is " + value
    default: return "is " + value
    }
  }

  /// What is said of an amount that has so many digits that some are masked as those of a card number.
  private static func decimals(of message: String) -> String? {
    guard let end = message.firstRange(of: "; ") else { return nil }
    let amount = message[..<end.lowerBound]
    guard amount.contains("*"), !amount.hasSuffix("...") else { return nil }
    let count = amount.split(separator: ".", omittingEmptySubsequences: false).last?.count ?? 0
    return "has \(count) decimals" + message[end.lowerBound...]
  }

  /// The line that a field of the request stands in; the request's own where it is not there.
  func line(of name: String) -> Int {
    if let field = PayRequest.Field(rawValue: name) { return request.fields[field]?.line ?? request.line }
    let parts = name.split(separator: ")", maxSplits: 1)
    guard let digits = parts.first?.split(separator: "(").last, let index = Int(digits),
      request.receivers.indices.contains(index), let ending = parts.last?.dropFirst(),
      let field = PayRequest.ReceiverField(rawValue: String(ending))
    else { return request.line }
    return request.receivers[index][field]?.line ?? request.line
  }
}
