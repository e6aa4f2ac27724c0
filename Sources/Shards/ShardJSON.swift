import BatchRun
import Failures
import JSON

/// A JSON file of a step, with its name in messages.
struct ShardJSON {
  private let root: JSONNode
  let shown: String
  /// What to do if the file is damaged, or belongs to another plan.
  private let advice: String

  private static let format = "settle-shard"
  private static let version = 1

  /// The first fields of each file.
  static func head(plan: String?) -> [(String, JSONTree)] {
    [
      ("format", .string(format)), ("version", .number(version)), ("engine", .string(BatchRun.version)),
    ] + (plan.map { [("plan", .string($0))] } ?? [])
  }

  /// The text of a file.
  static func text(plan: String, _ object: some JSONObject) -> [UInt8] {
    Array((JSONTree.object(head(plan: plan) + object.namedValues).description + "\n").utf8)
  }

  /// Reads a file; throws if it is not JSON (74), or has another format, version, engine or plan (78).
  ///
  /// - Parameter advice: what to do if it is damaged, or belongs to another plan.
  init(_ text: [UInt8], shown: String, plan: String?, advice: String) throws(Failure) {
    (self.shown, self.advice) = (shown, advice)
    let tree: JSONTree
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      throw .inputOutput("\(shown): is damaged: it is not JSON; \(advice)")
    }
    guard tree["format"]?.string == Self.format, tree["version"]?.count == Self.version,
      tree["engine"]?.string == BatchRun.version
    else { throw .configuration("\(shown): made by another version of settle; \(advice)") }
    guard tree["plan"]?.string == plan else { throw .configuration("\(shown): belongs to another plan; \(advice)") }
    root = JSONNode(tree)
  }

  func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(advice)") }

  /// A field is missing or has another type.
  func lacking(_ name: String) -> Failure { damage("it has no \(name)") }

  /// Reads the object.
  func object<Object: JSONObject>(_: Object.Type = Object.self) throws(Failure) -> Object { try read(root) }

  /// Reads a text of the object.
  func text(_ name: String) throws(Failure) -> String { try read(root[name]) }

  private func read<Value: JSONValue>(_ node: JSONNode) throws(Failure) -> Value {
    do throws(JSONFault) { return try Value(reading: node) } catch {
      guard case .other(let words) = error.problem else { throw lacking(error.node.path.name) }
      throw damage(words)
    }
  }
}
