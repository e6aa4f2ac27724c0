/// The elements of a kind of document that are read, by their paths below the first child of `Document`.
struct ElementTree: Sendable {
  /// An element that is not read, nor anything in it.
  static let skipped = -1
  /// The first child of `Document`.
  static let root = 0

  private struct Node: Sendable {
    let name: [UInt8]
    /// What its reader calls it; nil if only elements in it are read.
    var part: Int?
    var children: [Int] = []
    var hasText = false
  }

  private var nodes = [Node(name: [])]

  /// - Parameters:
  ///   - parts: what the reader calls an element, by its path.
  ///   - mixed: the parts whose text is read although elements in them are read too.
  init(_ parts: [(path: String, part: Int)], mixed: Set<Int> = []) {
    for (path, part) in parts {
      var node = Self.root
      for name in path.split(separator: "/") {
        let name = Array(name.utf8)
        if let child = nodes[node].children.first(where: { nodes[$0].name == name }) {
          node = child
        } else {
          nodes.append(Node(name: name))
          nodes[node].children.append(nodes.count - 1)
          node = nodes.count - 1
        }
      }
      nodes[node].part = part
    }
    for place in nodes.indices {
      nodes[place].hasText = nodes[place].part.map { nodes[place].children.isEmpty || mixed.contains($0) } ?? false
    }
  }

  /// The child of an element with a name.
  func child(of node: Int, _ name: Span<UInt8>) -> Int {
    for child in nodes[node].children {
      let wanted = nodes[child].name
      guard wanted.count == name.count else { continue }
      var place = 0
      while place < wanted.count, wanted[place] == name[place] { place += 1 }
      if place == wanted.count { return child }
    }
    return Self.skipped
  }

  func part(_ node: Int) -> Int? { nodes[node].part }
  func hasText(_ node: Int) -> Bool { nodes[node].hasText }
}
