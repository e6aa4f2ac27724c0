extension RecordField {
  /// What a header has.
  static let ofHeader: [RecordField] = [.type, .batchId, .createdAt]
}
