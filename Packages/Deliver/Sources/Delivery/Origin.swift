import Text

/// Scheme, host and port of a url (RFC 6454).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  let scheme: String
  /// A name or an IPv4 address, in lower case.
  let host: String
  let port: Int

  /// Parses an origin, such as `https://shop.example` or `http://10.0.0.5:8080`; nil if the text is something else.
  package init?(_ text: String) {
    guard let (origin, rest) = Self.parse(text), rest.isEmpty else { return nil }
    self = origin
  }

  private init(scheme: String, host: String, port: Int) { (self.scheme, self.host, self.port) = (scheme, host, port) }

  /// The origin at the start of a url, and the rest of the url.
  static func parse(_ url: String) -> (origin: Origin, rest: Substring)? {
    guard let scheme = ["https", "http"].first(where: { url.hasPrefix($0 + "://") }) else { return nil }
    var rest = url.dropFirst(scheme.utf8.count + 3)
    let host = rest.prefix { $0.isASCII && $0.asciiValue.map { ASCIIClass.of($0) & ASCIIClass.host != 0 } ?? false }
    rest = rest.dropFirst(host.count)
    var port = scheme == "https" ? 443 : 80
    if rest.first == ":" {
      let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
      guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
      port = number
      rest = rest.dropFirst(1 + digits.count)
    }
    guard !host.isEmpty, rest.first.map({ "/?#".contains($0) }) ?? true else { return nil }
    return (Origin(scheme: scheme, host: host.lowercased(), port: port), rest)
  }

  /// The origin as text, without the port if it is the scheme's default.
  package var description: String {
    "\(scheme)://\(host)" + (port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)")
  }
}

/// The destination of a message.
struct MessageTarget: Sendable {
  let origin: Origin
  /// The url for the request: without a `#` part, and with invalid characters as `%XX`.
  let url: String

  /// The target of an `ipnUrl`; nil if it has no origin that can be contacted.
  init?(_ url: String) {
    guard let (origin, rest) = Origin.parse(url) else { return nil }
    self.origin = origin
    let path = Self.escaped(Array(rest.utf8.prefix { $0 != UInt8(ascii: "#") }))
    self.url = origin.description + (path.hasPrefix("/") ? "" : "/") + path
  }

  /// Path and query with every byte as `%XX` that may not be in them (RFC 3986).
  private static func escaped(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && place + 2 < bytes.count
        && bytes[place + 1...place + 2].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      let isAllowed = ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0 || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
      if isEscape || isAllowed {
        text.append(byte)
      } else {
        text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
