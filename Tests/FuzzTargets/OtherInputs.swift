import Digests
import Failures
import Foundation
import Documents
import Publication
import Returns

/// A directory of answers that is verified with another file than the one that was read, or after a table was cut. That
/// must be a finding or an error, and never end the process.
struct OtherInputs {
  private let output: String
  private let options: Returns.Options
  private let place: Scratch.Place
  private let answer: [UInt8]

  init(_ output: String, _ options: Returns.Options, _ place: Scratch.Place) throws(Disagreement) {
    (self.output, self.options, self.place) = (output, options, place)
    answer = try Self.bytes(place.path)
  }

  func check() throws(Disagreement) {
    let hash = Int(answer.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    for changed in [Array(answer.dropLast(1 + hash % answer.count)), answer + [0x0A], Self.renumbered(answer)]
    where changed != answer {
      place.write(changed)
      try expectFinding("another file was read")
    }
    place.write(answer)
    for report in AnswerReport.files(hasPayments: options.confirm != nil) {
      let path = "\(output)/\(report.fileName)"
      let whole = try Self.bytes(path)
      for count in [hash % whole.count, whole.count - 1] {
        try Self.write(Array(whole[..<count]), path)
        try mendSums()
        try expectFinding("\(report.fileName) was cut to \(count) bytes")
      }
      try Self.write(whole, path)
    }
    try mendSums()
  }

  /// The file with references of other payments, so that rows of the same number differ.
  private static func renumbered(_ answer: [UInt8]) -> [UInt8] {
    answer.indices.map { place in
      let isDigit = answer[place] &- 0x31 < 9 && place > 2 && answer[place - 1] == 0x2D && answer[place - 3] == 0x50
      return isDigit ? 0x31 + (answer[place] - 0x30) % 9 : answer[place]
    }
  }

  private func expectFinding(_ what: String) throws(Disagreement) {
    let verdict: ReturnsVerdict
    do throws(Failure) {
      verdict = try ReturnsVerification.verify(
        output, ledger: options.ledger, answers: options.answers, debtor: options.debtor)
    } catch { return }
    try require(verdict.count > 0, "\(what), and the verification finds nothing: \(shown(answer))")
  }

  private func mendSums() throws(Disagreement) {
    var digests: [String: String] = [:]
    for report in AnswerReport.files(hasPayments: options.confirm != nil) {
      digests[report.fileName] = SHA256.digest(of: try Self.bytes("\(output)/\(report.fileName)")).hexadecimal
    }
    try Self.write(Array(DigestList.text(digests).utf8), "\(output)/\(ReportKind.sums)")
  }

  private static func bytes(_ path: String) throws(Disagreement) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Disagreement(words: "\(path) is missing") }
    return Array(data)
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws(Disagreement) {
    guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else {
      throw Disagreement(words: "cannot write \(path)")
    }
  }
}
