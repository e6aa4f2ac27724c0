extension Fingerprint {
  /// The most buckets, which are numbers of four bytes.
  @inlinable static var mostBucketBits: Int { 18 }
  /// The most elements of a bucket that are put in order one by one.
  @inlinable static var mostInBucket: UInt32 { 64 }

  /// Elements in ascending order of their fingerprints.
  ///
  /// Fingerprints are evenly spread, so their upper bits put them into buckets of one or two, in order. If a bucket has
  /// many, all elements are compared instead.
  ///
  /// - Parameter commonBits: the number of upper bits that all fingerprints have in common.
  @inlinable
  public static func sorted<Element: BitwiseCopyable>(
    _ elements: Span<Element>, commonBits: Int, by key: (Element) -> Fingerprint
  ) -> [Element] {
    guard elements.count > 0 else { return [] }
    var sorted = [Element](repeating: elements[0], count: elements.count)
    let most = distribute(elements, into: &sorted, commonBits: commonBits, by: key)
    guard most <= mostInBucket else {
      sorted.sort { key($0) < key($1) }
      return sorted
    }
    for index in sorted.indices.dropFirst() {
      let element = sorted[index]
      var place = index
      while place > 0, key(element) < key(sorted[place - 1]) {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      if place < index { sorted[place] = element }
    }
    return sorted
  }

  /// Copies elements bucket by bucket, and returns the number of elements in the fullest one.
  @inlinable
  static func distribute<Element: BitwiseCopyable>(
    _ elements: Span<Element>, into sorted: inout [Element], commonBits: Int, by key: (Element) -> Fingerprint
  ) -> UInt32 {
    let bits = min(mostBucketBits, Int.bitWidth - elements.count.leadingZeroBitCount)
    func bucket(_ element: Element) -> Int {
      Int(truncatingIfNeeded: (key(element).high &<< UInt64(commonBits)) &>> UInt64(64 - bits))
    }
    var places = [UInt32](repeating: 0, count: 1 << bits)
    for index in elements.indices { places[bucket(elements[index])] += 1 }
    var (next, most) = (UInt32(0), UInt32(0))
    for bucket in places.indices {
      let count = places[bucket]
      places[bucket] = next
      next += count
      most = max(most, count)
    }
    for index in elements.indices {
      let bucket = bucket(elements[index])
      sorted[Int(places[bucket])] = elements[index]
      places[bucket] += 1
    }
    return most
  }
}
