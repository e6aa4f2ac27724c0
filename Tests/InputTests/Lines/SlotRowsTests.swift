import Testing

@testable import Input

@Suite("Rows of slots")
struct SlotRowsTests {
  @Test("each write traps beyond the rows")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      var rows = SlotRows(count: 8)
      rows[8] = .absent
    }
    await #expect(processExitsWith: .failure) {
      var rows = SlotRows(count: 8)
      rows[-1] = .absent
    }
    await #expect(processExitsWith: .failure) {
      var rows = SlotRows(count: 8)
      rows.clear(0, width: 16)
    }
    await #expect(processExitsWith: .failure) { _ = SlotRows(count: 8).row(at: 8) }
    await #expect(processExitsWith: .failure) { SlotRows(count: 8).row(at: 0)[FieldTables.slots] = .absent }
  }
}
