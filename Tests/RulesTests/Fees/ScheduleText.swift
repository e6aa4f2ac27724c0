import Foundation
import Money
import Rules
import Text

/// A fee schedule's text in which single parts can be replaced.
struct ScheduleText: Sendable {
  var rounding = #""HALF_UP""#
  var plans = #"{"standard":{"rate":"0.029","fixed":"standard"},"free":{"rate":"0","crossBorder":false}}"#
  var otherwise = #""standard""#
  var personal = #"{"BALANCE":"free","BANK":"free","CARD":"standard"}"#
  var subTypes = "{}"
  var accounts = "{}"
  var crossBorder = #""0.01""#
  var fixed = #"{"standard":\#(ScheduleText.table("0.30"))}"#
  /// More members, each with a comma before it.
  var more = ""

  /// A table with the same fee in each of the 24 currencies.
  static func table(_ fee: String, without: String? = nil) -> String {
    "{" + Currency.all.map(\.code).filter { $0 != without }.map { #""\#($0)":"\#(fee)""# }.joined(separator: ",") + "}"
  }

  var json: String {
    #"{"rounding":\#(rounding),"plans":\#(plans),"default":\#(otherwise),"personal":\#(personal),"#
      + #""subTypes":\#(subTypes),"accounts":\#(accounts),"crossBorder":\#(crossBorder),"fixed":\#(fixed)\#(more)}"#
  }

  func schedule() throws -> FeeSchedule { try FeeSchedule(json: Array(json.utf8)) }

  /// What is wrong with the text, or nil.
  static func complaint(_ text: String) -> String? {
    do throws(FeeScheduleError) {
      _ = try FeeSchedule(json: Array(text.utf8))
      return nil
    } catch {
      return error.description
    }
  }
}

extension ScheduleText {
  /// The codes of the currencies, as messages list them.
  static let codes = MessageText.list(Currency.all.map(\.code))

  /// The text with the first or last member of a name renamed.
  func renaming(_ name: String, to other: String, last: Bool = false) -> String {
    let text = json
    guard let range = text.range(of: "\"\(name)\":", options: last ? .backwards : []) else { return text }
    return text.replacingCharacters(in: range, with: "\"\(other)\":")
  }
}
