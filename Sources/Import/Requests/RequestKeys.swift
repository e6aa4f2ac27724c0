import Digests
import JSON
import Text

/// Derives the keys of records whose requests name no key, and of PayPal Here calls without a number.
///
/// A key is derived from the request's content, for a call from its record, and from the number of equal requests before it in the import. So the
/// same requests get the same keys after their file has grown or was rewritten, and a ledger recognizes them.
struct RequestKeys {
  /// How often each request was seen, by its digest.
  private var occurrences: [SHA256.Digest: Int] = [:]

  /// The key of the next request with this content.
  mutating func next(for request: PayRequest) -> String {
    // In a request with faults some fields may be missing after sorting, so it could look like a correct one.
    next("request-", request.digest, counts: request.faults.isEmpty)
  }

  /// The key of the next PayPal Here call that becomes this record; the record's own pay key is empty.
  ///
  /// Do not change what is hashed: the keys would change, and calls would be settled twice.
  mutating func next(forRecord record: JSONTree) -> String {
    next("here-", SHA256.digest(of: Array("\(record)".utf8)), counts: true)
  }

  private mutating func next(_ prefix: String, _ digest: SHA256.Digest, counts: Bool) -> String {
    let occurrence = occurrences[digest, default: 0] + 1
    if counts { occurrences[digest] = occurrence }
    return "\(prefix)\(digest.hexadecimal.prefix(32))-\(occurrence)"
  }

  /// The pay key derived from a `trackingId` that is not a valid pay key itself.
  static func payKey(for trackingID: String) -> String {
    "tracking-" + SHA256.digest(of: Array(trackingID.utf8)).hexadecimal.prefix(32)
  }
}

extension PayRequest {
  /// The SHA-256 digest of the request's content: its operation and its fields, in the order of their names.
  ///
  /// Anyone who has the batch could guess a short secret by trial. So a PIN is left out, and card numbers are masked as
  /// in the batch. Do not change what is hashed: the keys would change, and requests would be settled twice.
  ///
  /// - Precondition: the fields are sorted.
  fileprivate var digest: SHA256.Digest {
    var hash = SHA256()
    func add(_ text: [UInt8]) {
      let counted = Array("\(text.count):".utf8) + text
      hash.update(counted.span)
    }
    add(Array(operation.utf8))
    let fields = (known.values + others.filter { $0.name.text != "pin" })
      .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
    for field in fields {
      var text = Array(field.text.utf8)
      if known[field.name.text] == nil || [.name("memo"), .name("invoiceId")].contains(field.name.parts.last) {
        CardNumberMask.apply(to: &text)
      }
      add(Array(field.name.text.utf8))
      add(text)
    }
    return hash.finalize()
  }
}
