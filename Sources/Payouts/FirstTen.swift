/// The first ten of some things that a message names, and the number of all.
struct FirstTen {
  private(set) var count = 0
  private(set) var first: [String] = []

  static let most = 10

  /// - Parameter text: how the message names it; made only if it is one of the first.
  mutating func add(_ text: @autoclosure () -> String) {
    count += 1
    if first.count < Self.most { first.append(text()) }
  }

  /// `one; two; and 3 others`.
  var text: String {
    let others = count - first.count
    return first.joined(separator: "; ") + (others > 0 ? "; and \(others) others" : "")
  }
}
