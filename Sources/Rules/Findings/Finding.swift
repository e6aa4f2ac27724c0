import Input
import Records

/// One error of a record, small and without references: findings are collected by the thousand if a record has them.
public struct Finding: BitwiseCopyable, Sendable {
  /// The field.
  public let path: FieldPath
  /// The value the message shows; or, where `start` is an index into the assessment's figures, the figures.
  let evidence: JSONSlice
  /// Why the record is rejected.
  public let reason: RejectionReason

  init(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    self.reason = reason
    self.path = path
    self.evidence = evidence
  }

  /// Whether `exceptions.csv` lists the first before the second: by the error table, then by the field's bytes.
  static func isListed(_ left: Finding, before right: Finding) -> Bool {
    left.reason == right.reason ? left.path < right.path : left.reason < right.reason
  }
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
