/// A benchmark: one stage of a run, or whole runs, over a generated batch.
public struct StageBenchmark: Sendable, CustomStringConvertible {
  /// How large its input is.
  public enum Size: Sendable {
    /// For tests, where only the result counts.
    case tiny
    /// For measuring.
    case full
  }

  /// What it is called, everywhere; baselines are compared by it.
  public let name: String
  /// The payments of its input, or the bytes of a hostile one.
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

/// A stage and its input, ready to run as often as wanted, on one thread at a time.
public protocol PreparedStage: AnyObject {
  /// The payments that one run goes through.
  var payments: Int { get }
  /// The bytes that those payments have in the batch, whatever part of them the stage looks at.
  var bytes: Int { get }
  /// Makes anew what a run uses up; not measured.
  func setUp() throws
  /// What is measured.
  func run() throws
  /// A hash of all that a run makes; not measured, and asked for after a run.
  func resultHash() throws -> UInt64
}

extension PreparedStage {
  /// Nothing is used up.
  public func setUp() throws {}
}
