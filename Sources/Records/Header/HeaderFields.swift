extension RecordField {
  /// The fields of a header.
  static let ofHeader: [RecordField] = [.type, .batchId, .createdAt]
}
