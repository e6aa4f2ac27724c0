import ExactArithmetic
import Input
import Money

/// A block of up to 2,048 payments: its text, that compressed where asked for, and its control totals.
///
/// Blocks are made on any thread, one thread at a time, and used again: their memory stays.
final class SampleBlock: @unchecked Sendable {
  /// The most payments of a block; another number would make other batches of the same seed.
  static let payments = 2048

  private let options: SampleBatchOptions
  private let isLZ4: Bool
  private var composer: PaymentComposer
  /// The text's parts, each compressed.
  private var stored: [[UInt8]] = []

  init(of options: SampleBatchOptions, isLZ4: Bool) {
    self.options = options
    self.isLZ4 = isLZ4
    composer = PaymentComposer(options)
  }

  /// The text, until another is made.
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: composer.text.bytes, count: composer.text.count) }

  /// The sums of the control amounts; those of zero are left out.
  var totals: [Currency: ExactDecimal] { composer.totals }

  /// Makes block `number` of the batch, from 0; the first one begins with the header.
  func make(_ number: Int) {
    composer.begin(block: number)
    if number == 0 {
      // Another content has another id, or a ledger refuses it.
      let features = options.features.isEmpty ? "" : "-\(options.features.rawValue)"
      composer.text.append(#"{"type":"header","batchId":"sample-\#(options.seed)-\#(options.payments)\#(features)","#)
      composer.text.append(#""createdAt":"2026-11-20T00:00:00Z"}"# + "\n")
    }
    let first = number * SampleBlock.payments
    let defects = DefectPlan(options)
    for index in first..<min(first + SampleBlock.payments, options.payments) {
      composer.compose(index, defect: defects.assignment(of: index))
    }
    compress()
  }

  /// Makes the last line.
  func makeTrailer(totals: [Currency: ExactDecimal]) {
    let sums = totals.sorted { $0.key < $1.key }.map { #""\#($0.key.code)":"\#($0.value)""# }
    composer.text.removeAll()
    composer.text.append(#"{"type":"trailer","recordCount":\#(options.payments),"#)
    composer.text.append(#""totals":{\#(sums.joined(separator: ","))}}"# + "\n")
    compress()
  }

  private func compress() {
    if isLZ4 { stored = LZ4FrameWriter.blockTexts(text).map(LZ4FrameWriter.compressBlock) }
  }

  /// Writes the compressed text.
  func append(to frame: LZ4FrameWriter) throws {
    for (text, stored) in zip(LZ4FrameWriter.blockTexts(text), stored) {
      try stored.withUnsafeBytes { try frame.append($0, of: text) }
    }
  }
}
