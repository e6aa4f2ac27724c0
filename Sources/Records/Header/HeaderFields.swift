extension RecordField {
  static let ofHeader: [RecordField] = [.type, .batchId, .createdAt]
}
