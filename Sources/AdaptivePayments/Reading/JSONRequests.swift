import BatchFile

/// Reads requests in JSON: one object, several one behind the other, each on a line or spread over lines, or an array.
///
/// Comments behind `//`, as PayPal's own published requests have them, or `#`, and between `/*` and `*/` are skipped,
/// and so is what stands around bodies in curl commands. Numbers are taken as written. What is no JSON ends its request;
/// the next begins in the next line that begins with `{`.
struct JSONRequests {
  private let text: [UInt8]
  private var at = 0
  private var lineAt = 0
  private var linesBefore = 0

  private init(_ text: [UInt8]) { self.text = text }

  /// Hands out the requests of a text, in order.
  ///
  /// - Parameter skip: told of lines that are no part of a request.
  /// - Returns: whether the whole text was read; it is not where too much of it is no JSON, or an array is broken.
  static func read(
    _ text: [UInt8], skip: (RequestNote) -> Void = { _ in }, _ take: (RequestFields) -> Void
  ) -> Bool {
    var reader = JSONRequests(withoutComments(JSONBodies.read(text, skip: skip, take)))
    return reader.readAll(take)
  }

  private mutating func readAll(_ take: (RequestFields) -> Void) -> Bool {
    skipSpace()
    let isArray = byte == UInt8(ascii: "[")
    if isArray { at += 1 }
    var malformed = 0
    var isFirst = true
    while true {
      skipSpace()
      if isArray, !endsElement(isFirst: isFirst) {
        take(unreadable("expected a comma or a closing bracket after a request"))
        return false
      }
      if isArray, byte == UInt8(ascii: "]") {
        at += 1
        skipSpace()
        if at < text.count { take(unreadable("expected the end of the file after the array of requests")) }
        return at == text.count
      }
      if at == text.count {
        if isArray { take(unreadable("the array of requests is not closed")) }
        return !isArray
      }
      isFirst = false
      guard let request = readRequest(take) else {
        malformed += 1
        if isArray || malformed == Limits.malformedRequests { return false }
        skipToNextRequest()
        continue
      }
      take(request)
    }
  }

  /// Goes on behind the comma between two elements; whether one stands there, or the array's end.
  private mutating func endsElement(isFirst: Bool) -> Bool {
    if isFirst || byte == UInt8(ascii: "]") { return true }
    guard byte == UInt8(ascii: ",") else { return at == text.count }
    at += 1
    skipSpace()
    return byte != UInt8(ascii: "]")
  }

  /// Reads the request that begins here; nil where it is no JSON, which is told.
  private mutating func readRequest(_ take: (RequestFields) -> Void) -> RequestFields? {
    let start = at
    guard byte == UInt8(ascii: "{") else {
      take(unreadable("expected an object, one for each request"))
      return nil
    }
    guard let end = endOfObject() else {
      take(unreadable("the object is not closed within \(Limits.requestBytes) bytes"))
      return nil
    }
    do throws(JSONTree.SyntaxError) {
      let tree = try JSONTree(parsing: Array(text[start..<end]))
      var request = RequestFields(line: line())
      var lines = valueLines(in: start..<end)[...]
      Self.flatten(tree, .root, lines: &lines, into: &request)
      at = end
      return request
    } catch {
      at = start + error.offset
      take(unreadable("is no JSON; expected \(error.expected)"))
      at = start
      return nil
    }
  }

  private mutating func unreadable(_ reason: String) -> RequestFields {
    RequestFields(unreadable: reason, line: line())
  }

  /// - Parameter lines: the lines of the values that are still to come, in their order.
  private static func flatten(
    _ tree: JSONTree, _ name: FieldName, lines: inout ArraySlice<Int>, into request: inout RequestFields
  ) {
    switch tree {
    case .null: _ = lines.popFirst()
    case .boolean(let value):
      request.take(name, Array((value ? "true" : "false").utf8), line: lines.popFirst() ?? request.line)
    case .number(let text), .string(let text): request.take(name, text, line: lines.popFirst() ?? request.line)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        flatten(element, name.appending(index: index), lines: &lines, into: &request)
      }
    case .object(let fields):
      for (inner, value) in fields { flatten(value, name.appending(name: inner), lines: &lines, into: &request) }
    }
  }

  /// The lines of the values that are no array and no object, in their order, within a text that is JSON.
  private mutating func valueLines(in range: Range<Int>) -> [Int] {
    var lines: [Int] = []
    var current = line()
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = text[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\n"): current += 1
      case _ where " \t\r,:{}[]".utf8.contains(byte): break
      case UInt8(ascii: "\""):
        while text[place] != UInt8(ascii: "\"") { place += text[place] == UInt8(ascii: "\\") ? 2 : 1 }
        place += 1
        // A string before a colon is a name.
        if text[place..<range.upperBound].first(where: { $0 > 0x20 }) != UInt8(ascii: ":") { lines.append(current) }
      default:
        while place < range.upperBound, !",}] \t\r\n".utf8.contains(text[place]) { place += 1 }
        lines.append(current)
      }
    }
    return lines
  }

  // MARK: The text

  private var byte: UInt8? { at < text.count ? text[at] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  /// The line that the reader is in.
  private mutating func line() -> Int {
    for place in min(at, lineAt)..<max(at, lineAt) where text[place] == UInt8(ascii: "\n") {
      linesBefore += at < lineAt ? -1 : 1
    }
    lineAt = at
    return linesBefore + 1
  }

  /// Where the object ends that begins here: behind the brace that closes it.
  private func endOfObject() -> Int? {
    var depth = 0
    var isString = false
    var place = at
    let limit = min(text.count, at + Limits.requestBytes)
    while place < limit {
      switch text[place] {
      case UInt8(ascii: "\\") where isString: place += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString:
        depth -= 1
        if depth == 0 { return place + 1 }
      default: break
      }
      place += 1
    }
    return nil
  }

  private mutating func skipToNextRequest() {
    while at < text.count {
      if text[at] == UInt8(ascii: "\n"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "{") {
        at += 1
        return
      }
      at += 1
    }
  }

  /// The text with spaces in the place of comments, so that every line stays where it is.
  static func withoutComments(_ text: [UInt8]) -> [UInt8] {
    var text = text
    var place = 0
    var isString = false
    while place + 1 < text.count {
      switch (text[place], text[place + 1]) {
      case (UInt8(ascii: "\\"), _) where isString: place += 1
      case (UInt8(ascii: "\""), _): isString.toggle()
      // No string goes on in the next line: an unclosed one must not swallow the rest of the text.
      case (UInt8(ascii: "\n"), _): isString = false
      case (UInt8(ascii: "#"), _) where !isString, (UInt8(ascii: "/"), UInt8(ascii: "/")) where !isString:
        let end = text[place...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        for index in place..<end { text[index] = 0x20 }
        place = end - 1
      case (UInt8(ascii: "/"), UInt8(ascii: "*")) where !isString:
        guard let end = endOfComment(text, from: place + 2) else { return text }
        for index in place..<end where text[index] != UInt8(ascii: "\n") { text[index] = 0x20 }
        place = end - 1
      default: break
      }
      place += 1
    }
    return text
  }

  private static func endOfComment(_ text: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + 1 < text.count {
      if text[place] == UInt8(ascii: "*"), text[place + 1] == UInt8(ascii: "/") { return place + 2 }
      place += 1
    }
    return nil
  }
}
