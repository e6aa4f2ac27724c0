import Digests
import JSON

/// A message of an outbox, read from its line.
struct OutboxMessage: Sendable {
  let number: Int
  /// The pay key or preapproval key. Messages with the same subject are sent one after the other.
  let subject: String
  let url: String
  /// 64 hexadecimal digits that name the message.
  let digest: String
  let body: [UInt8]

  /// The message in a line; nil if the line is not a message, or its digest is wrong.
  init?(_ line: [UInt8]) {
    guard let tree = try? JSONTree(parsing: line), let number = tree["number"]?.count, let url = tree["url"]?.string,
      let digest = tree["digest"]?.string, let body = tree["body"]?.string
    else { return nil }
    let text = Array("\(url)\n\(body)".utf8)
    guard digest == SHA256.digest(of: text).hexadecimal else { return nil }
    self.number = number
    subject = tree["payKey"]?.string.map { "p" + $0 } ?? "a" + (tree["preapprovalKey"]?.string ?? "")
    self.url = url
    self.digest = digest
    self.body = Array(body.utf8)
  }
}
