import Failures

/// The old name of `Failure`, until no one uses it.
public typealias FileFailure = Failure
