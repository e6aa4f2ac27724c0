import Failures
import JSON
import Reports
import Text

/// A JSON file of a step, or an object in one, with its name in messages.
struct ShardJSON {
  let tree: JSONTree
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
  static func text(plan: String, _ fields: [(String, JSONTree)]) -> [UInt8] {
    Array((JSONTree.object(head(plan: plan) + fields).description + "\n").utf8)
  }

  /// Reads a file; throws if it is not JSON (74), or has another format, version, engine or plan (78).
  ///
  /// - Parameter advice: what to do if it is damaged, or belongs to another plan.
  init(_ text: [UInt8], shown: String, plan: String?, advice: String) throws(Failure) {
    (self.shown, self.advice) = (shown, advice)
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      throw .inputOutput("\(shown): is damaged: it is not JSON; \(advice)")
    }
    guard tree["format"]?.string == Self.format, tree["version"]?.count == Self.version,
      tree["engine"]?.string == BatchRun.version
    else { throw .configuration("\(shown): made by another version of settle; \(advice)") }
    guard tree["plan"]?.string == plan else { throw .configuration("\(shown): belongs to another plan; \(advice)") }
  }

  private init(_ tree: JSONTree, in file: ShardJSON) {
    self.tree = tree
    (shown, advice) = (file.shown, file.advice)
  }

  func damage(_ why: String) -> Failure { .inputOutput("\(shown): is damaged: \(why); \(advice)") }

  private func lacking(_ name: String) -> Failure { damage("it has no \(name)") }

  func string(_ name: String) throws(Failure) -> String {
    guard let value = tree[name]?.string else { throw lacking(name) }
    return value
  }

  /// An integer.
  func number(_ name: String) throws(Failure) -> Int {
    guard let value = tree[name]?.integer else { throw lacking(name) }
    return value
  }

  func flag(_ name: String) throws(Failure) -> Bool {
    guard case .boolean(let value) = tree[name] else { throw lacking(name) }
    return value
  }

  func object(_ name: String) throws(Failure) -> ShardJSON {
    guard let value = tree[name], value.fields != nil else { throw lacking(name) }
    return ShardJSON(value, in: self)
  }

  func objects(_ name: String) throws(Failure) -> [ShardJSON] {
    guard let values = tree[name]?.elements else { throw lacking(name) }
    return values.map { ShardJSON($0, in: self) }
  }

  /// The numbers with their names.
  var counts: [(name: String, count: Int)] { tree.fields?.map { ($0.name, $0.value.integer ?? 0) } ?? [] }
}

extension JSONTree {
  /// The integer; nil if this is anything else.
  var integer: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
