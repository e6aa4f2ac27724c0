/// The elements of a kind of document that are read, by their paths below the first child of `Document`.
struct ElementTree: Sendable {
  /// An element that is not read, nor anything in it.
  static let skipped = -1
  /// The first child of `Document`.
  static let root = 0

  private struct Node: Sendable {
    /// What its reader calls it; nil if only elements in it are read.
    var part: Int?
    /// The places of its children in `edges`.
    var children = 0..<0
    var hasText = false
  }

  private struct Edge: Sendable {
    let parent, node: Int
    let name: ElementName
  }

  private var nodes = [Node()]
  private var edges: [Edge] = []

  /// - Parameters:
  ///   - parts: what the reader calls an element, by its path.
  ///   - mixed: the parts whose text is read although elements in them are read too.
  init(_ parts: [(path: String, part: Int)], mixed: Set<Int> = []) {
    for (path, part) in parts {
      var node = Self.root
      for name in path.split(separator: "/") {
        let name = ElementName(String(name))
        if let edge = edges.first(where: { $0.parent == node && $0.name == name }) {
          node = edge.node
        } else {
          edges.append(Edge(parent: node, node: nodes.count, name: name))
          node = nodes.count
          nodes.append(Node())
        }
      }
      nodes[node].part = part
    }
    edges.sort { ($0.parent, $0.node) < ($1.parent, $1.node) }
    for place in nodes.indices {
      let start = edges.firstIndex { $0.parent == place } ?? 0
      nodes[place].children = start..<start + edges.count { $0.parent == place }
      let isLeaf = nodes[place].children.isEmpty
      nodes[place].hasText = nodes[place].part.map { isLeaf || mixed.contains($0) } ?? false
    }
  }

  func child(of node: Int, _ name: ElementName) -> Int {
    for place in nodes[node].children where edges[place].name == name { return edges[place].node }
    return Self.skipped
  }

  func part(_ node: Int) -> Int? { nodes[node].part }
  func hasText(_ node: Int) -> Bool { nodes[node].hasText }
}
