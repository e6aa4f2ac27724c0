import ExactArithmetic
import Input
import Money
import Records
import Text

/// Reads the fields of records, one record at a time, and collects the findings.
@usableFromInline
struct RecordReader: ~Copyable {
  var scanner: RecordScanner
  /// The record's line; if a payment names a profile, the line with the profile's receivers added.
  var line: UnsafePointer<UInt8>
  /// The record's type; payment if it is not an object or its type is unknown.
  @usableFromInline var type = RecordType.payment
  /// The profile that a payment names.
  var profile = NamedProfile.none
  /// The currency of the record's amounts; nil if it is not valid.
  @usableFromInline var currency: Currency?
  /// Whether a country is given in which the currency may not be used.
  var hasForeignCountry = false
  @usableFromInline var findings: Findings
  /// How unknown fields are treated.
  let unknownFields: UnknownFields
  let foreignFields = RecordFields(RecordType.payment.foreignFields)
  let singleShapeFields = RecordFields(RecordField.ofSingleShape)
  @usableFromInline var scratch: UnsafeMutablePointer<UInt8>
  private var scratchCapacity = 1 << 16
  /// The part of the scratch space that the record has used so far.
  var scratchUsed = 0

  init(unknownFields: UnknownFields, listsNotices: Bool, widthLimit: Int) {
    scanner = RecordScanner(widthLimit: widthLimit)
    findings = Findings(listsNotices: listsNotices)
    self.unknownFields = unknownFields
    scratch = .allocate(capacity: scratchCapacity)
    line = UnsafePointer(scratch)
  }

  // Inlinable: other modules may inline the setter of a judgement's reader, and Swift 6.3.1 crashes if that calls a deinit
  // that they cannot see.
  @inlinable deinit { scratch.deallocate() }

  /// Resets it for a record that was not read yet.
  mutating func reset() {
    type = .payment
    profile = .none
    currency = nil
    hasForeignCountry = false
    findings.removeAll()
    scratchUsed = 0
  }

  /// Scans a line and finds the record's type. A type with fields of its own is scanned again for them.
  ///
  /// - Returns: the form of the line, and whether the type is in the list.
  mutating func read(_ line: UnsafePointer<UInt8>, count: Int) -> (form: RecordForm, isTypeKnown: Bool) {
    let form = scan(line, count: count)
    let type = scanner.field(.type)
    if form != .object || type.isAbsent { return (form, true) }
    let name = type.kind == .string ? text(type) : RecordText(bytes: line, count: 0)
    guard let known = RecordType.find(name.bytes, count: name.count) else { return (form, false) }
    self.type = known
    let isTooWide = known.level != .record && !scanner.readAgain(as: known)
    return (isTooWide ? .tooWide : form, true)
  }

  /// Scans a line, and reserves scratch space for its strings: each is unescaped at most once, and accounts are copied
  /// once more.
  mutating func scan(_ line: UnsafePointer<UInt8>, count: Int) -> RecordForm {
    self.line = line
    scratchUsed = 0
    let needed = max(1 << 16, 4 * count)
    if needed > scratchCapacity || scratchCapacity > 1 << 18 {
      scratch.deallocate()
      scratch = .allocate(capacity: needed)
      scratchCapacity = needed
    }
    return scanner.scan(line, count: count)
  }

  /// Reserves bytes in the scratch space until the next record.
  @inline(__always)
  mutating func takeScratch(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(scratchCapacity - scratchUsed >= count, "a record's strings take more room than twice its length")
    defer { scratchUsed += count }
    return scratch + scratchUsed
  }

  /// Calls `body` with the characters of a string of the record, which are valid during the call. They are unescaped
  /// into separate memory: the scratch space holds only the record's own strings.
  func withCharacters<Result>(of slice: JSONSlice, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, slice.length)) { buffer in
      let bytes = buffer.baseAddress!
      let count = UTF8Text.unescape(line + Int(slice.start), count: slice.length, into: bytes)
      return body(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  // MARK: Findings

  mutating func reject(_ reason: RejectionReason, _ value: FieldValue) {
    reject(reason, at: value.path, evidence: value.slice)
  }

  /// Rejects a value, and returns false for its reader.
  mutating func refuse(_ reason: RejectionReason, _ value: FieldValue) -> Bool {
    reject(reason, value)
    return false
  }

  mutating func reject(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    guard let path = reported(path, reason) else { return }
    findings.errors.append(Finding(reason, at: path, evidence: evidence))
  }

  /// Adds an error whose message shows two figures: the one found and the one expected.
  mutating func reject(_ reason: RejectionReason, at path: FieldPath, found: ExactDecimal, expected: ExactDecimal) {
    guard let path = reported(path, reason) else { return }
    findings.errors.append(Finding(reason, at: path, evidence: findings.keep(found, expected)))
  }

  /// Adds an error whose message shows a number.
  mutating func reject(_ reason: RejectionReason, at path: FieldPath, count: Int) {
    reject(reason, at: path, evidence: JSONSlice(.number, start: count, length: 0))
  }

  /// Where an error is reported. Errors in a profile's receivers are reported once per reason, at the profile's name;
  /// nil for the others.
  private func reported(_ path: FieldPath, _ reason: RejectionReason) -> FieldPath? {
    guard profile == .known, path.isInReceivers else { return path }
    return findings.errors.contains { $0.reason == reason } ? nil : .top(.splitProfile)
  }

  mutating func note(_ notice: Notice, at path: FieldPath, name: JSONSlice = .absent) {
    let isOfProfile = profile == .known && path.isInReceivers
    findings.note(NoticeFinding(notice: notice, path: isOfProfile ? .top(.splitProfile) : path, name: name))
  }
}
