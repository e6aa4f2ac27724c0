extension RecordField {
  /// The fields of a trailer.
  static let ofTrailer: [RecordField] = [.type, .recordCount, .refundTotals, .totals]
}
