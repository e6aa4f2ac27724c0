import Text

/// The address that payment notifications go to: at most 1024 characters of
/// `https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][!-~]*)?`.
public enum NotificationURL {
  /// The most characters of an address.
  public static let maximumLength = 1024

  /// Whether a text is such an address.
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    let count = text.count
    guard count <= maximumLength else { return false }
    var at = "https://".utf8.count
    if !text.starts(with: ("https://" as StaticString).bytes) {
      at = "http://".utf8.count
      guard text.starts(with: ("http://" as StaticString).bytes) else { return false }
    }
    let host = at
    while at < count, ASCIIClass.of(text[at]) & ASCIIClass.host != 0 { at += 1 }
    guard at > host else { return false }
    if at < count, text[at] == UInt8(ascii: ":") {
      at += 1
      let port = at
      while at < count, at - port < 5, ASCIIClass.of(text[at]) & ASCIIClass.digit != 0 { at += 1 }
      guard at > port else { return false }
    }
    guard at < count else { return true }
    guard text[at] == UInt8(ascii: "/") || text[at] == UInt8(ascii: "?") || text[at] == UInt8(ascii: "#")
    else { return false }
    while at < count, ASCIIClass.of(text[at]) & ASCIIClass.visible != 0 { at += 1 }
    return at == count
  }
}
