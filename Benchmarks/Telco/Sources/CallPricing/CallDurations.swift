/// Made-up call durations, distributed as the published ones are: exponentially, 180 seconds on average, rounded to
/// whole seconds.
public enum CallDurations {
  /// The average duration in seconds.
  public static let mean: UInt64 = 180

  /// The durations of `calls` calls in the form of the published file: unsigned 64-bit integers, big-endian.
  ///
  /// The same bytes for the same seed on every machine; there is no floating point.
  public static func generate(calls: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(state: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(calls * MemoryLayout<UInt64>.size)
    for _ in 0..<calls {
      withUnsafeBytes(of: exponential(&random).bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// An exponentially distributed number of seconds, rounded.
  ///
  /// Von Neumann's method ("Various techniques used in connection with random digits", 1951), which needs nothing but
  /// comparisons: of a run of falling uniform numbers, the first is the fraction if the run's length is odd; if not,
  /// the whole part grows by one and another run is drawn.
  private static func exponential(_ random: inout SplitMix64) -> UInt64 {
    var whole: UInt64 = 0
    while true {
      let first = random.next()
      var (last, length) = (first, 1)
      while true {
        let drawn = random.next()
        guard drawn < last else { break }
        last = drawn
        length += 1
      }
      if length % 2 == 1 {
        let (seconds, rest) = first.multipliedFullWidth(by: mean)
        return whole * mean + seconds + (rest >> 63)
      }
      whole += 1
    }
  }
}

/// The SplitMix64 generator (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
