import ExactArithmetic
import Input
import Money
import Records
import Text

/// Reads the fields of records, one record at a time, and collects the findings.
@usableFromInline
struct RecordReader: ~Copyable {
  /// Has the record's line; if a payment names a profile, the line with the profile's receivers added.
  @usableFromInline var scanner: RecordScanner
  /// The record's type; payment if it is not an object or its type is unknown.
  @usableFromInline var type = RecordType.payment
  var profile = NamedProfile.none
  /// The currency of the record's amounts; nil if it is not valid.
  @usableFromInline var currency: Currency?
  /// Whether a country is given in which the currency may not be used.
  var hasForeignCountry = false
  /// Whether a card has a number or a code, valid or not.
  var hasCardSecret = false
  @usableFromInline var findings: Findings
  /// How unknown fields are treated.
  let unknownFields: UnknownFields
  /// Whether the night is of a version before 1.0.0-rc.4 (`SettlementRules.strictTexts`).
  let isEarlier: Bool
  /// Whether texts that no amount depends on are errors if they are not valid.
  let refusesTexts: Bool
  /// The same for the parts of an address that tax rates are found by.
  let refusesTaxAddress: Bool
  /// Whether the record's shape is known, and its fields may be looked for on the wrong level.
  var hasLevels = false
  /// The categories that fees depend on; without them, receivers have no category.
  let categories: TextNumbers
  let hasCategories: Bool
  let foreignFields = RecordFields(RecordType.payment.foreignFields)
  /// The fields at the top level that only the single shape has.
  let singleShapeFields: [RecordField]
  let singleShapeSlots: RecordFields
  /// Texts that are not in the line as they are needed: unescaped, or accounts in lower case.
  @usableFromInline var copies = TextBuffer(capacity: 1 << 12)

  init(_ rules: SettlementRules, listsNotices: Bool, widthLimit: Int) {
    categories = rules.schedule.categories
    hasCategories = rules.schedule.hasCategories
    scanner = RecordScanner(widthLimit: widthLimit, hasCategories: hasCategories)
    findings = Findings(listsNotices: listsNotices)
    unknownFields = rules.unknownFields
    isEarlier = rules.strictTexts == nil
    refusesTexts = rules.strictTexts ?? true
    refusesTaxAddress = refusesTexts || rules.taxes != nil
    let shared: [RecordField] = isEarlier ? [] : [.paymentType, .paymentSubType]
    singleShapeFields =
      RecordField.ofSingleShape.filter { !shared.contains($0) } + (hasCategories ? [.category] : [])
    singleShapeSlots = RecordFields(singleShapeFields)
  }

  /// Resets it for a record that was not read yet.
  mutating func reset() {
    type = .payment
    profile = .none
    currency = nil
    hasForeignCountry = false
    hasLevels = false
    hasCardSecret = false
    findings.removeAll()
  }

  /// Scans a line and finds the record's type. A type with fields of its own is scanned again for them.
  ///
  /// - Returns: the form of the line, and whether the type is in the list.
  mutating func read(_ line: Span<UInt8>, _ placement: LinePlacement) -> (form: RecordForm, isTypeKnown: Bool) {
    let form = scan(line, placement)
    let type = scanner.field(.type)
    if form != .object || type.isAbsent { return (form, true) }
    guard type.kind == .string else { return (form, false) }
    let name = text(type)
    guard let known = RecordType.find(self[name]) else { return (form, false) }
    self.type = known
    let isTooWide = known.level != .record && !scanner.readAgain(as: known)
    return (isTooWide ? .tooWide : form, true)
  }

  /// Scans a line, and forgets the copies of the one before it.
  mutating func scan(_ line: Span<UInt8>, _ placement: LinePlacement) -> RecordForm {
    copies.removeAll(keeping: 1 << 18)
    return scanner.scan(line, placement)
  }

  // MARK: Texts

  /// A string's characters: in the line itself, or unescaped into the copies.
  @inline(__always)
  mutating func text(_ slice: JSONSlice) -> RecordText {
    slice.isEscaped ? unescaped(slice) : RecordText(start: Int(slice.start), count: slice.length, isCopy: false)
  }

  @inline(never)
  private mutating func unescaped(_ slice: JSONSlice) -> RecordText {
    let start = copies.count
    Self.unescape(slice, of: scanner, to: &copies)
    return RecordText(start: start, count: copies.count - start, isCopy: true)
  }

  private static func unescape(_ slice: JSONSlice, of scanner: borrowing RecordScanner, to copies: inout TextBuffer) {
    copies.append(unescaping: scanner[slice])
  }

  /// A copy of a text, to be changed.
  @inline(__always)
  mutating func copy(_ text: RecordText) -> RecordText {
    if text.isCopy { return text }
    let start = copies.count
    Self.append(text.range, of: scanner, to: &copies)
    return RecordText(start: start, count: text.count, isCopy: true)
  }

  /// Calls `body` with the characters of a string of the record, which are valid during the call.
  func withCharacters<Result>(of slice: JSONSlice, _ body: (Span<UInt8>) -> Result) -> Result {
    slice.isEscaped ? body(UTF8Text.unescaped(scanner[slice]).span) : body(scanner[slice])
  }

  /// The fields that objects of a level may have.
  func definitions(of level: FieldLevel) -> [FieldDefinition] {
    hasCategories
      ? level.definitions : level.definitions.enumerated().filter { !level.isCategory($0.offset) }.map(\.element)
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
