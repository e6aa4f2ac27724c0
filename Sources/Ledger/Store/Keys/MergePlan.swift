/// Which segments are merged after a night, so that keys are searched for in few segments and no night rewrites much.
///
/// A shard's segments are merged with the newer ones if they are about as large as all of those, three to one. After
/// fifty equal nights there are about six segments, and a key was rewritten about three times. A night rewrites only a
/// limited number of keys; shards that would need more wait for another night.
enum MergePlan {
  /// Keys that a night may rewrite for each key that it adds.
  static let workPerKey = 3
  /// Keys that a night may rewrite, however few it adds.
  static let leastWork = 1 << 18

  /// The number of keys that a night may rewrite if it adds `newKeys`.
  static func budget(newKeys: Int) -> Int { max(leastWork, newKeys * workPerKey) }

  /// The first of the segments that should become one; nil if all should stay.
  ///
  /// - Parameters:
  ///   - counts: the keys of a shard's segments, the oldest first.
  ///   - budget: the most keys that they may have together.
  static func firstToMerge(_ counts: [Int], budget: Int) -> Int? {
    var first: Int?
    var newer = 0
    for place in counts.indices.reversed() {
      guard newer + counts[place] <= budget else { break }
      // Less than three to one: shards do not get exactly the same number of keys in a night.
      if place < counts.count - 1, counts[place] * 5 <= newer * 2 { first = place }
      newer += counts[place]
    }
    return first
  }

  /// The merges of a night: shards, each with its first segment to merge; the shards with the most segments first.
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
