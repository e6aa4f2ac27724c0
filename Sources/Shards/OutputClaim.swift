import Failures
import JSON

/// Which plan may write reports at an object store: `claim.json`, which `settle-spark` writes there before anything else.
struct OutputClaim: Sendable {
  private static let format = "settle-claim"
  /// The file as it is.
  let text: [UInt8]
  /// What the manifest has of it.
  let fields: JSONTree

  /// Reads a claim; throws if it is not JSON (74), or not that of a plan (78).
  init(_ text: [UInt8], shown: String, plan: String) throws(Failure) {
    self.text = text
    let tree: JSONTree
    do throws(JSONTree.SyntaxError) { tree = try JSONTree(parsing: text) } catch {
      throw .inputOutput("\(shown): is damaged: it is not JSON")
    }
    guard case .object(let all) = tree, tree["format"]?.string == Self.format, tree["plan"]?.string == plan else {
      throw .configuration("\(shown): is not the claim of this plan")
    }
    fields = .object(all.filter { field in !["format", "version"].contains { field.name.elementsEqual($0.utf8) } })
  }
}
