import JSON

/// Reads requests in JSON: one object, several one after the other, each on a line or spread over lines, or an array.
///
/// Comments, as PayPal's own published requests have them, are skipped, and so is what stands around bodies in curl
/// commands. Numbers are taken as written. What is no JSON ends its request; the next begins in the next line that begins
/// with `{`.
struct JSONRequests {
  private let text: SourceText
  private let operation: String
  private var reader: JSONReader

  private init(_ text: SourceText, _ operation: String) {
    self.text = text
    self.operation = operation
    reader = JSONReader(text.bytes, skipsComments: true)
  }

  /// Hands out the requests of a text, in order.
  ///
  /// - Parameters:
  ///   - operation: the operation that they call.
  ///   - malformed: how many requests of the file are no JSON so far.
  /// - Returns: whether the whole text was read; it is not if too much of it is no JSON, or an array is broken.
  static func read(
    _ text: SourceText, operation: String = "Pay", malformed: inout Int, _ take: (PayRequest) -> Void
  ) -> Bool {
    var requests = JSONRequests(text, operation)
    requests.reader.skipSpace()
    guard requests.reader.byte != UInt8(ascii: "[") else { return requests.readArray(take) }
    while requests.reader.byte != nil {
      if let request = requests.readRequest(take) {
        take(request)
      } else {
        malformed += 1
        guard malformed < Limits.malformedRequests else { return false }
        requests.skipToNextRequest()
      }
      requests.reader.skipSpace()
    }
    return true
  }

  private mutating func readArray(_ take: (PayRequest) -> Void) -> Bool {
    _ = takes(UInt8(ascii: "["))
    if !takes(UInt8(ascii: "]")) {
      repeat {
        guard let request = readRequest(take) else { return false }
        take(request)
      } while takes(UInt8(ascii: ","))
      guard takes(UInt8(ascii: "]")) else {
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

  /// Goes beyond a byte and the white space around it, if it comes next.
  private mutating func takes(_ expected: UInt8) -> Bool {
    reader.skipSpace()
    guard reader.byte == expected else { return false }
    reader.offset += 1
    reader.skipSpace()
    return true
  }

  /// Reads the request that begins here; nil if it is no JSON, which is told.
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
      let isTooLong = error.offset == reader.end && reader.end < text.bytes.count
      take(
        unreadable(
          isTooLong ? "has more than \(Limits.requestBytes) bytes" : "is no JSON; expected \(error.expected)"))
      reader.offset = start
      return nil
    }
  }

  private func unreadable(_ reason: String) -> PayRequest {
    PayRequest(unreadable: reason, line: text.line(at: reader.offset))
  }

  /// - Parameter offsets: where the values begin that are still to come, in their order.
  private func flatten(
    _ tree: JSONTree, _ name: FieldName, _ offsets: inout ArraySlice<Int>, into request: inout PayRequest
  ) {
    func take(_ value: some Sequence<UInt8>) {
      request.take(name, String(decoding: Array(value), as: UTF8.self), line: text.line(at: offsets.removeFirst()))
    }
    switch tree {
    case .null: offsets.removeFirst()
    case .boolean(let value): take((value ? "true" : "false").utf8)
    case .number(let value), .string(let value): take(value)
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
