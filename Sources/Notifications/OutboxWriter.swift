import Digests
import Failures
import JSON
import Text

/// Writes messages as the lines of an outbox, numbered from 1.
struct OutboxWriter: ~Copyable {
  /// Takes the lines.
  private let output: (Span<UInt8>) throws(Failure) -> Void
  private var line = TextBuffer(capacity: 1 << 17)
  private var lastNumber = 0

  init(_ output: @escaping (Span<UInt8>) throws(Failure) -> Void) { self.output = output }

  /// Writes a message.
  ///
  /// - Parameters:
  ///   - kind: `PAY`, `REFUND` or `PREAPPROVAL`.
  ///   - keys: the keys of its payment, refund or agreement, with the names of their fields.
  ///   - url: the URL to which it is delivered.
  mutating func write(
    _ kind: StaticString, _ keys: [(name: StaticString, key: [UInt8])], url: [UInt8], _ body: borrowing FormBody
  ) throws(Failure) {
    lastNumber += 1
    var digest = SHA256()
    digest.update((url + [0x0A]).span)
    digest.update(body.text.span)
    line.append("{\"number\":")
    line.append(number: lastNumber)
    line.append(",\"kind\":\"")
    line.append(kind)
    for (name, key) in keys {
      line.append("\",\"")
      line.append(name)
      line.append("\":\"")
      line.append(key)
    }
    line.append("\",\"url\":")
    JSONText.append(url.span, to: &line)
    line.append(",\"digest\":\"")
    line.append(digest.finalize().hexadecimal)
    // A body has no character that JSON must escape.
    line.append("\",\"body\":\"")
    line.append(body.text)
    line.append("\"}\n")
    if line.count >= 1 << 16 { try flush() }
  }

  /// Writes the buffered lines.
  mutating func flush() throws(Failure) {
    try output(line.span)
    line.removeAll(keeping: 1 << 17)
  }
}
