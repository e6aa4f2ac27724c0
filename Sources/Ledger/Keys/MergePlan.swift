/// Which segments become one after a night, so that a key is looked for in few of them and yet no night rewrites much.
///
/// A shard's segments that are about as large as what came after them, three to one, are merged with it: there are some
/// six of them for fifty equal nights, and a key is rewritten some three times in those. A night rewrites only so many
/// keys; shards that would take more wait for another night.
enum MergePlan {
  /// Keys that a night may rewrite for each that it adds.
  static let workPerKey = 3
  /// Keys that a night may rewrite, however few it adds.
  static let leastWork = 1 << 18

  /// The number of keys that a night may rewrite that adds so many.
  static func budget(newKeys: Int) -> Int { max(leastWork, newKeys * workPerKey) }

  /// Where the segments begin that should become one; nil if all should stay.
  ///
  /// - Parameters:
  ///   - counts: the keys of a shard's segments, the oldest first.
  ///   - budget: the most keys that they may have together.
  static func firstToMerge(_ counts: [Int], budget: Int) -> Int? {
    var first: Int?
    var newer = 0
    for place in counts.indices.reversed() {
      guard newer + counts[place] <= budget else { break }
      // Less than three to one: what one night gives the shards differs a little.
      if place < counts.count - 1, counts[place] * 5 <= newer * 2 { first = place }
      newer += counts[place]
    }
    return first
  }

  /// The merges of a night: shards, each with the place of its first segment to merge; those with most segments first.
  static func merges(_ shards: [[Int]], budget: Int) -> [(shard: Int, first: Int)] {
    var left = budget
    var merges: [(shard: Int, first: Int)] = []
    for shard in shards.indices.sorted(by: { (shards[$0].count, $1) > (shards[$1].count, $0) }) {
      guard let first = firstToMerge(shards[shard], budget: left) else { continue }
      left -= shards[shard][first...].reduce(0, +)
      merges.append((shard, first))
    }
    return merges
  }
}
