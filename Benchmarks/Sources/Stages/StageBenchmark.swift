/// A benchmark: one stage of a run, or whole runs, on a generated batch.
public struct StageBenchmark: Sendable, CustomStringConvertible {
  /// The size of its input.
  public enum Size: Sendable {
    /// For tests, where only the result counts.
    case tiny
    /// For measuring.
    case full
  }

  /// Its name everywhere; baselines are compared by it.
  public let name: String
  /// The number of payments in its input, or of bytes of a hostile one.
  private let sizes: (tiny: Int, full: Int)
  private let make: @Sendable (_ size: Int) throws -> any PreparedStage

  init(
    _ name: String, tiny: Int = 50, full: Int = 20_000, _ make: @escaping @Sendable (Int) throws -> any PreparedStage
  ) {
    self.name = name
    sizes = (tiny, full)
    self.make = make
  }

  /// Makes its input.
  public func prepare(_ size: Size) throws -> any PreparedStage {
    try make(size == .tiny ? sizes.tiny : sizes.full)
  }

  /// The name.
  public var description: String { name }
}

/// A stage and its input, ready to run any number of times, on one thread at a time.
public protocol PreparedStage: AnyObject {
  /// The number of payments that one run processes.
  var payments: Int { get }
  /// The number of bytes of those payments in the batch, even if the stage reads only a part of them.
  var bytes: Int { get }
  /// Restores what a run uses up; not measured.
  func setUp() throws
  /// The measured part.
  func run() throws
  /// A hash of everything that a run produces; not measured. Call it after a run.
  func resultHash() throws -> UInt64
}

extension PreparedStage {
  /// Nothing is used up.
  public func setUp() throws {}
}
