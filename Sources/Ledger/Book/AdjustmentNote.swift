import Failures
import Text

public struct AdjustmentNote: Sendable, Equatable {
  /// What identifies it in the ledger: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  public let key: String
  /// Why it was made, in the same form.
  public let reason: String

  /// Whether a text can be a key or a reason: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  public static func isKey(_ text: [UInt8]) -> Bool {
    1...35 ~= text.count && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.identifier != 0 }
  }

  /// The note of an adjustment.
  public init(key: String, reason: String) { (self.key, self.reason) = (key, reason) }

  init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { throw AccountBlock.damaged }
    key = String(decoding: bytes[..<comma], as: UTF8.self)
    reason = String(decoding: bytes[(comma + 1)...], as: UTF8.self)
  }

  /// The form in which the ledger keeps it. Adjustments of one account and currency are in the order of their keys.
  public var bytes: [UInt8] { Array("\(key),\(reason)".utf8) }
}
