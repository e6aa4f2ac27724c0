import BatchFile

/// The pairs of a request, `name=value` with `&` or a line's end between them.
enum NameValuePairs {
  /// The request that a text holds.
  ///
  /// What stands behind `#` with white space before it is a comment, as in PayPal's How-To pages, where no pair stands
  /// behind it in its line. `&amp;` is `&`, as web pages show it.
  static func request(_ text: SourceText) -> RequestFields {
    var request = RequestFields(line: text.firstLine)
    guard text.bytes.count <= Limits.requestBytes else {
      request.fault("", "a request has more than \(Limits.requestBytes) bytes", line: request.line)
      return request
    }
    for line in text.bytes.split(separator: UInt8(ascii: "\n")) {
      let whole = trimmed(line)
      let kept = withoutComment(whole)
      for pair in kept.split(separator: UInt8(ascii: "&")) {
        let isCut = kept.endIndex < whole.endIndex && pair.endIndex == kept.endIndex
        take(pair, isCut: isCut, line: text.line(at: pair.startIndex), into: &request)
      }
    }
    return request
  }

  private static func take(_ pair: ArraySlice<UInt8>, isCut: Bool, line: Int, into request: inout RequestFields) {
    let name = name(pair)
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      guard !name.text.isEmpty else { return }
      return request.note(
        name.shown, "is not carried over: it has no =; an & within a value is written %26", line: line)
    }
    guard var value = decoded(pair[equals...].dropFirst()), decoded(pair[..<equals]) != nil else {
      return request.fault(
        name.shown, "has a percent sign without two hexadecimal digits behind it, or is not UTF-8", line: line)
    }
    // The + before a country's code, written as a + must not be.
    let isPhone = name.parts.last == .name("phone")
    if isPhone, pair[(equals + 1)...].first == UInt8(ascii: "+") { value[0] = UInt8(ascii: "+") }
    request.take(name, value, line: line)
    if isCut, let last = name.parts.last, textFields.contains(last) {
      request.note(
        name.shown, "ends before the #, behind which is a comment; a # of a value is written %23", line: line)
    }
  }

  private static let textFields: [FieldName.Part] = [.name("memo"), .name("trackingId"), .name("invoiceId")]

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let mark = line.indices.first {
      line[$0] == UInt8(ascii: "#") && ($0 == line.startIndex || isSpace(line[$0 - 1]))
    }
    guard let mark else { return line }
    let comment = line[mark...]
    let hasPair = comment.firstIndex(of: UInt8(ascii: "&")).map { comment[$0...].contains(UInt8(ascii: "=")) } ?? false
    return hasPair && mark > line.startIndex ? line : trimmed(line[..<mark])
  }

  /// The name of a pair, as well as it can be read.
  static func name(_ pair: ArraySlice<UInt8>) -> FieldName {
    var name = trimmed(pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)])
    if name.starts(with: "amp;".utf8) { name = name.dropFirst(4) }
    return FieldName(decoded(name) ?? Array(name))
  }

  // MARK: Characters

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { isSpace($0) || $0 == 0x0A }
    while let last = bytes.last, isSpace(last) || last == 0x0A { bytes = bytes.dropLast() }
    return bytes
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// A name or value without its percent escapes and with spaces for plus signs; nil where that gives no UTF-8.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      switch bytes[at] {
      case UInt8(ascii: "+"): text.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2]) else {
          return nil
        }
        text.append(high << 4 | low)
        at += 2
      default: text.append(bytes[at])
      }
      at += 1
    }
    return UTF8Text.isWellFormed(text) ? text : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UTF8Text {
  /// Whether an array is UTF-8.
  static func isWellFormed(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return true }
      return isValid(start, count: bytes.count)
    }
  }
}
