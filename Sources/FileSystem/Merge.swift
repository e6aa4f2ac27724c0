import Failures

/// A sorted source for a merge, with a current element.
public protocol MergeSource: AnyObject {
  /// Why the next element cannot be read.
  associatedtype Failure: Error

  /// Goes to the first or next element; false after the last.
  func next() throws(Failure) -> Bool

  /// Compares its current element with another source's: below zero if its own comes first, 0 if neither does.
  func compare(_ other: Self) -> Int
}

/// Merges sorted sources. Of equal elements, that of the earlier source comes first.
public struct Merge<Source: MergeSource> {
  @usableFromInline let sources: [Source]
  /// The places of the sources that have an element left, as a heap.
  @usableFromInline var heap: [Int] = []

  /// - Parameter sources: before their first element.
  @inlinable public init(_ sources: [Source]) throws(Source.Failure) {
    self.sources = sources
    for place in sources.indices where try sources[place].next() {
      heap.append(place)
      var at = heap.count - 1
      while at > 0, precedes(heap[at], heap[(at - 1) / 2]) {
        heap.swapAt(at, (at - 1) / 2)
        at = (at - 1) / 2
      }
    }
  }

  /// The source with the next element, and its place; nil after the last element.
  @inlinable public var next: (place: Int, source: Source)? { heap.first.map { ($0, sources[$0]) } }

  /// Goes to the element after the next one.
  @inlinable public mutating func advance() throws(Source.Failure) {
    if try !sources[heap[0]].next() {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < heap.count && precedes(heap[child], heap[least]) {
        least = child
      }
      if least == at { return }
      heap.swapAt(at, least)
      at = least
    }
  }

  @inlinable func precedes(_ left: Int, _ right: Int) -> Bool {
    let order = sources[left].compare(sources[right])
    return order == 0 ? left < right : order < 0
  }
}
