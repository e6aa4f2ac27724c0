import CByteScan

/// The classes of an account's characters, one bit per character: sixteen are classified together, and the grammar is a
/// few comparisons of masks. Checking byte by byte took more time for accounts than for amounts.
struct AccountMasks {
  private var alphanumeric: UInt64 = 0
  private var dot: UInt64 = 0
  private var dash: UInt64 = 0
  private var underscore: UInt64 = 0
  private var at: UInt64 = 0

  /// Judges an account of 16 to 64 bytes and converts it to lower case, as `Account.canonicalize` does.
  ///
  /// - Returns: nil for other lengths, and for characters that a mailbox rarely has; `Account` checks those.
  @inline(__always)
  static func judge(_ text: inout MutableSpan<UInt8>) -> Bool? {
    let count = text.count
    guard count >= 16, count <= 64 else { return nil }
    var masks = AccountMasks()
    var place = 0
    while place < count {
      // The last sixteen overlap the previous ones; marking a character twice changes nothing.
      let start = min(place, count &- 16)
      let classes = settle_classify_account(text.span.sixteenBytes(at: start))
      masks.mark(classes, from: start)
      text.setSixteenBytes(at: start, to: classes.lower)
      place &+= 16
    }
    return masks.isAccount(count: count)
  }

  @inline(__always)
  private mutating func mark(_ classes: settle_account_classes, from start: Int) {
    let shift = UInt64(truncatingIfNeeded: start)
    alphanumeric |= UInt64(classes.alphanumeric) &<< shift
    dot |= UInt64(classes.dot) &<< shift
    dash |= UInt64(classes.dash) &<< shift
    underscore |= UInt64(classes.underscore) &<< shift
    at |= UInt64(classes.at) &<< shift
  }

  /// `mailbox@label.label`: nil if the mailbox has characters beyond letters, digits, `.`, `-` and `_`, or there is no
  /// `@` at all, as in a phone number.
  @inline(__always)
  private func isAccount(count: Int) -> Bool? {
    let all: UInt64 = .max &>> UInt64(truncatingIfNeeded: 64 &- count)
    // The bits below the first @, and those above it.
    let mailbox = (at & (0 &- at)) &- 1
    guard at != 0, mailbox & ~(alphanumeric | dot | dash | underscore) == 0 else { return nil }
    let domain = all & ~(mailbox &<< 1 | 1)
    guard alphanumeric & mailbox & 1 == 1, domain != 0, domain & ~(alphanumeric | dot | dash) == 0 else { return false }
    // No label is empty, or begins or ends with a dash: there is a letter or digit before and after every dot, and at
    // both ends. Of at most 64 characters in all, no label has more than 63.
    let dots = domain & dot
    let first = domain & (0 &- domain)
    let last = (all &>> 1) &+ 1
    return dots != 0 && (first | dots &<< 1 | dots &>> 1 | last) & ~alphanumeric == 0
  }
}
