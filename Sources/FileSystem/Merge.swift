import Failures

/// A sorted source for a merge, with a current element.
public protocol MergeSource: AnyObject {
  /// Why the next element cannot be read.
  associatedtype Failure: Error

  /// Goes to the first or next element; false after the last.
  func next() throws(Failure) -> Bool

  /// The beginning of the current element's key, as a number that sorts in the same order.
  var prefix: UInt128 { get }

  /// Compares its current element with that of another source with the same prefix: below zero if its own comes first, 0
  /// if neither does.
  func compare(_ other: Self) -> Int
}

/// Merges sorted sources. Of equal elements, that of the earlier source comes first.
public struct Merge<Source: MergeSource> {
  /// A source that has an element left.
  @usableFromInline struct Head {
    @usableFromInline let place: Int
    @usableFromInline var prefix: UInt128

    @inlinable init(place: Int, prefix: UInt128) { (self.place, self.prefix) = (place, prefix) }
  }

  @usableFromInline let sources: [Source]
  /// A heap with the first element on top.
  @usableFromInline var heap: [Head] = []

  /// - Parameter sources: before their first element.
  @inlinable public init(_ sources: [Source]) throws(Source.Failure) {
    self.sources = sources
    for place in sources.indices where try sources[place].next() {
      heap.append(Head(place: place, prefix: sources[place].prefix))
      var at = heap.count - 1
      while at > 0, precedes(heap[at], heap[(at - 1) / 2]) {
        heap.swapAt(at, (at - 1) / 2)
        at = (at - 1) / 2
      }
    }
  }

  /// The source with the next element, and its place; nil after the last element.
  @inlinable public var next: (place: Int, source: Source)? { heap.first.map { ($0.place, sources[$0.place]) } }

  /// Goes to the element after the next one.
  @inlinable public mutating func advance() throws(Source.Failure) {
    var head = heap[0]
    if try sources[head.place].next() {
      head.prefix = sources[head.place].prefix
    } else {
      head = heap.removeLast()
      if heap.isEmpty { return }
    }
    var at = 0
    while 2 * at + 1 < heap.count {
      var child = 2 * at + 1
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], head) else { break }
      heap[at] = heap[child]
      at = child
    }
    heap[at] = head
  }

  @inlinable func precedes(_ left: Head, _ right: Head) -> Bool {
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    let order = sources[left.place].compare(sources[right.place])
    return order == 0 ? left.place < right.place : order < 0
  }
}
