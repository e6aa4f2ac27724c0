import Text

/// The address that payment notifications go to: at most 1024 characters of
/// `https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][!-~]*)?`.
public enum NotificationURL {
  /// The most characters of an address.
  public static let maximumLength = 1024

  /// Whether `count` bytes at `bytes` are such an address.
  public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard count <= maximumLength else { return false }
    var at = "https://".utf8.count
    if count < at || !("https://" as StaticString).matches(bytes, count: at) {
      at = "http://".utf8.count
      guard count >= at, ("http://" as StaticString).matches(bytes, count: at) else { return false }
    }
    let host = at
    while at < count, ASCIIClass.of(bytes[at]) & ASCIIClass.host != 0 { at += 1 }
    guard at > host else { return false }
    if at < count, bytes[at] == UInt8(ascii: ":") {
      at += 1
      let port = at
      while at < count, at - port < 5, ASCIIClass.of(bytes[at]) & ASCIIClass.digit != 0 { at += 1 }
      guard at > port else { return false }
    }
    guard at < count else { return true }
    guard bytes[at] == UInt8(ascii: "/") || bytes[at] == UInt8(ascii: "?") || bytes[at] == UInt8(ascii: "#")
    else { return false }
    while at < count, ASCIIClass.of(bytes[at]) & ASCIIClass.visible != 0 { at += 1 }
    return at == count
  }
}
