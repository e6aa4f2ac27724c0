import ExactArithmetic
import Input
import Money
import Records
import Text

/// Reads the fields of one record after the other, and collects what is found in them.
@usableFromInline
struct RecordReader: ~Copyable {
  var scanner: RecordScanner
  /// The record's line; of a payment that names a profile, the one with the profile's receivers in it.
  var line: UnsafePointer<UInt8>
  /// What the record is; of one that is not an object, or of no known type, a payment.
  @usableFromInline var type = RecordType.payment
  /// The profile that a payment names.
  var profile = NamedProfile.none
  /// The currency of the record's amounts; nil if it is not valid.
  @usableFromInline var currency: Currency?
  /// Whether a country is given in which the currency may not be used.
  var hasForeignCountry = false
  @usableFromInline var findings: Findings
  /// What an unknown field is.
  let unknownFields: UnknownFields
  let foreignFields = RecordFields(RecordType.payment.foreignFields)
  let singleShapeFields = RecordFields(RecordField.ofSingleShape)
  private var scratch: UnsafeMutablePointer<UInt8>
  private var scratchCapacity = 1 << 16
  /// How much of the scratch space the record takes so far.
  var scratchUsed = 0

  init(unknownFields: UnknownFields, listsNotices: Bool, widthLimit: Int) {
    scanner = RecordScanner(widthLimit: widthLimit)
    findings = Findings(listsNotices: listsNotices)
    self.unknownFields = unknownFields
    scratch = .allocate(capacity: scratchCapacity)
    line = UnsafePointer(scratch)
  }

  deinit { scratch.deallocate() }

  /// Makes it that of a record of which nothing is read.
  mutating func reset() {
    type = .payment
    profile = .none
    currency = nil
    hasForeignCountry = false
    findings.removeAll()
    scratchUsed = 0
  }

  /// Scans a line, and tells its record by its type; one with fields of its own is scanned by these.
  ///
  /// - Returns: the form of the line, and whether the type is one of the list.
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

  /// Scans a line, and makes room for its strings: each is unescaped at most once, and accounts are copied once more.
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

  /// Room in the scratch space until the next record.
  @inline(__always)
  mutating func takeScratch(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(scratchCapacity - scratchUsed >= count, "a record's strings take more room than twice its length")
    defer { scratchUsed += count }
    return scratch + scratchUsed
  }

  /// Calls a body with the characters of a string of the record, good for the call. They are unescaped apart: the scratch
  /// space holds the record's own strings only.
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

  /// Rejects a value, and answers so for its reader.
  mutating func refuse(_ reason: RejectionReason, _ value: FieldValue) -> Bool {
    reject(reason, value)
    return false
  }

  mutating func reject(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    guard let path = reported(path, reason) else { return }
    findings.errors.append(Finding(reason, at: path, evidence: evidence))
  }

  /// A finding whose message shows two figures: the one found and the one expected.
  mutating func reject(_ reason: RejectionReason, at path: FieldPath, found: ExactDecimal, expected: ExactDecimal) {
    guard let path = reported(path, reason) else { return }
    findings.errors.append(Finding(reason, at: path, evidence: findings.keep(found, expected)))
  }

  /// A finding whose message shows a number.
  mutating func reject(_ reason: RejectionReason, at path: FieldPath, count: Int) {
    reject(reason, at: path, evidence: JSONSlice(.number, start: count, length: 0))
  }

  /// Where an error is reported: what is wrong with a profile's receivers once at its name, else nil.
  private func reported(_ path: FieldPath, _ reason: RejectionReason) -> FieldPath? {
    guard profile == .known, path.isInReceivers else { return path }
    return findings.errors.contains { $0.reason == reason } ? nil : .top(.splitProfile)
  }

  mutating func note(_ notice: Notice, at path: FieldPath, name: JSONSlice = .absent) {
    let isOfProfile = profile == .known && path.isInReceivers
    findings.note(NoticeFinding(notice: notice, path: isOfProfile ? .top(.splitProfile) : path, name: name))
  }
}
