import Digests
import JSON

public enum RuleValue: Equatable, Sendable {
  /// The SHA-256 of a file's text in hexadecimal digits; nil if no file is used.
  case file(String?)
  case flag(Bool)
  case days(Int)
  case policy(UnknownFields)
  /// None: the run is from before the option, and its rules were others.
  case beforeOption

  /// Whether it is part of the same identity: a run from before an option counts as one without it.
  package func isSame(as other: RuleValue) -> Bool {
    self == other || self.isOff && other.isOff
  }

  private var isOff: Bool { self == .flag(false) || self == .beforeOption }

  /// The SHA-256 of a file's text.
  public static func digest(_ text: [UInt8]) -> String { SHA256.digest(of: text).hexadecimal }

  /// Whether a text is a SHA-256 in hexadecimal digits.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
  }

  /// The SHA-256 of the file; nil without one.
  public var digest: String? { if case .file(let digest) = self { digest } else { nil } }

  /// What identities write; nil for no file and no value.
  var written: String? {
    switch self {
    case .file(let digest): digest
    case .flag(let flag): flag ? "1" : "0"
    case .days(let days): "\(days)"
    case .policy(let policy): policy.rawValue
    case .beforeOption: nil
    }
  }

  public var json: JSONTree {
    switch self {
    case .file(let digest): digest.map { .string($0) } ?? .null
    case .flag(let flag): .boolean(flag)
    case .days(let days): .number(days)
    case .policy(let policy): .string(policy.rawValue)
    case .beforeOption: .null
    }
  }

  /// The value for people.
  public var shown: String {
    switch self {
    case .file(let digest): digest.map { "SHA-256 \($0)" } ?? "none"
    case .flag(let flag): flag ? "yes" : "no"
    case .days(let days): "\(days)"
    case .policy(let policy): policy.rawValue
    case .beforeOption: "as before 1.0.0-rc.4"
    }
  }
}
