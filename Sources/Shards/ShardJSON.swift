import BatchRun
import Failures
import JSON

/// A JSON file of a step, or a value in one, with its name in messages.
struct ShardJSON {
  let tree: JSONTree
  /// The name of its field; empty for the whole file.
  private let name: String
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
  static func text(plan: String, _ object: some StepObject) -> [UInt8] {
    Array((JSONTree.object(head(plan: plan) + object.namedValues).description + "\n").utf8)
  }

  /// Reads a file; throws if it is not JSON (74), or has another format, version, engine or plan (78).
  ///
  /// - Parameter advice: what to do if it is damaged, or belongs to another plan.
  init(_ text: [UInt8], shown: String, plan: String?, advice: String) throws(Failure) {
    (name, self.shown, self.advice) = ("", shown, advice)
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      throw .inputOutput("\(shown): is damaged: it is not JSON; \(advice)")
    }
    guard tree["format"]?.string == Self.format, tree["version"]?.count == Self.version,
      tree["engine"]?.string == BatchRun.version
    else { throw .configuration("\(shown): made by another version of settle; \(advice)") }
    guard tree["plan"]?.string == plan else { throw .configuration("\(shown): belongs to another plan; \(advice)") }
  }

  private init(_ tree: JSONTree, _ name: String, in file: ShardJSON) {
    (self.tree, self.name) = (tree, name)
    (shown, advice) = (file.shown, file.advice)
  }

  func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(advice)") }

  /// The field is missing or has another type.
  func lacking() -> Failure { damage("it has no \(name)") }

  /// Whether there is no such field, or it is null.
  var isMissing: Bool { if case .null = tree { true } else { false } }

  /// A field of the object; null if it has no such field.
  subscript(name: String) -> ShardJSON { ShardJSON(tree[name] ?? .null, name, in: self) }

  func elements() throws(Failure) -> [ShardJSON] {
    guard let values = tree.elements else { throw lacking() }
    return values.map { ShardJSON($0, name, in: self) }
  }

  /// The object's fields that are numbers, by name.
  func counts() throws(Failure) -> [(name: String, count: Int)] {
    guard let fields = tree.fields else { throw lacking() }
    return try fields.map { field throws(Failure) in (field.name, try Int(self[field.name])) }
  }
}

extension JSONTree {
  /// The integer; nil if this is anything else.
  var integer: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
