/// A closed set of cases without values, which Swift numbers in their order.
public protocol NumberedCase: CaseIterable {}

extension NumberedCase {
  /// Its place among the cases, from 0. (Unsafe: such a case is one byte, its number.)
  @inlinable @inline(__always)
  public var caseNumber: UInt8 { unsafe unsafeBitCast(self, to: UInt8.self) }
}
