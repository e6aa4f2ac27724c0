import ExactArithmetic
import Input

/// What is found in a record: its errors and its notices. The memory is reused.
@usableFromInline
struct Findings {
  /// The most errors of a record that are reported and counted (`rules.md`).
  static let most = 1000

  @usableFromInline var errors: [Finding] = []
  @usableFromInline var notices: [NoticeFinding] = []
  /// How often each notice was given, by `Notice.number`. `noticed` is their sum.
  private(set) var counts = Array(repeating: 0, count: Notice.allCases.count)
  private(set) var noticed = 0
  /// Figures that messages show, two per finding.
  private(set) var figures: [ExactDecimal] = []
  private let listsNotices: Bool

  init(listsNotices: Bool) { self.listsNotices = listsNotices }

  @inline(__always)
  mutating func removeAll() {
    if !errors.isEmpty { errors.removeAll(keepingCapacity: errors.count < 1024) }
    if !figures.isEmpty { figures.removeAll(keepingCapacity: figures.count < 1024) }
    if !notices.isEmpty { notices.removeAll(keepingCapacity: notices.count < 1024) }
    if noticed > 0 {
      for index in counts.indices { counts[index] = 0 }
      noticed = 0
    }
  }

  /// Stores the two figures that a message shows. Returns the evidence of its finding.
  mutating func keep(_ found: ExactDecimal, _ expected: ExactDecimal) -> JSONSlice {
    figures += [found, expected]
    return JSONSlice(.number, start: figures.count - 2, length: 0)
  }

  mutating func note(_ notice: NoticeFinding) {
    counts[Int(notice.notice.number)] += 1
    noticed += 1
    if listsNotices { notices.append(notice) }
  }

  /// Inserts an error into the sorted errors.
  mutating func insert(_ finding: Finding) {
    errors.insert(finding, at: errors.firstIndex { Finding.isListed(finding, before: $0) } ?? errors.count)
    leaveMost()
  }

  /// Drops the errors beyond the reported maximum.
  mutating func leaveMost() {
    if errors.count > Self.most { errors.removeSubrange(Self.most...) }
  }

  /// Removes the findings of fee assessment.
  mutating func forgetFees() {
    errors.removeAll { $0.reason == .feesExceedAmount }
    for notice in [Notice.feeCapped, .feeNotSet, .feePayerOverridden] {
      notices.removeAll { $0.notice == notice }
      noticed -= counts[Int(notice.number)]
      counts[Int(notice.number)] = 0
    }
  }
}
