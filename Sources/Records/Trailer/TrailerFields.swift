extension RecordField {
  /// What a trailer has.
  static let ofTrailer: [RecordField] = [.type, .recordCount, .refundTotals, .totals]
}
