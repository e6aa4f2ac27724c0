/// The old name of `RunEntry`, until no one uses it.
public typealias NumberedRun = RunEntry

/// The old name of `PayoutEntry`, until no one uses it.
public typealias NumberedPayout = PayoutEntry

extension Entry {
  /// The entry itself: leave it out.
  public var entry: Entry { self }
}
