import JSON

/// Reads requests in JSON: one object, several objects each on one line or several, or an array.
///
/// Comments are skipped, because PayPal's own published requests have them. Numbers are taken as written. A syntax
/// error ends its request; the next one starts at the next line that begins with `{`. An address in the line before an
/// object, or before the array, names the operation.
struct JSONRequests {
  private let text: SourceText
  private var reader: JSONReader
  /// The operation that the next request calls.
  private var operation = "Pay"

  private init(_ text: [UInt8]) {
    self.text = SourceText(text)
    reader = JSONReader(text, skipsComments: true)
  }

  /// Hands out the requests of a text, in order.
  ///
  /// - Returns: whether the whole text was read; it is not if too much of it is not JSON, or an array is broken.
  static func read(_ text: [UInt8], _ take: (PayRequest) -> Void) -> Bool {
    var requests = JSONRequests(text)
    var malformed = 0
    requests.skipAddress()
    guard requests.reader.byte != UInt8(ascii: "[") else { return requests.readArray(take) }
    while requests.reader.byte != nil {
      if let request = requests.readRequest(take) {
        take(request)
      } else {
        malformed += 1
        guard malformed < Limits.malformedRequests else { return false }
        requests.skipToNextRequest()
      }
      requests.skipAddress()
    }
    return true
  }

  /// Goes to the next request, past an address before it.
  private mutating func skipAddress() {
    operation = "Pay"
    reader.skipSpace()
    while let byte = reader.byte, byte != UInt8(ascii: "{") {
      let line = text.bytes[reader.offset...].prefix { $0 != UInt8(ascii: "\n") }
      guard line.isAddress, let named = line.operation else { return }
      operation = named
      reader.offset = line.endIndex
      reader.skipSpace()
    }
  }

  private mutating func readArray(_ take: (PayRequest) -> Void) -> Bool {
    _ = skips(UInt8(ascii: "["))
    if !skips(UInt8(ascii: "]")) {
      repeat {
        guard !isAtEnd else { return readCutArray(take) }
        guard let request = readRequest(take) else { return false }
        take(request)
      } while skips(UInt8(ascii: ","))
      guard skips(UInt8(ascii: "]")) else {
        guard !isAtEnd else { return readCutArray(take) }
        take(unreadable("expected a comma or a closing bracket after a request"))
        return false
      }
    }
    guard reader.byte == nil else {
      take(unreadable("expected the end of the file after the array of requests"))
      return false
    }
    return true
  }

  private var isAtEnd: Bool { reader.offset == text.bytes.count }

  private func readCutArray(_ take: (PayRequest) -> Void) -> Bool {
    take(unreadable("the file ends within the array: it was cut short"))
    return false
  }

  /// If this byte comes next, skips it and the white space around it.
  private mutating func skips(_ expected: UInt8) -> Bool {
    reader.skipSpace()
    guard reader.byte == expected else { return false }
    reader.offset += 1
    reader.skipSpace()
    return true
  }

  /// Reads the request that begins here; nil if it is not JSON, which is reported.
  private mutating func readRequest(_ take: (PayRequest) -> Void) -> PayRequest? {
    let start = reader.offset
    guard reader.byte == UInt8(ascii: "{") else {
      take(unreadable("expected an object, one for each request"))
      return nil
    }
    reader.end = min(text.bytes.count, start + Limits.requestBytes)
    defer { reader.end = text.bytes.count }
    do throws(JSONTree.SyntaxError) {
      let tree = try reader.next()
      var request = PayRequest(line: text.line(at: start), operation: operation)
      var offsets = reader.scalarOffsets[...]
      flatten(tree, .root, &offsets, into: &request)
      return request
    } catch {
      reader.offset = error.offset
      let fault =
        if isAtEnd {
          "the file ends within the request that begins in line \(text.line(at: start)): it was cut short"
        } else if error.offset == reader.end {
          "has more than \(Limits.requestBytes) bytes"
        } else {
          "is not JSON; expected \(error.expected)"
        }
      take(unreadable(fault))
      reader.offset = start
      return nil
    }
  }

  private func unreadable(_ reason: String) -> PayRequest {
    PayRequest(unreadable: reason, line: text.line(at: reader.offset))
  }

  /// - Parameter offsets: the offsets of the values that are not read yet, in order.
  private func flatten(
    _ tree: JSONTree, _ name: FieldName, _ offsets: inout ArraySlice<Int>, into request: inout PayRequest
  ) {
    func set(_ value: some Sequence<UInt8>) {
      request.set(name, value, line: text.line(at: offsets.removeFirst()))
    }
    switch tree {
    case .null: offsets.removeFirst()
    case .boolean(let value): set((value ? "true" : "false").utf8)
    case .number(let value), .string(let value): set(value)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        flatten(element, name.appending(index: index), &offsets, into: &request)
      }
    case .object(let fields):
      for (inner, value) in fields {
        flatten(value, name.appending(String(decoding: inner, as: UTF8.self)), &offsets, into: &request)
      }
    }
  }

  private mutating func skipToNextRequest() {
    while let byte = reader.byte {
      reader.offset += 1
      if byte == UInt8(ascii: "\n"), reader.byte == UInt8(ascii: "{") { return }
    }
  }
}
