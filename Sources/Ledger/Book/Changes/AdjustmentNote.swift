import Failures
import Text

/// The note of what was decided outside of batches.
public struct AdjustmentNote: ChangeNote {
  public static let list = ListKind.adjustments
  public static let keySaysAmount = false

  /// What identifies it in the ledger: 1 to 35 of `A-Z a-z 0-9 . _ -`, or longer with a `listedKey`.
  public let key: String
  public let reason: String

  /// Whether a ledger can have a text as a key: 1 to 64 of `A-Z a-z 0-9 . _ -`.
  public static func isKey(_ text: [UInt8]) -> Bool {
    1...64 ~= text.count && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.identifier != 0 }
  }

  /// The key that its payout lists it under, if that key was booked already and it has another one in the ledger; nil
  /// if it has the same. Then `key` is this one and `.PN`, and may be longer.
  public let listedKey: String?

  /// The note of an adjustment.
  public init(key: String, reason: String, listedKey: String? = nil) {
    (self.key, self.reason, self.listedKey) = (key, reason, listedKey)
  }

  public init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    let fields = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard 2...3 ~= fields.count else { throw AccountBlock.damaged }
    self.init(key: fields[0], reason: fields[1], listedKey: fields.count > 2 ? fields[2] : nil)
  }

  public var bytes: [UInt8] { Array([key, reason, listedKey].compactMap(\.self).joined(separator: ",").utf8) }
}
