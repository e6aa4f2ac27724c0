/// `SHA256SUMS`: the digests of a directory's files, as `sha256sum` writes them.
package enum DigestList {
  /// The name of the file.
  package static let fileName = "SHA256SUMS"

  /// The text, sorted by name.
  ///
  /// - Parameter digests: SHA-256 by file name, in hexadecimal digits.
  package static func text(_ digests: [String: String]) -> String {
    digests.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.value)  \($0.key)\n" }.joined()
  }

  /// The names and digests of a text.
  package static func files(of text: String) -> [(name: String, sum: String)] {
    // 64 digits, two spaces and the name.
    text.split(separator: "\n").map { (String($0.dropFirst(66)), String($0.prefix(64))) }
  }
}
