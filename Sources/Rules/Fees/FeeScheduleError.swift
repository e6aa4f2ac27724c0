import JSON
import Text

/// Why a fee schedule cannot be used; the run ends before any record is read (exit code 78).
public struct FeeScheduleError: Error, Sendable, CustomStringConvertible {
  /// Where in the schedule, as a path: `plans.standard.rate`; empty for the whole text.
  public let path: String
  /// What is wrong, and what was expected.
  public let reason: String

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

extension FeeScheduleError {
  init(_ fault: JSONFault) {
    path = fault.node.path.shown
    reason =
      switch fault.problem {
      case .repeated: "is given twice"
      case .unknown(let expected): "unknown key; expected \(MessageText.list(expected))"
      case .missing: "is missing; it is required"
      case .mismatch(let expected): "is \(fault.node.tree.kindName); expected \(expected)"
      case .other(let words): words
      }
  }

  /// What `read` makes of a whole file; a byte order mark at its start is skipped.
  static func reading<Value>(
    _ json: [UInt8], _ read: (JSONNode) throws(JSONFault) -> Value
  ) throws(FeeScheduleError) -> Value {
    let hasByteOrderMark = json.starts(with: [0xEF, 0xBB, 0xBF])
    let tree: JSONTree
    do throws(JSONTree.SyntaxError) {
      tree = try JSONTree(parsing: hasByteOrderMark ? Array(json.dropFirst(3)) : json)
    } catch {
      throw FeeScheduleError(path: "", reason: "not JSON at byte \(error.offset): expected \(error.expected)")
    }
    do throws(JSONFault) { return try read(JSONNode(tree)) } catch { throw FeeScheduleError(error) }
  }
}

extension JSONPath {
  /// The path in messages.
  var shown: String { dotted { MessageText.text($0.utf8) } }
}
