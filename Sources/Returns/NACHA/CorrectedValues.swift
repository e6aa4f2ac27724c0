import Payouts
import Text

/// The values of a notification of change, in the columns of the payees file; an empty one is not given or not valid.
struct CorrectedValues {
  private(set) var (routing, number, type, name): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])

  /// - Parameters:
  ///   - reason: the code, such as `C01`.
  ///   - corrected: the 29 characters of corrected data, as UTF-8.
  init(_ reason: [UInt8], _ corrected: [UInt8]) {
    let characters = Array(String(decoding: corrected, as: UTF8.self).unicodeScalars)
    func part(_ range: Range<Int>) -> [UInt8] {
      NACHARecord.trimmed(characters[range.clamped(to: 0..<characters.count)].flatMap { Array(UTF8.encode($0)!) })
    }
    switch String(decoding: reason, as: UTF8.self) {
    case "C01": number = part(0..<17)
    case "C02": routing = part(0..<9)
    case "C03": (routing, number) = (part(0..<9), part(12..<29))
    case "C04": name = part(0..<22)
    case "C05": type = part(0..<2)
    case "C06": (number, type) = (part(0..<17), part(20..<22))
    case "C07": (routing, number, type) = (part(0..<9), part(9..<26), part(26..<28))
    default: break
    }
    if !BankAccount.isRouting(routing.span) { routing = [] }
    if !BankAccount.isAccountNumber(number.span) { number = [] }
    type = Self.accountType(type)
    var converted = TextBuffer()
    if BankText.convert(name.span, into: &converted) != nil { name = [] }
  }

  private static func accountType(_ code: [UInt8]) -> [UInt8] {
    switch String(decoding: code, as: UTF8.self) {
    case "22", "23", "24": Array("CHECKING".utf8)
    case "32", "33", "34": Array("SAVINGS".utf8)
    default: []
    }
  }
}
