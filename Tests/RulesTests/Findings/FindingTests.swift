import Records
import Testing

@testable import Rules

@Suite("Findings")
struct FindingTests {
  @Test("findings are listed by the error table, then by the field's bytes")
  func order() {
    let paths = [2, 10, 1].map { FieldPath.receiver($0).receiverField(.recipient) }
    let findings =
      paths.map { Finding(.missingField, at: $0) } + [
        Finding(.recordTooLong, at: .record), Finding(.duplicatePayKey, at: .top(.payKey)),
        Finding(.missingField, at: .top(.payKey)),
      ]
    let listed = findings.sorted(by: Finding.isListed)
    #expect(
      listed.map(\.reason) == [
        .recordTooLong, .missingField, .missingField, .missingField, .missingField, .duplicatePayKey,
      ])
    #expect(listed[1...4].map(\.path) == [.top(.payKey), paths[2], paths[1], paths[0]])
  }

  @Test("codes are written once each, in capitals")
  func codes() {
    let codes = RejectionReason.allCases.map(\.code.description)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.allSatisfy { $0.isUppercase || $0 == "_" || $0.isNumber } })
  }
}
