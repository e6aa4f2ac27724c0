/// What going through a published directory found.
public struct FolderVerdict: Sendable {
  /// What is wrong, in the order in which it was found; at most twenty findings for each file.
  public let findings: [ReportFinding]
  /// The number of findings, listed or not.
  public let count: Int
  /// The number of findings that are not listed, by file.
  public let unlisted: [(file: String, count: Int)]

  /// The same with the findings of digests first, because they show which file was changed.
  package var withDigestsFirst: FolderVerdict {
    let digests = findings.filter { $0.file == ReportKind.sums }
    return FolderVerdict(
      findings: digests + findings.filter { $0.file != ReportKind.sums }, count: count, unlisted: unlisted)
  }
}

/// The result of verifying a directory: the verdict, and figures of what it holds.
public protocol VerifiedFolder: Sendable {
  var verdict: FolderVerdict { get }
}

extension VerifiedFolder {
  public var findings: [ReportFinding] { verdict.findings }
  public var count: Int { verdict.count }
  public var unlisted: [(file: String, count: Int)] { verdict.unlisted }
}
