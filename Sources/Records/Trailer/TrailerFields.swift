extension RecordField {
  static let ofTrailer: [RecordField] = [.type, .recordCount, .refundTotals, .totals]
}
