import Console
import Failures
import FileSystem
import JSON
import Ledger
import Documents

/// A run of the ledger whose reports are searched.
struct Night {
  /// What is known about the directory of its reports.
  enum State {
    case present
    case gone
    /// Its reports are at a URI, and are not read.
    case atURI
    /// Its reports could not be read.
    case unreadable
    /// Its reports are left alone, as was asked.
    case leftAlone
  }

  let number: Int
  /// The settlement day, as `YYYY-MM-DD`: the day of the header in UTC, or else the day on which the run was entered.
  let day: String
  var state: State
  private let directory: String

  init(_ run: RunEntry, ledgerOnly: Bool) {
    number = run.number
    day = BookingOrder.settlementDay(of: run).text
    directory = FileName.string(run.directory)
    state = ledgerOnly ? .leftAlone : run.isAtURI ? .atURI : OutputPlace.isGone(directory) ? .gone : .present
  }

  var shownDirectory: String { OutputPlace.shown(directory) }

  /// Its reports; nil if they cannot be read.
  func reports(threads: Int) throws(Failure) -> ReportSearch? {
    state == .present ? try ReportSearch(directory: directory, threads: threads) : nil
  }

  /// The line above everything found in it.
  var heading: String {
    let mark =
      switch state {
      case .present, .leftAlone: ""
      case .gone: " (gone)"
      case .atURI: " (not looked at)"
      case .unreadable: " (could not be read)"
      }
    return "run \(number)  \(day)  \(shownDirectory)\(mark)"
  }

  /// The first fields of each object found in it.
  var json: [(String, JSONTree)] {
    [
      ("run", .number(number)), ("day", .string(day)), ("directory", .string(shownDirectory)),
      ("directoryGone", state == .leftAlone ? .null : .boolean(state == .gone)),
      ("lookedAt", .boolean(state == .present)),
    ]
  }

  /// How many nights were read, and which were not.
  static func summary(_ nights: [Night]) -> String {
    func listed(_ state: State) -> String {
      nights.filter { $0.state == state }.map { "run \($0.number) (\($0.shownDirectory))" }.joined(separator: ", ")
    }
    let looked = Terminal.count(nights.count { $0.state == .present }, "night")
    let others = [("gone", State.gone), ("at a URI, not looked at", .atURI), ("could not be read", .unreadable)]
    return others.reduce("looked at \(looked)") { words, other in
      let nights = listed(other.1)
      return words + (nights.isEmpty ? "" : "; \(other.0): \(nights)")
    }
  }
}
