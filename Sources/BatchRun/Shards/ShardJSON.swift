import JSON
import Reports
import Text

/// A JSON file of a step, or an object in one, with its name in messages.
struct ShardJSON {
  let tree: JSONTree
  let shown: String

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
  init(_ text: [UInt8], shown: String, plan: String?) throws(RunFailure) {
    self.shown = shown
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      throw .inputOutput("\(shown): is damaged: it is not JSON")
    }
    guard tree["format"]?.string == Self.format, tree["version"]?.count == Self.version,
      tree["engine"]?.string == BatchRun.version
    else { throw .configuration("\(shown): made by another version of settle; plan the batch again") }
    guard tree["plan"]?.string == plan else { throw .configuration("\(shown): belongs to another plan") }
  }

  private init(_ tree: JSONTree, shown: String) {
    self.tree = tree
    self.shown = shown
  }

  func damage(_ why: String) -> RunFailure { .inputOutput("\(shown): is damaged: \(why)") }

  private func lacking(_ name: String) -> RunFailure { damage("it has no \(name)") }

  func string(_ name: String) throws(RunFailure) -> String {
    guard let value = tree[name]?.string else { throw lacking(name) }
    return value
  }

  /// An integer.
  func number(_ name: String) throws(RunFailure) -> Int {
    guard let value = tree[name]?.integer else { throw lacking(name) }
    return value
  }

  func flag(_ name: String) throws(RunFailure) -> Bool {
    guard case .boolean(let value) = tree[name] else { throw lacking(name) }
    return value
  }

  func object(_ name: String) throws(RunFailure) -> ShardJSON {
    guard let value = tree[name], value.fields != nil else { throw lacking(name) }
    return ShardJSON(value, shown: shown)
  }

  func objects(_ name: String) throws(RunFailure) -> [ShardJSON] {
    guard let values = tree[name]?.elements else { throw lacking(name) }
    return values.map { ShardJSON($0, shown: shown) }
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
