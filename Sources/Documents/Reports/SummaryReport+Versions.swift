import JSON

/// Comparing a summary with one that another version of settle wrote (`ledger.md`, "`settle run --adopt`").
extension SummaryReport {
  /// The keys that summaries of earlier versions lack, and those of nights that were settled by them.
  private static let laterKeys = ["day", "rules", "strictTexts"]

  /// The version that a summary names; nil if it names none.
  public static func version(_ tree: JSONTree) -> String? { tree["engine"]?["version"]?.string }

  /// A new summary without what a published one need not have in common with it.
  ///
  /// - Parameter isOtherVersion: whether another version wrote the published one.
  public static func comparable(_ new: JSONTree, with published: JSONTree, isOtherVersion: Bool) -> JSONTree {
    let summary = without(laterKeys, new, lackedBy: published)
    guard isOtherVersion, let engine = published["engine"] else { return summary }
    return summary.replacing("engine") { _ in engine }
  }

  private static func without(_ names: [String], _ new: JSONTree, lackedBy published: JSONTree) -> JSONTree {
    guard case .object(let fields) = new, case .object = published else { return new }
    return .object(
      fields.compactMap { name, value in
        let key = String(decoding: name, as: UTF8.self)
        guard let there = published[key] else { return names.contains(key) ? nil : (name, value) }
        return (name, without(names, value, lackedBy: there))
      })
  }
}

extension JSONTree {
  /// The object with another value of a field that it has.
  public func replacing(_ field: String, by change: (JSONTree) -> JSONTree) -> JSONTree {
    guard case .object(let fields) = self else { return self }
    return .object(fields.map { ($0.name, $0.name.elementsEqual(field.utf8) ? change($0.value) : $0.value) })
  }
}
