#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A SplitMix64 generator: random enough for tests, and every run can be repeated.
///
/// ```swift
/// var generator = SeededGenerator()
/// let value = UInt64.random(in: 0...9, using: &generator)
/// #expect(holds(value), "\(generator.reproduction)")
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The environment variable that fixes the seed of a run.
  static let environmentVariable = "SETTLE_TEST_SEED"

  /// The seed of the generator.
  public let seed: UInt64
  private var state: UInt64

  /// A generator with a seed; the same seed gives the same numbers.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator with this run's seed, for tests that draw independently of each other.
  ///
  /// The seed is the value of `SETTLE_TEST_SEED`, or taken from the clock if that is not a number.
  public init() { self.init(seed: Self.runSeed) }

  /// The comment for a failing expectation: how to repeat the run.
  public var reproduction: String { "repeat with \(Self.environmentVariable)=\(seed)" }

  private static let runSeed: UInt64 = {
    if let text = getenv(environmentVariable), let seed = UInt64(String(cString: text)) { return seed }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  }()

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
