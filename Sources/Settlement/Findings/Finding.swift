import BatchFile

/// One error of a record, small and without references: findings are collected by the thousand where a record has them.
public struct Finding: BitwiseCopyable, Sendable {
  /// The reason above the 58th bit, the path below: findings sort as `exceptions.csv` lists them.
  let key: UInt64
  /// The value the message shows; or, where `start` is an index into the assessment's figures, the figures.
  let evidence: JSONSlice

  init(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    key = UInt64(reason.rawValue) << 58 | path.packed
    self.evidence = evidence
  }

  /// Why the record is rejected.
  public var reason: RejectionReason { RejectionReason(rawValue: UInt8(key >> 58)).unsafelyUnwrapped }

  /// The field.
  public var path: FieldPath { FieldPath(unpacking: key) }
}

/// One notice of a record.
public struct NoticeFinding: Sendable {
  /// What is noticed.
  public let notice: Notice
  /// The field; of an unknown field, the object it stands in.
  public let path: FieldPath
  /// The name of an unknown field; else absent.
  let name: JSONSlice
}
