import Input
import Records

/// One error of a record. It is small and holds no references, because a record may have thousands of findings.
public struct Finding: BitwiseCopyable, Sendable {
  public let path: FieldPath
  /// The value that the message shows, or its figures, if `start` is an index into `Findings.figures`.
  let evidence: JSONSlice
  /// Why the record is rejected.
  public let reason: RejectionReason

  init(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    self.reason = reason
    self.path = path
    self.evidence = evidence
  }

  /// Whether `exceptions.csv` lists `left` before `right`: in the order of the error table, then of the field's bytes.
  static func isListed(_ left: Finding, before right: Finding) -> Bool {
    left.reason == right.reason ? left.path < right.path : left.reason < right.reason
  }
}

public struct NoticeFinding: Sendable {
  public let notice: Notice
  /// The field; for an unknown field, the object that contains it.
  public let path: FieldPath
  /// The name of an unknown field; otherwise absent.
  let name: JSONSlice
}
